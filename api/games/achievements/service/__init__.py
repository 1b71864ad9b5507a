"""Streaks and badges: counting days, closing missed ones, and awarding."""
