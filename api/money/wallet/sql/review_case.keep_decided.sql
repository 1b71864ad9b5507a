CREATE OR REPLACE TRIGGER keep_decided BEFORE UPDATE ON review_case
FOR EACH ROW WHEN (OLD.state <> 'open')
EXECUTE FUNCTION keep_row('what was reviewed is decided once');
