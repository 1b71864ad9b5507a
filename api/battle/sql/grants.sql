GRANT SELECT, INSERT, UPDATE ON battle_attempt, battle_seat TO {{runtime_role}};
