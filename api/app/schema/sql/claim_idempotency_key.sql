-- Claims a key, or returns the earlier claim. Housekeeping may delete the row between the conflict and
-- the SELECT: then the key is free again, and the next iteration claims it.
CREATE OR REPLACE FUNCTION claim_idempotency_key(
  p_user uuid, p_key text, p_route text, p_fingerprint text
) RETURNS TABLE (claimed boolean, matches boolean, answer jsonb) LANGUAGE plpgsql AS $$
BEGIN
  LOOP
    INSERT INTO idempotency_key (user_id, key, route, fingerprint)
    VALUES (p_user, p_key, p_route, p_fingerprint) ON CONFLICT DO NOTHING;
    claimed := FOUND;
    SELECT k.route = p_route AND k.fingerprint = p_fingerprint, k.answer INTO matches, answer
      FROM idempotency_key k WHERE k.user_id = p_user AND k.key = p_key;
    IF FOUND THEN
      RETURN NEXT;
      RETURN;
    END IF;
  END LOOP;
END $$;
