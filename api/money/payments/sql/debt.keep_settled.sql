CREATE OR REPLACE TRIGGER keep_settled BEFORE UPDATE ON debt
FOR EACH ROW WHEN (OLD.state <> 'open')
EXECUTE FUNCTION keep_row('a debt is settled once');
