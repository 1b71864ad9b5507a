GRANT SELECT, INSERT, UPDATE, DELETE ON private_detail, user_account TO {{runtime_role}};
-- A member's changes of club are written once.
GRANT SELECT, INSERT ON club_change TO {{runtime_role}};
