-- A report is evidence, of which only the bytes are ever emptied; an intent is never forgotten.
GRANT SELECT, INSERT ON payment_event TO {{runtime_role}};
GRANT UPDATE (raw) ON payment_event TO {{runtime_role}};
GRANT SELECT, INSERT, UPDATE ON funding TO {{runtime_role}};
