"""Rules of the figures: how far back they go, and how many days one answer has."""

from datetime import timedelta

MAX_DAYS = 366
SHOWN_BY_DEFAULT = 30
COUNT_SECONDS = 300.0
BACKFILLED_AT_ONCE = 30  # days that were never counted, in one step
BACKFILLED = timedelta(days=2 * MAX_DAYS)
RANGE_SENTENCE = f"Please choose 1 to {MAX_DAYS} days, the first before the last"
