-- Every question has an order of its own: the subquery names the question, so that the planner
-- cannot draw one order for all.
CREATE OR REPLACE FUNCTION open_trivia(
  p_id uuid, p_user uuid, p_club uuid, p_day date, p_size int, p_now timestamptz
) RETURNS jsonb LANGUAGE plpgsql AS $$
DECLARE
  attempt trivia_attempt%ROWTYPE;
BEGIN
  SELECT * INTO attempt FROM trivia_attempt WHERE user_id = p_user AND day = p_day;
  IF NOT FOUND THEN
    IF NOT EXISTS (SELECT FROM trivia_set WHERE club_id = p_club AND day = p_day) THEN
      PERFORM freeze_trivia_set(p_club, p_day, p_size);
    END IF;
    INSERT INTO trivia_attempt (id, user_id, day, club_id, shown, issued_at)
    SELECT p_id, p_user, p_day, p_club,
           jsonb_agg(jsonb_build_object(
             'question', question_id,
             'order', (SELECT jsonb_agg(o ORDER BY random()) FROM generate_series(0, 3) AS o
                        WHERE question_id IS NOT NULL)
           ) ORDER BY number),
           p_now
      FROM trivia_set s
      CROSS JOIN LATERAL unnest(s.question_ids) WITH ORDINALITY AS t (question_id, number)
     WHERE s.club_id = p_club AND s.day = p_day
    HAVING count(*) > 0
    ON CONFLICT (user_id, day) DO NOTHING;
    SELECT * INTO attempt FROM trivia_attempt WHERE user_id = p_user AND day = p_day;
  END IF;
  RETURN jsonb_build_object(
    'submitted', attempt.submitted_at IS NOT NULL,
    'questions', CASE WHEN attempt.id IS NULL OR attempt.submitted_at IS NOT NULL
                      THEN '[]'::jsonb ELSE trivia_questions(attempt.shown) END);
END $$;
