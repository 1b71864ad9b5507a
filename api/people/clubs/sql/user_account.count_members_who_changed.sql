CREATE OR REPLACE TRIGGER count_members_who_changed AFTER UPDATE ON user_account
FOR EACH ROW WHEN (
  OLD.club_id <> NEW.club_id
  OR (OLD.activated_at IS NULL) <> (NEW.activated_at IS NULL)
  OR (OLD.erased_at IS NULL) <> (NEW.erased_at IS NULL)
) EXECUTE FUNCTION count_club_members();
