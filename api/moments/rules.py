"""The moments' rules: how many a day are shared, how many the club sees, what hides one."""

from datetime import timedelta
from decimal import Decimal

SHARES_A_DAY = 1  # contract F-30
SHARES_A_DAY_WITH_PLAN = 3  # contract F-5
SHOWN_TO_CLUB = 20
HIDING_WEIGHT = 3  # of reports; a report weighs 1, or less (contract T-13)
YOUNG_ACCOUNT = timedelta(hours=72)
YOUNG_WEIGHT = Decimal("0.5")


def shares_a_day(*, has_plan: bool) -> int:
    """Return how many moments a member may share with the club in a day of Lagos."""
    return SHARES_A_DAY_WITH_PLAN if has_plan else SHARES_A_DAY
