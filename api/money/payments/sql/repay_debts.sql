-- Every credit of a wallet repays its member's debts, oldest first. It runs at the end of the
-- transaction: money received for a purchase pays for it first, and the rest repays debts. So a wallet
-- with an open debt is empty. Ids are ordered by time, as everywhere in the ledger. Locks: the wallet,
-- which the credit has already locked, then the debts.
CREATE OR REPLACE FUNCTION repay_debts() RETURNS trigger
LANGUAGE plpgsql SECURITY DEFINER SET search_path = public, pg_temp AS $$
DECLARE
  owed record;
  held bigint;
BEGIN
  FOR owed IN SELECT d.* FROM debt d JOIN ledger_account a ON a.owner_id = d.user_id
      WHERE a.id = NEW.wallet_id AND d.state = 'open' ORDER BY d.id FOR NO KEY UPDATE OF d LOOP
    SELECT least(owed.left_kobo, balance_kobo) INTO held FROM ledger_account WHERE id = NEW.wallet_id;
    EXIT WHEN held = 0;
    INSERT INTO ledger_transfer (id, kind, reference, debit_id, debit_type, credit_id, credit_type, amount_kobo)
    SELECT (lpad(to_hex((extract(epoch FROM clock_timestamp()) * 1000)::bigint), 12, '0') || '7'
             || substr(replace(gen_random_uuid()::text, '-', ''), 14))::uuid,
           'debt_repayment', concat_ws(':', 'debt', owed.id, owed.left_kobo - held), NEW.wallet_id,
           'wallet', id, type, held FROM ledger_account WHERE owner_id IS NULL AND type = 'gateway';
    UPDATE debt SET left_kobo = owed.left_kobo - held,
           state = CASE WHEN held = owed.left_kobo THEN 'collected' ELSE 'open' END,
           settled_at = CASE WHEN held = owed.left_kobo THEN now() END
     WHERE id = owed.id;
    UPDATE review_case SET state = 'accepted', decided_at = now(), reason = 'Repaid from the wallet'
     WHERE source = 'chargeback:' || owed.chargeback_id || ':short' AND state = 'open'
       AND held = owed.left_kobo;
  END LOOP;
  RETURN NULL;
END $$;
