CREATE OR REPLACE FUNCTION plan_allows_battle(p_user uuid, p_now timestamptz) RETURNS boolean
LANGUAGE sql STABLE AS $$
  SELECT coalesce((SELECT battle_zone FROM plan WHERE id = current_plan_id(p_user, p_now)), false)
$$;
