-- When a member's mute ends, null without one. The rule of everything that a member writes.
CREATE OR REPLACE FUNCTION chat_muted_until(p_user uuid, p_at timestamptz) RETURNS timestamptz
LANGUAGE sql STABLE AS $$
  SELECT m.until FROM chat_mute m WHERE m.user_id = p_user AND m.until > p_at $$;
