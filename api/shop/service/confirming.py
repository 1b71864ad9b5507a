"""Bank transfers: what an operator saw arrive, and what it pays."""

from collections.abc import Sequence
from datetime import datetime, timedelta
from uuid import UUID

from api.core import clock
from api.core.errors import InvalidFieldError
from api.core.ids import new_id
from api.core.money import Kobo, format_naira
from api.database.database import Database, Transaction
from api.database.statements import Row
from api.http.admin_answers import Done
from api.notifications.enums import NotificationKind
from api.notifications.service import notify
from api.operators import service as operators
from api.operators.service import Deed
from api.security.operators import Acting
from api.shop import repository, rules
from api.shop.enums import (
    OrderActor,
    OrderEventKind,
    OrderStatus,
    PaymentMethod,
    ProofState,
    TransferOutcome,
)
from api.shop.errors import BankReferenceUsedError, WrongStateError
from api.shop.repository import NewReceipt, OrderMove
from api.shop.schemas import ConfirmTransfer, TransferConfirmed
from api.shop.service.moving import hold_any_order
from api.wallet import service as wallet
from api.wallet.enums import ReviewKind, TransferKind
from api.wallet.rules import bank_reference

OLDEST_TRANSFER = timedelta(days=366)
OTHER_DAY = "A transfer was paid today or in the year before."
CONFIRMABLE = frozenset({OrderStatus.PENDING, OrderStatus.EXPIRED, OrderStatus.CANCELLED})


async def confirm_transfer(
    database: Database, acting: Acting, order_id: UUID, form: ConfirmTransfer, now: datetime
) -> Done:
    """Take note of a bank transfer for an order, and pay the order when all of it is there.

    Less waits, and adds up. More is set aside for review. What comes for an order that is over pays
    it if its products are still there, else it goes to the wallet. Locks: the member, the order,
    its products, the wallet.

    Raises:
        NotFoundError: there is no such order.
        WrongStateError: it is paid, or not paid by bank transfer, or its member has left.
        InvalidFieldError: it was paid in the future, or more than a year ago.
        BankReferenceUsedError: the bank's reference was confirmed before.
    """
    today = now.astimezone(clock.LAGOS).date()
    if not today - OLDEST_TRANSFER <= form.paid_on <= today:
        raise InvalidFieldError.of("paidOn", OTHER_DAY)

    async def work(tx: Transaction) -> Done:
        order = await _hold_order(tx, order_id)
        receipt = NewReceipt(
            *(new_id(), order_id, form.bank, form.reference),
            *(form.amount, form.paid_on, now),
        )
        if not await repository.insert_receipt(tx, receipt):
            raise BankReferenceUsedError
        await repository.decide_proof(tx, order_id, ProofState.ACCEPTED)
        confirmed = await _settle(tx, order, receipt.id, now)
        deed = Deed(
            "confirm-transfer",
            "order",
            order_id,
            before={"status": order["status"]},
            after={
                "status": confirmed.status.value,
                "outcome": confirmed.outcome.value,
                "bank": receipt.bank,
                "reference": receipt.reference,
                "amount_kobo": receipt.amount_kobo,
                "paid_on": receipt.paid_on,
            },
        )
        await operators.audited(tx, acting, deed)
        return Done.of(confirmed, message=_said(confirmed))

    return await operators.perform(database, acting, form, work)


async def credit_waiting(tx: Transaction, order_ids: Sequence[UUID]) -> Kobo:
    """Put into their members' wallets what came in for orders that are over; return the sum."""
    total = 0
    for receipt in await repository.list_waiting(tx, order_ids):
        await _credit(tx, receipt, receipt["amount_kobo"])
        total += receipt["amount_kobo"]
    return Kobo(total)


async def _hold_order(tx: Transaction, order_id: UUID) -> Row:
    order, stays = await hold_any_order(tx, order_id)
    is_open = (
        order["payment_method"] == PaymentMethod.BANK_TRANSFER
        and order["status"] in CONFIRMABLE
        and not order["is_paid"]
    )
    if not (stays and is_open):
        raise WrongStateError(content={"status": order["status"]})
    return order


async def _settle(
    tx: Transaction, order: Row, receipt_id: UUID, now: datetime
) -> TransferConfirmed:
    waiting = await repository.list_waiting(tx, [order["id"]])
    there = sum(receipt["amount_kobo"] for receipt in waiting)
    surplus = max(0, there - order["total_kobo"])
    missing = max(0, order["total_kobo"] - there)
    status = OrderStatus(order["status"])
    if status is OrderStatus.PENDING and missing:
        outcome = TransferOutcome.SHORT
        await repository.leave_time(tx, order["id"], now + rules.TIME_AFTER_REJECTION)
        await _say_short(tx, order, receipt_id, there, now)
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
        received=await repository.read_received(tx, order["id"]),
        missing=missing,
        surplus=surplus,
    )


async def _can_be_kept(tx: Transaction, order: Row) -> bool:
    """Say whether the order has its products; an expired one takes them again if it can."""
    if order["status"] == OrderStatus.PENDING:
        return True
    if order["status"] != OrderStatus.EXPIRED:
        return False
    return await repository.allocate(tx, order["id"])


async def _pay(tx: Transaction, order: Row, waiting: Sequence[Row], now: datetime) -> None:
    """Credit what came in up to the total, take the total for the order, review the rest."""
    order_id, user_id, total = order["id"], order["user_id"], Kobo(order["total_kobo"])
    await _credit_up_to(tx, order, waiting, total, now)
    paid = await wallet.debit(
        tx, user_id, total, kind=TransferKind.PURCHASE, reference=str(order_id)
    )
    await repository.note_paid(tx, order_id, paid)
    event = OrderMove(OrderEventKind.PAID, OrderStatus.PROCESSING, now, OrderActor.ADMIN)
    await repository.move(tx, [order_id], event)
    facts = {"order_id": order_id, "number": order["number"], "amount_kobo": total}
    await notify(tx, user_id, NotificationKind.ORDER_PAID, order_id, now, **facts)


async def _credit_up_to(
    tx: Transaction, order: Row, waiting: Sequence[Row], most_kobo: int, now: datetime
) -> Kobo:
    """Credit what came in, up to what the order cost; whatever is over waits for review."""
    left = most_kobo
    for receipt in waiting:
        part = min(left, receipt["amount_kobo"])
        left -= part
        await _credit(tx, receipt, part)
        if over := receipt["amount_kobo"] - part:
            source = f"{_reference(receipt)}:surplus"
            await wallet.open_review(
                *(tx, [ReviewKind.SURPLUS], order["user_id"], Kobo(over)),
                subject=order["id"],
                source=source,
                now=now,
            )
    return Kobo(most_kobo - left)


async def _say_short(
    tx: Transaction, order: Row, receipt_id: UUID, there_kobo: int, now: datetime
) -> None:
    status = OrderStatus(order["status"])
    event = OrderMove(OrderEventKind.TRANSFER_SHORT, status, now, OrderActor.ADMIN)
    await repository.note_event(tx, order["id"], event)
    facts = {
        "order_id": order["id"],
        "number": order["number"],
        "received_kobo": there_kobo,
        "missing_kobo": order["total_kobo"] - there_kobo,
    }
    kind = NotificationKind.TRANSFER_SHORT
    await notify(tx, order["user_id"], kind, receipt_id, now, **facts)


async def _give_to_wallet(
    tx: Transaction, order: Row, waiting: Sequence[Row], now: datetime
) -> Kobo:
    """Credit what came for an order that is over, up to what it cost; return how much that was."""
    before = await repository.read_credited(tx, order["id"])
    most = max(0, order["total_kobo"] - before)
    credited = await _credit_up_to(tx, order, waiting, most, now)
    status = OrderStatus(order["status"])
    event = OrderMove(OrderEventKind.TRANSFER_LATE, status, now, OrderActor.ADMIN)
    await repository.note_event(tx, order["id"], event)
    facts = {"order_id": order["id"], "number": order["number"], "amount_kobo": credited}
    # An order may be late twice: what names this one is the moment.
    subject = f"{order['id']}:{now.isoformat()}"
    if credited:
        await notify(tx, order["user_id"], NotificationKind.TRANSFER_LATE, subject, now, **facts)
    return credited


async def _credit(tx: Transaction, receipt: Row, part_kobo: int) -> None:
    if part_kobo:
        reference, amount = _reference(receipt), Kobo(part_kobo)
        kind = TransferKind.FUND
        await wallet.credit(tx, receipt["user_id"], amount, kind=kind, reference=reference)
    await repository.note_credited(tx, receipt["id"], part_kobo)


def _reference(receipt: Row) -> str:
    return bank_reference(receipt["bank"], receipt["reference"])


def _said(confirmed: TransferConfirmed) -> str:
    """Return what the operator is told that a transfer came to."""
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
