GRANT SELECT, INSERT, UPDATE, DELETE ON push_subscription, push_delivery, push_day
  TO {{runtime_role}};
