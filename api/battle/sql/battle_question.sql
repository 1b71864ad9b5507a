-- A running question as its member may see it: never the right option.
CREATE OR REPLACE FUNCTION battle_question(p_attempt uuid) RETURNS jsonb
LANGUAGE plpgsql STABLE AS $$
BEGIN
  RETURN (SELECT jsonb_build_object(
    'kind', 'question', 'question_id', a.question_id, 'question', q.question,
    'options', (SELECT jsonb_agg(q.options[place.option + 1] ORDER BY place.number)
                  FROM unnest(a.shown) WITH ORDINALITY AS place (option, number)),
    'deadline_ms', milliseconds(a.deadline_at), 'time_limit', s.question_time_limit,
    'number', a.n, 'total', s.questions_per_day, 'rank', a.rank)
    FROM battle_attempt a
    JOIN question q ON q.id = a.question_id
    JOIN season s ON s.id = a.season_id
   WHERE a.id = p_attempt);
END $$;
