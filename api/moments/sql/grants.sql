GRANT SELECT, INSERT, UPDATE, DELETE ON moment TO {{runtime_role}};
