-- Only the note may be deleted: a person wrote it.
CREATE OR REPLACE TRIGGER append_only BEFORE UPDATE ON order_event
FOR EACH ROW EXECUTE FUNCTION keep_row('what happened to an order stays', 'note');
