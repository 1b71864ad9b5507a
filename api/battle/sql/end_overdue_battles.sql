-- Ends what ran out, of these members or of anybody, and returns one result each. Members who are
-- in the middle of a step are left to it.
CREATE OR REPLACE FUNCTION end_overdue_battles(p_users uuid[], p_now timestamptz, p_most int)
RETURNS SETOF jsonb LANGUAGE plpgsql SET enable_seqscan = off AS $$
DECLARE
  overdue uuid;
  attempt battle_attempt%ROWTYPE;
BEGIN
  FOR overdue IN
    SELECT a.user_id FROM battle_attempt a
     WHERE a.outcome IS NULL AND a.deadline_at < p_now - {{battle_grace}}
       AND (p_users IS NULL OR a.user_id = ANY (p_users))
     ORDER BY a.deadline_at LIMIT p_most
  LOOP
    PERFORM 1 FROM battle_seat WHERE user_id = overdue FOR NO KEY UPDATE SKIP LOCKED;
    CONTINUE WHEN NOT FOUND;
    SELECT * INTO attempt FROM battle_attempt a
     WHERE a.user_id = overdue AND a.outcome IS NULL AND a.deadline_at < p_now - {{battle_grace}}
       FOR NO KEY UPDATE;
    CONTINUE WHEN NOT FOUND;
    RETURN NEXT end_battle_attempt(attempt, NULL, gen_random_uuid(), p_now);
  END LOOP;
END $$;
