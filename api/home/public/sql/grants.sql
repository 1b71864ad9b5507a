GRANT SELECT, INSERT, DELETE ON used_claim TO {{runtime_role}};
