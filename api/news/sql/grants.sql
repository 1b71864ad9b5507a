-- An article is withdrawn, not removed.
GRANT SELECT, INSERT, UPDATE ON article TO {{runtime_role}};
