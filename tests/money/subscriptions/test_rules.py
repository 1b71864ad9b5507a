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


@pytest.mark.parametrize(("duration", "words"), [(1, "1 month"), (3, "3 months")])
def test_a_payment_says_the_plan_and_its_duration(duration: int, words: str) -> None:
    assert paid_title("Battle Pass", duration, "month") == f"Battle Pass, {words}"
