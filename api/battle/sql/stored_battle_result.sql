-- The result of an attempt that ended before; the standing is the one of now.
CREATE OR REPLACE FUNCTION stored_battle_result(p_attempt battle_attempt) RETURNS jsonb
LANGUAGE plpgsql STABLE AS $$
DECLARE
  standing member_season%ROWTYPE;
BEGIN
  SELECT * INTO standing FROM member_season m
   WHERE m.user_id = p_attempt.user_id AND m.season_id = p_attempt.season_id;
  RETURN battle_result(p_attempt, coalesce(standing.points, 0),
    coalesce(standing.battle_points, 0), coalesce(standing.badge, p_attempt.rank));
END $$;
