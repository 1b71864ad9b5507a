"""Core: what every domain stands on, and nothing of any domain."""
