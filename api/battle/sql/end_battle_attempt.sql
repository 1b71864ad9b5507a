-- Ends an open attempt; the caller holds the seat. ``p_option`` is the chosen key's place in what
-- was shown, NULL when time ran out.
CREATE OR REPLACE FUNCTION end_battle_attempt(
  p_attempt battle_attempt, p_option smallint, p_entry uuid, p_now timestamptz
) RETURNS jsonb LANGUAGE plpgsql AS $$
DECLARE
  asked record;
  standing record;
BEGIN
  SELECT q.right_option, s.point_per_question INTO asked
    FROM question q, season s WHERE q.id = p_attempt.question_id AND s.id = p_attempt.season_id;
  p_attempt.answer := p_option;
  p_attempt.closed_at := p_now;
  p_attempt.elapsed_ms := greatest(0, 1000 * extract(
    epoch FROM least(p_now, p_attempt.deadline_at + {{battle_grace}}) - p_attempt.opened_at))::int;
  IF p_option IS NULL THEN
    p_attempt.outcome := 'timeout';
  ELSIF p_attempt.shown[p_option + 1] = asked.right_option THEN
    p_attempt.outcome := 'right';
    p_attempt.points := asked.point_per_question;
  ELSE
    p_attempt.outcome := 'wrong';
  END IF;
  SELECT * INTO standing FROM award_points(
    p_entry, p_attempt.user_id, p_attempt.club_id, p_attempt.season_id, 'battle', p_attempt.id,
    p_attempt.question_id, p_attempt.points, (p_option IS NOT NULL)::int,
    (p_attempt.outcome = 'right')::int,
    CASE WHEN p_attempt.outcome = 'right' THEN p_attempt.elapsed_ms ELSE 0 END, '{}',
    p_attempt.day, p_now);
  p_attempt.promoted_to := standing.promoted_to;
  UPDATE battle_attempt a
     SET outcome = p_attempt.outcome, answer = p_attempt.answer, points = p_attempt.points,
         elapsed_ms = p_attempt.elapsed_ms, promoted_to = p_attempt.promoted_to,
         closed_at = p_attempt.closed_at
   WHERE a.id = p_attempt.id;
  RETURN battle_result(p_attempt, standing.points, standing.battle_points, standing.badge);
END $$;
