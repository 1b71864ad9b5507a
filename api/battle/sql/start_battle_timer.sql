-- A slow network may have eaten into the time: the first word that the question is on screen, if
-- it comes soon enough, starts its time anew, once.
CREATE OR REPLACE FUNCTION start_battle_timer(
  p_user uuid, p_sid text, p_question uuid, p_now timestamptz
) RETURNS bigint LANGUAGE sql AS $$
  UPDATE battle_attempt a
     SET deadline_at = p_now + (a.deadline_at - a.opened_at), anchored = true
   WHERE a.user_id = p_user AND a.outcome IS NULL AND a.question_id = p_question
     AND NOT a.anchored AND p_now BETWEEN a.opened_at AND a.opened_at + {{battle_anchor}}
     AND EXISTS (SELECT FROM battle_seat s WHERE s.user_id = p_user AND s.sid = p_sid)
  RETURNING milliseconds(a.deadline_at)
$$;
