CREATE OR REPLACE TRIGGER keep_number BEFORE UPDATE OR DELETE ON receipt
FOR EACH ROW EXECUTE FUNCTION keep_row('a receipt stays as it was drawn', 'buyer');
