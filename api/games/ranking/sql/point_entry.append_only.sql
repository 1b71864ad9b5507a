CREATE OR REPLACE TRIGGER append_only BEFORE UPDATE OR DELETE OR TRUNCATE ON point_entry
FOR EACH STATEMENT EXECUTE FUNCTION keep_row('the points ledger is append-only');
