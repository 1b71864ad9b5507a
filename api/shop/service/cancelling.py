"""Cancelling: the order is let go, and what was paid for it goes back to the wallet."""

from dataclasses import dataclass
from datetime import datetime
from uuid import UUID

from api.core.money import Kobo
from api.database.database import Database, Transaction
from api.database.idempotency import Attempt, claim, fingerprint, store
from api.database.statements import Row
from api.notifications.enums import NotificationKind
from api.notifications.service import notify
from api.shop import repository, rules
from api.shop.enums import OrderActor, OrderEventKind, OrderStatus
from api.shop.errors import ProofWaitingError, TooMuchUnpaidError
from api.shop.repository import OrderMove
from api.shop.schemas import CancelledOrder, CancelOrder
from api.shop.service.moving import end_orders, hold_order, move_order, require_move
from api.shop.service.placing import unpaid
from api.shop.service.settling import credit_waiting
from api.wallet import service as wallet

ROUTE = "cancel-order"
PAY_FIRST = (
    "Without this paid order you may have only "
    f"{rules.NEW_ACCOUNT_UNITS} items waiting for your bank transfer. "
    "Please cancel or pay for a waiting order first."
)


@dataclass(frozen=True)
class Cancelled:
    """A cancellation's outcome; ``replayed`` when an earlier call with the key had done it."""

    answer: CancelledOrder
    replayed: bool


async def cancel(
    database: Database,
    user_id: UUID,
    order_id: UUID,
    form: CancelOrder,
    key: str | None,
    now: datetime,
) -> Cancelled:
    """Cancel a member's own order, once; nothing repeated gives money or stock back twice.

    Locks are taken as everywhere: the open orders, the key, the member, the order, its products,
    the wallet.

    Raises:
        NotFoundError: no such order, or not this member's.
        WrongStateError: it is on its way already, or over.
        ProofWaitingError: a proof of its payment waits to be looked at.
        TooMuchUnpaidError: it is why a new account may have so much waiting for bank transfers.
        KeyReusedError: the key named another request.
    """
    content = {"order": order_id, "reason": form.reason}
    attempt = key and Attempt(user_id, ROUTE, key, fingerprint(content))
    async with database.transaction() as tx:
        await repository.lock_open_orders(tx, user_id)
        known = await claim(tx, attempt) if attempt else None
        if known is not None:
            return Cancelled(CancelledOrder(**known), replayed=True)
        order = await hold_order(tx, user_id, order_id)
        require_move(order, OrderStatus.CANCELLED, OrderActor.MEMBER)
        if await repository.has_waiting_proof(tx, order_id):
            raise ProofWaitingError
        kind, status = OrderEventKind.CANCELLED, OrderStatus.CANCELLED
        move = OrderMove(kind, status, now, OrderActor.MEMBER, form.reason)
        await move_order(tx, order_id, move)
        refunded = await give_back(tx, order)
        await _require_still_allowed(tx, user_id, now)
        await notify(
            tx,
            user_id,
            NotificationKind.ORDER_CANCELLED,
            order_id,
            now,
            order_id=order_id,
            number=order["number"],
        )
        balance = await wallet.lock_balance(tx, user_id)
        answer = CancelledOrder(status=status, refunded=refunded, balance=balance)
        if attempt:
            stored = {"status": status.value, "refunded": refunded, "balance": balance}
            await store(tx, attempt, stored)
    return Cancelled(answer, replayed=False)


async def _require_still_allowed(tx: Transaction, user_id: UUID, now: datetime) -> None:
    """Keep a new account from holding more unpaid stock than it may without a paid order (T-7)."""
    buyer = await repository.read_buyer(tx, user_id)
    if rules.is_new_buyer(now - buyer["created_at"], has_paid=buyer["has_paid"]):
        waiting = await repository.list_open_orders(tx, user_id)
        if sum(order["units"] for order in waiting) > rules.NEW_ACCOUNT_UNITS:
            raise TooMuchUnpaidError(PAY_FIRST, content=unpaid(waiting))


async def give_back(tx: Transaction, order: Row) -> Kobo:
    """Put into the wallet what was paid for an order and not refunded yet; return it in kobo."""
    transfer_id = order["transfer_id"]
    if transfer_id is None:
        return await credit_waiting(tx, [order["id"]])
    left = Kobo(order["total_kobo"] - await wallet.refunded(tx, transfer_id))
    if left > 0:
        await wallet.refund(
            tx, order["user_id"], left, reverses=transfer_id, reference=f"cancel:{order['id']}"
        )
        await repository.note_all_refunded(tx, order["id"])
    return left


async def owed(tx: Transaction, user_id: UUID) -> Kobo:
    """Return what cancelling all that is not on its way would give back; the member is held."""
    return await repository.read_owed(tx, user_id)


async def cancel_all(tx: Transaction, user_id: UUID, now: datetime) -> None:
    """Cancel every order of a member who leaves that is not on its way; the member is held.

    What was paid for them, and parts of transfers, go to the wallet before it is looked into.
    """
    orders = await repository.lock_unsent(tx, user_id)
    ids = [order["id"] for order in orders]
    kind, status = OrderEventKind.CANCELLED, OrderStatus.CANCELLED
    await end_orders(tx, ids, OrderMove(kind, status, now, OrderActor.MEMBER))
    for order in orders:
        await give_back(tx, order)
