"""Core: shared by all domains, and depends on none."""
