-- Makes one award, in the caller's transaction. The caller has locked the source of the award, so that
-- no second call can happen; the ledger's UNIQUE (source, source_id) would refuse it. Writes only the
-- member's own rows, so that members never wait for each other. Without a season there is no standing.
CREATE OR REPLACE FUNCTION award_points(
  p_id uuid, p_user uuid, p_club uuid, p_season uuid, p_source text, p_source_id uuid,
  p_question uuid, p_points int, p_answered int, p_right int, p_elapsed_ms int, p_detail jsonb,
  p_day date, p_now timestamptz,
  OUT points int, OUT battle_points int, OUT badge text, OUT promoted_to text
) LANGUAGE plpgsql SECURITY DEFINER SET search_path = public, pg_temp AS $$
DECLARE
  battle int;
BEGIN
  -- Points of an invite are not from the games. Corrections can still take points back.
  IF p_points > 0 AND p_source <> 'invite' AND NOT earns_from_games(p_user) THEN
    p_points := 0;
  END IF;
  battle := CASE p_source WHEN 'battle' THEN p_points ELSE 0 END;
  IF p_points <> 0 THEN
    INSERT INTO point_entry (id, user_id, club_id, season_id, source, source_id, question_id,
                             points, elapsed_ms, detail, day, earned_at)
    VALUES (p_id, p_user, p_club, p_season, p_source, p_source_id, p_question,
            p_points, p_elapsed_ms, p_detail, p_day, p_now);
    INSERT INTO points_pending (user_id, club_id, season_id, day, points, elapsed_ms, earned_at)
    SELECT p_user, p_club, p_season, p_day, p_points, p_elapsed_ms, p_now
     WHERE NOT is_off_boards(p_user);
  END IF;
  IF p_season IS NULL THEN
    RETURN;
  END IF;
  INSERT INTO member_season AS m (user_id, season_id, club_id, points, battle_points, answered,
                                  answered_correctly, badge)
  VALUES (p_user, p_season, p_club, greatest(p_points, 0), battle, p_answered, p_right,
          badge_of(p_season, 0)) ON CONFLICT (user_id, season_id) DO UPDATE
    SET points = m.points + p_points, battle_points = m.battle_points + battle,
        answered = m.answered + p_answered, answered_correctly = m.answered_correctly + p_right
  RETURNING m.points, m.battle_points, m.badge INTO points, battle_points, badge;
  IF battle > 0 THEN
    promoted_to := nullif(badge_of(p_season, battle_points), badge);
  END IF;
  IF promoted_to IS NOT NULL THEN
    badge := promoted_to;
    UPDATE member_season m SET badge = promoted_to
     WHERE m.user_id = p_user AND m.season_id = p_season;
    INSERT INTO rank_promotion (user_id, season_id, rank, promoted_at)
    VALUES (p_user, p_season, promoted_to, p_now) ON CONFLICT DO NOTHING;
  END IF;
  -- A promotion, or the season's first points, after which last season's badge is history.
  IF promoted_to IS NOT NULL OR battle_points = battle THEN
    UPDATE user_account u SET badge = award_points.badge
     WHERE u.id = p_user AND u.badge <> award_points.badge;
  END IF;
END $$;

REVOKE EXECUTE ON FUNCTION award_points FROM PUBLIC;
GRANT EXECUTE ON FUNCTION award_points TO {{runtime_role}};
