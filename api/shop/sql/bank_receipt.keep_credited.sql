CREATE OR REPLACE TRIGGER keep_credited BEFORE UPDATE ON bank_receipt
FOR EACH ROW WHEN (OLD.credited_kobo IS NOT NULL)
EXECUTE FUNCTION keep_row('money that came in is credited once');
