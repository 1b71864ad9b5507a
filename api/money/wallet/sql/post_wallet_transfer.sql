-- The only way to write to the ledger. Opens the wallet when money first arrives, waits for its lock,
-- and only then looks up the reference: of two calls with the same reference, the second finds the row
-- of the first. ON CONFLICT DO NOTHING would move the balance twice, because a BEFORE trigger runs
-- before the conflict is detected.
--
-- Credits by operators are posted only if operator_credit has their row.
CREATE OR REPLACE FUNCTION post_wallet_transfer(
  p_id uuid, p_owner uuid, p_kind text, p_reference text, p_change bigint, p_reverses uuid
) RETURNS TABLE (transfer_id uuid, posted boolean)
LANGUAGE plpgsql SECURITY DEFINER SET search_path = public, pg_temp AS $$
DECLARE
  wallet uuid;
  house ledger_account;
  known ledger_transfer;
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
    IF (known.wallet_id, known.wallet_change_kobo, known.reverses_id)
       IS DISTINCT FROM (wallet, p_change, p_reverses) THEN
      RAISE EXCEPTION 'the reference names another transfer' USING ERRCODE = 'KF409';
    END IF;
    RETURN QUERY SELECT known.id, false;
    RETURN;
  END IF;
  IF (p_kind = 'adjust' OR p_kind = 'fund' AND p_reference LIKE '{{bank_references}}%'
      OR p_kind = 'refund' AND p_reference LIKE '{{refunds}}%')
     AND NOT EXISTS (SELECT FROM operator_credit
                      WHERE reference = p_reference AND user_id = p_owner
                        AND (p_change > 0) = (amount_kobo > 0)
                        AND abs(p_change) <= abs(amount_kobo)) THEN
    RAISE EXCEPTION 'nobody stands for what an operator causes' USING ERRCODE = 'KF411';
  END IF;
  IF p_kind = 'refund' THEN
    SELECT account.* INTO house FROM ledger_account account
      JOIN ledger_transfer original ON original.credit_id = account.id
     WHERE original.id = p_reverses;
  ELSE
    SELECT * INTO house FROM ledger_account WHERE owner_id IS NULL AND type = CASE
      WHEN p_kind = 'fund' AND p_reference LIKE '{{bank_references}}%' THEN 'bank'
      WHEN p_kind IN ('fund', 'chargeback', 'debt_repayment') THEN 'gateway' WHEN p_kind = 'purchase' THEN 'sales'
      WHEN p_kind = 'subscription' THEN 'subscriptions' WHEN p_kind = 'adjust' THEN 'adjustments' END;
  END IF;
  IF house.id IS NULL THEN
    RAISE EXCEPTION 'no account on the other side' USING ERRCODE = 'KF410';
  END IF;
  INSERT INTO ledger_transfer
    (id, kind, reference, debit_id, debit_type, credit_id, credit_type, amount_kobo, reverses_id)
  SELECT p_id, p_kind, p_reference, debit_id, debit_type, credit_id, credit_type,
         abs(p_change), p_reverses
    FROM (VALUES (true, wallet, 'wallet', house.id, house.type),
                 (false, house.id, house.type, wallet, 'wallet')
    ) AS flow (is_out, debit_id, debit_type, credit_id, credit_type)
   WHERE is_out = (p_change < 0);
  RETURN QUERY SELECT p_id, true;
END $$;

REVOKE EXECUTE ON FUNCTION post_wallet_transfer FROM PUBLIC;
GRANT EXECUTE ON FUNCTION post_wallet_transfer TO {{runtime_role}};
