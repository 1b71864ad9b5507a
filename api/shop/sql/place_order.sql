-- One checkout is one statement: key, stock, money and order stand or fall together. It trusts no
-- caller: lines of one product are added up here, and decided under the products' locks. Locks are
-- taken in one order everywhere: the key, the member, the member's open orders, products by id, the
-- wallet.
CREATE OR REPLACE FUNCTION place_order(
  p_id uuid, p_number text, p_user uuid, p_method text, p_lines jsonb, p_billing jsonb,
  p_key text, p_fingerprint text, p_now timestamptz, p_pay_by timestamptz, p_most_open int
) RETURNS jsonb LANGUAGE plpgsql AS $$
DECLARE
  claim record;
  open_orders jsonb;
  wanted record;
  placed jsonb;
BEGIN
  IF p_key IS NOT NULL THEN
    SELECT * INTO claim FROM claim_idempotency_key(p_user, p_key, 'checkout', p_fingerprint);
    IF NOT claim.matches THEN
      RAISE EXCEPTION 'the key named another request' USING ERRCODE = 'KF422';
    ELSIF NOT claim.claimed THEN
      RETURN claim.answer || '{"replayed": true}';
    END IF;
  END IF;
  IF NOT hold_member(p_user) THEN
    RAISE EXCEPTION 'the member has left' USING ERRCODE = 'KF404';
  END IF;
  IF p_method = 'bank-transfer' THEN
    PERFORM pg_advisory_xact_lock(hashtextextended(p_user::text, {{open_orders_lock}}));
    SELECT jsonb_agg(to_jsonb(o) ORDER BY o.id) INTO open_orders
      FROM (SELECT id, number, total_kobo, created_at, pay_by FROM shop_order
             WHERE user_id = p_user AND status = 'pending' AND NOT is_paid) o;
    IF jsonb_array_length(open_orders) >= p_most_open THEN
      RAISE EXCEPTION 'too many orders wait for their payment' USING ERRCODE = 'KF426',
        DETAIL = open_orders::text;
    END IF;
  END IF;
  PERFORM 1 FROM product
    WHERE id IN (SELECT (l ->> 'id')::uuid FROM jsonb_array_elements(p_lines) l) ORDER BY id FOR NO KEY UPDATE;
  SELECT bool_and(coalesce(wish.least >= 1 AND wish.quantity <= {{most_of_a_product}}, false))
           AS is_possible,
         bool_or(wish.quantity > CASE WHEN p.hidden THEN 0 ELSE coalesce(p.stock, 0) END)
           AS is_gone,
         bool_or(wish.lowest <> p.price_kobo OR wish.highest <> p.price_kobo) AS is_dearer,
         sum(coalesce(p.price_kobo, 0) * wish.quantity) AS total_kobo,
         jsonb_agg(jsonb_build_object(
           'id', wish.id, 'name', p.name, 'price_kobo', p.price_kobo, 'quantity', wish.quantity,
           'available', CASE WHEN p.hidden THEN 0
                             ELSE least(coalesce(p.stock, 0), {{most_of_a_product}}) END,
           'thumbnail', p.thumbnail) ORDER BY wish.place) AS lines
    INTO wanted
    FROM (SELECT l.id, min(l.place) AS place, min(l.quantity) AS least, sum(l.quantity) AS quantity,
                 min(l.price_kobo) AS lowest, max(l.price_kobo) AS highest
            FROM ROWS FROM (jsonb_to_recordset(p_lines)
                   AS (id uuid, quantity bigint, price_kobo bigint)) WITH ORDINALITY
                   AS l (id, quantity, price_kobo, place)
           GROUP BY l.id) wish
    LEFT JOIN product p ON p.id = wish.id;
  IF wanted.is_possible IS NOT TRUE THEN
    RAISE EXCEPTION 'an order has 1 to 99 of a product' USING ERRCODE = 'KF424';
  ELSIF wanted.is_gone THEN
    RAISE EXCEPTION 'not everything is available' USING ERRCODE = 'KF411',
      DETAIL = wanted.lines::text;
  ELSIF wanted.is_dearer THEN
    RAISE EXCEPTION 'a price has changed' USING ERRCODE = 'KF412', DETAIL = wanted.lines::text;
  ELSIF wanted.total_kobo > {{largest_kobo}} THEN
    RAISE EXCEPTION 'more than one transfer can move' USING ERRCODE = 'KF425';
  END IF;
  UPDATE product p SET stock = p.stock - l.quantity
    FROM jsonb_to_recordset(wanted.lines) AS l (id uuid, quantity int) WHERE p.id = l.id;
  INSERT INTO shop_order (id, number, user_id, status, payment_method, is_paid, total_kobo, billing,
                          transfer_id, pay_by, created_at)
  VALUES (p_id, p_number, p_user, CASE p_method WHEN 'wallet' THEN 'processing' ELSE 'pending' END,
          p_method, p_method = 'wallet', wanted.total_kobo, p_billing,
          CASE p_method WHEN 'wallet' THEN (SELECT transfer_id FROM post_wallet_transfer(
            p_id, p_user, 'purchase', p_id::text, -wanted.total_kobo::bigint, NULL)) END,
          p_pay_by, p_now);
  INSERT INTO order_line (order_id, line, product_id, name, price_kobo, quantity, thumbnail)
  SELECT p_id, place, id, name, price_kobo, quantity, thumbnail
    FROM ROWS FROM (jsonb_to_recordset(wanted.lines)
           AS (id uuid, name text, price_kobo bigint, quantity int, thumbnail text))
         WITH ORDINALITY AS l (id, name, price_kobo, quantity, thumbnail, place);
  placed := jsonb_build_object('id', p_id, 'number', p_number, 'total_kobo', wanted.total_kobo,
                               'pay_by', p_pay_by);
  UPDATE idempotency_key SET answer = placed WHERE user_id = p_user AND key = p_key;
  RETURN placed || '{"replayed": false}';
END $$;
