-- Only award_points and fold_points write points; they run as their owner.
GRANT SELECT
  ON board, board_total, member_season, point_entry, points_pending, rank_histogram, rank_promotion
  TO {{runtime_role}};
-- Boards no longer shown are deleted; the points they were folded from are kept.
GRANT DELETE ON board, board_total, rank_histogram TO {{runtime_role}};
GRANT SELECT, INSERT, UPDATE, DELETE ON battle_rank, season TO {{runtime_role}};
-- Of a promotion, only when it was announced and seen is ever updated.
GRANT UPDATE (seen_at, told_at) ON rank_promotion TO {{runtime_role}};
