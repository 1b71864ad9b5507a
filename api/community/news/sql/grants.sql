-- Articles are withdrawn, never deleted.
GRANT SELECT, INSERT, UPDATE ON article TO {{runtime_role}};
