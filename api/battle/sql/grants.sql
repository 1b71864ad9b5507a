GRANT SELECT, INSERT, UPDATE ON battle_seat TO {{runtime_role}};
GRANT SELECT, INSERT, UPDATE, DELETE ON battle_attempt TO {{runtime_role}};
