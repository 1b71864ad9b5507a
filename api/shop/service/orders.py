"""Placed orders: listed, and expired when they are not paid."""

from collections.abc import Sequence
from datetime import datetime
from itertools import groupby
from typing import Any
from uuid import UUID

import structlog

from api.foundation.core import clock
from api.foundation.core.config import Settings
from api.foundation.core.errors import NotFoundError
from api.foundation.core.ids import parse_id
from api.foundation.core.supervisor import Job
from api.foundation.database.database import Database, Transaction
from api.messaging.notifications.enums import NotificationKind
from api.messaging.notifications.rules.messages import Fact
from api.messaging.notifications.service import notify
from api.money.wallet.service import ledger, reviews
from api.shop import rules
from api.shop.enums import OrderActor, OrderEventKind, OrderStatus, PaymentMethod, ProofState
from api.shop.repository import orders, transfers
from api.shop.repository import proofs as proofs_repository
from api.shop.repository.orders import (
    ListedOrderLine,
    OrderEventRow,
    OrderLineRow,
    OrderMove,
    OrderRow,
    OrderSummary,
    UnpaidOrder,
)
from api.shop.schemas.orders import OrderAnswer, OrderDetail, OrderedProduct, OrderEventAnswer
from api.shop.service.checkout import transfer_instructions
from api.shop.service.moving import end_orders
from api.shop.service.proofs import may_upload, proof_answer
from api.shop.service.settling import credit_waiting

log = structlog.get_logger(__name__)

MAX_ORDERS = 100
EXPIRY_BATCH = 100
EXPIRY_INTERVAL_SECONDS = 60.0


async def list_orders(
    database: Database, user_id: UUID, limit: int = MAX_ORDERS
) -> list[OrderAnswer]:
    """Return a member's orders, newest first."""
    rows = await orders.list_orders(database, user_id, limit)
    return [_order(list(lines)) for _, lines in groupby(rows, key=lambda row: row.id)]


async def read_order(
    database: Database, settings: Settings, user_id: UUID, name: str
) -> OrderDetail:
    """Return one of a member's orders with its events, by its id or its number.

    Raises:
        NotFoundError: no such order, or not this member's.
    """
    order = await orders.read_order(database, user_id, parse_id(name), name.upper())
    if order is None:
        raise NotFoundError
    return OrderDetail(**await detail_facts(database, settings, order))


async def detail_facts(database: Database, settings: Settings, order: OrderRow) -> dict[str, Any]:
    """Return the fields of one order, with its events."""
    lines = await orders.list_lines(database, order.id)
    events = await orders.list_events(database, order.id)
    transfer_id, total = order.transfer_id, order.total_kobo
    by_wallet = order.payment_method == PaymentMethod.WALLET
    status = OrderStatus(order.status)
    waits = status is OrderStatus.PENDING
    uploaded = await proofs_repository.list_proofs(database, order.id)
    proofs = [proof for proof in uploaded if proof.state != ProofState.REPLACED]
    is_under_review = any(proof.state == ProofState.WAITING for proof in proofs)
    may_cancel = rules.may_move(status, OrderStatus.CANCELLED, OrderActor.MEMBER)
    return {
        **order_facts(order, lines),
        "items_total": total - order.delivery_fee_kobo,
        "delivery_fee": order.delivery_fee_kobo,
        "refunded_total": 0
        if transfer_id is None
        else await ledger.refunded(database, transfer_id),
        "received": total if by_wallet else await transfers.read_received(database, order.id),
        "under_review": 0
        if by_wallet
        else await reviews.surplus(database, order.user_id, order.id),
        "transfer": await transfer_instructions(database, settings) if waits else None,
        "events": [_placed(order), *(_event(event) for event in events)],
        "proofs": [proof_answer(proof, status) for proof in proofs],
        "can_cancel": may_cancel and not is_under_review,
        "can_upload_proof": may_upload(order, len(uploaded), clock.now()),
    }


def _placed(order: OrderRow) -> OrderEventAnswer:
    return OrderEventAnswer(
        kind="placed",
        status=rules.FIRST_STATUS[PaymentMethod(order.payment_method)],
        at=order.created_at,
        by=OrderActor.MEMBER,
        note=None,
    )


def _event(row: OrderEventRow) -> OrderEventAnswer:
    return OrderEventAnswer(
        kind=OrderEventKind(row.kind),
        status=OrderStatus(row.status),
        at=row.at,
        by=OrderActor(row.actor),
        note=row.note,
    )


async def expire_orders(database: Database, now: datetime) -> int:
    """Expire every open order whose time to pay is over at ``now``; return how many.

    An order whose proof is under review expires after a week of review. An order expires once,
    however many callers run concurrently and wherever one of them dies.
    """
    expired = 0
    while True:
        async with database.transaction() as tx:
            batch = await expire_batch(tx, now, EXPIRY_BATCH)
        expired += batch
        if batch < EXPIRY_BATCH:
            return expired


async def expire_batch(tx: Transaction, now: datetime, limit: int) -> int:
    """Expire up to ``limit`` due orders that no other transaction has locked; return how many.

    Their stock is released with the status change. Locks: the members, the orders, sizes by id.
    """
    due = await orders.lock_due(tx, now, limit)
    if due:
        ids = [row.id for row in due]
        kind, status = OrderEventKind.EXPIRED, OrderStatus.EXPIRED
        await end_orders(tx, ids, OrderMove(kind, status, now, OrderActor.CLOCK))
        await proofs_repository.expire_proofs(tx, ids, now)
        await credit_waiting(tx, ids)
        for row in due:
            await _notify(tx, NotificationKind.ORDER_EXPIRED, row, now)
    return len(due)


async def remind_batch(tx: Transaction, now: datetime, limit: int) -> int:
    """Remind the members of up to ``limit`` orders that end within half a day; return how many."""
    ending = await orders.lock_to_remind(tx, now + rules.REMINDER_LEAD_TIME, limit)
    if ending:
        await orders.record_reminded(tx, [row.id for row in ending], now)
        for row in ending:
            await _notify(tx, NotificationKind.ORDER_EXPIRING, row, now, pay_by=row.pay_by)
    return len(ending)


async def _notify(
    tx: Transaction, kind: NotificationKind, order: UnpaidOrder, now: datetime, **facts: Fact
) -> None:
    facts |= {"order_id": order.id, "number": order.number}
    await notify(tx, order.user_id, kind, order.id, now, **facts)


async def expire_orders_once(database: Database) -> int:
    """Expire the orders that are due now; return how many."""
    expired = await expire_orders(database, clock.now())
    if expired:
        log.info("orders expired", orders=expired)
    return expired


async def remind_once(database: Database) -> int:
    """Remind members of orders that expire soon; return how many."""
    async with database.transaction() as tx:
        return await remind_batch(tx, clock.now(), EXPIRY_BATCH)


def expire_job(database: Database) -> Job:
    """Return the job that expires orders."""

    async def step() -> None:
        await expire_orders_once(database)
        await remind_once(database)

    return Job(name="expire_orders", step=step, every_seconds=EXPIRY_INTERVAL_SECONDS)


def _order(lines: list[ListedOrderLine]) -> OrderAnswer:
    return OrderAnswer(**order_facts(lines[0], lines))


def order_facts(order: OrderSummary, lines: Sequence[OrderLineRow]) -> dict[str, Any]:
    """Return the fields that every order in an answer has."""
    return {
        "id": order.id,
        "order_number": order.number,
        "product_meta_data": [
            OrderedProduct(
                line=line.line,
                id=line.product_id,
                name=line.name,
                price=line.price_kobo,
                thumbnail=line.thumbnail,
                quantity=line.quantity,
                variant_id=line.variant_id if line.size is not None else None,
                size=line.size,
                refunded_quantity=line.refunded_quantity,
            )
            for line in lines
        ],
        "billing": order.billing,
        "status": OrderStatus(order.status),
        "is_paid": order.is_paid,
        "payment_method": PaymentMethod(order.payment_method),
        "total": order.total_kobo,
        "pay_by": order.pay_by,
        "created_at": order.created_at,
    }
