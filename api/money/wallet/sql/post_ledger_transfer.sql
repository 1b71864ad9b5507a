-- Applies a transfer to its wallet as the row is inserted. The guarded update is also the lock that
-- serializes all changes to one wallet.
CREATE OR REPLACE FUNCTION post_ledger_transfer() RETURNS trigger LANGUAGE plpgsql AS $$
DECLARE
  original ledger_transfer;
BEGIN
  IF NEW.kind = 'refund' THEN
    SELECT * INTO original FROM ledger_transfer WHERE id = NEW.reverses_id FOR UPDATE;
    IF NOT FOUND OR original.kind NOT IN ('purchase', 'subscription')
       OR (original.debit_id, original.credit_id) <> (NEW.credit_id, NEW.debit_id) THEN
      RAISE EXCEPTION 'refund does not mirror its original' USING ERRCODE = 'KF410';
    END IF;
    IF NEW.amount_kobo + coalesce((SELECT sum(amount_kobo) FROM ledger_transfer
         WHERE reverses_id = NEW.reverses_id), 0) > original.amount_kobo THEN
      RAISE EXCEPTION 'refunds exceed the original' USING ERRCODE = 'KF410';
    END IF;
  END IF;
  NEW.wallet_id := CASE NEW.debit_type WHEN 'wallet' THEN NEW.debit_id ELSE NEW.credit_id END;
  NEW.wallet_change_kobo :=
    CASE NEW.debit_type WHEN 'wallet' THEN -NEW.amount_kobo ELSE NEW.amount_kobo END;
  UPDATE ledger_account
     SET balance_kobo = balance_kobo + NEW.wallet_change_kobo, entries = entries + 1
   WHERE id = NEW.wallet_id AND balance_kobo + NEW.wallet_change_kobo >= 0
  RETURNING balance_kobo, entries INTO NEW.wallet_after_kobo, NEW.wallet_entry;
  IF NOT FOUND THEN
    RAISE EXCEPTION 'the wallet does not hold enough' USING ERRCODE = 'KF402',
      DETAIL = jsonb_build_object('needed', NEW.amount_kobo, 'held', coalesce(
        (SELECT balance_kobo FROM ledger_account WHERE id = NEW.wallet_id), 0))::text;
  END IF;
  RETURN NEW;
END $$;
