CREATE OR REPLACE FUNCTION current_plan_id(p_user uuid, p_now timestamptz) RETURNS uuid
LANGUAGE sql STABLE AS $$
  SELECT plan_id FROM subscription WHERE user_id = p_user AND replaced_at IS NULL
   AND ended_at IS NULL AND ends_at + CASE WHEN renews THEN {{grace}} ELSE '0' END > p_now
$$;
