-- Locks a wallet and returns its balance, after credits have repaid debts. The runtime role cannot lock
-- rows that it may not write, so this runs as its owner.
CREATE OR REPLACE FUNCTION lock_wallet(p_owner uuid) RETURNS bigint
LANGUAGE plpgsql SECURITY DEFINER SET search_path = public, pg_temp AS $$
DECLARE
  held bigint;
BEGIN
  PERFORM FROM ledger_account WHERE owner_id = p_owner FOR NO KEY UPDATE;
  SET CONSTRAINTS repay_debts IMMEDIATE;
  SET CONSTRAINTS repay_debts DEFERRED;
  SELECT balance_kobo INTO held FROM ledger_account WHERE owner_id = p_owner;
  RETURN held;
END $$;

REVOKE EXECUTE ON FUNCTION lock_wallet FROM PUBLIC;
GRANT EXECUTE ON FUNCTION lock_wallet TO {{runtime_role}};
