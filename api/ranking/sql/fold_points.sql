-- Adds pending awards to the boards, one folder at a time, and returns how many it took. Nobody
-- queues for the lock: NULL says that somebody else folds. Boards, totals and histogram move in one
-- statement, so that a rank always agrees with its board.
CREATE OR REPLACE FUNCTION fold_points(p_most int) RETURNS int
LANGUAGE plpgsql SECURITY DEFINER SET search_path = public, pg_temp AS $$
DECLARE
  taken bigint[];
BEGIN
  IF NOT EXISTS (SELECT FROM points_pending) THEN
    RETURN 0;
  END IF;
  IF NOT pg_try_advisory_xact_lock({{fold_points_lock}}) THEN
    RETURN NULL;
  END IF;
  SELECT array_agg(id) INTO taken
    FROM (SELECT id FROM points_pending ORDER BY id LIMIT p_most) oldest;
  IF taken IS NULL THEN
    RETURN 0;
  END IF;

  INSERT INTO board (period, starts_on, season_id)
  SELECT DISTINCT spread.period, spread.starts_on, spread.season_id
    FROM points_pending p
    CROSS JOIN LATERAL (VALUES
      ('day', p.day, NULL::uuid),
      ('week', date_trunc('week', p.day)::date, NULL),
      ('month', date_trunc('month', p.day)::date, NULL),
      ('season', NULL, p.season_id)) AS spread (period, starts_on, season_id)
   WHERE p.id = ANY (taken) AND (spread.starts_on IS NOT NULL OR spread.season_id IS NOT NULL)
  ON CONFLICT DO NOTHING;

  WITH gone AS (
    DELETE FROM points_pending WHERE id = ANY (taken) RETURNING *
  ), change AS (
    SELECT b.id AS board_id, g.user_id, min(g.club_id::text)::uuid AS club_id,
           sum(g.points)::int AS points, sum(g.elapsed_ms)::bigint AS elapsed_ms,
           max(g.earned_at) AS reached_at
      FROM gone g
      JOIN board b ON (b.period = 'day' AND b.starts_on = g.day)
        OR (b.period = 'week' AND b.starts_on = date_trunc('week', g.day)::date)
        OR (b.period = 'month' AND b.starts_on = date_trunc('month', g.day)::date)
        OR (b.period = 'season' AND b.season_id = g.season_id)
     GROUP BY b.id, g.user_id
  ), step AS (
    SELECT c.board_id, c.user_id, coalesce(t.club_id, c.club_id) AS club_id,
           t.points AS before, coalesce(t.points, 0) + c.points AS after,
           c.points, c.elapsed_ms, c.reached_at
      FROM change c
      LEFT JOIN board_total t ON t.board_id = c.board_id AND t.user_id = c.user_id
  ), totalled AS (
    INSERT INTO board_total AS t (board_id, user_id, club_id, points, elapsed_ms, reached_at)
    SELECT board_id, user_id, club_id, points, elapsed_ms, reached_at FROM step
    ON CONFLICT (board_id, user_id) DO UPDATE
      SET points = t.points + excluded.points, elapsed_ms = t.elapsed_ms + excluded.elapsed_ms,
          reached_at = greatest(t.reached_at, excluded.reached_at)
  )
  INSERT INTO rank_histogram AS h (board_id, club_id, level, bucket, members)
  SELECT s.board_id, whose.club_id, side.level, side.bucket, sum(side.members)
    FROM step s
    CROSS JOIN LATERAL (VALUES (s.club_id), ('{{all_clubs}}'::uuid)) AS whose (club_id)
    CROSS JOIN LATERAL (VALUES
      (1, s.before / 1000, -1), (2, s.before / 100, -1), (3, s.before / 10, -1), (4, s.before, -1),
      (1, s.after / 1000, 1), (2, s.after / 100, 1), (3, s.after / 10, 1), (4, s.after, 1)
    ) AS side (level, bucket, members)
   WHERE side.bucket IS NOT NULL
   GROUP BY s.board_id, whose.club_id, side.level, side.bucket
  HAVING sum(side.members) <> 0
  ON CONFLICT (board_id, club_id, level, bucket) DO UPDATE
    SET members = h.members + excluded.members;
  RETURN cardinality(taken);
END $$;

REVOKE EXECUTE ON FUNCTION fold_points(int) FROM PUBLIC;
GRANT EXECUTE ON FUNCTION fold_points(int) TO {{runtime_role}};
