-- Prevents the deletion of a member's account until the end of the transaction; returns false if it is
-- already deleted. Deletion locks the record, so it either sees what was written for the member, or the
-- write is refused.
CREATE OR REPLACE FUNCTION hold_member(p_user uuid) RETURNS boolean LANGUAGE plpgsql AS $$
BEGIN
  PERFORM 1 FROM user_account WHERE id = p_user AND erased_at IS NULL FOR KEY SHARE;
  RETURN FOUND;
END $$;
