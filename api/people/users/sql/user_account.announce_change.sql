CREATE OR REPLACE TRIGGER announce_change
AFTER UPDATE OF club_id, suspended_at, erased_at ON user_account
FOR EACH ROW WHEN (
  (OLD.club_id, OLD.suspended_at, OLD.erased_at)
  IS DISTINCT FROM (NEW.club_id, NEW.suspended_at, NEW.erased_at)
) EXECUTE FUNCTION announce_identity_change('user', 'id');
