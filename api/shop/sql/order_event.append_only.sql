-- Only the note may change: a person wrote it, so it can be erased.
CREATE OR REPLACE TRIGGER append_only BEFORE UPDATE ON order_event
FOR EACH ROW EXECUTE FUNCTION keep_row('what happened to an order stays', 'note');
