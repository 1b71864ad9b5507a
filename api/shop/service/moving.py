"""Orders that move on: from one state to the next, with one event each."""

from uuid import UUID

from api.database.database import Transaction
from api.database.statements import Row
from api.shop import repository, rules
from api.shop.enums import OrderActor, OrderEventKind, OrderStatus
from api.shop.errors import WrongStateError
from api.shop.repository import OrderMove

KINDS = {
    OrderStatus.CANCELLED: OrderEventKind.CANCELLED,
    OrderStatus.SHIPPED: OrderEventKind.SHIPPED,
    OrderStatus.DELIVERED: OrderEventKind.DELIVERED,
}


def require_move(order: Row, to: OrderStatus, actor: OrderActor) -> None:
    """Refuse what cannot follow.

    Raises:
        WrongStateError: the order is where ``actor`` cannot move it from.
    """
    if not rules.may_move(OrderStatus(order["status"]), to, actor):
        raise WrongStateError(content={"status": order["status"]})


async def move_order(tx: Transaction, order_id: UUID, to: OrderMove) -> None:
    """Move one order that the caller holds: shipping sells what it held, its end releases it."""
    if to.status is OrderStatus.SHIPPED:
        await repository.sell(tx, order_id)
    if to.status is OrderStatus.CANCELLED:
        await repository.release(tx, [order_id])
    await repository.move(tx, [order_id], to)
