-- One award, in its caller's transaction. The caller holds the lock on what is being awarded, so
-- that a second call cannot happen; the ledger's UNIQUE (source, source_id) would refuse it.
-- Only the member's own rows are written: members never wait for each other.
CREATE OR REPLACE FUNCTION award_points(
  p_id uuid, p_user uuid, p_club uuid, p_season uuid, p_source text, p_source_id uuid,
  p_question uuid, p_points int, p_answered int, p_right int, p_elapsed_ms int, p_detail jsonb,
  p_day date, p_now timestamptz
) RETURNS TABLE (
  points int, battle_points int, answered int, answered_correctly int, badge text,
  promoted_to text
) LANGUAGE plpgsql SECURITY DEFINER SET search_path = public, pg_temp AS $$
DECLARE
  standing member_season%ROWTYPE;
  badge_now text;
  battle int := CASE p_source WHEN 'battle' THEN p_points ELSE 0 END;
BEGIN
  IF p_points > 0 THEN
    INSERT INTO point_entry (id, user_id, club_id, season_id, source, source_id, question_id,
                             points, elapsed_ms, detail, day, earned_at)
    VALUES (p_id, p_user, p_club, p_season, p_source, p_source_id, p_question,
            p_points, p_elapsed_ms, p_detail, p_day, p_now);
    -- Operators play without a place on the boards.
    INSERT INTO points_pending (user_id, club_id, season_id, day, points, elapsed_ms, earned_at)
    SELECT p_user, p_club, p_season, p_day, p_points, p_elapsed_ms, p_now
     WHERE NOT EXISTS (SELECT FROM user_account u WHERE u.id = p_user AND u.is_operator);
  END IF;
  IF p_season IS NULL THEN
    RETURN QUERY SELECT 0, 0, 0, 0, NULL::text, NULL::text;
    RETURN;
  END IF;

  INSERT INTO member_season AS m (user_id, season_id, club_id, points, battle_points, answered,
                                  answered_correctly, badge)
  VALUES (p_user, p_season, p_club, p_points, battle, p_answered, p_right, badge_of(p_season, 0))
  ON CONFLICT (user_id, season_id) DO UPDATE
    SET points = m.points + p_points, battle_points = m.battle_points + battle,
        answered = m.answered + p_answered,
        answered_correctly = m.answered_correctly + p_right
  RETURNING m.* INTO standing;
  badge_now := standing.badge;
  IF battle > 0 THEN
    badge_now := badge_of(p_season, standing.battle_points);
  END IF;
  IF badge_now <> standing.badge THEN
    UPDATE member_season m SET badge = badge_now
     WHERE m.user_id = p_user AND m.season_id = p_season;
    INSERT INTO rank_promotion (user_id, season_id, rank, promoted_at)
    VALUES (p_user, p_season, badge_now, p_now) ON CONFLICT DO NOTHING;
  END IF;
  -- A promotion, or the season's first points, after which last season's badge is history.
  IF badge_now <> standing.badge OR standing.battle_points = battle THEN
    UPDATE user_account u SET badge = badge_now WHERE u.id = p_user AND u.badge <> badge_now;
  END IF;
  RETURN QUERY SELECT standing.points, standing.battle_points, standing.answered,
    standing.answered_correctly, badge_now,
    CASE WHEN badge_now <> standing.badge THEN badge_now END;
END $$;

REVOKE EXECUTE ON FUNCTION award_points(
  uuid, uuid, uuid, uuid, text, uuid, uuid, int, int, int, int, jsonb, date, timestamptz
) FROM PUBLIC;
GRANT EXECUTE ON FUNCTION award_points(
  uuid, uuid, uuid, uuid, text, uuid, uuid, int, int, int, int, jsonb, date, timestamptz
) TO {{runtime_role}};
