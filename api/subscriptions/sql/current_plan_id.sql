CREATE OR REPLACE FUNCTION current_plan_id(p_user uuid, p_now timestamptz) RETURNS uuid
LANGUAGE sql STABLE AS $$
  SELECT plan_id FROM subscription
   WHERE user_id = p_user AND replaced_at IS NULL AND ends_at > p_now
$$;
