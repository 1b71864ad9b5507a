-- Serves the next question, or says why there is none. The caller holds the seat and has seen that
-- no question runs.
CREATE OR REPLACE FUNCTION serve_battle_question(
  p_user uuid, p_club uuid, p_attempt uuid, p_shown smallint[], p_day date, p_now timestamptz
) RETURNS jsonb LANGUAGE plpgsql AS $$
DECLARE
  season season%ROWTYPE;
  standing member_season%ROWTYPE;
  badge_now text;
  ladder_place int;
  rank_window battle_rank%ROWTYPE;
  served int;
  met uuid[];
  wanted smallint;
  chance float := random();
  chosen uuid;
BEGIN
  IF NOT plan_allows_battle(p_user, p_now) THEN
    RETURN '{"kind": "refused", "code": "plan_required"}';
  END IF;
  SELECT * INTO season FROM season s WHERE s.starts_at <= p_now AND p_now < s.ends_at;
  IF NOT FOUND THEN
    RETURN (
      SELECT CASE WHEN min(s.starts_at) IS NULL
        THEN jsonb_build_object('kind', 'refused', 'code', 'season_over')
        ELSE jsonb_build_object('kind', 'refused', 'code', 'season_not_begun',
                                'opens_ms', milliseconds(min(s.starts_at))) END
        FROM season s WHERE s.starts_at > p_now);
  END IF;

  SELECT * INTO standing FROM member_season m WHERE m.user_id = p_user AND m.season_id = season.id;
  badge_now := badge_of(season.id, coalesce(standing.battle_points, 0));
  SELECT * INTO rank_window FROM battle_rank r
   WHERE r.season_id = season.id AND r.rank = badge_now;
  IF p_now < rank_window.starts_at OR p_now >= rank_window.ends_at THEN
    RETURN jsonb_build_object('kind', 'refused', 'code', 'rank_closed', 'rank', badge_now,
      'opens_ms', CASE WHEN p_now < rank_window.starts_at
                       THEN milliseconds(rank_window.starts_at) END,
      'closed_ms', CASE WHEN p_now >= rank_window.ends_at
                        THEN milliseconds(rank_window.ends_at) END);
  END IF;

  SELECT count(*) INTO served FROM battle_attempt a WHERE a.user_id = p_user AND a.day = p_day;
  IF served >= season.questions_per_day THEN
    -- The end is told once a visit: what ended before this moment is not of it any more.
    UPDATE battle_seat s SET visit_from = p_now + interval '1 microsecond'
     WHERE s.user_id = p_user AND EXISTS (
       SELECT FROM battle_attempt a WHERE a.user_id = p_user AND a.closed_at >= s.visit_from);
    IF NOT FOUND THEN
      RETURN '{"kind": "attempted"}';
    END IF;
    RETURN (
      SELECT jsonb_build_object('kind', 'finished',
        'points', coalesce(standing.points, 0), 'cnt', coalesce(standing.answered, 0),
        'answered_correctly', coalesce(standing.answered_correctly, 0),
        'today', jsonb_build_object('points', coalesce(sum(a.points), 0),
          'cnt', count(*) FILTER (WHERE a.outcome <> 'timeout'),
          'answered_correctly', count(*) FILTER (WHERE a.outcome = 'right')))
        FROM battle_attempt a WHERE a.user_id = p_user AND a.day = p_day);
  END IF;

  SELECT coalesce(array_agg(a.question_id), '{}') INTO met
    FROM battle_attempt a WHERE a.user_id = p_user AND a.day > p_day - {{battle_rest_days}};
  -- The higher the rank, the harder the questions it prefers. Chance is a place in the lots that
  -- questions were given when they came: the next one that fits is read from an index, however
  -- large the bank.
  SELECT count(*) INTO ladder_place FROM battle_rank r
   WHERE r.season_id = season.id AND r.threshold_point <= coalesce(standing.battle_points, 0);
  FOR wanted IN
    SELECT d FROM generate_series(1, 3) d ORDER BY abs(d - least(ladder_place + 1, 3)), d
  LOOP
    SELECT q.id INTO chosen FROM question q
     WHERE q.kind = 'battle' AND q.retired_at IS NULL AND q.difficulty = wanted
       AND q.lot >= chance AND (q.club_id IS NULL OR q.club_id = p_club) AND q.id <> ALL (met)
     ORDER BY q.lot LIMIT 1;
    EXIT WHEN chosen IS NOT NULL;
    SELECT q.id INTO chosen FROM question q
     WHERE q.kind = 'battle' AND q.retired_at IS NULL AND q.difficulty = wanted
       AND q.lot < chance AND (q.club_id IS NULL OR q.club_id = p_club) AND q.id <> ALL (met)
     ORDER BY q.lot LIMIT 1;
    EXIT WHEN chosen IS NOT NULL;
  END LOOP;
  IF chosen IS NULL THEN
    RETURN '{"kind": "empty"}';
  END IF;
  INSERT INTO battle_attempt (id, user_id, club_id, season_id, day, n, question_id, rank, shown,
                              opened_at, deadline_at)
  VALUES (p_attempt, p_user, p_club, season.id, p_day,
          served + 1, chosen, badge_now, p_shown,
          p_now, p_now + make_interval(secs => season.question_time_limit));
  RETURN battle_question(p_attempt);
END $$;
