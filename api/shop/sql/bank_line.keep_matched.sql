CREATE OR REPLACE TRIGGER keep_matched BEFORE UPDATE ON bank_line
FOR EACH ROW WHEN (OLD.receipt_id IS NOT NULL)
EXECUTE FUNCTION keep_row('a line of the bank is matched once');
