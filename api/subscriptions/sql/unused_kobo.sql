-- What the whole days that are left were paid, rounded down, and never more than is still to give
-- back of that payment. Lagos has no daylight saving: a period is a whole number of days.
CREATE OR REPLACE FUNCTION unused_kobo(p_latest subscription, p_now timestamptz) RETURNS bigint
LANGUAGE sql STABLE AS $$
  SELECT CASE WHEN p_latest.transfer_id IS NULL OR p_latest.ends_at <= p_now THEN 0 ELSE least(
    p_latest.amount_kobo
      * floor(extract(epoch FROM p_latest.ends_at - greatest(p_now, p_latest.starts_at))
              / 86400)::bigint
      / floor(extract(epoch FROM p_latest.ends_at - p_latest.starts_at) / 86400)::bigint,
    p_latest.amount_kobo - (SELECT coalesce(sum(amount_kobo), 0) FROM ledger_transfer
                             WHERE reverses_id = p_latest.transfer_id))
  END
$$;
