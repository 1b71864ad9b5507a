CREATE OR REPLACE TRIGGER keep_lines BEFORE UPDATE ON order_line
FOR EACH ROW EXECUTE FUNCTION keep_row('an order line never changes', 'refunded_quantity');
