GRANT SELECT, INSERT, UPDATE, DELETE ON private_detail, user_account TO {{runtime_role}};
-- Whose fan a member was is written once.
GRANT SELECT, INSERT ON club_change TO {{runtime_role}};
