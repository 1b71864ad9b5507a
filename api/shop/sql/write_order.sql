-- What a checkout writes once its locks are held: it decides lines of one size together and trusts no
-- caller's price. place_order and place_orders hold the locks and keep the key.
CREATE OR REPLACE FUNCTION write_order(
  p_id uuid, p_number text, p_user uuid, p_method text, p_lines jsonb, p_billing jsonb,
  p_seen_fee bigint, p_keeps_address bool, p_now timestamptz, p_pay_by timestamptz
) RETURNS jsonb LANGUAGE plpgsql AS $$
DECLARE
  wanted record;
  fee bigint;
  total bigint;
BEGIN
  SELECT bool_and(coalesce(wish.least >= 1 AND wish.of_product <= {{most_of_a_product}}, false))
           AS is_possible,
         bool_or(wish.quantity > wish.available) AS is_gone,
         bool_or(wish.lowest <> p.price_kobo OR wish.highest <> p.price_kobo) AS is_dearer,
         sum(coalesce(p.price_kobo, 0) * wish.quantity) AS total_kobo,
         jsonb_agg(jsonb_build_object(
           'id', wish.id, 'name', p.name, 'price_kobo', p.price_kobo, 'quantity', wish.quantity,
           'variant', wish.variant, 'size', wish.size, 'thumbnail', p.thumbnail,
           'available', CASE WHEN p.hidden THEN 0
                             ELSE least(wish.available, {{most_of_a_product}}) END) ORDER BY wish.place)
           AS lines
    INTO wanted
    FROM (SELECT l.id, v.id AS variant, v.size, min(l.place) AS place, min(l.quantity) AS least,
                 sum(l.quantity) AS quantity, min(l.price_kobo) AS lowest, max(l.price_kobo) AS highest,
                 sum(sum(l.quantity)) OVER (PARTITION BY l.id) AS of_product,
                 coalesce(v.stock - v.allocated, 0) AS available
            FROM ROWS FROM (jsonb_to_recordset(p_lines)
                   AS (id uuid, variant uuid, quantity bigint, price_kobo bigint)) WITH ORDINALITY
                   AS l (id, variant, quantity, price_kobo, place)
            LEFT JOIN product_variant v ON v.product_id = l.id AND NOT v.hidden
                 AND CASE WHEN l.variant IS NULL THEN v.is_default ELSE v.id = l.variant END
           GROUP BY l.id, v.id) wish
    LEFT JOIN product p ON p.id = wish.id;
  fee := coalesce((SELECT fee_kobo FROM delivery_fee WHERE state = p_billing ->> 'state'), 0);
  total := wanted.total_kobo + fee;
  IF wanted.is_possible IS NOT TRUE THEN
    RAISE EXCEPTION 'an order has 1 to 99 of a product' USING ERRCODE = 'KF424';
  ELSIF wanted.is_gone OR wanted.lines @> '[{"available": 0}]' THEN
    RAISE EXCEPTION 'not everything is available' USING ERRCODE = 'KF411',
      DETAIL = wanted.lines::text;
  ELSIF wanted.is_dearer OR p_seen_fee <> fee THEN
    RAISE EXCEPTION 'a price has changed' USING ERRCODE = 'KF412',
      DETAIL = jsonb_build_object('lines', wanted.lines, 'fee_kobo', fee)::text;
  ELSIF total > {{largest_kobo}} THEN
    RAISE EXCEPTION 'more than one transfer can move' USING ERRCODE = 'KF425';
  END IF;
  UPDATE product_variant v SET allocated = v.allocated + l.quantity
    FROM jsonb_to_recordset(wanted.lines) AS l (variant uuid, quantity int) WHERE v.id = l.variant;
  INSERT INTO shop_order (id, number, user_id, status, payment_method, is_paid, total_kobo,
                          delivery_fee_kobo, billing, transfer_id, pay_by, created_at)
  VALUES (p_id, p_number, p_user, CASE p_method WHEN 'wallet' THEN 'processing' ELSE 'pending' END,
          p_method, p_method = 'wallet', total, fee, p_billing,
          CASE p_method WHEN 'wallet' THEN (SELECT transfer_id FROM post_wallet_transfer(
            p_id, p_user, 'purchase', p_id::text, -total, NULL)) END, p_pay_by, p_now);
  INSERT INTO order_line (order_id, line, product_id, variant_id, size, name, price_kobo, quantity, thumbnail)
  SELECT p_id, place, id, variant, size, name, price_kobo, quantity, thumbnail
    FROM ROWS FROM (jsonb_to_recordset(wanted.lines)
           AS (id uuid, variant uuid, size text, name text, price_kobo bigint, quantity int, thumbnail text))
         WITH ORDINALITY AS l (id, variant, size, name, price_kobo, quantity, thumbnail, place);
  INSERT INTO saved_address (user_id, billing) SELECT p_user, p_billing WHERE p_keeps_address
      ON CONFLICT (user_id) DO UPDATE SET billing = excluded.billing;
  RETURN jsonb_build_object('id', p_id, 'number', p_number, 'total_kobo', total,
                            'delivery_fee_kobo', fee, 'pay_by', p_pay_by);
END $$;
