-- Adds pending awards to the boards, one caller at a time, and returns how many it added. It never
-- waits for the lock: NULL means that another caller is folding. Boards, totals and histogram change
-- in one statement, so that a rank always agrees with its board.
CREATE OR REPLACE FUNCTION fold_points(p_most int) RETURNS int
LANGUAGE plpgsql SECURITY DEFINER SET search_path = public, pg_temp AS $$
DECLARE
  taken int := 0;
BEGIN
  IF NOT EXISTS (SELECT FROM points_pending) THEN
    RETURN taken;
  ELSIF NOT pg_try_advisory_xact_lock({{fold_points_lock}}) THEN
    RETURN NULL;
  END IF;
  WITH gone AS (
    DELETE FROM points_pending
     WHERE id = ANY (ARRAY(SELECT id FROM points_pending ORDER BY id LIMIT p_most)) RETURNING *
  ), spread AS (
    SELECT g.*, kind.period, kind.starts_on, kind.of_season
      FROM gone g CROSS JOIN LATERAL (VALUES
        ('day', g.day, NULL::uuid), ('week', date_trunc('week', g.day)::date, NULL),
        ('month', date_trunc('month', g.day)::date, NULL), ('season', NULL, g.season_id)
      ) AS kind (period, starts_on, of_season)
     WHERE (kind.starts_on IS NOT NULL OR kind.of_season IS NOT NULL)
       AND NOT is_off_boards(g.user_id) -- who became an operator since
  ), opened AS (
    INSERT INTO board (period, starts_on, season_id)
    SELECT DISTINCT period, starts_on, of_season FROM spread
    -- An update that changes nothing returns the board that was there.
    ON CONFLICT (period, starts_on, season_id) DO UPDATE SET period = excluded.period RETURNING *
  ), step AS (
    SELECT b.id AS board_id, s.user_id, coalesce(t.club_id, min(s.club_id::text)::uuid) AS club_id,
           t.points AS before, sum(s.points)::int AS points,
           sum(s.elapsed_ms)::bigint AS elapsed_ms, max(s.earned_at) AS reached_at
      FROM spread s
      JOIN opened b ON b.period = s.period
       AND (b.starts_on, b.season_id) IS NOT DISTINCT FROM (s.starts_on, s.of_season)
      LEFT JOIN board_total t ON t.board_id = b.id AND t.user_id = s.user_id
     GROUP BY b.id, s.user_id, t.club_id, t.points
  ), totalled AS (
    INSERT INTO board_total AS t (board_id, user_id, club_id, points, elapsed_ms, reached_at)
    SELECT board_id, user_id, club_id, points, elapsed_ms, reached_at FROM step
    ON CONFLICT (board_id, user_id) DO UPDATE
      SET points = t.points + excluded.points, elapsed_ms = t.elapsed_ms + excluded.elapsed_ms,
          reached_at = greatest(t.reached_at, excluded.reached_at)
  ), counted AS (
    INSERT INTO rank_histogram AS h (board_id, club_id, level, bucket, members)
    SELECT s.board_id, whose.club_id, size.level, floor(side.points / size.width)::int, sum(side.members)
      FROM step s
     CROSS JOIN LATERAL (VALUES (s.club_id), ('{{all_clubs}}'::uuid)) AS whose (club_id)
     CROSS JOIN LATERAL (VALUES (s.before, -1), (coalesce(s.before, 0) + s.points, 1))
       AS side (points, members)
     CROSS JOIN (VALUES (1, 1000.0), (2, 100), (3, 10), (4, 1)) AS size (level, width)
     WHERE side.points IS NOT NULL
     GROUP BY 1, 2, 3, 4 HAVING sum(side.members) <> 0
    ON CONFLICT (board_id, club_id, level, bucket) DO UPDATE
      SET members = h.members + excluded.members
  )
  SELECT count(*) INTO taken FROM gone;
  RETURN taken;
END $$;

REVOKE EXECUTE ON FUNCTION fold_points FROM PUBLIC;
GRANT EXECUTE ON FUNCTION fold_points TO {{runtime_role}};
