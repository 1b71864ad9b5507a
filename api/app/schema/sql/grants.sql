-- Only the owner has access to what no grants file names.
GRANT USAGE ON SCHEMA public TO {{runtime_role}};
GRANT SELECT ON alembic_version, database_objects TO {{runtime_role}};
GRANT SELECT, INSERT, UPDATE, DELETE ON heartbeat, idempotency_key, rate_limit TO {{runtime_role}};
GRANT SELECT, INSERT, DELETE ON solved_challenge TO {{runtime_role}};
