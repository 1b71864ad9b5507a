"""Limits, the meaning of a verification, and when to check again: pure functions."""

import secrets
from dataclasses import dataclass
from datetime import datetime, timedelta
from uuid import UUID

from api.foundation.core.clock import lagos_day, midnight
from api.foundation.core.money import Kobo, format_naira
from api.money.payments.enums import FundingState, FundingStatus, Outcome
from api.money.payments.ports import GatewayStatus, Verification

CURRENCY = "NGN"
REFERENCE_PREFIX = "FW-"
REFERENCE_ALPHABET = "0123456789ABCDEFGHJKMNPQRSTVWXYZ"  # the provider takes no underscore
REFERENCE_LENGTH = 26  # of 32 letters: 130 bits, so that references cannot be guessed
CHECKOUT_LIFE = timedelta(minutes=30)
CHECK_DELAYS = (
    timedelta(minutes=1),
    timedelta(minutes=5),
    timedelta(minutes=15),
    timedelta(hours=1),
    timedelta(hours=6),
    timedelta(hours=24),
    timedelta(hours=72),
)

DECIDED = frozenset({FundingState.SUCCEEDED, FundingState.REVIEW})
OPEN = frozenset({FundingState.PREPARED, FundingState.PENDING, FundingState.FAILED})

STATUSES = {
    FundingState.PREPARED: FundingStatus.PREPARED,
    FundingState.PENDING: FundingStatus.PENDING,
    FundingState.FAILED: FundingStatus.FAILED,
    FundingState.SUCCEEDED: FundingStatus.SUCCESS,
    FundingState.REVIEW: FundingStatus.REVIEW,
    FundingState.EXPIRED: FundingStatus.FAILED,
}

OUTCOMES = {
    FundingStatus.PREPARED: Outcome.PENDING,
    FundingStatus.PENDING: Outcome.PENDING,
    FundingStatus.SUCCESS: Outcome.SUCCESS,
}

SET_ASIDE = "We have this payment and are looking into it."

STATES = {
    GatewayStatus.PENDING: FundingState.PENDING,
    GatewayStatus.FAILED: FundingState.FAILED,
    GatewayStatus.REVERSED: FundingState.FAILED,
}


@dataclass(frozen=True, slots=True, kw_only=True)
class FundingLimits:
    minimum_kobo: Kobo
    maximum_kobo: Kobo
    daily_maximum_kobo: Kobo

    def refusal(self, amount_kobo: int) -> str | None:
        """Return why one funding may not have this amount, or None."""
        if amount_kobo < self.minimum_kobo:
            return f"The smallest amount you can fund is {format_naira(self.minimum_kobo)}."
        if amount_kobo > self.maximum_kobo:
            return f"The largest amount you can fund is {format_naira(self.maximum_kobo)}."
        return None

    def remaining_kobo(self, used_kobo: int) -> int:
        """Return what is left of the limit on a day on which ``used_kobo`` were funded."""
        return max(0, self.daily_maximum_kobo - used_kobo)

    def daily_refusal(self, amount_kobo: int, used_kobo: int) -> str | None:
        """Return why a day on which ``used_kobo`` were funded cannot take more, or None."""
        remaining_kobo = self.remaining_kobo(used_kobo)
        if amount_kobo <= remaining_kobo:
            return None
        if remaining_kobo < self.minimum_kobo:
            return "You have reached today's funding limit. Please try again tomorrow."
        return f"You can fund up to {format_naira(remaining_kobo)} more today."


def status(state: FundingState, *, is_cancelled: bool) -> FundingStatus:
    """Return the shown status; a cancelled funding stays so unless money arrives after all."""
    if is_cancelled and state not in DECIDED:
        return FundingStatus.CANCELLED
    return STATUSES[state]


def states_of(wanted: FundingStatus) -> list[FundingState]:
    """Return the stored states that a funding of this status can have."""
    return [
        state
        for state in FundingState
        if wanted in (status(state, is_cancelled=False), status(state, is_cancelled=True))
    ]


def status_sql(table: str) -> str:
    """Return ``status`` as an SQL expression over the columns of a funding."""
    branches = (
        f"WHEN {table}.state = '{state}' AND ({table}.cancelled_at IS NOT NULL) = {is_cancelled} "
        f"THEN '{status(state, is_cancelled=is_cancelled)}'"
        for state in FundingState
        for is_cancelled in (False, True)
    )
    return f"CASE {' '.join(branches)} END"


def outcome(state: FundingState, *, is_cancelled: bool) -> Outcome:
    """Return the outcome of a verification; a cancelled funding has failed."""
    return OUTCOMES.get(status(state, is_cancelled=is_cancelled), Outcome.FAILED)


def holds_room(
    state: FundingState, *, created_at: datetime, is_cancelled: bool, now: datetime
) -> bool:
    """Return whether an undecided funding counts against the day's limit at ``now``."""
    return state in OPEN and not is_cancelled and created_at > open_since(now)


@dataclass(frozen=True, slots=True, kw_only=True)
class ExpectedPayment:
    state: FundingState
    user_id: UUID
    amount_kobo: int
    currency: str
    livemode: bool


@dataclass(frozen=True, slots=True)
class Verdict:
    """The next state; ``reasons`` are all reasons to set the money aside for review."""

    state: FundingState
    reasons: tuple[str, ...] = ()


def judge(expected: ExpectedPayment, verification: Verification) -> Verdict:
    """Decide a funding from the gateway's verification.

    A decided funding stays decided, whatever arrives later and in whatever order. An expired
    funding reacts only to success.
    """
    unchanged = Verdict(expected.state)
    if expected.state in DECIDED:
        return unchanged
    if verification.status is GatewayStatus.SUCCESS:
        wrong = mismatches(expected, verification)
        return Verdict(FundingState.REVIEW if wrong else FundingState.SUCCEEDED, wrong)
    if expected.state is FundingState.EXPIRED:
        return unchanged
    return Verdict(STATES.get(verification.status, expected.state))


def mismatches(expected: ExpectedPayment, verification: Verification) -> tuple[str, ...]:
    """Return every mismatch between the payment and our own record of it.

    More than expected is accepted if the requested amount matches: the payer paid the fees.
    """
    requested_kobo = verification.requested_kobo
    checks = {
        "amount": verification.amount_kobo >= expected.amount_kobo
        and requested_kobo in {None, expected.amount_kobo},
        "currency": verification.currency == expected.currency,
        "member": verification.user_id in {None, str(expected.user_id)},
        "mode": verification.livemode is expected.livemode,
    }
    return tuple(name for name, fits in checks.items() if not fits)


def new_reference() -> str:
    """Return a new reference; it is ours, the provider's and the event's transaction id."""
    letters = (secrets.choice(REFERENCE_ALPHABET) for _ in range(REFERENCE_LENGTH))
    return REFERENCE_PREFIX + "".join(letters)


def next_check_at(created_at: datetime, now: datetime) -> datetime | None:
    """Return when to check an undecided funding next, or None when it expires."""
    moments = (created_at + pause for pause in CHECK_DELAYS)
    return next((moment for moment in moments if moment > now), None)


def open_since(now: datetime) -> datetime:
    """Return the creation time after which a checkout counts as open at ``now``."""
    return now - CHECKOUT_LIFE


def day_started_at(now: datetime) -> datetime:
    """Return the start of the Lagos day that contains ``now``."""
    return midnight(lagos_day(now))
