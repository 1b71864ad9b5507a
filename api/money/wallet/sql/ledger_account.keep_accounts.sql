CREATE OR REPLACE TRIGGER keep_accounts BEFORE DELETE OR TRUNCATE ON ledger_account
FOR EACH STATEMENT EXECUTE FUNCTION keep_row('the ledger is append-only');
