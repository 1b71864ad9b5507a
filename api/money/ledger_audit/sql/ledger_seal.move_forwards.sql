CREATE OR REPLACE TRIGGER move_forwards BEFORE UPDATE ON ledger_seal FOR EACH ROW
WHEN (NEW.wallet_id <> OLD.wallet_id OR NEW.last_entry <= OLD.last_entry)
EXECUTE FUNCTION keep_row('a seal only moves forwards');
