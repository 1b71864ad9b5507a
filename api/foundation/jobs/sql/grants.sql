-- pgqueuer's statistics and schedules are not used, but the library checks that the tables exist.
GRANT SELECT, INSERT, UPDATE, DELETE ON pgqueuer, pgqueuer_log TO {{runtime_role}};
GRANT SELECT ON pgqueuer_schedules, pgqueuer_statistics TO {{runtime_role}};
GRANT SELECT, INSERT, UPDATE ON job_kind TO {{runtime_role}};
-- The recorded result of a run never changes.
GRANT SELECT, INSERT, DELETE ON job_run TO {{runtime_role}};
GRANT SELECT, INSERT, UPDATE, DELETE ON job_worker TO {{runtime_role}};
GRANT USAGE ON pgqueuer_id_seq TO {{runtime_role}};
