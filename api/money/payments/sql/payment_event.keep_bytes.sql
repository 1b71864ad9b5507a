CREATE OR REPLACE TRIGGER keep_bytes BEFORE UPDATE ON payment_event
FOR EACH ROW WHEN (NEW.raw <> OLD.raw AND NEW.raw <> ''::bytea)
EXECUTE FUNCTION keep_row('of a report only the bytes are ever emptied');
