-- The result of a proof never changes.
GRANT SELECT, INSERT, DELETE ON ledger_proof TO {{runtime_role}};
-- Seals move forwards, and months grow until they are over.
GRANT SELECT, INSERT, UPDATE (last_entry, after_kobo, sealed_at) ON ledger_seal TO {{runtime_role}};
GRANT SELECT, INSERT, UPDATE (entries, moved_kobo) ON ledger_seal_month TO {{runtime_role}};
