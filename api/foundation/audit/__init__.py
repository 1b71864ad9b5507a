"""The audit: every write of an operator leaves an entry in its transaction."""
