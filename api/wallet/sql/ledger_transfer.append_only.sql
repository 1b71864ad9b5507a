CREATE OR REPLACE TRIGGER append_only BEFORE UPDATE OR DELETE OR TRUNCATE ON ledger_transfer
FOR EACH STATEMENT EXECUTE FUNCTION refuse_change('the ledger is append-only');
