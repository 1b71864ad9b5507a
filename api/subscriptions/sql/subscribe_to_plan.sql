-- Locks are taken in one order everywhere: the key, the member's subscriptions, the wallet. Unused
-- days come back before the new plan is paid, so that they help to pay it.
CREATE OR REPLACE FUNCTION subscribe_to_plan(
  p_id uuid, p_credit_id uuid, p_user uuid, p_plan uuid, p_now timestamptz,
  p_key text, p_fingerprint text
) RETURNS jsonb LANGUAGE plpgsql AS $$
DECLARE
  claim record;
  wanted plan%ROWTYPE;
  latest subscription%ROWTYPE;
  ending timestamptz;
  credit bigint := 0;
  transfer uuid;
  answer jsonb;
BEGIN
  IF p_key IS NOT NULL THEN
    SELECT * INTO claim FROM claim_idempotency_key(p_user, p_key, 'subscription', p_fingerprint);
    IF NOT claim.matches THEN
      RAISE EXCEPTION 'the key named another request' USING ERRCODE = 'KF422';
    END IF;
    IF NOT claim.claimed THEN
      RETURN claim.answer || '{"replayed": true}'::jsonb;
    END IF;
  END IF;

  PERFORM pg_advisory_xact_lock(hashtextextended(p_user::text, {{member_plan_lock}}));
  SELECT * INTO wanted FROM plan WHERE id = p_plan AND NOT hidden;
  IF NOT FOUND THEN
    RAISE EXCEPTION 'no such plan is on offer' USING ERRCODE = 'KF431';
  END IF;
  SELECT * INTO latest FROM subscription WHERE user_id = p_user AND replaced_at IS NULL;
  IF latest.plan_id = p_plan AND latest.ends_at > p_now THEN
    RAISE EXCEPTION 'the plan is the current one' USING ERRCODE = 'KF432';
  END IF;
  IF wanted.amount_kobo = 0 AND EXISTS (
    SELECT FROM subscription WHERE user_id = p_user AND plan_id = p_plan AND amount_kobo = 0
  ) THEN
    RAISE EXCEPTION 'a free plan is taken once' USING ERRCODE = 'KF433';
  END IF;

  credit := unused_kobo(latest, p_now);
  IF credit > 0 THEN
    PERFORM post_wallet_transfer(p_credit_id, p_user, 'refund', 'unused:' || latest.id,
                                 credit, latest.transfer_id);
  END IF;
  IF wanted.amount_kobo > 0 THEN
    SELECT transfer_id INTO transfer FROM post_wallet_transfer(
      p_id, p_user, 'subscription', 'plan:' || p_id, -wanted.amount_kobo, NULL);
  END IF;

  UPDATE subscription SET replaced_at = greatest(p_now, starts_at) WHERE id = latest.id;
  ending := (p_now AT TIME ZONE 'Africa/Lagos' + make_interval(
    days => CASE wanted.period WHEN 'day' THEN wanted.duration ELSE 0 END,
    weeks => CASE wanted.period WHEN 'week' THEN wanted.duration ELSE 0 END,
    months => CASE wanted.period WHEN 'month' THEN wanted.duration ELSE 0 END,
    years => CASE wanted.period WHEN 'year' THEN wanted.duration ELSE 0 END
  )) AT TIME ZONE 'Africa/Lagos';
  INSERT INTO subscription (id, user_id, plan_id, starts_at, ends_at, amount_kobo, transfer_id)
  VALUES (p_id, p_user, p_plan, p_now, ending, wanted.amount_kobo, transfer);

  answer := jsonb_build_object('plan_id', p_plan, 'plan', wanted.plan, 'starts_at', p_now,
                               'ends_at', ending, 'credited_kobo', credit);
  IF p_key IS NOT NULL THEN
    PERFORM store_idempotent_answer(p_user, p_key, answer);
  END IF;
  RETURN answer || '{"replayed": false}'::jsonb;
END $$;
