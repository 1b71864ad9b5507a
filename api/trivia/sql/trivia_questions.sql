-- What a member is shown. It does not read the right option.
CREATE OR REPLACE FUNCTION trivia_questions(p_shown jsonb) RETURNS jsonb LANGUAGE sql STABLE AS $$
  SELECT coalesce(jsonb_agg(jsonb_build_object(
           'id', q.id,
           'question', q.question,
           'options', (SELECT jsonb_agg(q.options[o::int + 1] ORDER BY place)
                         FROM jsonb_array_elements_text(item -> 'order')
                              WITH ORDINALITY AS t (o, place))
         ) ORDER BY number), '[]'::jsonb)
    FROM jsonb_array_elements(p_shown) WITH ORDINALITY AS s (item, number)
    JOIN question q ON q.id = (item ->> 'question')::uuid
$$;
