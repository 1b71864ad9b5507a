-- The running role may not lock what it may not write: this reads a balance under the wallet's lock.
CREATE OR REPLACE FUNCTION lock_wallet(p_owner uuid) RETURNS bigint
LANGUAGE sql SECURITY DEFINER SET search_path = public, pg_temp AS $$
  SELECT balance_kobo FROM ledger_account WHERE owner_id = p_owner FOR NO KEY UPDATE
$$;

REVOKE EXECUTE ON FUNCTION lock_wallet FROM PUBLIC;
GRANT EXECUTE ON FUNCTION lock_wallet TO {{runtime_role}};
