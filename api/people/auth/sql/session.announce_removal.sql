CREATE OR REPLACE TRIGGER announce_removal AFTER DELETE ON session
FOR EACH ROW WHEN (OLD.revoked_at IS NULL AND OLD.expires_at > now())
EXECUTE FUNCTION announce_identity_change('user', 'user_id', 'session', 'id');
