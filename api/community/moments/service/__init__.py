"""Moments: posted by members, shared with their club, and hidden by operators."""
