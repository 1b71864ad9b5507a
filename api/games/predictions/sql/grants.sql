-- Decisions are kept; predictions are deleted with their member.
GRANT SELECT, INSERT ON prediction_crowd, prediction_decision TO {{runtime_role}};
GRANT SELECT, INSERT, UPDATE, DELETE ON prediction, prediction_total TO {{runtime_role}};
