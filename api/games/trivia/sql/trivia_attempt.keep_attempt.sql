CREATE OR REPLACE TRIGGER keep_attempt BEFORE UPDATE ON trivia_attempt
FOR EACH ROW EXECUTE FUNCTION keep_row(
  'an attempt is submitted once', 'submitted_at', 'choices', 'correct', 'points'
);
