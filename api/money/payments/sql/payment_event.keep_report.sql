CREATE OR REPLACE TRIGGER keep_report BEFORE UPDATE ON payment_event FOR EACH ROW
EXECUTE FUNCTION keep_row('of a report only the bytes are ever emptied', 'raw', 'state', 'reason');
