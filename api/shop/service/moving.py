"""Locking orders, and changing their status with one event each."""

from collections.abc import Sequence
from uuid import UUID

from api.foundation.core.errors import NotFoundError
from api.foundation.database.database import Transaction
from api.people.users.service import account as users_account
from api.shop import rules
from api.shop.enums import OrderActor, OrderStatus
from api.shop.errors import WrongStateError
from api.shop.repository import orders, stock
from api.shop.repository.orders import OrderMove, OrderRow


async def lock_own_order(tx: Transaction, user_id: UUID, order_id: UUID) -> OrderRow:
    """Lock a member and one of their own orders until commit; return the order.

    Raises:
        NotFoundError: no such order, or not this member's, or the account is deleted.
    """
    if not await users_account.hold(tx, user_id):
        raise NotFoundError
    order = await orders.lock_order(tx, user_id, order_id)
    if order is None:
        raise NotFoundError
    return order


async def lock_order_and_member(tx: Transaction, order_id: UUID) -> tuple[OrderRow, bool]:
    """Lock an order and its member; return the order, and whether the account still exists."""
    owner = await orders.read_owner(tx, order_id)
    if owner is None:
        raise NotFoundError
    is_active = await users_account.hold(tx, owner)
    order = await orders.lock_any_order(tx, order_id)
    if order is None:
        raise NotFoundError
    return order, is_active


def require_move(status: OrderStatus, to: OrderStatus, actor: OrderActor) -> None:
    """Refuse a status change that is not allowed.

    Raises:
        WrongStateError: ``actor`` cannot change the order's status this way.
    """
    if not rules.may_move(status, to, actor):
        raise WrongStateError(content={"status": status.value})


async def move_order(tx: Transaction, order_id: UUID, to: OrderMove) -> None:
    """Change the status of a locked order: shipping sells its stock, its end releases it."""
    if to.status is OrderStatus.CANCELLED:
        await end_orders(tx, [order_id], to)
        return
    if to.status is OrderStatus.SHIPPED:
        await stock.sell(tx, order_id)
    await orders.move(tx, [order_id], to)


async def end_orders(tx: Transaction, order_ids: Sequence[UUID], to: OrderMove) -> None:
    """End locked orders, and release all of their stock, sizes by id."""
    if order_ids:
        await stock.release(tx, order_ids)
        await orders.move(tx, order_ids, to)
