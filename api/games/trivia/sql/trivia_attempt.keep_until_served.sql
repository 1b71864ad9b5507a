CREATE OR REPLACE TRIGGER keep_until_served BEFORE DELETE ON trivia_attempt
FOR EACH ROW WHEN (OLD.issued_at > now() - {{quests_stay}})
EXECUTE FUNCTION keep_row('an attempt has not served yet');
