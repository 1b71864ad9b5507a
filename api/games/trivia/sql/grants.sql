-- A set never changes. An attempt is evidence of its points until its retention period ends.
GRANT SELECT, INSERT ON trivia_set TO {{runtime_role}};
GRANT SELECT, INSERT, DELETE ON trivia_schedule TO {{runtime_role}};
GRANT SELECT, INSERT, UPDATE (submitted_at, choices, correct, points), DELETE
  ON trivia_attempt TO {{runtime_role}};
