GRANT SELECT, INSERT, UPDATE, DELETE ON club TO {{runtime_role}};
-- Who comes and goes is written by a trigger alone, which runs as its owner.
GRANT SELECT, DELETE ON club_size_change TO {{runtime_role}};
GRANT SELECT, INSERT, UPDATE ON club_size TO {{runtime_role}};
