GRANT SELECT, INSERT, DELETE ON streak_day, streak_freeze, earned_badge TO {{runtime_role}};
GRANT SELECT, INSERT, UPDATE, DELETE ON streak TO {{runtime_role}};
