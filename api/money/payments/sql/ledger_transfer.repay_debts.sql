-- A constraint trigger cannot be replaced.
DROP TRIGGER IF EXISTS repay_debts ON ledger_transfer;
CREATE CONSTRAINT TRIGGER repay_debts AFTER INSERT ON ledger_transfer
DEFERRABLE INITIALLY DEFERRED FOR EACH ROW WHEN (NEW.credit_type = 'wallet')
EXECUTE FUNCTION repay_debts();
