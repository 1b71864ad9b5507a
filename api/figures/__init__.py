"""What processes show of themselves together, and lines that nobody waits for."""
