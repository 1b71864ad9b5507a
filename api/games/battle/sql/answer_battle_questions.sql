-- Judges a batch of answers by when the server received each; an answer without an option is a
-- time-out. An attempt has one result: an ended attempt returns it again, and ``fresh`` is true only
-- for the call that ended it. Seats are always locked in the same order, so that two such statements
-- never deadlock.
CREATE OR REPLACE FUNCTION answer_battle_questions(
  p_users uuid[], p_sids text[], p_questions uuid[], p_options smallint[], p_entries uuid[],
  p_received timestamptz[], p_grace interval
) RETURNS TABLE (
  place bigint, refusal text, fresh boolean, attempt battle_attempt, asked question,
  standing member_season
) LANGUAGE plpgsql ROWS 10 SET enable_seqscan = off AS $$
DECLARE
  given record;
BEGIN
  FOR given IN
    SELECT * FROM unnest(p_users, p_sids, p_questions, p_options, p_entries, p_received)
      WITH ORDINALITY AS t (who, sid, question, option, entry, received, number)
     ORDER BY who, number
  LOOP
    PERFORM 1 FROM battle_seat s WHERE s.user_id = given.who AND s.sid = given.sid
      FOR NO KEY UPDATE;
    refusal := CASE WHEN NOT FOUND THEN 'session_taken_over' END;
    SELECT * INTO attempt FROM battle_attempt a
     WHERE a.user_id = given.who AND a.question_id = given.question AND refusal IS NULL
     ORDER BY a.day DESC LIMIT 1 FOR NO KEY UPDATE;
    fresh := attempt.outcome IS NULL;
    refusal := CASE
      WHEN refusal IS NOT NULL THEN refusal WHEN attempt.id IS NULL THEN 'not_served'
      WHEN fresh AND given.option IS NULL AND given.received < attempt.deadline_at
      THEN 'no_answer' END;
    SELECT * INTO asked FROM question q WHERE q.id = attempt.question_id;
    IF fresh AND refusal IS NULL THEN
      attempt.answer := CASE WHEN given.received <= attempt.deadline_at + p_grace
                             THEN given.option END;
      attempt.outcome := CASE
        WHEN attempt.answer IS NULL THEN 'timeout'
        WHEN attempt.shown[attempt.answer + 1] = asked.right_option THEN 'right' ELSE 'wrong' END;
      attempt.elapsed_ms := greatest(0, 1000 * extract(epoch FROM
        least(given.received, attempt.deadline_at + p_grace) - attempt.opened_at));
      SELECT s.point_per_question
             * (attempt.outcome = 'right' AND earns_from_games(attempt.user_id))::int INTO attempt.points
        FROM season s WHERE s.id = attempt.season_id;
      SELECT award.promoted_to INTO attempt.promoted_to FROM award_points(
        given.entry, attempt.user_id, attempt.club_id, attempt.season_id, 'battle', attempt.id,
        attempt.question_id, attempt.points, (attempt.answer IS NOT NULL)::int,
        (attempt.outcome = 'right')::int,
        attempt.elapsed_ms * (attempt.outcome = 'right')::int, '{}', attempt.day,
        given.received) award;
      UPDATE battle_attempt a
         SET (outcome, answer, points, elapsed_ms, promoted_to, closed_at) = (
           attempt.outcome, attempt.answer, attempt.points, attempt.elapsed_ms,
           attempt.promoted_to, given.received) WHERE a.id = attempt.id;
    END IF;
    SELECT * INTO standing FROM member_season m
     WHERE m.user_id = attempt.user_id AND m.season_id = attempt.season_id;
    place := given.number;
    RETURN NEXT;
  END LOOP;
END $$;
