GRANT SELECT, INSERT, UPDATE, DELETE ON club TO {{runtime_role}};
-- Only a trigger writes changes of club sizes; it runs as its owner.
GRANT SELECT, DELETE ON club_size_change TO {{runtime_role}};
GRANT SELECT, INSERT, UPDATE ON club_size TO {{runtime_role}};
