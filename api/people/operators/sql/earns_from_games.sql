-- Returns whether a member earns points, ranks and badges from the games. Operators who see the answers or
-- write results do not. Every award of the games checks this.
CREATE OR REPLACE FUNCTION earns_from_games(p_user uuid) RETURNS boolean LANGUAGE plpgsql STABLE AS $$
BEGIN
  RETURN NOT EXISTS (SELECT FROM operator o WHERE o.user_id = p_user AND o.disabled_at IS NULL
                        AND o.roles && '{{game_insiders}}'::text[]);
END $$;
