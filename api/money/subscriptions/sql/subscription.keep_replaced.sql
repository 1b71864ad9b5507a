CREATE OR REPLACE TRIGGER keep_replaced BEFORE UPDATE ON subscription
FOR EACH ROW WHEN (OLD.replaced_at IS NOT NULL)
EXECUTE FUNCTION keep_row('a subscription is replaced once');
