"""Ends of periods, and refunds of unused days, without a database."""

from datetime import UTC, datetime, timedelta

import pytest
from api.foundation.core.money import Kobo
from api.money.subscriptions.enums import PlanPeriod
from api.money.subscriptions.rules import paid_title, period_end, unused_kobo

NOON = datetime(2026, 1, 31, 11, tzinfo=UTC)  # noon in Lagos


@pytest.mark.parametrize(
    ("duration", "period", "ends_at"),
    [
        (3, PlanPeriod.DAY, NOON + timedelta(days=3)),
        (2, PlanPeriod.WEEK, NOON + timedelta(days=14)),
        (1, PlanPeriod.MONTH, datetime(2026, 2, 28, 11, tzinfo=UTC)),
        (12, PlanPeriod.MONTH, datetime(2027, 1, 31, 11, tzinfo=UTC)),
        (2, PlanPeriod.YEAR, datetime(2028, 1, 31, 11, tzinfo=UTC)),
    ],
)
def test_a_period_ends_on_its_calendar_day(
    duration: int, period: PlanPeriod, ends_at: datetime
) -> None:
    assert period_end(NOON, duration, period) == ends_at


def test_a_month_is_counted_from_the_day_in_lagos() -> None:
    started_at = datetime(2026, 1, 31, 23, 30, tzinfo=UTC)  # the first of February there

    assert period_end(started_at, 1, PlanPeriod.MONTH) == datetime(2026, 2, 28, 23, 30, tzinfo=UTC)


@pytest.mark.parametrize(
    ("after", "refunded", "given_back"),
    [
        (timedelta(0), 0, 1000),
        (timedelta(seconds=1), 0, 900),
        (timedelta(days=9), 0, 100),
        (timedelta(days=9, seconds=1), 0, 0),
        (timedelta(days=20), 0, 0),
        (timedelta(days=-1), 0, 1000),
        (timedelta(days=1), 200, 800),
    ],
)
def test_only_whole_days_that_are_left_are_given_back(
    after: timedelta, refunded: int, given_back: int
) -> None:
    ends_at = NOON + timedelta(days=10)
    refunded_kobo = Kobo(refunded)

    assert (
        unused_kobo(Kobo(1000), NOON, ends_at, NOON + after, refunded_kobo=refunded_kobo)
        == given_back
    )


@pytest.mark.parametrize(
    ("ends_at", "unit", "words"),
    [
        (datetime(2026, 2, 28, 11, tzinfo=UTC), PlanPeriod.MONTH, "1 month"),
        (datetime(2026, 4, 30, 11, tzinfo=UTC), PlanPeriod.MONTH, "3 months"),
        (datetime(2027, 1, 31, 11, tzinfo=UTC), PlanPeriod.YEAR, "1 year"),
        (datetime(2026, 2, 14, 11, tzinfo=UTC), PlanPeriod.WEEK, "2 weeks"),
        (datetime(2026, 2, 1, 11, tzinfo=UTC), PlanPeriod.DAY, "1 day"),
        # The plan had another unit when this was paid.
        (datetime(2026, 2, 7, 11, tzinfo=UTC), PlanPeriod.MONTH, "7 days"),
        (datetime(2026, 2, 28, 11, tzinfo=UTC), PlanPeriod.YEAR, "28 days"),
        (datetime(2026, 2, 10, 11, tzinfo=UTC), PlanPeriod.WEEK, "10 days"),
    ],
)
def test_a_payment_says_the_plan_and_how_long_it_was_paid_for(
    ends_at: datetime, unit: PlanPeriod, words: str
) -> None:
    assert paid_title("Battle Pass", NOON, ends_at, unit) == f"Battle Pass, {words}"


def test_a_renewal_from_a_short_month_is_a_month() -> None:
    starts_at, ends_at = (
        datetime(2026, month, day, 11, tzinfo=UTC) for month, day in [(2, 28), (3, 31)]
    )

    assert paid_title("Terrace", starts_at, ends_at, PlanPeriod.MONTH) == "Terrace, 1 month"
