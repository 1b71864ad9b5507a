"""SQL of the daily quest."""
