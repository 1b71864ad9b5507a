-- The club's own questions come first, then those for all clubs, by chance among equals. What was
-- asked in the last weeks comes after all that, the longest rested first. An empty bank freezes
-- nothing. Of first requests that come at once one inserts, and the others wait for it.
CREATE OR REPLACE FUNCTION freeze_trivia_set(p_club uuid, p_day date, p_size int) RETURNS void
LANGUAGE sql AS $$
  WITH asked AS (
    SELECT question_id, max(day) AS day
      FROM trivia_set CROSS JOIN LATERAL unnest(question_ids) AS question_id
     WHERE club_id = p_club AND day < p_day
     GROUP BY question_id
  ), candidate AS (
    SELECT q.id, q.difficulty, q.club_id, a.day AS asked_on,
           coalesce(a.day > p_day - {{trivia_rest_days}}, false) AS rests
      FROM question q LEFT JOIN asked a ON a.question_id = q.id
     WHERE q.kind = 'trivia' AND q.retired_at IS NULL
       AND (q.club_id = p_club OR q.club_id IS NULL)
  ), picked AS (
    SELECT * FROM candidate
     ORDER BY rests, CASE WHEN NOT rests THEN club_id IS NULL END, asked_on NULLS FIRST, random()
     LIMIT p_size
  )
  INSERT INTO trivia_set (club_id, day, question_ids)
  SELECT p_club, p_day, array_agg(id ORDER BY difficulty, random()) FROM picked
  HAVING count(*) > 0
  ON CONFLICT DO NOTHING
$$;
