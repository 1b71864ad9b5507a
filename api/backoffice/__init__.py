"""What operators see and do across the domains."""
