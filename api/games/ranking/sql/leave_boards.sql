-- Removes a new operator from the leaderboards. It blocks folding and waits for transactions that score
-- the member's predictions, so that nothing is added afterwards.
CREATE OR REPLACE FUNCTION leave_boards() RETURNS trigger
LANGUAGE plpgsql SECURITY DEFINER SET search_path = public, pg_temp AS $$
BEGIN
  PERFORM pg_advisory_xact_lock({{fold_points_lock}});
  PERFORM 1 FROM user_account WHERE id = NEW.user_id FOR UPDATE;
  WITH gone AS (
    DELETE FROM board_total WHERE user_id = NEW.user_id RETURNING *
  )
  UPDATE rank_histogram h SET members = h.members - 1
    FROM gone g
   CROSS JOIN LATERAL (VALUES (g.club_id), ('{{all_clubs}}'::uuid)) AS whose (club_id)
   CROSS JOIN (VALUES (1, 1000.0), (2, 100), (3, 10), (4, 1)) AS size (level, width)
   WHERE (h.board_id, h.club_id, h.level, h.bucket)
       = (g.board_id, whose.club_id, size.level, floor(g.points / size.width)::int);
  DELETE FROM prediction_total WHERE user_id = NEW.user_id;
  RETURN NULL;
END $$;
