"""Settling a funding from its gateway's verification: the only place that credits."""

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import datetime
from enum import StrEnum

import structlog

from api.foundation.core import clock
from api.foundation.core.errors import NotFoundError
from api.foundation.database.database import Transaction
from api.money.payments import rules
from api.money.payments.enums import FundingState, ReportState
from api.money.payments.errors import WebhookTooLargeError
from api.money.payments.events import FundingDecided
from api.money.payments.ports import DisputeReport, Verification, WebhookEvent
from api.money.payments.repository import fundings, reports
from api.money.payments.repository.fundings import StoredFunding
from api.money.payments.repository.reports import ReportedFunding
from api.money.payments.rules import ExpectedPayment
from api.money.payments.service.context import PaymentContext, daily_refusal
from api.money.wallet.enums import ReviewKind, TransferKind
from api.money.wallet.service import ledger, reviews
from api.people.users.service import account as users_account

log = structlog.get_logger(__name__)

REVIEW_KINDS = {
    "amount": ReviewKind.AMOUNT,
    "currency": ReviewKind.CURRENCY,
    "member": ReviewKind.MEMBER,
    "mode": ReviewKind.MODE,
    "member_left": ReviewKind.MEMBER,
    "transaction": ReviewKind.TRANSACTION,
    "daily_limit": ReviewKind.DAILY_LIMIT,
}
MAX_WEBHOOK_BYTES = 64 * 1024


class WebhookOutcome(StrEnum):
    """The result of a webhook: labels of ``webhooks_total``."""

    SETTLED = "settled"
    KEPT = "kept"  # not about a payment
    UNKNOWN = "unknown"  # not one of our fundings
    REFUSED = "refused"  # not signed by the provider
    FAILED = "failed"


@dataclass(frozen=True)
class ProcessedReport:
    """The state of a report, and of the funding that it names, if any."""

    state: ReportState
    funding_state: FundingState | None


async def receive_webhook(
    context: PaymentContext, gateway: str, raw: bytes, headers: Mapping[str, str]
) -> WebhookOutcome:
    """Store a provider's webhook and settle its funding.

    A duplicate is settled again regardless: the first delivery may have died between being stored
    and being settled.

    Raises:
        NotFoundError: no such gateway.
        InvalidSignatureError: the signature is missing or wrong.
    """
    guard = context.find_gateway(gateway)
    if guard is None:
        raise NotFoundError
    if len(raw) > MAX_WEBHOOK_BYTES:
        raise WebhookTooLargeError
    event = guard.gateway.read_webhook(raw, headers)
    async with context.database.transaction() as tx:
        await reports.insert_event(
            tx,
            {
                "gateway": gateway,
                "dedupe_key": event.dedupe_key,
                "type": event.type,
                "reference": event.reference,
                "raw": raw,
            },
        )
    verification = await find_verification(context, gateway, event)
    async with context.database.transaction() as tx:
        processed = await process_report(context, tx, gateway, event, verification)
    if event.verification is None and not event.is_hint:
        return WebhookOutcome.KEPT
    if processed.state is ReportState.MATCHED:
        return WebhookOutcome.SETTLED
    log.warning("webhook for an unknown funding", reference=event.reference)
    return WebhookOutcome.UNKNOWN


async def find_verification(
    context: PaymentContext, gateway: str, event: WebhookEvent
) -> Verification | None:
    """Return the verification in a report; asks the gateway if the report is only a hint.

    Skips the gateway call for unknown or already decided fundings.
    """
    if not event.is_hint or event.reference is None:
        return event.verification
    funding = await reports.read_funding_of(context.database, gateway, event.reference)
    if funding is None or FundingState(funding.state) in rules.DECIDED:
        return None
    return await context.verify(gateway, event.reference)


async def process_report(
    context: PaymentContext,
    tx: Transaction,
    gateway: str,
    event: WebhookEvent,
    verification: Verification | None,
) -> ProcessedReport:
    """Settle the funding, store the dispute, and update the state of the report."""
    if verification is not None:
        funding_state = await settle_in(context, tx, gateway, verification)
    else:
        funding = await reports.read_funding_of(tx, gateway, event.reference)
        funding_state = None if funding is None else FundingState(funding.state)
        if event.dispute is not None:
            await _store_dispute(tx, gateway, event.dispute, funding)
    state = ReportState.UNMATCHED if funding_state is None else ReportState.MATCHED
    await reports.change_report_state(tx, event.dedupe_key, state)
    return ProcessedReport(state, funding_state)


async def _store_dispute(
    tx: Transaction, gateway: str, dispute: DisputeReport, funding: ReportedFunding | None
) -> None:
    notice = reports.DisputeNotice(
        gateway=gateway,
        case_id=dispute.case_id,
        reference=dispute.reference,
        funding_id=None if funding is None else funding.id,
        amount_kobo=dispute.amount_kobo,
        status=dispute.status,
        resolution=dispute.resolution,
        reported_at=clock.now(),
        is_over=dispute.is_over,
    )
    await reports.write_dispute(tx, notice)


async def settle(
    context: PaymentContext, verification: Verification, *, gateway: str | None = None
) -> FundingState | None:
    """Decide a funding from its gateway's verification, and credit the wallet at most once.

    Safe to call any number of times, concurrently and in any order: the row's lock serializes the
    calls, a decision is final, and the ledger accepts one transfer per reference. Credits our own
    stored amount. ``gateway`` is the default one unless named. Returns the state afterwards, or
    None if that gateway has no such funding.
    """
    async with context.database.transaction() as tx:
        return await settle_in(context, tx, gateway or context.gateway.name, verification)


async def settle_in(
    context: PaymentContext, tx: Transaction, gateway: str, verification: Verification
) -> FundingState | None:
    """Same as ``settle``, inside the caller's transaction."""
    now = clock.now()
    await fundings.lock_member_of(tx, gateway, verification.reference)
    funding = await fundings.lock_funding(tx, gateway, verification.reference)
    if funding is None:
        return None
    verdict = await _judge(context, tx, funding, verification, now)
    if verdict.state == funding.state:
        return verdict.state
    if verdict.state in rules.DECIDED:
        await _decide(tx, funding, verdict, verification, now)
    else:
        await fundings.change_state(tx, funding.reference, verdict.state)
    return verdict.state


async def _judge(
    context: PaymentContext,
    tx: Transaction,
    funding: StoredFunding,
    verification: Verification,
    now: datetime,
) -> rules.Verdict:
    expected = ExpectedPayment(
        state=FundingState(funding.state),
        user_id=funding.user_id,
        amount_kobo=funding.amount_kobo,
        currency=funding.currency,
        livemode=context.require_gateway(funding.gateway).gateway.livemode,
    )
    verdict = rules.judge(expected, verification)
    if verdict.state is not FundingState.SUCCEEDED or expected.state is FundingState.SUCCEEDED:
        return verdict
    reason = await _review_reason(context, tx, funding, verification.gateway_transaction_id, now)
    return verdict if reason is None else rules.Verdict(FundingState.REVIEW, (reason,))


async def _review_reason(
    context: PaymentContext,
    tx: Transaction,
    funding: StoredFunding,
    transaction_id: str | None,
    now: datetime,
) -> str | None:
    """Return why a matching payment is not credited regardless, or None.

    The wallet of a deleted account gets no money that could never be spent. A payment after the
    checkout was cancelled no longer has a reserved share of the day's limit.
    """
    if not await users_account.hold(tx, funding.user_id):
        return "member_left"
    if transaction_id is not None and await fundings.is_transaction_known(
        tx, funding.gateway, transaction_id, except_reference=funding.reference
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
    refusal = await daily_refusal(context, tx, funding.user_id, funding.amount_kobo, now)
    return None if refusal is None else "daily_limit"


async def _decide(
    tx: Transaction,
    funding: StoredFunding,
    verdict: rules.Verdict,
    verification: Verification,
    now: datetime,
) -> None:
    """Credit a funding that succeeded, or set it aside; notifies the member either way."""
    succeeded = verdict.state is FundingState.SUCCEEDED
    if succeeded:
        await ledger.credit(
            tx,
            funding.user_id,
            funding.amount_kobo,
            kind=TransferKind.FUND,
            reference=funding.reference,
        )
        await ledger.notify_credited(
            tx,
            funding.user_id,
            funding.amount_kobo,
            funding.reference,
            now,
            reference=funding.reference,
        )
    else:
        log.error("funding set aside", reference=funding.reference, reasons=verdict.reasons)
        await reviews.open_review(
            tx,
            [REVIEW_KINDS[reason] for reason in verdict.reasons],
            funding.user_id,
            funding.amount_kobo,
            subject=funding.reference,
            source=funding.reference,
            now=now,
        )
    await fundings.change_decided(
        tx,
        funding.reference,
        verdict.state,
        reason=", ".join(verdict.reasons) or None,
        gateway_transaction_id=verification.gateway_transaction_id if succeeded else None,
        now=now,
    )
    announce(tx, funding, verdict.state)


def announce(tx: Transaction, funding: StoredFunding, state: FundingState) -> None:
    """Notify the member of the decision, once the transaction is committed."""
    tx.record(
        FundingDecided(
            reference=funding.reference,
            user_id=funding.user_id,
            amount_kobo=funding.amount_kobo,
            state=state,
        )
    )
