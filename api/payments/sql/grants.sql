-- A report is evidence, of which only the bytes are emptied until it has served; an intent is never
-- forgotten.
GRANT SELECT, INSERT, DELETE ON payment_event TO {{runtime_role}};
GRANT UPDATE (raw) ON payment_event TO {{runtime_role}};
GRANT SELECT, INSERT, UPDATE ON funding TO {{runtime_role}};
