GRANT SELECT, INSERT, UPDATE, DELETE ON invite TO {{runtime_role}};
GRANT SELECT, INSERT, UPDATE ON invitation TO {{runtime_role}};
