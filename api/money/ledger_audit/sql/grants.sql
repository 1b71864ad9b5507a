-- The result of a proof never changes.
GRANT SELECT, INSERT, DELETE ON ledger_proof TO {{runtime_role}};
