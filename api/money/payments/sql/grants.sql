-- A report is evidence: only its bytes may be erased, and its state and reason updated. Fundings,
-- disputes, chargebacks and debts are never deleted.
GRANT SELECT, INSERT, DELETE ON payment_event TO {{runtime_role}};
GRANT UPDATE (raw, state, reason) ON payment_event TO {{runtime_role}};
GRANT SELECT, INSERT, UPDATE ON funding TO {{runtime_role}};
GRANT SELECT, INSERT, UPDATE (funding_id, status, resolution, told_at, closed_at) ON dispute
  TO {{runtime_role}};
GRANT SELECT, INSERT ON chargeback TO {{runtime_role}};
GRANT SELECT, INSERT, UPDATE (left_kobo, state, settled_at) ON debt TO {{runtime_role}};
