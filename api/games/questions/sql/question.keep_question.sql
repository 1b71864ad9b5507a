CREATE OR REPLACE TRIGGER keep_question BEFORE UPDATE OR DELETE ON question
FOR EACH ROW EXECUTE FUNCTION keep_row('a question never changes, it is retired', 'retired_at');
