"""The gate: what has to pass before a change lands."""
