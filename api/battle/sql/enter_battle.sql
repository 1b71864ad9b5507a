-- Takes the seat for a socket, and goes on. ``previous_sid`` is the socket that had it.
CREATE OR REPLACE FUNCTION enter_battle(
  p_user uuid, p_club uuid, p_sid text, p_resume boolean, p_attempt uuid, p_shown smallint[],
  p_entry uuid, p_day date, p_now timestamptz
) RETURNS jsonb LANGUAGE plpgsql SET enable_seqscan = off AS $$
DECLARE
  previous text;
BEGIN
  INSERT INTO battle_seat (user_id, sid, visit_from) VALUES (p_user, p_sid, p_now)
    ON CONFLICT DO NOTHING;
  SELECT sid INTO previous FROM battle_seat WHERE user_id = p_user FOR NO KEY UPDATE;
  UPDATE battle_seat
     SET sid = p_sid,
         visit_from = CASE WHEN p_resume THEN visit_from ELSE greatest(visit_from, p_now) END
   WHERE user_id = p_user;
  RETURN battle_step(p_user, p_club, p_attempt, p_shown, p_entry, p_day, p_now, p_resume)
    || jsonb_build_object('previous_sid', nullif(previous, p_sid));
END $$;
