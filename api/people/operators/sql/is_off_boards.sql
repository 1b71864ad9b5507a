-- Returns whether a member is left off leaderboards: operators and former operators are.
CREATE OR REPLACE FUNCTION is_off_boards(p_user uuid) RETURNS boolean LANGUAGE plpgsql STABLE AS $$
BEGIN
  RETURN EXISTS (SELECT FROM operator o WHERE o.user_id = p_user);
END $$;
