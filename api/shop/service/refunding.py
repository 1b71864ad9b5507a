"""What a refund does to an order: its lines, its stock, its state. The money is the caller's."""

from collections.abc import Awaitable, Callable, Mapping
from dataclasses import dataclass
from datetime import datetime
from uuid import UUID

from api.core.errors import NotFoundError
from api.core.money import Kobo
from api.database.database import Transaction
from api.notifications.enums import NotificationKind
from api.notifications.service import notify
from api.shop import repository, rules
from api.shop.enums import OrderActor, OrderEventKind, OrderStatus, ProofState
from api.shop.repository import OrderMove
from api.shop.service.moving import hold_any_order, move_order, require_move
from api.shop.service.settling import end_waiting

RESTOCKED = frozenset({OrderStatus.PROCESSING})
GONE = frozenset({OrderStatus.SHIPPED, OrderStatus.DELIVERED})


@dataclass(frozen=True)
class RefundableLine:
    """A line of an order: what one costs, how many were bought and given back for."""

    line: int
    variant_id: UUID
    price_kobo: Kobo
    quantity: int
    refunded: int


@dataclass(frozen=True)
class RefundableOrder:
    """An order that is held; ``paid_by`` is the ledger's transfer, None while nothing was paid."""

    id: UUID
    user_id: UUID
    number: str
    status: OrderStatus
    paid_by: UUID | None
    total_kobo: Kobo
    fee_kobo: Kobo
    lines: Mapping[int, RefundableLine]


async def hold_for_refund(tx: Transaction, order_id: UUID) -> RefundableOrder:
    """Hold an order and its member until the transaction ends.

    Raises:
        NotFoundError: there is no such order, or its member has left.
    """
    order, stays = await hold_any_order(tx, order_id)
    if not stays:
        raise NotFoundError
    lines = await repository.list_lines(tx, order_id)
    return RefundableOrder(
        id=order_id,
        user_id=order["user_id"],
        number=order["number"],
        status=OrderStatus(order["status"]),
        paid_by=order["transfer_id"],
        total_kobo=Kobo(order["total_kobo"]),
        fee_kobo=Kobo(order["delivery_fee_kobo"]),
        lines={
            row["line"]: RefundableLine(
                row["line"],
                row["variant_id"],
                Kobo(row["price_kobo"]),
                row["quantity"],
                row["refunded_quantity"],
            )
            for row in lines
        },
    )


async def take_back(
    tx: Transaction, order: RefundableOrder, quantities: Mapping[int, int], *, restock: bool
) -> None:
    """Write down of which lines how many were given back for, and what becomes of the units.

    Before an order is sent its units are released, or lost; later they come back to the shelf, or
    not. Sizes are written in the order in which checkouts hold them.
    """
    wanted = sorted(quantities, key=lambda line: order.lines[line].variant_id)
    for line in wanted:
        units, variant_id = quantities[line], order.lines[line].variant_id
        await repository.note_refunded(tx, order.id, line, units)
        if order.status in RESTOCKED:
            change = repository.release_units if restock else repository.lose_units
            await change(tx, variant_id, units)
        elif order.status in GONE and restock:
            await repository.restock_units(tx, variant_id, units)


async def note_refund(
    tx: Transaction, order: RefundableOrder, now: datetime, *, is_all: bool, note: str
) -> None:
    """Write down that money went back; when all of it did, the order ends as refunded."""
    ends = is_all and rules.may_move(order.status, OrderStatus.REFUNDED, OrderActor.ADMIN)
    status = OrderStatus.REFUNDED if ends else order.status
    event = OrderMove(OrderEventKind.REFUNDED, status, now, OrderActor.ADMIN, note)
    if ends:
        await move_order(tx, order.id, event)
    else:
        await repository.note_event(tx, order.id, event)


async def cancel_for_club(
    tx: Transaction,
    order_id: UUID,
    reason: str,
    authorise: Callable[[UUID, Kobo], Awaitable[bool]],
    now: datetime,
) -> RefundableOrder:
    """Cancel an order for the club, and return it as it was; what was paid stays to be refunded.

    Partial bank transfers go to the wallet if ``authorise`` allows and records that credit of the
    member and the sum; otherwise they are put under review.

    Raises:
        NotFoundError: there is no such order, or its member has left.
        WrongStateError: it is on its way already, or over.
    """
    order = await hold_for_refund(tx, order_id)
    require_move({"status": order.status.value}, OrderStatus.CANCELLED, OrderActor.ADMIN)
    kind, status = OrderEventKind.CANCELLED, OrderStatus.CANCELLED
    await move_order(tx, order_id, OrderMove(kind, status, now, OrderActor.ADMIN, reason))
    await repository.decide_proof(tx, order_id, ProofState.REJECTED, reason)
    if order.paid_by is None:
        await end_waiting(tx, order_id, order.user_id, authorise, now)
    told = NotificationKind.ORDER_CANCELLED
    await notify(tx, order.user_id, told, order_id, now, order_id=order_id, number=order.number)
    return order
