"""The effect of a refund on an order: lines, stock, status. The caller moves the money."""

from collections.abc import Awaitable, Callable, Mapping
from dataclasses import dataclass
from datetime import datetime
from uuid import UUID

from api.foundation.core.errors import NotFoundError
from api.foundation.core.money import Kobo
from api.foundation.database.database import Transaction
from api.messaging.notifications.enums import NotificationKind
from api.messaging.notifications.service import notify
from api.shop import rules
from api.shop.enums import OrderActor, OrderEventKind, OrderStatus, ProofState
from api.shop.repository import orders, proofs, refunds
from api.shop.repository.orders import OrderMove
from api.shop.service.moving import lock_order_and_member, move_order, require_move
from api.shop.service.settling import end_waiting

RESTOCKED = frozenset({OrderStatus.PROCESSING})
GONE = frozenset({OrderStatus.SHIPPED, OrderStatus.DELIVERED})


@dataclass(frozen=True)
class RefundableLine:
    """A line of an order."""

    line: int
    variant_id: UUID
    price_kobo: Kobo
    quantity: int
    refunded: int


@dataclass(frozen=True)
class RefundableOrder:
    """A locked order; ``paid_by`` is the ledger's transfer, None while it is unpaid."""

    id: UUID
    user_id: UUID
    number: str
    status: OrderStatus
    paid_by: UUID | None
    total_kobo: Kobo
    fee_kobo: Kobo
    lines: Mapping[int, RefundableLine]


async def lock_for_refund(tx: Transaction, order_id: UUID) -> RefundableOrder:
    """Lock an order and its member until commit.

    Raises:
        NotFoundError: there is no such order, or its member's account is deleted.
    """
    order, stays = await lock_order_and_member(tx, order_id)
    if not stays:
        raise NotFoundError
    lines = await orders.list_lines(tx, order_id)
    return RefundableOrder(
        id=order_id,
        user_id=order.user_id,
        number=order.number,
        status=OrderStatus(order.status),
        paid_by=order.transfer_id,
        total_kobo=order.total_kobo,
        fee_kobo=order.delivery_fee_kobo,
        lines={
            row.line: RefundableLine(
                row.line,
                row.variant_id,
                row.price_kobo,
                row.quantity,
                row.refunded_quantity,
            )
            for row in lines
        },
    )


async def refund_lines(
    tx: Transaction, order: RefundableOrder, quantities: Mapping[int, int], *, restock: bool
) -> None:
    """Record the refunded quantities of lines, and update the stock of their units.

    Before shipping, their units are released or written off; afterwards they are restocked or not.
    Sizes are updated in the lock order of checkouts.
    """
    wanted = sorted(quantities, key=lambda line: order.lines[line].variant_id)
    for line in wanted:
        units, variant_id = quantities[line], order.lines[line].variant_id
        await refunds.record_refunded(tx, order.id, line, units)
        if order.status in RESTOCKED:
            change = refunds.release_units if restock else refunds.write_off_units
            await change(tx, variant_id, units)
        elif order.status in GONE and restock:
            await refunds.restock_units(tx, variant_id, units)


async def record_refund(
    tx: Transaction, order: RefundableOrder, now: datetime, *, is_all: bool, note: str
) -> None:
    """Record a refund; once everything is refunded, the order ends as refunded."""
    ends = is_all and rules.may_move(order.status, OrderStatus.REFUNDED, OrderActor.ADMIN)
    status = OrderStatus.REFUNDED if ends else order.status
    event = OrderMove(OrderEventKind.REFUNDED, status, now, OrderActor.ADMIN, note)
    if ends:
        await move_order(tx, order.id, event)
    else:
        await orders.insert_event(tx, order.id, event)


async def cancel_for_club(
    tx: Transaction,
    order_id: UUID,
    reason: str,
    authorise: Callable[[UUID, Kobo], Awaitable[bool]],
    now: datetime,
) -> RefundableOrder:
    """Cancel an order for the club, and return it as it was; its payment stays to be refunded.

    Partial bank transfers go to the wallet if ``authorise`` allows and records that credit of the
    member and the sum; otherwise they are put under review.

    Raises:
        NotFoundError: there is no such order, or its member's account is deleted.
        WrongStateError: it is already shipped, or has ended.
    """
    order = await lock_for_refund(tx, order_id)
    require_move(order.status, OrderStatus.CANCELLED, OrderActor.ADMIN)
    kind, status = OrderEventKind.CANCELLED, OrderStatus.CANCELLED
    await move_order(tx, order_id, OrderMove(kind, status, now, OrderActor.ADMIN, reason))
    await proofs.decide_proof(tx, order_id, ProofState.REJECTED, reason)
    if order.paid_by is None:
        await end_waiting(tx, order_id, order.user_id, authorise, now)
    notice = NotificationKind.ORDER_CANCELLED
    await notify(tx, order.user_id, notice, order_id, now, order_id=order_id, number=order.number)
    return order
