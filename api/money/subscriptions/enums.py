from enum import StrEnum


class PlanPeriod(StrEnum):
    """The unit of a plan's duration (contract B-56)."""

    DAY = "day"
    WEEK = "week"
    MONTH = "month"
    YEAR = "year"


class PlanStanding(StrEnum):
    """Whether a member is on a plan (contract B-90)."""

    NONE = "none"
    ACTIVE = "active"
    GRACE = "grace"
    """The period is over and could not be renewed yet; the plan stays for a day."""


class PeriodState(StrEnum):
    """The state of a period."""

    ACTIVE = "active"
    GRACE = "grace"
    ENDED = "ended"
    REPLACED = "replaced"
    """Another plan took its place before its end."""
