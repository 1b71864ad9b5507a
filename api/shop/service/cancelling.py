"""Cancelling: the order's stock is released, and its payment returns to the wallet."""

from dataclasses import dataclass
from datetime import datetime
from typing import Any
from uuid import UUID

from api.foundation.core.money import Kobo
from api.foundation.database.database import Database, Transaction
from api.foundation.database.idempotency import Attempt, once
from api.messaging.notifications.enums import NotificationKind
from api.messaging.notifications.service import notify
from api.money.wallet.service import ledger
from api.shop import rules
from api.shop.enums import OrderActor, OrderEventKind, OrderStatus
from api.shop.errors import ProofWaitingError, TooMuchUnpaidError
from api.shop.repository import checkout, proofs
from api.shop.repository import orders as orders_repository
from api.shop.repository.orders import OrderMove, OrderRow
from api.shop.schemas.orders import CancelledOrder, CancelOrder
from api.shop.service.moving import end_orders, lock_own_order, move_order, require_move
from api.shop.service.placing import unpaid
from api.shop.service.settling import credit_waiting

ROUTE = "cancel-order"
PAY_FIRST = (
    "Without this paid order you may have only "
    f"{rules.NEW_ACCOUNT_UNITS} items waiting for your bank transfer. "
    "Please cancel or pay for a waiting order first."
)


@dataclass(frozen=True)
class CancelResult:
    """The outcome of a cancellation; ``replayed`` if an earlier call with the key made it."""

    answer: CancelledOrder
    replayed: bool


async def cancel(
    database: Database,
    user_id: UUID,
    order_id: UUID,
    form: CancelOrder,
    key: str | None,
    now: datetime,
) -> CancelResult:
    """Cancel a member's own order; a retry never returns money or stock twice.

    Lock order, as everywhere: the open orders, the key, the member, the order, its products, the
    wallet.

    Raises:
        NotFoundError: no such order, or not this member's.
        WrongStateError: it is already shipped, or has ended.
        ProofWaitingError: a proof of its payment is under review.
        TooMuchUnpaidError: without it, a new account would have too much unpaid stock.
        KeyReusedError: the key named another request.
    """
    content = {"order": order_id, "reason": form.reason}
    attempt = Attempt.of(user_id, ROUTE, key, content)

    async def cancel_once(tx: Transaction) -> dict[str, Any]:
        order = await lock_own_order(tx, user_id, order_id)
        require_move(OrderStatus(order.status), OrderStatus.CANCELLED, OrderActor.MEMBER)
        if await proofs.has_waiting_proof(tx, order_id):
            raise ProofWaitingError
        kind, status = OrderEventKind.CANCELLED, OrderStatus.CANCELLED
        move = OrderMove(kind, status, now, OrderActor.MEMBER, form.reason)
        await move_order(tx, order_id, move)
        refunded = await refund_rest(tx, order)
        if order.transfer_id is not None:
            await _require_still_allowed(tx, user_id, now)
        await notify(
            tx,
            user_id,
            NotificationKind.ORDER_CANCELLED,
            order_id,
            now,
            order_id=order_id,
            number=order.number,
        )
        balance = await ledger.lock_balance(tx, user_id)
        return {"status": status.value, "refunded": refunded, "balance": balance}

    async with database.transaction() as tx:
        await checkout.lock_open_orders(tx, user_id)
        answer, is_replayed = await once(tx, attempt, cancel_once)
    return CancelResult(CancelledOrder(**answer), replayed=is_replayed)


async def _require_still_allowed(tx: Transaction, user_id: UUID, now: datetime) -> None:
    """Keep a new account from holding more unpaid stock than it may without a paid order (T-7)."""
    buyer = await checkout.read_buyer(tx, user_id)
    if rules.is_new_buyer(now - buyer.created_at, has_paid=buyer.has_paid):
        waiting = await checkout.list_open_orders(tx, user_id)
        if sum(order.units for order in waiting) > rules.NEW_ACCOUNT_UNITS:
            raise TooMuchUnpaidError(PAY_FIRST, content=unpaid(waiting))


async def refund_rest(tx: Transaction, order: OrderRow) -> Kobo:
    """Refund the rest of an order's payment to the wallet; return the sum in kobo."""
    transfer_id = order.transfer_id
    if transfer_id is None:
        return await credit_waiting(tx, [order.id])
    left = Kobo(order.total_kobo - await ledger.refunded(tx, transfer_id))
    if left > 0:
        await ledger.refund(
            tx, order.user_id, left, reverses=transfer_id, reference=f"cancel:{order.id}"
        )
        await orders_repository.record_all_refunded(tx, order.id)
    return left


async def owed(tx: Transaction, user_id: UUID) -> Kobo:
    """Return what cancelling all unshipped orders would refund; the member is locked."""
    return await orders_repository.read_owed(tx, user_id)


async def cancel_all(tx: Transaction, user_id: UUID, now: datetime) -> None:
    """Cancel all unshipped orders for an account deletion; the member is locked.

    Their payments, and parts of transfers, are in the wallet before its balance is checked.
    """
    orders = await orders_repository.lock_unsent(tx, user_id)
    ids = [order.id for order in orders]
    kind, status = OrderEventKind.CANCELLED, OrderStatus.CANCELLED
    await end_orders(tx, ids, OrderMove(kind, status, now, OrderActor.MEMBER))
    for order in orders:
        await refund_rest(tx, order)
