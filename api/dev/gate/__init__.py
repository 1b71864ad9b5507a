"""The gate: the checks and tests that have to pass before a change is merged."""
