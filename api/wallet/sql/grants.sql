-- Money is moved by post_wallet_transfer alone, which runs as its owner.
GRANT SELECT ON ledger_account, ledger_transfer TO {{runtime_role}};
