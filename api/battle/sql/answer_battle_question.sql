-- Judges an answer by the time the server received it. An attempt that has ended answers what it
-- ended with; ``fresh`` tells the one call that ended it.
CREATE OR REPLACE FUNCTION answer_battle_question(
  p_user uuid, p_sid text, p_question uuid, p_option smallint, p_entry uuid, p_now timestamptz
) RETURNS jsonb LANGUAGE plpgsql AS $$
DECLARE
  attempt battle_attempt%ROWTYPE;
BEGIN
  PERFORM 1 FROM battle_seat WHERE user_id = p_user AND sid = p_sid FOR NO KEY UPDATE;
  IF NOT FOUND THEN
    RETURN '{"kind": "refused", "code": "session_taken_over"}';
  END IF;
  SELECT * INTO attempt FROM battle_attempt a
   WHERE a.user_id = p_user AND a.question_id = p_question
   ORDER BY a.day DESC LIMIT 1 FOR NO KEY UPDATE;
  IF NOT FOUND THEN
    RETURN '{"kind": "refused", "code": "not_served"}';
  END IF;
  IF attempt.outcome IS NOT NULL THEN
    RETURN stored_battle_result(attempt);
  END IF;
  IF p_option IS NULL AND p_now < attempt.deadline_at THEN
    RETURN '{"kind": "refused", "code": "no_answer"}';
  END IF;
  RETURN end_battle_attempt(
    attempt,
    CASE WHEN p_now <= attempt.deadline_at + {{battle_grace}} THEN p_option END,
    p_entry, p_now)
    || '{"fresh": true}';
END $$;
