-- One submit is one statement. Locks are taken in one order: the key, the attempt, the standing.
-- Answers are judged only when each of them is to a question of the attempt: anything else leaves
-- the attempt as it is. The points belong to the season of the attempt's own day, also when they
-- come in the grace.
CREATE OR REPLACE FUNCTION submit_trivia(
  p_entry_id uuid, p_user uuid, p_oldest date, p_today date, p_choices jsonb, p_each int,
  p_now timestamptz, p_key text, p_fingerprint text
) RETURNS jsonb LANGUAGE plpgsql AS $$
DECLARE
  claim record;
  attempt trivia_attempt%ROWTYPE;
  given jsonb;
  review jsonb;
  named int := (SELECT count(*) FROM jsonb_object_keys(p_choices));
  hits int;
  playing uuid;
  answer jsonb;
BEGIN
  IF p_key IS NOT NULL THEN
    SELECT * INTO claim FROM claim_idempotency_key(p_user, p_key, 'trivia', p_fingerprint);
    IF NOT claim.matches THEN
      RAISE EXCEPTION 'the key named another request' USING ERRCODE = 'KF422';
    END IF;
    IF NOT claim.claimed THEN
      SELECT * INTO attempt FROM trivia_attempt WHERE id = (claim.answer ->> 'attempt')::uuid;
      RETURN claim.answer || jsonb_build_object(
        'replayed', true, 'review', trivia_review(attempt.shown, attempt.choices));
    END IF;
  END IF;

  SELECT a.* INTO attempt
    FROM trivia_attempt a
   WHERE a.user_id = p_user AND a.day BETWEEN p_oldest AND p_today
   ORDER BY named_questions(a.shown, p_choices) DESC, a.day DESC LIMIT 1
     FOR UPDATE;
  IF NOT FOUND THEN
    RAISE EXCEPTION 'no open attempt was shown any questions' USING ERRCODE = 'KF442';
  END IF;
  IF named_questions(attempt.shown, p_choices) < named THEN
    IF EXISTS (SELECT FROM trivia_attempt a
                WHERE a.user_id = p_user AND a.day < p_oldest
                  AND named_questions(a.shown, p_choices) = named) THEN
      RAISE EXCEPTION 'the time of these questions is over' USING ERRCODE = 'KF442';
    END IF;
    RAISE EXCEPTION 'an answer is to no question of the set' USING ERRCODE = 'KF443';
  END IF;
  IF attempt.submitted_at IS NOT NULL THEN
    RAISE EXCEPTION 'the attempt was submitted before' USING ERRCODE = 'KF441',
      DETAIL = jsonb_build_object('points', attempt.points)::text;
  END IF;

  SELECT coalesce(jsonb_object_agg(item ->> 'question', p_choices -> (item ->> 'question')), '{}')
    INTO given
    FROM jsonb_array_elements(attempt.shown) AS item
   WHERE p_choices ->> (item ->> 'question') IN ('A', 'B', 'C', 'D');
  review := trivia_review(attempt.shown, given);
  SELECT count(*) INTO hits FROM jsonb_array_elements(review) AS one
   WHERE one ->> 'chosen' = one ->> 'right';
  UPDATE trivia_attempt
     SET submitted_at = p_now, choices = given, correct = hits, points = hits * p_each
   WHERE id = attempt.id;
  SELECT id INTO playing FROM season
   WHERE tstzrange(starts_at, ends_at) @> least(
     p_now, (attempt.day + 1)::timestamp AT TIME ZONE 'Africa/Lagos' - interval '1 microsecond');
  PERFORM award_points(
    p_entry_id, p_user, attempt.club_id, playing, 'trivia', attempt.id, NULL, hits * p_each,
    (SELECT count(*) FROM jsonb_object_keys(given))::int, hits, 0,
    jsonb_build_object('right', hits, 'of', jsonb_array_length(attempt.shown)),
    attempt.day, p_now);

  answer := jsonb_build_object(
    'attempt', attempt.id, 'points', hits * p_each, 'correct', hits,
    'total', jsonb_array_length(attempt.shown), 'streak', trivia_streak(p_user, p_today));
  IF p_key IS NOT NULL THEN
    PERFORM store_idempotent_answer(p_user, p_key, answer);
  END IF;
  RETURN answer || jsonb_build_object('replayed', false, 'review', review);
END $$;
