"""Settles confirmed bank transfers: they pay their order, wait, or go to the wallet."""

from collections.abc import Awaitable, Callable, Sequence
from datetime import datetime
from uuid import UUID

from api.foundation.core.money import Kobo
from api.foundation.database.database import Transaction
from api.messaging.notifications.enums import NotificationKind
from api.messaging.notifications.rules.messages import Fact
from api.messaging.notifications.service import notify
from api.money.wallet.enums import ReviewKind, TransferKind
from api.money.wallet.rules import bank_reference
from api.money.wallet.service import ledger, reviews
from api.shop import rules
from api.shop.enums import (
    OrderActor,
    OrderEventKind,
    OrderStatus,
    TransferOutcome,
)
from api.shop.repository import orders, proofs, stock, transfers
from api.shop.repository.orders import OrderMove, OrderRow
from api.shop.repository.transfers import WaitingTransfer
from api.shop.schemas.admin import TransferConfirmed


async def credit_waiting(tx: Transaction, order_ids: Sequence[UUID]) -> Kobo:
    """Credit the waiting transfers of ended orders to their members' wallets; return the sum."""
    total = 0
    for receipt in await transfers.list_waiting(tx, order_ids):
        await _credit(tx, receipt, receipt.amount_kobo)
        total += receipt.amount_kobo
    return Kobo(total)


async def end_waiting(
    tx: Transaction,
    order_id: UUID,
    user_id: UUID,
    authorise: Callable[[UUID, Kobo], Awaitable[bool]],
    now: datetime,
) -> None:
    """Credit the waiting transfers of an ended order to the wallet, or put them under review."""
    waiting = await transfers.list_waiting(tx, [order_id])
    there = Kobo(sum(receipt.amount_kobo for receipt in waiting))
    if there:
        max_kobo = there if await authorise(user_id, there) else 0
        await _credit_up_to(tx, waiting, max_kobo, now)


async def settle(
    tx: Transaction, order: OrderRow, receipt_id: UUID, now: datetime
) -> TransferConfirmed:
    """Settle the transfers of a locked order: pay it, keep waiting, or credit the wallet."""
    waiting = await transfers.list_waiting(tx, [order.id])
    there = sum(receipt.amount_kobo for receipt in waiting)
    surplus = max(0, there - order.total_kobo)
    missing = max(0, order.total_kobo - there)
    status = OrderStatus(order.status)
    if status is OrderStatus.PENDING and missing:
        outcome = TransferOutcome.SHORT
        await proofs.extend_deadline(tx, order.id, now + rules.TIME_AFTER_REJECTION)
        await _notify_short(tx, order, receipt_id, there, now)
    elif not missing and await _can_be_kept(tx, order):
        outcome = TransferOutcome.SURPLUS if surplus else TransferOutcome.PAID
        status = OrderStatus.PROCESSING
        await _pay(tx, order, waiting, now)
    else:
        outcome, missing = TransferOutcome.WALLET, 0
        surplus = there - await _give_to_wallet(tx, order, waiting, now)
    return TransferConfirmed(
        outcome=outcome,
        status=status,
        received=await transfers.read_received(tx, order.id),
        missing=missing,
        surplus=surplus,
    )


async def _can_be_kept(tx: Transaction, order: OrderRow) -> bool:
    """Return whether the order has its stock; an expired one allocates it again if it can."""
    if order.status == OrderStatus.PENDING:
        return True
    if order.status != OrderStatus.EXPIRED:
        return False
    return await stock.allocate(tx, order.id)


async def _pay(
    tx: Transaction, order: OrderRow, waiting: Sequence[WaitingTransfer], now: datetime
) -> None:
    """Credit what was received up to the total, debit the total, and review the surplus."""
    order_id, user_id, total = order.id, order.user_id, order.total_kobo
    await _credit_up_to(tx, waiting, total, now)
    paid = await ledger.debit(
        tx, user_id, total, kind=TransferKind.PURCHASE, reference=str(order_id)
    )
    await transfers.record_paid(tx, order_id, paid)
    event = OrderMove(OrderEventKind.PAID, OrderStatus.PROCESSING, now, OrderActor.ADMIN)
    await orders.move(tx, [order_id], event)
    facts: dict[str, Fact] = {"order_id": order_id, "number": order.number, "amount_kobo": total}
    await notify(tx, user_id, NotificationKind.ORDER_PAID, order_id, now, **facts)


async def _credit_up_to(
    tx: Transaction, waiting: Sequence[WaitingTransfer], max_kobo: int, now: datetime
) -> Kobo:
    """Credit what was received up to ``max_kobo``; the surplus waits for review."""
    left = max_kobo
    for receipt in waiting:
        part = min(left, receipt.amount_kobo)
        left -= part
        await _credit(tx, receipt, part)
        if over := receipt.amount_kobo - part:
            source = f"{_reference(receipt)}:surplus"
            await reviews.open_review(
                *(tx, [ReviewKind.SURPLUS], receipt.user_id, Kobo(over)),
                subject=receipt.order_id,
                source=source,
                now=now,
            )
    return Kobo(max_kobo - left)


async def _notify_short(
    tx: Transaction, order: OrderRow, receipt_id: UUID, there_kobo: int, now: datetime
) -> None:
    status = OrderStatus(order.status)
    event = OrderMove(OrderEventKind.TRANSFER_SHORT, status, now, OrderActor.ADMIN)
    await orders.insert_event(tx, order.id, event)
    facts: dict[str, Fact] = {
        "order_id": order.id,
        "number": order.number,
        "received_kobo": there_kobo,
        "missing_kobo": order.total_kobo - there_kobo,
    }
    kind = NotificationKind.TRANSFER_SHORT
    await notify(tx, order.user_id, kind, receipt_id, now, **facts)


async def _give_to_wallet(
    tx: Transaction, order: OrderRow, waiting: Sequence[WaitingTransfer], now: datetime
) -> Kobo:
    """Credit the transfers of an ended order up to its total; return how much that was."""
    before = await transfers.read_credited(tx, order.id)
    max_kobo = max(0, order.total_kobo - before)
    credited = await _credit_up_to(tx, waiting, max_kobo, now)
    status = OrderStatus(order.status)
    event = OrderMove(OrderEventKind.TRANSFER_LATE, status, now, OrderActor.ADMIN)
    await orders.insert_event(tx, order.id, event)
    facts: dict[str, Fact] = {"order_id": order.id, "number": order.number, "amount_kobo": credited}
    # An order may get late transfers twice: the time makes the subject unique.
    subject = f"{order.id}:{now.isoformat()}"
    if credited:
        facts |= await ledger.repaid_facts(tx, order.user_id)
        await notify(tx, order.user_id, NotificationKind.TRANSFER_LATE, subject, now, **facts)
    return credited


async def _credit(tx: Transaction, receipt: WaitingTransfer, part_kobo: int) -> None:
    if part_kobo:
        reference, amount = _reference(receipt), Kobo(part_kobo)
        kind = TransferKind.FUND
        await ledger.credit(tx, receipt.user_id, amount, kind=kind, reference=reference)
    await transfers.record_credited(tx, receipt.id, part_kobo)


def _reference(receipt: WaitingTransfer) -> str:
    return bank_reference(receipt.bank, receipt.reference)
