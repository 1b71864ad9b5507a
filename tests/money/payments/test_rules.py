"""Limits, verdicts and schedules, decided by pure functions."""

from dataclasses import replace
from datetime import UTC, datetime, timedelta
from itertools import product
from uuid import UUID

import pytest
from api.foundation.core.money import Kobo
from api.money.payments.enums import FundingState
from api.money.payments.ports import GatewayStatus, Verification
from api.money.payments.rules import (
    DECIDED,
    ExpectedPayment,
    FundingLimits,
    Verdict,
    day_started_at,
    judge,
    new_reference,
    next_check_at,
)
from hypothesis import given
from hypothesis import strategies as st

OWNER = UUID("0190b5c2-0000-7000-8000-000000000001")
EXPECTED = ExpectedPayment(
    state=FundingState.PREPARED,
    user_id=OWNER,
    amount_kobo=500_000,
    currency="NGN",
    livemode=False,
)
PAID = Verification(
    reference="FW-1",
    status=GatewayStatus.SUCCESS,
    amount_kobo=500_000,
    requested_kobo=500_000,
    currency="NGN",
    user_id=str(OWNER),
    livemode=False,
)
LIMITS = FundingLimits(
    minimum_kobo=Kobo(10_000),
    maximum_kobo=Kobo(100_000_000),
    daily_maximum_kobo=Kobo(150_000_000),
)


@pytest.mark.parametrize("state", sorted(set(FundingState) - DECIDED))
def test_a_fitting_payment_succeeds_from_every_undecided_state(state: FundingState) -> None:
    assert judge(replace(EXPECTED, state=state), PAID) == Verdict(FundingState.SUCCEEDED)


@pytest.mark.parametrize(("state", "status"), list(product(sorted(DECIDED), GatewayStatus)))
def test_what_is_decided_stays_decided(state: FundingState, status: GatewayStatus) -> None:
    verdict = judge(replace(EXPECTED, state=state), replace(PAID, status=status))

    assert verdict == Verdict(state)


@pytest.mark.parametrize(
    ("change", "reasons"),
    [
        ({"currency": "USD"}, ("currency",)),
        ({"amount_kobo": 499_999}, ("amount",)),
        ({"requested_kobo": 499_999}, ("amount",)),
        ({"requested_kobo": 600_000, "amount_kobo": 600_000}, ("amount",)),
        ({"user_id": "somebody else"}, ("member",)),
        ({"livemode": True}, ("mode",)),
        ({"currency": "USD", "amount_kobo": 1}, ("amount", "currency")),
    ],
)
def test_a_payment_that_does_not_fit_is_set_aside(
    change: dict[str, object], reasons: tuple[str, ...]
) -> None:
    verdict = judge(EXPECTED, replace(PAID, **change))  # type: ignore[arg-type]  # one field each

    assert verdict == Verdict(FundingState.REVIEW, reasons)


def test_fees_put_on_the_payer_do_not_stand_in_the_way() -> None:
    verdict = judge(EXPECTED, replace(PAID, amount_kobo=517_500))

    assert verdict.state is FundingState.SUCCEEDED


def test_a_gateway_that_names_no_member_and_no_request_is_believed_about_the_amount() -> None:
    verdict = judge(EXPECTED, replace(PAID, user_id=None, requested_kobo=None))

    assert verdict.state is FundingState.SUCCEEDED


@pytest.mark.parametrize(
    ("state", "status", "after"),
    [
        (FundingState.PREPARED, GatewayStatus.ABANDONED, FundingState.PREPARED),
        (FundingState.PREPARED, GatewayStatus.NOT_FOUND, FundingState.PREPARED),
        (FundingState.PREPARED, GatewayStatus.PENDING, FundingState.PENDING),
        (FundingState.PENDING, GatewayStatus.FAILED, FundingState.FAILED),
        (FundingState.FAILED, GatewayStatus.PENDING, FundingState.PENDING),
        (FundingState.PENDING, GatewayStatus.REVERSED, FundingState.FAILED),
        (FundingState.EXPIRED, GatewayStatus.FAILED, FundingState.EXPIRED),
        (FundingState.EXPIRED, GatewayStatus.PENDING, FundingState.EXPIRED),
    ],
)
def test_undecided_words_move_undecided_fundings_only(
    state: FundingState, status: GatewayStatus, after: FundingState
) -> None:
    assert judge(replace(EXPECTED, state=state), replace(PAID, status=status)).state is after


def test_limits_say_what_is_possible() -> None:
    assert LIMITS.refusal(10_000) is None
    assert LIMITS.refusal(100_000_000) is None
    assert LIMITS.refusal(9_999) == "The smallest amount you can fund is ₦100."
    assert LIMITS.refusal(100_000_001) == "The largest amount you can fund is ₦1,000,000."


def test_a_day_has_a_limit_of_its_own() -> None:
    assert LIMITS.daily_refusal(50_000_000, 100_000_000) is None
    assert LIMITS.daily_refusal(50_000_001, 100_000_000) == (
        "You can fund up to ₦500,000 more today."
    )
    assert LIMITS.daily_refusal(10_000, 149_995_000) == (
        "You have reached today's funding limit. Please try again tomorrow."
    )


@given(used=st.integers(0, 10**12), amount=st.integers(1, 10**11))
def test_no_accepted_amount_passes_the_daily_limit(used: int, amount: int) -> None:
    if LIMITS.daily_refusal(amount, used) is None:
        assert used + amount <= LIMITS.daily_maximum_kobo


def test_references_are_unguessable_and_fit_the_provider() -> None:
    references = {new_reference() for _ in range(1000)}

    assert len(references) == 1000
    assert all(len(reference) == 29 and reference.startswith("FW-") for reference in references)
    assert not any(
        set(reference) - set("0123456789ABCDEFGHJKMNPQRSTVWXYZ-")
        for reference in {reference.removeprefix("FW") for reference in references}
    )


def test_questions_become_rarer_and_end_after_three_days() -> None:
    created_at = datetime(2026, 3, 1, 12, tzinfo=UTC)
    now, asked = created_at, []

    while (moment := next_check_at(created_at, now)) is not None:
        asked.append(moment - created_at)
        now = moment

    assert asked == [
        timedelta(minutes=1),
        timedelta(minutes=5),
        timedelta(minutes=15),
        timedelta(hours=1),
        timedelta(hours=6),
        timedelta(hours=24),
        timedelta(hours=72),
    ]


def test_the_day_is_counted_in_lagos() -> None:
    before_midnight = datetime(2026, 3, 1, 22, 59, tzinfo=UTC)
    after_midnight = datetime(2026, 3, 1, 23, 0, tzinfo=UTC)

    assert day_started_at(before_midnight) == datetime(2026, 2, 28, 23, tzinfo=UTC)
    assert day_started_at(after_midnight) == after_midnight
