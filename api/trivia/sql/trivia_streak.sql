-- Submitted days in a row, up to today or, while today is still open, up to yesterday.
CREATE OR REPLACE FUNCTION trivia_streak(p_user uuid, p_today date) RETURNS int LANGUAGE sql STABLE AS $$
  WITH RECURSIVE run AS (
    SELECT max(day) AS day FROM trivia_attempt
     WHERE user_id = p_user AND day BETWEEN p_today - 1 AND p_today
       AND submitted_at IS NOT NULL
    UNION ALL
    SELECT a.day FROM run JOIN trivia_attempt a
        ON a.user_id = p_user AND a.day = run.day - 1 AND a.submitted_at IS NOT NULL
  )
  SELECT count(day)::int FROM run
$$;
