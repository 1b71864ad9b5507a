CREATE OR REPLACE TRIGGER announce_revocation AFTER UPDATE OF revoked_at ON session
FOR EACH ROW WHEN (OLD.revoked_at IS NULL AND NEW.revoked_at IS NOT NULL)
EXECUTE FUNCTION announce_identity_change('user', 'user_id', 'session', 'id');
