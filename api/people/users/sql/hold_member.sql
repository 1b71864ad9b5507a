-- Keeps a member's record as it is until the end of the transaction; false when the member has left.
-- Leaving locks the record, so that what is written for a member is seen by the leaving, or refused.
CREATE OR REPLACE FUNCTION hold_member(p_user uuid) RETURNS boolean LANGUAGE plpgsql AS $$
BEGIN
  PERFORM 1 FROM user_account WHERE id = p_user AND erased_at IS NULL FOR KEY SHARE;
  RETURN FOUND;
END $$;
