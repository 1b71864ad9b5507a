-- A checkout is one statement: key, stock, money and order are written together or not at all. Orders
-- that wait for the same size are batched, with one lock and one commit for all, and each succeeds or
-- fails separately. What they take of a size is written once, at the end: each further version of a row
-- in a transaction makes every look-up of it slower. Callers are not trusted: lines of one size are added
-- up here, and checked under the locks of the sizes. Lock order, as everywhere: the keys, the members, sizes by id, the wallets.
-- p_wishes is sorted by member, and its keys are distinct. A batch has a short lock timeout, so that one
-- order does not delay all. Returns by order id {"id", "number", "total_kobo", "delivery_fee_kobo",
-- "pay_by", "replayed"}, or {"refused": SQLSTATE, "facts"} for an order of which nothing was written.
-- Every lookup is by id: the planner, which estimates a hundred lines per order, would otherwise scan all
-- sizes of a large shop.
CREATE OR REPLACE FUNCTION place_orders(p_wishes jsonb) RETURNS jsonb LANGUAGE plpgsql SET enable_seqscan = off AS $$
DECLARE
  wish record; claim record; wanted record; fee bigint; total bigint; placed jsonb; answers jsonb := '{}';
  taken jsonb := '{}'; code text; facts text; broken text;
BEGIN
  PERFORM set_config('lock_timeout', '250ms', true) WHERE jsonb_array_length(p_wishes) > 1;
  FOR wish IN SELECT * FROM jsonb_to_recordset(p_wishes)
      AS w (id text, user_id uuid, key text, fingerprint text) WHERE key IS NOT NULL LOOP
    SELECT * INTO claim FROM claim_idempotency_key(wish.user_id, wish.key, 'checkout', wish.fingerprint);
    IF NOT claim.claimed OR NOT claim.matches THEN
      answers := answers || jsonb_build_object(wish.id, CASE WHEN claim.matches
        THEN claim.answer || '{"replayed": true}' ELSE '{"refused": "KF422"}' END);
    END IF;
  END LOOP;
  PERFORM hold_member(user_id) FROM jsonb_to_recordset(p_wishes) AS w (user_id uuid);
  PERFORM 1 FROM product_variant v WHERE v.id = ANY (ARRAY(SELECT size.id FROM jsonb_to_recordset(p_wishes)
      AS w (lines jsonb), jsonb_to_recordset(w.lines) AS l (id uuid, variant uuid), LATERAL (
      SELECT s.id FROM product_variant s WHERE s.product_id = l.id AND CASE WHEN l.variant IS NULL
        THEN s.is_default ELSE s.id = l.variant END OFFSET 0) size)) ORDER BY v.id FOR NO KEY UPDATE;
  FOR wish IN SELECT * FROM jsonb_to_recordset(p_wishes) AS w (
      id uuid, number text, user_id uuid, method text, lines jsonb, billing jsonb, seen_fee bigint,
      keeps_address bool, key text, now timestamptz, pay_by timestamptz) WHERE NOT answers ? id::text LOOP
    BEGIN
      SELECT bool_and(coalesce(asked.least >= 1 AND asked.of_product <= {{max_per_product}}, false)) AS is_possible,
             bool_or(asked.quantity > asked.available) AS is_gone,
             bool_or(asked.lowest <> p.price_kobo OR asked.highest <> p.price_kobo) AS is_dearer,
             sum(coalesce(p.price_kobo, 0) * asked.quantity) AS total_kobo,
             jsonb_agg(jsonb_build_object(
               'id', asked.id, 'variant', asked.variant, 'name', p.name, 'size', asked.size, 'thumbnail', p.thumbnail,
               'price_kobo', p.price_kobo, 'quantity', asked.quantity, 'available',
               CASE WHEN p.hidden THEN 0 ELSE least(asked.available, {{max_per_product}}) END)
               ORDER BY asked.place) AS lines
        INTO wanted
        FROM (SELECT l.id, v.id AS variant, v.size, min(l.place) AS place, min(l.quantity) AS least,
                     sum(l.quantity) AS quantity, min(l.price_kobo) AS lowest, max(l.price_kobo) AS highest,
                     sum(sum(l.quantity)) OVER (PARTITION BY l.id) AS of_product,
                     coalesce(v.stock - v.allocated - coalesce((taken ->> v.id::text)::bigint, 0), 0) AS available
                FROM ROWS FROM (jsonb_to_recordset(wish.lines) AS (id uuid, variant uuid, quantity bigint,
                       price_kobo bigint)) WITH ORDINALITY AS l (id, variant, quantity, price_kobo, place)
                LEFT JOIN product_variant v ON v.product_id = l.id AND NOT v.hidden
                     AND CASE WHEN l.variant IS NULL THEN v.is_default ELSE v.id = l.variant END
               GROUP BY l.id, v.id) asked LEFT JOIN product p ON p.id = asked.id;
      fee := coalesce((SELECT fee_kobo FROM delivery_fee WHERE state = wish.billing ->> 'state'), 0);
      total := wanted.total_kobo + fee;
      IF NOT hold_member(wish.user_id) THEN
        RAISE EXCEPTION 'the member has left' USING ERRCODE = 'KF404';
      ELSIF wanted.is_possible IS NOT TRUE THEN
        RAISE EXCEPTION 'an order has 1 to 99 of a product' USING ERRCODE = 'KF424';
      ELSIF wanted.is_gone OR wanted.lines @> '[{"available": 0}]' THEN
        RAISE EXCEPTION 'not everything is available' USING ERRCODE = 'KF411', DETAIL = wanted.lines::text;
      ELSIF wanted.is_dearer OR wish.seen_fee <> fee THEN
        RAISE EXCEPTION 'a price has changed' USING ERRCODE = 'KF412',
          DETAIL = jsonb_build_object('lines', wanted.lines, 'fee_kobo', fee)::text;
      ELSIF total > {{largest_kobo}} THEN
        RAISE EXCEPTION 'more than one transfer can move' USING ERRCODE = 'KF425';
      END IF;
      INSERT INTO shop_order (id, number, user_id, status, payment_method, is_paid, total_kobo,
                              delivery_fee_kobo, billing, transfer_id, pay_by, created_at)
      VALUES (wish.id, wish.number, wish.user_id, CASE wish.method WHEN 'wallet' THEN 'processing' ELSE 'pending' END,
              wish.method, wish.method = 'wallet', total, fee, wish.billing,
              CASE wish.method WHEN 'wallet' THEN (SELECT transfer_id FROM post_wallet_transfer(
                wish.id, wish.user_id, 'purchase', wish.id::text, -total, NULL)) END, wish.pay_by, wish.now);
      INSERT INTO order_line (order_id, line, product_id, variant_id, size, name, price_kobo, quantity, thumbnail)
      SELECT wish.id, place, id, variant, size, name, price_kobo, quantity, thumbnail
        FROM ROWS FROM (jsonb_to_recordset(wanted.lines) AS (
               id uuid, variant uuid, size text, name text, price_kobo bigint, quantity int, thumbnail text))
             WITH ORDINALITY AS l (id, variant, size, name, price_kobo, quantity, thumbnail, place);
      INSERT INTO saved_address (user_id, billing) SELECT wish.user_id, wish.billing WHERE wish.keeps_address
          ON CONFLICT (user_id) DO UPDATE SET billing = excluded.billing;
      placed := jsonb_build_object('id', wish.id, 'number', wish.number, 'total_kobo', total,
                                   'delivery_fee_kobo', fee, 'pay_by', wish.pay_by, 'replayed', false);
      UPDATE idempotency_key SET answer = placed - 'replayed' WHERE user_id = wish.user_id AND key = wish.key;
      taken := taken || (SELECT jsonb_object_agg(l.variant, l.quantity + coalesce((taken ->> l.variant)::bigint, 0))
                           FROM jsonb_to_recordset(wanted.lines) AS l (variant text, quantity bigint));
    EXCEPTION WHEN OTHERS THEN
      GET STACKED DIAGNOSTICS code = RETURNED_SQLSTATE, facts = PG_EXCEPTION_DETAIL, broken = CONSTRAINT_NAME;
      IF code NOT LIKE 'KF%' AND broken <> 'uq_shop_order_number' THEN RAISE; END IF;
      DELETE FROM idempotency_key WHERE user_id = wish.user_id AND key = wish.key;
      placed := jsonb_build_object('refused', code, 'facts', facts);
    END;
    answers := answers || jsonb_build_object(wish.id, placed);
  END LOOP;
  UPDATE product_variant v SET allocated = v.allocated + t.quantity::int
    FROM jsonb_each_text(taken) AS t (variant, quantity) WHERE v.id = t.variant::uuid;
  RETURN answers;
END $$;
