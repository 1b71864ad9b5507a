CREATE OR REPLACE TRIGGER keep_until_served BEFORE DELETE ON chat_message
FOR EACH ROW WHEN (OLD.sent_at > now() - {{messages_stay}})
EXECUTE FUNCTION keep_row('a message has not served yet');
