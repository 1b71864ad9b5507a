GRANT SELECT, INSERT, UPDATE, DELETE ON moment, moment_report TO {{runtime_role}};
GRANT SELECT, INSERT, DELETE ON moment_applause, moment_share TO {{runtime_role}};
