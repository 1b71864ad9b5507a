-- A question is retired, not removed.
GRANT SELECT, INSERT, UPDATE ON question TO {{runtime_role}};
