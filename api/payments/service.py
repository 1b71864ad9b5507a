"""Funding a wallet: prepare, ask, settle once, sweep up.

The provider is never asked while a transaction is open, and the intent is committed before the
provider hears of it: no webhook can come before its row. ``settle`` is the one place that credits.
"""

import asyncio
from collections.abc import Mapping
from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import Any
from urllib.parse import urlencode
from uuid import UUID

import structlog
from sqlalchemy import Row

from api.core import clock, idempotency
from api.core.database import Database, UnitOfWork
from api.core.errors import DomainError, InvalidFieldError, NotFoundError
from api.core.idempotency import Attempt
from api.core.money import Kobo
from api.core.supervisor import Job
from api.payments import repository, rules
from api.payments.enums import FundingState, Outcome
from api.payments.errors import (
    FundingDecidedError,
    GatewayUnavailableError,
    WebhookTooLargeError,
)
from api.payments.events import FundingDecided
from api.payments.ports import CheckoutRequest, PaymentGateway, Verification
from api.payments.rules import Expected, FundingLimits
from api.payments.schemas import (
    CheckoutAddresses,
    FundingLimitsAnswer,
    FundingOutcome,
    PreparedFunding,
    prepared_answer,
)
from api.users import service as users
from api.wallet import service as wallet
from api.wallet.enums import TransferKind

log = structlog.get_logger(__name__)

OPENING_LIFE = timedelta(seconds=25)
WAIT_FOR_OTHER_SECONDS = 12.0
LOOK_AGAIN_SECONDS = 0.1
ASK_PAUSE = timedelta(seconds=3)
PATIENCE_SECONDS = 8.0
LARGEST_WEBHOOK_BYTES = 64 * 1024
SWEEP_BATCH = 50
SWEEP_PAUSE_SECONDS = 60.0


@dataclass(frozen=True, kw_only=True)
class Till:
    """What payments stands on in one process.

    Attributes:
        callback_url: Where the provider sends the payer back to; from the settings, never from a
            request.
        checkout: Where the browser finds the sandbox; None with the real provider.
        patience_seconds: How long a member's question waits for the provider.
    """

    database: Database
    gateway: PaymentGateway
    limits: FundingLimits
    callback_url: str
    checkout: CheckoutAddresses | None = None
    patience_seconds: float = PATIENCE_SECONDS


@dataclass(frozen=True)
class Intent:
    """What a member asked for; ``attempt`` is set when the request carried a key."""

    user_id: UUID
    amount_kobo: Kobo
    attempt: Attempt | None


@dataclass(frozen=True)
class Prepared:
    """The answer to a prepared funding, and whether it was given before."""

    content: PreparedFunding
    replayed: bool


async def read_limits(till: Till, user_id: UUID) -> FundingLimitsAnswer:
    """Return what a member may fund, and how much of it today."""
    now = clock.now()
    used_kobo = await repository.read_used_kobo(
        till.database, user_id, rules.day_started_at(now), rules.open_since(now)
    )
    return FundingLimitsAnswer(
        minimum=till.limits.minimum_kobo,
        maximum=till.limits.maximum_kobo,
        daily_maximum=till.limits.daily_maximum_kobo,
        remaining_today=till.limits.remaining_kobo(used_kobo),
    )


async def prepare_funding(till: Till, intent: Intent) -> Prepared:
    """Open a checkout for a member; a retry with the same key gets the same checkout.

    Raises:
        InvalidFieldError: The amount is outside the limits, the day's included.
        KeyReusedError: The key has named another request.
        GatewayUnavailableError: The provider gave no usable answer.
        GatewayRejectedError: The provider refuses.
    """
    refusal = till.limits.refusal(intent.amount_kobo)
    if refusal is not None:
        raise InvalidFieldError.of("amount", refusal)
    member = await users.find(till.database, intent.user_id)
    if member is None:
        raise NotFoundError
    reserved = await _reserve_or_wait(till, intent)
    if isinstance(reserved, Prepared):
        return reserved
    return await _open(till, intent, reserved, str(member["email"]))


async def _reserve_or_wait(till: Till, intent: Intent) -> str | Prepared:
    """Return a fresh committed reference, or the answer that the same key was given before.

    While another request with the same key is at the provider, this one waits for its answer.

    Raises:
        GatewayUnavailableError: The other request took too long.
    """
    waited_seconds = 0.0
    while waited_seconds < WAIT_FOR_OTHER_SECONDS:
        async with till.database.unit_of_work() as unit:
            reserved = await _reserve(till, unit, intent)
        if reserved is not None:
            return reserved
        await asyncio.sleep(LOOK_AGAIN_SECONDS)
        waited_seconds += LOOK_AGAIN_SECONDS
    raise GatewayUnavailableError


async def _reserve(till: Till, unit: UnitOfWork, intent: Intent) -> str | Prepared | None:
    """Commit the intent under a fresh reference; None while its key's checkout is being opened.

    The funding's row is locked before the key is looked at: whoever opens the checkout writes both
    at once, and must not do so in between.
    """
    attempt = intent.attempt
    await repository.lock_member(unit, intent.user_id)
    if attempt is not None:
        kept = await repository.lock_opening(unit, intent.user_id, attempt.key)
        answer = await idempotency.claim(unit, attempt)
        if answer is not None:
            return Prepared(PreparedFunding.model_validate(answer), replayed=True)
        if kept is not None and _is_being_opened(kept):
            return None
        if kept is not None:
            await repository.change_unopened(unit, kept.reference)
    return await _insert(till, unit, intent)


def _is_being_opened(kept: Row[str, datetime | None]) -> bool:
    return kept.opening_until is not None and bool(kept.opening_until > clock.now())


async def _insert(till: Till, unit: UnitOfWork, intent: Intent) -> str:
    now = clock.now()
    refusal = await _daily_refusal(till, unit, intent.user_id, intent.amount_kobo, now)
    if refusal is not None:
        raise InvalidFieldError.of("amount", refusal)
    reference = rules.new_reference()
    await repository.insert_funding(
        unit,
        repository.NewFunding(
            reference=reference,
            user_id=intent.user_id,
            gateway=till.gateway.name,
            amount_kobo=intent.amount_kobo,
            currency=rules.CURRENCY,
            idempotency_key=intent.attempt.key if intent.attempt is not None else None,
            opening_until=now + OPENING_LIFE,
            next_check_at=rules.next_check_at(now, now),
        ),
    )
    return reference


async def _daily_refusal(
    till: Till, unit: UnitOfWork, user_id: UUID, amount_kobo: int, now: datetime
) -> str | None:
    used_kobo = await repository.read_used_kobo_in_unit(
        unit, user_id, rules.day_started_at(now), rules.open_since(now)
    )
    return till.limits.daily_refusal(amount_kobo, used_kobo)


async def _open(till: Till, intent: Intent, reference: str, email: str) -> Prepared:
    """Ask the provider for the checkout of a committed intent, and keep the answer."""
    try:
        checkout = await till.gateway.open_checkout(
            CheckoutRequest(
                reference=reference,
                email=email,
                amount_kobo=intent.amount_kobo,
                currency=rules.CURRENCY,
                callback_url=till.callback_url,
                user_id=str(intent.user_id),
            )
        )
    except DomainError:
        async with till.database.unit_of_work() as unit:
            await repository.change_unopened(unit, reference)
        raise
    query = urlencode({"trxref": reference, "reference": reference})
    content = PreparedFunding(
        gateway=till.gateway.name,
        access_code=checkout.access_code,
        redirect_url=f"{till.callback_url}?{query}",
        link=checkout.link,
        reference=reference,
        checkout=till.checkout,
    )
    async with till.database.unit_of_work() as unit:
        await repository.change_opened(unit, reference)
        if intent.attempt is not None:
            await idempotency.store(unit, intent.attempt, prepared_answer(content))
    return Prepared(content, replayed=False)


async def settle(till: Till, verification: Verification) -> FundingState | None:
    """Decide a funding from what its gateway vouches for, and credit the wallet at most once.

    Safe to call any number of times, at once and in any order: the row's lock orders the calls,
    what is decided stays decided, and the ledger takes one transfer per reference. Credited is our
    own stored amount. Returns the state afterwards, None when no such funding is ours.
    """
    now = clock.now()
    async with till.database.unit_of_work() as unit:
        await repository.lock_member_of(unit, till.gateway.name, verification.reference)
        funding = await repository.lock_funding(unit, till.gateway.name, verification.reference)
        if funding is None:
            return None
        verdict = await _judge(till, unit, funding, verification, now)
        if verdict.state == funding.state:
            return verdict.state
        if verdict.state in rules.DECIDED:
            await _decide(unit, funding, verdict, verification, now)
        else:
            await repository.change_state(unit, funding.reference, verdict.state)
    return verdict.state


async def _judge(
    till: Till,
    unit: UnitOfWork,
    funding: Row[Any],
    verification: Verification,
    now: datetime,
) -> rules.Verdict:
    expected = Expected(
        state=FundingState(funding.state),
        user_id=funding.user_id,
        amount_kobo=funding.amount_kobo,
        currency=funding.currency,
        livemode=till.gateway.livemode,
    )
    verdict = rules.judge(expected, verification)
    if verdict.state is not FundingState.SUCCEEDED or expected.state is FundingState.SUCCEEDED:
        return verdict
    reason = await _obstacle(till, unit, funding, verification.gateway_transaction_id, now)
    return verdict if reason is None else rules.Verdict(FundingState.REVIEW, reason)


async def _obstacle(
    till: Till, unit: UnitOfWork, funding: Row[Any], transaction_id: str | None, now: datetime
) -> str | None:
    """Return why money that fits its funding is not credited all the same, or None.

    A member who has left gets no money that nobody could spend. Who pays after the checkout was
    let go has no place kept in the day's limit.
    """
    if not await repository.hold_member(unit, funding.user_id):
        return "member_left"
    if transaction_id is not None and await repository.is_transaction_known(
        unit, till.gateway.name, transaction_id, except_reference=funding.reference
    ):
        return "transaction"
    has_room = rules.holds_room(
        FundingState(funding.state),
        created_at=funding.created_at,
        is_cancelled=funding.cancelled_at is not None,
        now=now,
    )
    if has_room:
        return None
    refusal = await _daily_refusal(till, unit, funding.user_id, funding.amount_kobo, now)
    return None if refusal is None else "daily_limit"


async def _decide(
    unit: UnitOfWork,
    funding: Row[Any],
    verdict: rules.Verdict,
    verification: Verification,
    now: datetime,
) -> None:
    """Credit a funding that succeeded, or set it aside; either way its member is told."""
    succeeded = verdict.state is FundingState.SUCCEEDED
    if succeeded:
        await wallet.credit(
            unit,
            funding.user_id,
            Kobo(funding.amount_kobo),
            kind=TransferKind.FUND,
            reference=funding.reference,
        )
    else:
        log.error("funding set aside", reference=funding.reference, reason=verdict.reason)
    await repository.change_decided(
        unit,
        funding.reference,
        verdict.state,
        reason=verdict.reason,
        gateway_transaction_id=verification.gateway_transaction_id if succeeded else None,
        now=now,
    )
    _record(unit, funding, verdict.state)


def _record(unit: UnitOfWork, funding: Row[Any], state: FundingState) -> None:
    unit.record(
        FundingDecided(
            reference=funding.reference,
            user_id=funding.user_id,
            amount_kobo=Kobo(funding.amount_kobo),
            state=state,
        )
    )


async def receive_webhook(till: Till, gateway: str, raw: bytes, headers: Mapping[str, str]) -> None:
    """Keep what a provider reports and settle it.

    A report that came before is settled again all the same: the first one may have died between
    being kept and being settled.

    Raises:
        NotFoundError: No such gateway.
        WebhookTooLargeError: The body is larger than any report.
        InvalidSignatureError: The signature is missing or wrong.
    """
    if gateway != till.gateway.name:
        raise NotFoundError
    if len(raw) > LARGEST_WEBHOOK_BYTES:
        raise WebhookTooLargeError
    event = till.gateway.read_webhook(raw, headers)
    async with till.database.unit_of_work() as unit:
        await repository.insert_event(
            unit,
            {
                "gateway": gateway,
                "dedupe_key": event.dedupe_key,
                "type": event.type,
                "reference": event.reference,
                "raw": raw,
            },
        )
    if event.verification is None:
        return
    if await settle(till, event.verification) is None:
        log.warning("webhook for an unknown funding", reference=event.reference)


async def verify_funding(till: Till, user_id: UUID, reference: str) -> FundingOutcome:
    """Return how a member's own funding stands, asking the provider at most every 3 seconds.

    Raises:
        NotFoundError: No such funding, or not this member's.
    """
    funding = await repository.read_funding(till.database, reference)
    if funding is None or funding["user_id"] != user_id:
        raise NotFoundError
    state = await _ask_about(till, funding)
    if state in rules.DECIDED and funding["notified_at"] is None:
        await repository.claim_notice(till.database, reference)
    return FundingOutcome(status=_outcome(funding, state), amount=funding["amount_kobo"])


def _outcome(funding: Mapping[str, Any], state: FundingState) -> Outcome:
    return rules.outcome(state, is_cancelled=funding["cancelled_at"] is not None)


async def cancel_funding(
    till: Till, user_id: UUID, reference: str, attempt: Attempt | None
) -> bool:
    """Let a checkout go that its member has closed; again changes nothing.

    It is still asked about, because the member may have paid before. Returns whether the call is a
    retry that was answered before.

    Raises:
        NotFoundError: No such funding, or not this member's.
        FundingDecidedError: It was credited or set aside.
        KeyReusedError: The key has named another request.
    """
    async with till.database.unit_of_work() as unit:
        funding = await repository.lock_own_funding(unit, user_id, reference)
        if funding is None:
            raise NotFoundError
        if attempt is not None and await idempotency.claim(unit, attempt) is not None:
            return True
        state = FundingState(funding.state)
        if state in rules.DECIDED:
            raise FundingDecidedError(content={"status": rules.OUTCOMES[state].value})
        await repository.change_cancelled(unit, reference, clock.now())
        if attempt is not None:
            await idempotency.store(unit, attempt, {"status": "cancelled"})
    return False


async def return_from_checkout(till: Till, gateway: str, reference: str) -> Outcome:
    """Return how a funding stands for a payer who comes back; the address itself proves nothing.

    Raises:
        NotFoundError: No such gateway or funding.
    """
    funding = await repository.read_funding(till.database, reference)
    if gateway != till.gateway.name or funding is None:
        raise NotFoundError
    return _outcome(funding, await _ask_about(till, funding))


async def _ask_about(till: Till, funding: Mapping[str, Any]) -> FundingState:
    """Ask the provider about an undecided funding, unless somebody has just asked."""
    state = FundingState(funding["state"])
    if state in rules.DECIDED or funding["gateway"] != till.gateway.name:
        return state
    reference = str(funding["reference"])
    if await repository.claim_question(till.database, reference, ASK_PAUSE):
        try:
            async with asyncio.timeout(till.patience_seconds):
                verification = await till.gateway.verify(reference)
        except (GatewayUnavailableError, TimeoutError):
            log.warning("provider did not answer in time", reference=reference)
            return state
        return await settle(till, verification) or state
    fresh = await repository.read_funding(till.database, reference)
    return FundingState(fresh["state"]) if fresh is not None else state


async def claim_notice(database: Database, reference: str) -> bool:
    """Say whether a member is still to be told of a decided funding; True once."""
    return await repository.claim_notice(database, reference)


async def claim_notices(database: Database, user_id: UUID) -> list[FundingDecided]:
    """Return what a member is still to be told of; each is returned once."""
    return [
        FundingDecided(
            reference=row["reference"],
            user_id=row["user_id"],
            amount_kobo=Kobo(row["amount_kobo"]),
            state=FundingState(row["state"]),
        )
        for row in await repository.claim_notices(database, user_id)
    ]


async def sweep(till: Till) -> int:
    """Ask about undecided fundings whose time has come; return how many were asked about.

    This is what finds payments whose webhook was lost: the provider reports only success, and
    only for so long.
    """
    async with till.database.unit_of_work() as unit:
        due = await repository.claim_due(unit, till.gateway.name, SWEEP_BATCH)
    for row in due:
        try:
            await settle(till, await till.gateway.verify(row.reference))
        except GatewayUnavailableError:
            continue
        await _plan_next(till, row)
    return len(due)


async def _plan_next(till: Till, row: Row[Any]) -> None:
    """Set when to ask again, or give the funding up after the last time."""
    next_check_at = rules.next_check_at(row.created_at, clock.now())
    async with till.database.unit_of_work() as unit:
        if next_check_at is not None:
            await repository.change_next_check(unit, row.reference, next_check_at)
            return
        funding = await repository.lock_funding(unit, till.gateway.name, row.reference)
        if funding is None or FundingState(funding.state) in rules.DECIDED:
            return
        await repository.change_state(unit, row.reference, FundingState.EXPIRED)
        if FundingState(funding.state) is FundingState.PENDING and funding.cancelled_at is None:
            _record(unit, funding, FundingState.EXPIRED)


def sweep_job(till: Till) -> Job:
    """Return what sweeps again and again."""

    async def step() -> None:
        await sweep(till)

    return Job(name="payment_sweep", step=step, every_seconds=SWEEP_PAUSE_SECONDS)
