-- What a member who comes or goes on meets: the running question, a time-out that nobody saw, or
-- the next question.
CREATE OR REPLACE FUNCTION battle_step(
  p_user uuid, p_club uuid, p_attempt uuid, p_shown smallint[], p_entry uuid, p_day date,
  p_now timestamptz, p_resume boolean
) RETURNS jsonb LANGUAGE plpgsql AS $$
DECLARE
  running battle_attempt%ROWTYPE;
  last_one battle_attempt%ROWTYPE;
BEGIN
  SELECT * INTO running FROM battle_attempt a WHERE a.user_id = p_user AND a.outcome IS NULL
     FOR NO KEY UPDATE;
  IF FOUND THEN
    IF p_now > running.deadline_at + {{battle_grace}} THEN
      RETURN end_battle_attempt(running, NULL, p_entry, p_now) || '{"fresh": true}';
    END IF;
    RETURN battle_question(running.id) || '{"resumed": true}';
  END IF;
  IF p_resume THEN
    SELECT a.* INTO last_one FROM battle_attempt a JOIN battle_seat s ON s.user_id = a.user_id
     WHERE a.user_id = p_user AND a.closed_at >= s.visit_from
     ORDER BY a.day DESC, a.n DESC LIMIT 1;
    IF NOT FOUND THEN
      RETURN '{"kind": "idle"}';
    END IF;
    RETURN stored_battle_result(last_one);
  END IF;
  RETURN serve_battle_question(p_user, p_club, p_attempt, p_shown, p_day, p_now);
END $$;
