-- What a member has accepted is written once.
GRANT SELECT, INSERT ON terms_acceptance TO {{runtime_role}};
