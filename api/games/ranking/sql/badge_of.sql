-- Returns the rank for this many battle points: the first whose threshold they do not reach.
CREATE OR REPLACE FUNCTION badge_of(p_season uuid, p_battle_points int) RETURNS text
LANGUAGE plpgsql STABLE AS $$
BEGIN
  RETURN coalesce((SELECT rank FROM battle_rank
                    WHERE season_id = p_season AND threshold_point > p_battle_points
                    ORDER BY threshold_point LIMIT 1), '{{top_badge}}');
END $$;
