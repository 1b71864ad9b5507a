"""SQL of the back office."""
