GRANT SELECT, INSERT, UPDATE, DELETE ON club TO {{runtime_role}};
-- Sizes are counted by triggers and fold_club_sizes, which run as their owner.
GRANT SELECT ON club_size, club_size_change TO {{runtime_role}};
