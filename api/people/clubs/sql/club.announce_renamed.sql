CREATE OR REPLACE TRIGGER announce_renamed AFTER UPDATE OF name ON club
FOR EACH ROW WHEN (OLD.name IS DISTINCT FROM NEW.name)
EXECUTE FUNCTION announce_identity_change('club', 'id');
