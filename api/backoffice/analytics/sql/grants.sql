GRANT SELECT, INSERT, UPDATE ON day_figure TO {{runtime_role}};
