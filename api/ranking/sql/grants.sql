-- Points are written by award_points and fold_points alone, which run as their owner.
GRANT SELECT
  ON board, board_total, member_season, point_entry, points_pending, rank_histogram, rank_promotion
  TO {{runtime_role}};
-- A board that nobody is shown any more is removed; the points it was added up from stay.
GRANT DELETE ON board, board_total, rank_histogram TO {{runtime_role}};
GRANT SELECT, INSERT, UPDATE, DELETE ON battle_rank, season TO {{runtime_role}};
-- That a member was told of a promotion and has seen it is all that is ever noted of it.
GRANT UPDATE (seen_at, told_at) ON rank_promotion TO {{runtime_role}};
