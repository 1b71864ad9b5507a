"""Operators: members who work at the back office, their roles, phones and sessions."""
