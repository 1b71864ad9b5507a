-- An ended attempt with the right option, and the standing that goes with it.
CREATE OR REPLACE FUNCTION battle_result(
  p_attempt battle_attempt, p_points int, p_battle_points int, p_badge text
) RETURNS jsonb LANGUAGE plpgsql STABLE AS $$
BEGIN
  RETURN (SELECT jsonb_build_object(
    'kind', 'result', 'user_id', p_attempt.user_id, 'question_id', q.id,
    'outcome', p_attempt.outcome, 'points_awarded', p_attempt.points,
    'answer', p_attempt.answer, 'right', array_position(p_attempt.shown, q.right_option) - 1,
    'explanation', q.explanation, 'number', p_attempt.n, 'total', s.questions_per_day,
    'promoted_to', p_attempt.promoted_to, 'points', p_points,
    'battle_points', p_battle_points, 'badge', p_badge,
    'points_to_next', next.threshold_point - p_battle_points,
    'next_rank', CASE WHEN next.threshold_point IS NOT NULL
                      THEN coalesce(next.following, '{{top_badge}}') END)
    FROM question q
    JOIN season s ON s.id = p_attempt.season_id
    LEFT JOIN LATERAL (
      SELECT r.threshold_point, lead(r.rank) OVER (ORDER BY r.threshold_point) AS following
        FROM battle_rank r
       WHERE r.season_id = s.id AND r.threshold_point > p_battle_points
       ORDER BY r.threshold_point LIMIT 1) next ON true
   WHERE q.id = p_attempt.question_id);
END $$;
