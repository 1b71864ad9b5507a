"""Orders that are held, and move on: from one state to the next, with one event each."""

from collections.abc import Sequence
from uuid import UUID

from api.core.errors import NotFoundError
from api.database.database import Transaction
from api.database.statements import Row
from api.shop import repository, rules
from api.shop.enums import OrderActor, OrderStatus
from api.shop.errors import WrongStateError
from api.shop.repository import OrderMove
from api.users import service as users


async def hold_order(tx: Transaction, user_id: UUID, order_id: UUID) -> Row:
    """Hold a member and one of their own orders until the transaction ends; return the order.

    Raises:
        NotFoundError: no such order, or not this member's, or the member has left.
    """
    if not await users.hold(tx, user_id):
        raise NotFoundError
    order = await repository.lock_order(tx, user_id, order_id)
    if order is None:
        raise NotFoundError
    return order


async def hold_any_order(tx: Transaction, order_id: UUID) -> tuple[Row, bool]:
    """Hold an order and its member; return the order, and whether the member is still there.

    Raises:
        NotFoundError: there is no such order.
    """
    owner = await repository.read_owner(tx, order_id)
    if owner is None:
        raise NotFoundError
    stays = await users.hold(tx, owner)
    order = await repository.lock_any_order(tx, order_id)
    if order is None:
        raise NotFoundError
    return order, stays


def require_move(order: Row, to: OrderStatus, actor: OrderActor) -> None:
    """Refuse what cannot follow.

    Raises:
        WrongStateError: the order is where ``actor`` cannot move it from.
    """
    if not rules.may_move(OrderStatus(order["status"]), to, actor):
        raise WrongStateError(content={"status": order["status"]})


async def move_order(tx: Transaction, order_id: UUID, to: OrderMove) -> None:
    """Move one order that the caller holds: shipping sells what it held, its end releases it."""
    if to.status is OrderStatus.CANCELLED:
        await end_orders(tx, [order_id], to)
        return
    if to.status is OrderStatus.SHIPPED:
        await repository.sell(tx, order_id)
    await repository.move(tx, [order_id], to)


async def end_orders(tx: Transaction, order_ids: Sequence[UUID], to: OrderMove) -> None:
    """End orders that the caller holds: what all of them held is released, sizes by id."""
    if order_ids:
        await repository.release(tx, order_ids)
        await repository.move(tx, order_ids, to)
