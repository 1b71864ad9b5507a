GRANT SELECT, INSERT, UPDATE, DELETE ON club_top TO {{runtime_role}};
