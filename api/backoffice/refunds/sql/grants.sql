GRANT SELECT, INSERT, UPDATE (state, decided_by, decided_at, refusal)
  ON refund_case TO {{runtime_role}};
GRANT SELECT, INSERT ON refund_line TO {{runtime_role}};
