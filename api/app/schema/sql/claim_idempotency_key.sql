-- Between the conflict and the look at the key's row that row may have been tidied away: then the
-- key is free, and is claimed at the next turn.
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
