"""Bank transfers: confirmed by an operator, and what they pay for."""

from dataclasses import dataclass
from datetime import date, datetime, timedelta
from uuid import UUID

from api.foundation.approvals import proposing
from api.foundation.approvals.enums import ApprovalReason
from api.foundation.approvals.kinds import ApprovalKind, Approved
from api.foundation.audit import reading
from api.foundation.audit import writing as audit
from api.foundation.audit.writing import AuditRecord
from api.foundation.core import clock
from api.foundation.core.errors import InvalidFieldError
from api.foundation.core.ids import new_id
from api.foundation.core.money import format_naira
from api.foundation.database.database import Database, Transaction
from api.foundation.security.operators import AdminRequest, Operator
from api.foundation.security.rights import Right
from api.foundation.wire.results import AdminResult
from api.foundation.wire.schemas import Content
from api.money.wallet.enums import CreditKind
from api.money.wallet.repository.operator_credits import NewCredit
from api.money.wallet.rules import bank_reference
from api.money.wallet.service import operator_credits
from api.money.wallet.service.operator_credits import CreditAuthority, CreditDay
from api.shop.enums import (
    OrderStatus,
    PaymentMethod,
    ProofState,
    TransferOutcome,
)
from api.shop.errors import AmountUnlikelyError, BankReferenceUsedError, WrongStateError
from api.shop.repository import orders, proofs, stock, transfers
from api.shop.repository.orders import OrderRow
from api.shop.repository.transfers import NewReceipt
from api.shop.schemas.admin import ConfirmTransfer, TransferConfirmed, TransferWanted
from api.shop.service.bank_statements import match_lines
from api.shop.service.moving import lock_order_and_member
from api.shop.service.settling import settle

OLDEST_TRANSFER = timedelta(days=366)
OTHER_DAY = "A transfer was paid today or in the year before."
LIMITS = frozenset({ApprovalReason.LIMIT, ApprovalReason.DAY_LIMIT})
CONFIRMABLE = frozenset({OrderStatus.PENDING, OrderStatus.EXPIRED, OrderStatus.CANCELLED})
MAX_LIKELY_FACTOR = 2  # times the order's total; a larger amount must be repeated
ARRIVED = "A bank transfer arrived."


async def _owner(tx: Transaction, wanted: TransferWanted) -> list[UUID]:
    owner = await orders.read_owner(tx, wanted.order_id)
    return [] if owner is None else [owner]


async def _weigh(
    tx: Transaction, admin: AdminRequest, wanted: TransferWanted
) -> list[ApprovalReason]:
    now = clock.now()
    _require_day(wanted.paid_on, now)
    day = await operator_credits.open_day(tx, admin, now)
    order = await _lock_order(tx, wanted.order_id)
    return (await _assess(tx, day, order, wanted, now)).reasons


CONFIRM_TRANSFER = ApprovalKind(
    "confirm-transfer", Right.ORDERS_CONFIRM, TransferWanted, _owner, _weigh
)


@dataclass(frozen=True)
class CountedAmounts:
    """The kobo of a transfer that count against an operator's limits, and towards their day.

    A surplus under review counts when it is accepted.
    """

    checked: int
    counted: int
    is_own_product: bool


@dataclass(frozen=True)
class AssessedTransfer:
    """Why one person may not confirm a transfer, and the kobo that it adds to a day."""

    reasons: list[ApprovalReason]
    counted: int


async def confirm_transfer(
    database: Database, admin: AdminRequest, order_id: UUID, form: ConfirmTransfer, now: datetime
) -> AdminResult:
    """Confirm a bank transfer for an order, and pay the order once its total has arrived.

    A partial transfer waits, and adds up. A surplus is set aside for review. A transfer for an
    order that has ended pays for it if its products are still available, otherwise it goes to the
    wallet. An own order, a sum above the operator's limits and an unlikely amount wait for a second
    person. Locks: the operator's day, the member, the order, its products, the wallet.

    Raises:
        WrongStateError: it is paid, or not paid by bank transfer, or the account is deleted.
        InvalidFieldError: it was paid in the future, or more than a year ago.
        AmountUnlikelyError: it is more than twice the total, and was not repeated.
        SecondPersonNeededError: no other operator could decide it.
    """
    _require_day(form.paid_on, now)
    # Already validated; validating again would read kobo as naira.
    wanted = TransferWanted.model_construct(
        order_id=order_id,
        bank=form.bank,
        reference=form.reference,
        amount=form.amount,
        paid_on=form.paid_on,
        confirm_amount=form.confirm_amount,
    )

    async def work(tx: Transaction) -> AdminResult:
        day = await operator_credits.open_day(tx, admin, now)
        order = await _lock_order(tx, order_id)
        judged = await _assess(tx, day, order, wanted, now)
        if judged.reasons:
            return await proposing.propose(
                tx, admin, CONFIRM_TRANSFER, wanted, ARRIVED, judged.reasons
            )
        receipt, confirmed = await _confirm(tx, order, wanted, day, judged.counted, now)
        record = AuditRecord(
            "confirm-transfer",
            "order",
            order_id,
            before={"status": order.status},
            after={
                "status": confirmed.status.value,
                "outcome": confirmed.outcome.value,
                "bank": receipt.bank,
                "reference": receipt.reference,
                "amount_kobo": receipt.amount_kobo,
                "paid_on": receipt.paid_on,
            },
        )
        await audit.audited(tx, admin, record)
        return AdminResult.of(confirmed, message=_result_message(confirmed))

    return await audit.perform(database, admin, form, work)


async def confirm_approved(tx: Transaction, approved: Approved) -> Content:
    """Confirm a bank transfer after a second person's approval.

    Raises:
        NotFoundError, WrongStateError, InvalidFieldError, BankReferenceUsedError: as for
            ``confirm_transfer``.
    """
    wanted: TransferWanted = approved.content
    now = clock.now()
    _require_day(wanted.paid_on, now)
    order = await _lock_order(tx, wanted.order_id)
    _, confirmed = await _confirm(tx, order, wanted, approved, wanted.amount, now)
    return confirmed.model_dump(mode="json")


async def _confirm(
    tx: Transaction,
    order: OrderRow,
    wanted: TransferWanted,
    by: CreditAuthority,
    counted_kobo: int,
    now: datetime,
) -> tuple[NewReceipt, TransferConfirmed]:
    receipt = NewReceipt(
        *(new_id(), order.id, wanted.bank, wanted.reference),
        *(wanted.amount, wanted.paid_on, now),
    )
    if not await transfers.insert_receipt(tx, receipt):
        raise BankReferenceUsedError
    caused = NewCredit(
        *(CreditKind.TRANSFER, order.user_id, receipt.id),
        reference=bank_reference(receipt.bank, receipt.reference),
        amount_kobo=receipt.amount_kobo,
        counted_kobo=counted_kobo,
        confirmed_kobo=receipt.amount_kobo,
    )
    await operator_credits.record_credit(tx, by, caused, now)
    await proofs.decide_proof(tx, order.id, ProofState.ACCEPTED)
    confirmed = await settle(tx, order, receipt.id, now)
    await match_lines(tx, [receipt.amount_kobo], now)
    return receipt, confirmed


def _require_day(paid_on: date, now: datetime) -> None:
    today = now.astimezone(clock.LAGOS).date()
    if not today - OLDEST_TRANSFER <= paid_on <= today:
        raise InvalidFieldError.of("paidOn", OTHER_DAY)


async def _assess(
    tx: Transaction, day: CreditDay, order: OrderRow, wanted: TransferWanted, now: datetime
) -> AssessedTransfer:
    """Refuse unrepeated unlikely amounts and known references; return why it needs two people."""
    is_unlikely = wanted.amount > MAX_LIKELY_FACTOR * order.total_kobo
    if is_unlikely and wanted.confirm_amount != wanted.amount:
        raise AmountUnlikelyError
    if await transfers.is_reference_known(tx, wanted.bank, wanted.reference):
        raise BankReferenceUsedError
    weighed = await _measure(tx, day.operator, order, wanted.amount, now)
    reasons = day.reasons([order.user_id], each_kobo=weighed.checked, confirmed_kobo=wanted.amount)
    if weighed.is_own_product and not LIMITS.isdisjoint(reasons):
        reasons.append(ApprovalReason.OWN_PRODUCT)
    if is_unlikely:
        reasons.append(ApprovalReason.UNLIKELY)
    return AssessedTransfer(reasons, weighed.counted)


async def _measure(
    tx: Transaction, operator: Operator, order: OrderRow, amount_kobo: int, now: datetime
) -> CountedAmounts:
    """Measure the surplus, or the full amount for an own product or for the wallet."""
    before = sum(receipt.amount_kobo for receipt in await transfers.list_waiting(tx, [order.id]))
    total, is_enough = order.total_kobo, before + amount_kobo >= order.total_kobo
    is_pending = order.status == OrderStatus.PENDING
    is_kept = is_pending or (
        is_enough and order.status == OrderStatus.EXPIRED and await stock.can_allocate(tx, order.id)
    )
    max_kobo = total if is_kept else max(0, total - await transfers.read_credited(tx, order.id))
    for_review = amount_kobo - max(0, min(amount_kobo, max_kobo - before))
    ordered = await stock.list_ordered(tx, order.id)
    is_own_product = await reading.has_changed(tx, operator, ordered, now)
    checked = amount_kobo if is_own_product or not is_kept else for_review
    return CountedAmounts(checked, checked - for_review, is_own_product)


async def _lock_order(tx: Transaction, order_id: UUID) -> OrderRow:
    order, stays = await lock_order_and_member(tx, order_id)
    is_open = (
        order.payment_method == PaymentMethod.BANK_TRANSFER
        and order.status in CONFIRMABLE
        and not order.is_paid
    )
    if not (stays and is_open):
        raise WrongStateError(content={"status": order.status})
    return order


def _result_message(confirmed: TransferConfirmed) -> str:
    return {
        TransferOutcome.PAID: "The transfer is confirmed, and the order is paid.",
        TransferOutcome.SHORT: (
            f"The transfer is confirmed. {format_naira(confirmed.missing)} is still missing."
        ),
        TransferOutcome.SURPLUS: (
            f"The order is paid. {format_naira(confirmed.surplus)} too much waits as a review case."
        ),
        TransferOutcome.WALLET: "The order has ended: the money is in the member's wallet.",
    }[confirmed.outcome]
