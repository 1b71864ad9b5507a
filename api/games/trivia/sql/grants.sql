-- A set is frozen, and an attempt is evidence of its points until it has served.
GRANT SELECT, INSERT ON trivia_set TO {{runtime_role}};
GRANT SELECT, INSERT, DELETE ON trivia_schedule TO {{runtime_role}};
GRANT SELECT, INSERT, UPDATE (submitted_at, choices, correct, points), DELETE
  ON trivia_attempt TO {{runtime_role}};
