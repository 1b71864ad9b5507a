-- Only post_wallet_transfer moves money; it runs as its owner.
GRANT SELECT ON ledger_account, ledger_transfer TO {{runtime_role}};
-- Adjustments and operator credits are written once.
GRANT SELECT, INSERT ON operator_credit, wallet_adjustment TO {{runtime_role}};
-- Review cases are decided once.
GRANT SELECT, INSERT, UPDATE (state, decided_at, reason) ON review_case TO {{runtime_role}};
