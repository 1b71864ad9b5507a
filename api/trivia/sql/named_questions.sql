CREATE OR REPLACE FUNCTION named_questions(p_shown jsonb, p_choices jsonb) RETURNS bigint
LANGUAGE sql IMMUTABLE AS $$
  SELECT count(*) FROM jsonb_array_elements(p_shown) AS item
   WHERE p_choices ? (item ->> 'question')
$$;
