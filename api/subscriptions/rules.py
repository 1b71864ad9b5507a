"""Rules of the plans: when a period ends, and what is given back of one that is left early."""

from calendar import monthrange
from datetime import UTC, datetime, timedelta

from api.core.clock import LAGOS
from api.core.money import Kobo
from api.subscriptions.enums import PlanPeriod

DAY = timedelta(days=1)
DAYS = {PlanPeriod.DAY: 1, PlanPeriod.WEEK: 7}
MONTHS = {PlanPeriod.MONTH: 1, PlanPeriod.YEAR: 12}


def period_end(starts_at: datetime, duration: int, period: PlanPeriod) -> datetime:
    """Return when ``duration`` periods are over; months are Lagos' calendar months.

    A month that is shorter than the day it began on ends on its last day.
    """
    if period in DAYS:
        return starts_at + duration * DAYS[period] * DAY
    begun = starts_at.astimezone(LAGOS)
    years, month = divmod(begun.month - 1 + duration * MONTHS[period], 12)
    year, month = begun.year + years, month + 1
    day = min(begun.day, monthrange(year, month)[1])
    return begun.replace(year=year, month=month, day=day).astimezone(UTC)


def unused_kobo(
    paid_kobo: Kobo, starts_at: datetime, ends_at: datetime, now: datetime, *, refunded_kobo: Kobo
) -> Kobo:
    """Return what the whole days that are left were paid, rounded down.

    Never more than is still to give back of that payment. Lagos has no daylight saving: a period
    is a whole number of days.
    """
    left = max(0, (ends_at - max(now, starts_at)) // DAY)
    return Kobo(min(paid_kobo * left // ((ends_at - starts_at) // DAY), paid_kobo - refunded_kobo))


def check_benefit(benefit: str) -> str:
    """Return a benefit.

    Raises:
        ValueError: it has a comma, which parts benefits on the wire (spec 3).
    """
    if "," in benefit:
        raise ValueError("a benefit has no comma")
    return benefit
