-- Purchases are evidence; a plan that is no longer sold is hidden.
GRANT SELECT, INSERT, UPDATE ON plan, subscription TO {{runtime_role}};
GRANT SELECT, INSERT ON plan_price_change TO {{runtime_role}};
