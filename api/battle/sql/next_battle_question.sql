CREATE OR REPLACE FUNCTION next_battle_question(
  p_user uuid, p_club uuid, p_sid text, p_attempt uuid, p_shown smallint[], p_entry uuid,
  p_day date, p_now timestamptz
) RETURNS jsonb LANGUAGE plpgsql SET enable_seqscan = off AS $$
BEGIN
  PERFORM 1 FROM battle_seat WHERE user_id = p_user AND sid = p_sid FOR NO KEY UPDATE;
  IF NOT FOUND THEN
    RETURN '{"kind": "refused", "code": "session_taken_over"}';
  END IF;
  RETURN battle_step(p_user, p_club, p_attempt, p_shown, p_entry, p_day, p_now, false);
END $$;
