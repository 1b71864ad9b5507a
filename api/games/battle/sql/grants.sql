GRANT SELECT, INSERT, UPDATE ON battle_seat TO {{runtime_role}};
-- How old an attempt is, and whose, is never said otherwise: that decides how long it stays.
GRANT SELECT, INSERT, DELETE,
  UPDATE (deadline_at, anchored, outcome, answer, points, elapsed_ms, promoted_to, closed_at)
  ON battle_attempt TO {{runtime_role}};
