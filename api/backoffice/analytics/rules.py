"""Limits of the figures: how far back they go, and how many days a response has."""

from datetime import timedelta

MAX_DAYS = 366
SHOWN_BY_DEFAULT = 30
COUNT_SECONDS = 300.0
BACKFILLED_AT_ONCE = 30  # uncounted past days per step
BACKFILLED = timedelta(days=2 * MAX_DAYS)
RANGE_SENTENCE = f"Please choose 1 to {MAX_DAYS} days, the first before the last"
