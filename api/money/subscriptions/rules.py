"""Rules of plans: ends of periods, renewals, and refunds of unused days."""

from calendar import monthrange
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from uuid import UUID

from api.foundation.core.clock import LAGOS
from api.foundation.core.money import Kobo
from api.money.subscriptions.enums import PeriodState, PlanPeriod, PlanStanding

DAY = timedelta(days=1)
DAYS = {PlanPeriod.DAY: 1, PlanPeriod.WEEK: 7}
MONTHS = {PlanPeriod.MONTH: 1, PlanPeriod.YEAR: 12}
GRACE = timedelta(hours=24)  # how long a plan remains after its end while it waits for payment
RETRY_INTERVAL = timedelta(hours=8)
PRICE_NOTICE = timedelta(days=14)  # a price change within this time does not affect the renewal
REMIND_BEFORE = timedelta(days=3)
WARN_BEFORE = timedelta(hours=1)


@dataclass(frozen=True)
class PeriodRow:
    """A period that a member had; see ``Subscription``."""

    id: UUID
    plan_id: UUID
    plan: str
    starts_at: datetime
    ends_at: datetime
    amount_kobo: Kobo
    replaced_at: datetime | None
    credited_kobo: Kobo
    is_gift: bool
    renews: bool
    ended_at: datetime | None


@dataclass(frozen=True)
class LatestPeriod(PeriodRow):
    """A period with its plan.

    ``plan_kobo`` is the plan's current price, ``known_kobo`` the price of this period and
    ``next_kobo`` that of the next one; ``changed_at`` is when the price last changed.
    """

    user_id: UUID
    transfer_id: UUID | None
    first_starts_at: datetime | None
    priced_at: datetime | None
    renewal_tries: int
    reminded_at: datetime | None
    warned_at: datetime | None
    battle_zone: bool
    hidden: bool
    plan_kobo: Kobo
    duration: int
    period: str
    known_kobo: Kobo
    next_kobo: Kobo
    changed_at: datetime | None


def period_end(
    starts_at: datetime,
    duration: int,
    period: PlanPeriod,
    *,
    first_starts_at: datetime | None = None,
) -> datetime:
    """Return the end of ``duration`` periods; months are Lagos calendar months.

    In a month that lacks the starting day, the period ends on the last day. A renewed period uses
    the day of ``first_starts_at``: after the 31st and the 28th comes the 31st.
    """
    if period in DAYS:
        return starts_at + duration * DAYS[period] * DAY
    started = starts_at.astimezone(LAGOS)
    years, month = divmod(started.month - 1 + duration * MONTHS[period], 12)
    year, month = started.year + years, month + 1
    first_day = (first_starts_at or starts_at).astimezone(LAGOS).day
    day = min(first_day, monthrange(year, month)[1])
    return started.replace(year=year, month=month, day=day).astimezone(UTC)


def plan_state(latest: PeriodRow | None, now: datetime) -> PlanStanding:
    """Return whether a member is on a plan at ``now``, by the latest period (contract B-90)."""
    if latest is None or latest.ended_at is not None:
        return PlanStanding.NONE
    if now < latest.ends_at:
        return PlanStanding.ACTIVE
    is_waited_for = latest.renews and now < latest.ends_at + GRACE
    return PlanStanding.GRACE if is_waited_for else PlanStanding.NONE


def state_of(period: PeriodRow, now: datetime) -> PeriodState:
    """Return the state of a period at ``now``."""
    if period.replaced_at is None:
        found = plan_state(period, now)
        return PeriodState.ENDED if found is PlanStanding.NONE else PeriodState(found.value)
    # A period that was ended early and refunded has both timestamps.
    is_cut = period.replaced_at < period.ends_at and period.ended_at is None
    return PeriodState.REPLACED if is_cut else PeriodState.ENDED


def can_renew(latest: LatestPeriod) -> bool:
    """Return whether the plan of a period can be renewed: it is on offer, and not free."""
    return not latest.hidden and latest.plan_kobo > 0


def priced_at(latest: LatestPeriod) -> datetime:
    """Return the time up to which price changes apply to the renewal (contract B-93)."""
    known = latest.priced_at or latest.starts_at
    return max(known, latest.ends_at - PRICE_NOTICE)


def renewed_until(latest: LatestPeriod) -> datetime:
    """Return the end of the period after this one."""
    return period_end(
        latest.ends_at,
        latest.duration,
        PlanPeriod(latest.period),
        first_starts_at=latest.first_starts_at or latest.starts_at,
    )


def price_changes_at(latest: LatestPeriod) -> datetime | None:
    """Return the first renewal at the current price; None if the price applies already."""
    if latest.changed_at is None or latest.plan_kobo == latest.known_kobo:
        return None
    first = latest.first_starts_at or latest.starts_at
    renewal, period = latest.ends_at, PlanPeriod(latest.period)
    while renewal - PRICE_NOTICE < latest.changed_at:
        renewal = period_end(renewal, latest.duration, period, first_starts_at=first)
    return renewal


def unused_kobo(
    paid_kobo: Kobo, starts_at: datetime, ends_at: datetime, now: datetime, *, refunded_kobo: Kobo
) -> Kobo:
    """Return the price of the remaining whole days, rounded down.

    Never more than what is still refundable of that payment. Lagos has no daylight saving time, so
    a period is a whole number of days.
    """
    left = max(0, (ends_at - max(now, starts_at)) // DAY)
    return Kobo(min(paid_kobo * left // ((ends_at - starts_at) // DAY), paid_kobo - refunded_kobo))


def check_benefit(benefit: str) -> str:
    """Return a benefit without a comma, which separates benefits on the wire (spec 3).

    Raises:
        ValueError: it contains a comma, which separates benefits on the wire (spec 3).
    """
    if "," in benefit:
        raise ValueError("a benefit has no comma")
    return benefit


def paid_title(plan: str, starts_at: datetime, ends_at: datetime, unit: PlanPeriod) -> str:
    """Return what a payment bought, as `Battle Pass, 1 month`.

    The length is that of the paid period: the plan may have another by now. ``unit`` is the plan's,
    and is replaced by days where the period is not a multiple of it.
    """
    count = _count(starts_at, ends_at, unit)
    if count == 0:
        count, unit = (ends_at - starts_at) // DAY, PlanPeriod.DAY
    return f"{plan}, {count} {unit}{'' if count == 1 else 's'}"


def _count(starts_at: datetime, ends_at: datetime, unit: PlanPeriod) -> int:
    """Return how many units a period has; 0 if it is not a multiple."""
    if unit in DAYS:
        count, rest = divmod((ends_at - starts_at) // DAY, DAYS[unit])
        return 0 if rest else count
    first, last = starts_at.astimezone(LAGOS), ends_at.astimezone(LAGOS)
    months = 12 * (last.year - first.year) + last.month - first.month
    count, rest = divmod(months, MONTHS[unit])
    # A renewal may begin on the last day of a short month and end on a later one.
    is_near = abs(period_end(starts_at, count, unit) - ends_at) <= 3 * DAY
    return 0 if rest or not is_near else count
