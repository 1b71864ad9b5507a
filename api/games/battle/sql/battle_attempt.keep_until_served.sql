CREATE OR REPLACE TRIGGER keep_until_served BEFORE DELETE ON battle_attempt
FOR EACH ROW WHEN (OLD.opened_at > now() - {{battles_stay}})
EXECUTE FUNCTION keep_row('an attempt has not served yet');
