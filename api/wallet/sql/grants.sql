-- Money is moved by post_wallet_transfer alone, which runs as its owner.
GRANT SELECT ON ledger_account, ledger_transfer TO {{runtime_role}};
-- What operators changed and caused is written once.
GRANT SELECT, INSERT ON operator_credit, wallet_adjustment TO {{runtime_role}};
-- What waits for a person is decided once.
GRANT SELECT, INSERT, UPDATE (state, decided_at, reason) ON review_case TO {{runtime_role}};
