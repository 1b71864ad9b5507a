"""Seasons, ladders, awards and boards."""
