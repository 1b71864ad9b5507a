-- What the door says: how many are left, and whether a question runs that entering would show.
CREATE OR REPLACE FUNCTION battle_today(
  p_user uuid, p_day date, p_quota int, p_now timestamptz,
  OUT left_today int, OUT is_running boolean
) LANGUAGE plpgsql STABLE SET enable_seqscan = off AS $$
BEGIN
  left_today := battle_left(p_user, p_day, p_quota);
  is_running := EXISTS (
    SELECT FROM battle_attempt a
     WHERE a.user_id = p_user AND a.outcome IS NULL AND p_now <= a.deadline_at + interval '{{battle_grace_ms}} milliseconds');
END $$;
