-- Orders that somebody else is deciding right now are left for the next time. Each order's state is
-- changed under its lock together with the stock it gives back: both happen once, or neither.
CREATE OR REPLACE FUNCTION expire_orders(p_now timestamptz, p_limit int) RETURNS int
LANGUAGE plpgsql AS $$
DECLARE
  due uuid[];
BEGIN
  SELECT array_agg(late.id) INTO due FROM (
    SELECT id FROM shop_order
     WHERE status = 'pending' AND NOT is_paid AND pay_by <= p_now
     ORDER BY pay_by, id LIMIT p_limit FOR UPDATE SKIP LOCKED) late;
  IF due IS NULL THEN
    RETURN 0;
  END IF;
  PERFORM 1 FROM product
    WHERE id IN (SELECT product_id FROM order_line WHERE order_id = ANY (due))
    ORDER BY id FOR NO KEY UPDATE;
  UPDATE product p SET stock = p.stock + given.back
    FROM (SELECT product_id, sum(quantity)::int AS back FROM order_line
           WHERE order_id = ANY (due) GROUP BY product_id) given
   WHERE p.id = given.product_id;
  UPDATE shop_order SET status = 'expired' WHERE id = ANY (due);
  RETURN cardinality(due);
END $$;
