-- A question is retired, not deleted.
GRANT SELECT, INSERT, UPDATE ON question TO {{runtime_role}};
GRANT SELECT, INSERT, UPDATE (applied_at), DELETE ON import_run TO {{runtime_role}};
GRANT SELECT, INSERT, UPDATE, DELETE ON question_statistic TO {{runtime_role}};
