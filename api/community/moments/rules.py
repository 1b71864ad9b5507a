"""Rules of moments: shares per day, how many a club sees, and when reports hide one."""

from datetime import timedelta
from decimal import Decimal

SHARES_A_DAY = 1  # contract F-30
SHARES_A_DAY_WITH_PLAN = 3  # contract F-5
SHOWN_TO_CLUB = 20
HIDING_WEIGHT = 3  # of reports; a report weighs 1, or less (contract T-13)
YOUNG_ACCOUNT = timedelta(hours=72)
YOUNG_WEIGHT = Decimal("0.5")


def shares_a_day(*, has_plan: bool) -> int:
    """Return how many moments a member may share with the club per day in Lagos."""
    return SHARES_A_DAY_WITH_PLAN if has_plan else SHARES_A_DAY
