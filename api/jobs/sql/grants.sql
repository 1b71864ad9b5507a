-- The library's schedules are not used; its statistics are not either, but it looks for the table.
GRANT SELECT, INSERT, UPDATE, DELETE ON pgqueuer, pgqueuer_log TO {{runtime_role}};
GRANT SELECT ON pgqueuer_statistics TO {{runtime_role}};
GRANT SELECT, INSERT, UPDATE ON job_kind TO {{runtime_role}};
GRANT USAGE ON pgqueuer_id_seq TO {{runtime_role}};
