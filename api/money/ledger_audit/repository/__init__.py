"""SQL of the proofs: audits of the whole ledger, and their results."""
