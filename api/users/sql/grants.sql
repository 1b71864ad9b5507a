GRANT SELECT, INSERT, UPDATE, DELETE ON private_detail, user_account TO {{runtime_role}};
