CREATE OR REPLACE TRIGGER keep_lines BEFORE UPDATE ON order_line
FOR EACH ROW EXECUTE FUNCTION refuse_change('an order line never changes');
