"""Operators: members who work in the back office, their roles, phones and sessions."""
