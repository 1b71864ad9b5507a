GRANT SELECT, INSERT, UPDATE ON battle_seat TO {{runtime_role}};
-- The age and the member of an attempt never change: retention depends on them.
GRANT SELECT, INSERT, DELETE,
  UPDATE (deadline_at, anchored, outcome, answer, points, elapsed_ms, promoted_to, closed_at)
  ON battle_attempt TO {{runtime_role}};
