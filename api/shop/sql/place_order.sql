-- One checkout is one statement: key, stock, money and order stand or fall together. Locks are taken
-- in one order everywhere: the key, the member, sizes by id, the wallet.
CREATE OR REPLACE FUNCTION place_order(
  p_id uuid, p_number text, p_user uuid, p_method text, p_lines jsonb, p_billing jsonb,
  p_seen_fee bigint, p_keeps_address bool, p_key text, p_fingerprint text, p_now timestamptz, p_pay_by timestamptz
) RETURNS jsonb LANGUAGE plpgsql AS $$
DECLARE
  claim record;
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
  PERFORM 1 FROM product_variant v JOIN jsonb_to_recordset(p_lines) AS l (id uuid, variant uuid)
    ON v.product_id = l.id AND CASE WHEN l.variant IS NULL THEN v.is_default ELSE v.id = l.variant END
   ORDER BY v.id FOR NO KEY UPDATE OF v;
  placed := write_order(p_id, p_number, p_user, p_method, p_lines, p_billing, p_seen_fee,
                        p_keeps_address, p_now, p_pay_by);
  UPDATE idempotency_key SET answer = placed WHERE user_id = p_user AND key = p_key;
  RETURN placed || '{"replayed": false}';
END $$;
