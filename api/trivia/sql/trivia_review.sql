-- The same after the submit, with the key that was chosen, the right one and why. 64 is before A.
CREATE OR REPLACE FUNCTION trivia_review(p_shown jsonb, p_choices jsonb) RETURNS jsonb
LANGUAGE sql STABLE AS $$
  SELECT coalesce(jsonb_agg(one || jsonb_build_object(
           'chosen', p_choices ->> (item ->> 'question'),
           'right', (SELECT chr(64 + place::int)
                       FROM jsonb_array_elements_text(item -> 'order')
                            WITH ORDINALITY AS t (o, place)
                      WHERE o::int = q.right_option),
           'explanation', q.explanation
         ) ORDER BY number), '[]'::jsonb)
    FROM jsonb_array_elements(p_shown) WITH ORDINALITY AS s (item, number)
    JOIN jsonb_array_elements(trivia_questions(p_shown)) AS one
      ON one ->> 'id' = item ->> 'question'
    JOIN question q ON q.id = (item ->> 'question')::uuid
$$;
