"""SQL of the ledger, and of review cases."""
