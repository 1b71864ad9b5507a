-- What a proof has found is not said otherwise later.
GRANT SELECT, INSERT, DELETE ON ledger_proof TO {{runtime_role}};
