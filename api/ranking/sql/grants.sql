-- Points are written by award_points and fold_points alone, which run as their owner.
GRANT SELECT
  ON board, board_total, member_season, point_entry, points_pending, rank_histogram, rank_promotion
  TO {{runtime_role}};
GRANT SELECT, INSERT, UPDATE, DELETE ON battle_rank, season TO {{runtime_role}};
