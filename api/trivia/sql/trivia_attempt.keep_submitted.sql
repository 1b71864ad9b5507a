CREATE OR REPLACE TRIGGER keep_submitted BEFORE UPDATE ON trivia_attempt
FOR EACH ROW WHEN (OLD.submitted_at IS NOT NULL)
EXECUTE FUNCTION refuse_change('an attempt is submitted once');
