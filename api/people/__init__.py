"""Members: their accounts, sessions, clubs and data."""
