"""Rules of refunds."""

MOST_LINES = 50
