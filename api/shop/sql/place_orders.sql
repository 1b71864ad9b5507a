-- Wallet orders that wait for the same sizes are placed together, with one lock and one commit for all,
-- and each stands or falls alone. p_wishes are objects of place_order's arguments, no key twice. All
-- locks of a kind are taken before those of the next, in the order of members. Returns answers by id:
-- place_order's, or {"refused": SQLSTATE, "detail": its facts as text}.
CREATE OR REPLACE FUNCTION place_orders(p_wishes jsonb) RETURNS jsonb LANGUAGE plpgsql AS $$
DECLARE
  wish record;
  claim record;
  placed jsonb;
  answers jsonb := '{}';
  code text;
  facts text;
  broken text;
BEGIN
  FOR wish IN
    SELECT * FROM jsonb_to_recordset(p_wishes) AS w (id text, user_id uuid, key text, fingerprint text)
     WHERE key IS NOT NULL ORDER BY user_id, key
  LOOP
    SELECT * INTO claim
      FROM claim_idempotency_key(wish.user_id, wish.key, 'checkout', wish.fingerprint);
    IF NOT claim.matches THEN
      answers := answers || jsonb_build_object(wish.id, '{"refused": "KF422"}'::jsonb);
    ELSIF NOT claim.claimed THEN
      answers := answers || jsonb_build_object(wish.id, claim.answer || '{"replayed": true}');
    END IF;
  END LOOP;
  PERFORM hold_member(user_id) FROM (
    SELECT DISTINCT user_id FROM jsonb_to_recordset(p_wishes) AS w (user_id uuid) ORDER BY user_id) members;
  PERFORM 1 FROM product_variant v WHERE EXISTS (
    SELECT FROM jsonb_to_recordset(p_wishes) AS w (lines jsonb),
                jsonb_to_recordset(w.lines) AS l (id uuid, variant uuid)
     WHERE v.product_id = l.id AND CASE WHEN l.variant IS NULL THEN v.is_default ELSE v.id = l.variant END)
   ORDER BY v.id FOR NO KEY UPDATE;
  FOR wish IN
    SELECT * FROM jsonb_to_recordset(p_wishes) AS w (
             id text, number text, user_id uuid, lines jsonb, billing jsonb, seen_fee bigint,
             keeps_address bool, key text, now timestamptz)
     WHERE NOT answers ? id ORDER BY user_id
  LOOP
    BEGIN
      IF NOT hold_member(wish.user_id) THEN
        RAISE EXCEPTION 'the member has left' USING ERRCODE = 'KF404';
      END IF;
      placed := write_order(wish.id::uuid, wish.number, wish.user_id, 'wallet', wish.lines, wish.billing,
                            wish.seen_fee, wish.keeps_address, wish.now, NULL);
      UPDATE idempotency_key SET answer = placed WHERE user_id = wish.user_id AND key = wish.key;
      placed := placed || '{"replayed": false}';
    EXCEPTION WHEN OTHERS THEN
      GET STACKED DIAGNOSTICS code = RETURNED_SQLSTATE, facts = PG_EXCEPTION_DETAIL,
                              broken = CONSTRAINT_NAME;
      IF code NOT LIKE 'KF%' AND broken <> 'uq_shop_order_number' THEN
        RAISE;
      END IF;
      DELETE FROM idempotency_key WHERE user_id = wish.user_id AND key = wish.key;
      placed := jsonb_build_object('refused', code, 'detail', facts);
    END;
    answers := answers || jsonb_build_object(wish.id, placed);
  END LOOP;
  RETURN answers;
END $$;
