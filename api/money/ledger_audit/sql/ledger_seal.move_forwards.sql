CREATE OR REPLACE TRIGGER move_forwards BEFORE UPDATE ON ledger_seal FOR EACH ROW
WHEN ((NEW.wallet_id, NEW.month) <> (OLD.wallet_id, OLD.month) OR NEW.last_entry <= OLD.last_entry
      OR NEW.after_kobo - OLD.after_kobo <> NEW.moved_kobo - OLD.moved_kobo)
EXECUTE FUNCTION keep_row('a seal only moves forwards');
