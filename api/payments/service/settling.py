"""Settling a funding from what its gateway vouches for: the one place that credits."""

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import datetime
from enum import StrEnum

import structlog

from api.core import clock
from api.core.errors import NotFoundError
from api.core.money import Kobo
from api.database.database import Transaction
from api.database.statements import Row
from api.payments import repository, rules
from api.payments.enums import FundingState, ReportState
from api.payments.errors import WebhookTooLargeError
from api.payments.events import FundingDecided
from api.payments.ports import DisputeReport, Verification, WebhookEvent
from api.payments.rules import Expected
from api.payments.service.context import PaymentContext, daily_refusal
from api.users import service as users
from api.wallet import service as wallet
from api.wallet.enums import ReviewKind, TransferKind

log = structlog.get_logger(__name__)

CASES = {
    "amount": ReviewKind.AMOUNT,
    "currency": ReviewKind.CURRENCY,
    "member": ReviewKind.MEMBER,
    "mode": ReviewKind.MODE,
    "member_left": ReviewKind.MEMBER,
    "transaction": ReviewKind.TRANSACTION,
    "daily_limit": ReviewKind.DAILY_LIMIT,
}
LARGEST_WEBHOOK_BYTES = 64 * 1024


class WebhookOutcome(StrEnum):
    """What became of a report: labels of ``webhooks_total``."""

    SETTLED = "settled"
    KEPT = "kept"  # it says nothing about a payment
    UNKNOWN = "unknown"  # no funding of ours
    REFUSED = "refused"  # not signed by the provider
    FAILED = "failed"


@dataclass(frozen=True)
class TakenReport:
    """What became of a report, and of the funding that it names, if any."""

    state: ReportState
    funding_state: FundingState | None


async def receive_webhook(
    context: PaymentContext, gateway: str, raw: bytes, headers: Mapping[str, str]
) -> WebhookOutcome:
    """Keep what a provider reports and settle it.

    A report that came before is settled again all the same: the first one may have died between
    being kept and being settled.

    Raises:
        NotFoundError: No such gateway.
        WebhookTooLargeError: The body is larger than any report.
        InvalidSignatureError: The signature is missing or wrong.
    """
    door = context.door(gateway)
    if door is None:
        raise NotFoundError
    if len(raw) > LARGEST_WEBHOOK_BYTES:
        raise WebhookTooLargeError
    event = door.gateway.read_webhook(raw, headers)
    async with context.database.transaction() as tx:
        await repository.insert_event(
            tx,
            {
                "gateway": gateway,
                "dedupe_key": event.dedupe_key,
                "type": event.type,
                "reference": event.reference,
                "raw": raw,
            },
        )
    verification = await vouched(context, gateway, event)
    async with context.database.transaction() as tx:
        taken = await take_report(context, tx, gateway, event, verification)
    if event.verification is None and not event.is_hint:
        return WebhookOutcome.KEPT
    if taken.state is ReportState.MATCHED:
        return WebhookOutcome.SETTLED
    log.warning("webhook for an unknown funding", reference=event.reference)
    return WebhookOutcome.UNKNOWN


async def vouched(
    context: PaymentContext, gateway: str, event: WebhookEvent
) -> Verification | None:
    """Return what a report vouches for, asking the gateway where it is only a hint.

    Nobody is asked about what is none of ours, or decided.

    Raises:
        GatewayUnavailableError: the gateway does not answer.
    """
    if not event.is_hint or event.reference is None:
        return event.verification
    funding = await repository.read_funding_of(context.database, gateway, event.reference)
    if funding is None or FundingState(funding["state"]) in rules.DECIDED:
        return None
    return await context.verify(gateway, event.reference)


async def take_report(
    context: PaymentContext,
    tx: Transaction,
    gateway: str,
    event: WebhookEvent,
    verification: Verification | None,
) -> TakenReport:
    """Settle what a report is about, open its dispute, and note what became of the report."""
    if verification is not None:
        funding_state = await settle_in(context, tx, gateway, verification)
    else:
        funding = await repository.read_funding_of(tx, gateway, event.reference)
        funding_state = None if funding is None else FundingState(funding["state"])
        if event.dispute is not None:
            await _note_dispute(tx, gateway, event.dispute, funding)
    state = ReportState.UNMATCHED if funding_state is None else ReportState.MATCHED
    await repository.change_report_state(tx, event.dedupe_key, state)
    return TakenReport(state, funding_state)


async def _note_dispute(
    tx: Transaction, gateway: str, dispute: DisputeReport, funding: Row | None
) -> None:
    told = repository.DisputeNotice(
        gateway=gateway,
        case_id=dispute.case_id,
        reference=dispute.reference,
        funding_id=None if funding is None else funding["id"],
        amount_kobo=dispute.amount_kobo,
        status=dispute.status,
        resolution=dispute.resolution,
        told_at=clock.now(),
        is_over=dispute.is_over,
    )
    await repository.write_dispute(tx, told)


async def settle(
    context: PaymentContext, verification: Verification, *, gateway: str | None = None
) -> FundingState | None:
    """Decide a funding from what its gateway vouches for, and credit the wallet at most once.

    Safe to call any number of times, at once and in any order: the row's lock orders the calls,
    what is decided stays decided, and the ledger takes one transfer per reference. Credited is our
    own stored amount. ``gateway`` is whose word it is, the default one's unless named. Returns the
    state afterwards, None when no such funding of that gateway is ours.
    """
    async with context.database.transaction() as tx:
        return await settle_in(context, tx, gateway or context.gateway.name, verification)


async def settle_in(
    context: PaymentContext, tx: Transaction, gateway: str, verification: Verification
) -> FundingState | None:
    """Do the same in a transaction that does more."""
    now = clock.now()
    await repository.lock_member_of(tx, gateway, verification.reference)
    funding = await repository.lock_funding(tx, gateway, verification.reference)
    if funding is None:
        return None
    verdict = await _judge(context, tx, funding, verification, now)
    if verdict.state == funding["state"]:
        return verdict.state
    if verdict.state in rules.DECIDED:
        await _decide(tx, funding, verdict, verification, now)
    else:
        await repository.change_state(tx, funding["reference"], verdict.state)
    return verdict.state


async def _judge(
    context: PaymentContext,
    tx: Transaction,
    funding: Row,
    verification: Verification,
    now: datetime,
) -> rules.Verdict:
    expected = Expected(
        state=FundingState(funding["state"]),
        user_id=funding["user_id"],
        amount_kobo=funding["amount_kobo"],
        currency=funding["currency"],
        livemode=context.require_gateway(funding["gateway"]).gateway.livemode,
    )
    verdict = rules.judge(expected, verification)
    if verdict.state is not FundingState.SUCCEEDED or expected.state is FundingState.SUCCEEDED:
        return verdict
    reason = await _obstacle(context, tx, funding, verification.gateway_transaction_id, now)
    return verdict if reason is None else rules.Verdict(FundingState.REVIEW, (reason,))


async def _obstacle(
    context: PaymentContext,
    tx: Transaction,
    funding: Row,
    transaction_id: str | None,
    now: datetime,
) -> str | None:
    """Return why money that fits its funding is not credited all the same, or None.

    A member who has left gets no money that nobody could spend. Who pays after the checkout was
    let go has no place kept in the day's limit.
    """
    if not await users.hold(tx, funding["user_id"]):
        return "member_left"
    if transaction_id is not None and await repository.is_transaction_known(
        tx, funding["gateway"], transaction_id, except_reference=funding["reference"]
    ):
        return "transaction"
    has_room = rules.holds_room(
        FundingState(funding["state"]),
        created_at=funding["created_at"],
        is_cancelled=funding["cancelled_at"] is not None,
        now=now,
    )
    if has_room:
        return None
    refusal = await daily_refusal(context, tx, funding["user_id"], funding["amount_kobo"], now)
    return None if refusal is None else "daily_limit"


async def _decide(
    tx: Transaction,
    funding: Row,
    verdict: rules.Verdict,
    verification: Verification,
    now: datetime,
) -> None:
    """Credit a funding that succeeded, or set it aside; either way its member is told."""
    succeeded = verdict.state is FundingState.SUCCEEDED
    if succeeded:
        await wallet.credit(
            tx,
            funding["user_id"],
            Kobo(funding["amount_kobo"]),
            kind=TransferKind.FUND,
            reference=funding["reference"],
        )
        await wallet.notify_credited(
            tx,
            funding["user_id"],
            Kobo(funding["amount_kobo"]),
            funding["reference"],
            now,
            reference=funding["reference"],
        )
    else:
        log.error("funding set aside", reference=funding["reference"], reasons=verdict.reasons)
        await wallet.open_review(
            tx,
            [CASES[reason] for reason in verdict.reasons],
            funding["user_id"],
            Kobo(funding["amount_kobo"]),
            subject=funding["reference"],
            source=funding["reference"],
            now=now,
        )
    await repository.change_decided(
        tx,
        funding["reference"],
        verdict.state,
        reason=", ".join(verdict.reasons) or None,
        gateway_transaction_id=verification.gateway_transaction_id if succeeded else None,
        now=now,
    )
    announce(tx, funding, verdict.state)


def announce(tx: Transaction, funding: Row, state: FundingState) -> None:
    """Tell the member, once the transaction is committed, how the funding ended."""
    tx.record(
        FundingDecided(
            reference=funding["reference"],
            user_id=funding["user_id"],
            amount_kobo=Kobo(funding["amount_kobo"]),
            state=state,
        )
    )
