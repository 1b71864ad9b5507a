CREATE OR REPLACE TRIGGER keep_seals BEFORE DELETE OR TRUNCATE ON ledger_seal_month
FOR EACH STATEMENT EXECUTE FUNCTION keep_row('a seal is never broken');
