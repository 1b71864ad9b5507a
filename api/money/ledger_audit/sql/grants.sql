-- The result of a proof never changes.
GRANT SELECT, INSERT, DELETE ON ledger_proof TO {{runtime_role}};
-- A seal of the current month moves forwards.
GRANT SELECT, INSERT, UPDATE (last_entry, moved_kobo, after_kobo, sealed_at) ON ledger_seal TO {{runtime_role}};
