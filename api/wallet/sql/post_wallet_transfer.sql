-- The one door to the ledger. It opens the wallet when money first comes in, waits for whoever
-- holds the wallet, and only then looks for the reference: of two calls with one reference the
-- second finds the first's row. An insert that skipped conflicts instead would move the balance
-- twice, because a BEFORE trigger runs before the conflict is found.
CREATE OR REPLACE FUNCTION post_wallet_transfer(
  p_id uuid, p_owner uuid, p_kind text, p_reference text, p_change bigint, p_reverses uuid
) RETURNS TABLE (transfer_id uuid, posted boolean)
LANGUAGE plpgsql SECURITY DEFINER SET search_path = public, pg_temp AS $$
DECLARE
  wallet uuid;
  house ledger_account%ROWTYPE;
  known ledger_transfer%ROWTYPE;
BEGIN
  SELECT id INTO wallet FROM ledger_account WHERE owner_id = p_owner FOR NO KEY UPDATE;
  IF wallet IS NULL THEN
    IF p_change <= 0 THEN
      RAISE EXCEPTION 'no wallet yet' USING ERRCODE = 'KF402',
        DETAIL = jsonb_build_object('needed', -p_change, 'held', 0)::text;
    END IF;
    INSERT INTO ledger_account (id, type, owner_id) VALUES (gen_random_uuid(), 'wallet', p_owner)
      ON CONFLICT (owner_id) DO NOTHING;
    SELECT id INTO wallet FROM ledger_account WHERE owner_id = p_owner FOR NO KEY UPDATE;
  END IF;

  SELECT * INTO known FROM ledger_transfer WHERE kind = p_kind AND reference = p_reference;
  IF FOUND THEN
    IF known.wallet_id <> wallet OR known.wallet_change_kobo <> p_change
       OR known.reverses_id IS DISTINCT FROM p_reverses THEN
      RAISE EXCEPTION 'the reference names another transfer' USING ERRCODE = 'KF409';
    END IF;
    RETURN QUERY SELECT known.id, false;
    RETURN;
  END IF;

  IF p_kind = 'refund' THEN
    SELECT account.* INTO house FROM ledger_account account
      JOIN ledger_transfer original ON original.credit_id = account.id
     WHERE original.id = p_reverses;
  ELSE
    SELECT * INTO house FROM ledger_account WHERE type = CASE p_kind
      WHEN 'fund' THEN 'gateway' WHEN 'chargeback' THEN 'gateway'
      WHEN 'purchase' THEN 'sales' WHEN 'subscription' THEN 'subscriptions'
      WHEN 'adjust' THEN 'adjustments' END;
  END IF;
  IF house.id IS NULL THEN
    RAISE EXCEPTION 'no account on the other side' USING ERRCODE = 'KF410';
  END IF;

  INSERT INTO ledger_transfer
    (id, kind, reference, debit_id, debit_type, credit_id, credit_type, amount_kobo, reverses_id)
  VALUES (
    p_id, p_kind, p_reference,
    CASE WHEN p_change < 0 THEN wallet ELSE house.id END,
    CASE WHEN p_change < 0 THEN 'wallet' ELSE house.type END,
    CASE WHEN p_change < 0 THEN house.id ELSE wallet END,
    CASE WHEN p_change < 0 THEN house.type ELSE 'wallet' END,
    abs(p_change), p_reverses);
  RETURN QUERY SELECT p_id, true;
END $$;

REVOKE EXECUTE ON FUNCTION post_wallet_transfer(uuid, uuid, text, text, bigint, uuid) FROM PUBLIC;
GRANT EXECUTE ON FUNCTION post_wallet_transfer(uuid, uuid, text, text, bigint, uuid)
  TO {{runtime_role}};
