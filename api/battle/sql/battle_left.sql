-- How many questions a member can still be served on a day of which ``p_quota`` are to be had.
CREATE OR REPLACE FUNCTION battle_left(p_user uuid, p_day date, p_quota int) RETURNS int
LANGUAGE plpgsql STABLE AS $$
BEGIN
  RETURN greatest(0, p_quota - (
    SELECT count(*) FROM battle_attempt a WHERE a.user_id = p_user AND a.day = p_day));
END $$;
