CREATE OR REPLACE TRIGGER grow BEFORE UPDATE ON ledger_seal_month FOR EACH ROW
WHEN (NEW.wallet_id <> OLD.wallet_id OR NEW.month <> OLD.month OR NEW.entries <= OLD.entries)
EXECUTE FUNCTION keep_row('a sealed month only grows');
