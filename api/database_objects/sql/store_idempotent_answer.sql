CREATE OR REPLACE FUNCTION store_idempotent_answer(p_user uuid, p_key text, p_answer jsonb)
RETURNS void LANGUAGE sql AS $$
  UPDATE idempotency_key SET answer = p_answer WHERE user_id = p_user AND key = p_key
$$;
