CREATE OR REPLACE TRIGGER keep_submitted BEFORE UPDATE ON trivia_attempt
FOR EACH ROW WHEN (OLD.submitted_at IS NOT NULL)
EXECUTE FUNCTION keep_row('an attempt is submitted once');
