"""Words of the plans."""

from enum import StrEnum


class PlanPeriod(StrEnum):
    """The unit of a plan's duration (contract B-56)."""

    DAY = "day"
    WEEK = "week"
    MONTH = "month"
    YEAR = "year"
