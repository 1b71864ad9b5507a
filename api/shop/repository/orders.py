from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Any
from uuid import UUID

from api.foundation.core.money import Kobo
from api.foundation.database.database import Database, Runner, Transaction
from api.foundation.database.statements import Query
from api.shop.enums import OrderActor, OrderEventKind, OrderStatus
from api.shop.rules import PROOF_REVIEW_PERIOD

# An order with a proof of payment under review does not expire.
UNPAID = (
    "status = 'pending' AND NOT is_paid AND pay_by <= $1 AND NOT EXISTS "
    "(SELECT FROM transfer_proof p WHERE p.order_id = shop_order.id AND p.state = 'waiting')"
)
UNREMINDED = UNPAID + " AND reminded_at IS NULL"
# It expires after all if the review took too long ($3).
DUE = f"""({UNPAID} OR status = 'pending' AND NOT is_paid AND id IN (
  SELECT order_id FROM transfer_proof WHERE state = 'waiting' AND uploaded_at <= $3))
"""  # noqa: S608 our own words
# Members are locked before their orders, as everywhere; this waits for an account deletion.
LOCK_MEMBERS = """
SELECT hold_member(user_id) FROM (SELECT DISTINCT user_id FROM (
  SELECT user_id FROM shop_order WHERE {which} ORDER BY pay_by, id LIMIT $2) first
 ORDER BY user_id) owners
"""
# Orders that another transaction is deciding are left for the next run.
LOCK = """
SELECT id FROM shop_order
 WHERE {which} ORDER BY pay_by, id LIMIT $2 FOR NO KEY UPDATE SKIP LOCKED
"""
# A proof may have been uploaded or decided before the lock: read again what is locked.
READ_LOCKED = """
SELECT id, number, user_id, pay_by FROM shop_order
 WHERE id = ANY (${last}::uuid[]) AND {which} ORDER BY pay_by, id LIMIT $2
"""
RECORD_REMINDED = "UPDATE shop_order SET reminded_at = $2 WHERE id = ANY ($1::uuid[])"
MOVE = "UPDATE shop_order SET status = $2 WHERE id = ANY ($1::uuid[])"
INSERT_EVENT = """
INSERT INTO order_event (order_id, kind, status, at, actor, note)
SELECT id, $2, $3, $4, $5, $6 FROM unnest($1::uuid[]) WITH ORDINALITY AS moved (id, place)
 ORDER BY place
"""
ORDER = """
SELECT o.id, o.number, o.user_id, o.status, o.payment_method, o.is_paid, o.total_kobo, o.billing,
       o.delivery_fee_kobo, o.transfer_id, o.pay_by, o.created_at
  FROM shop_order o WHERE
"""
READ_OWNER = "SELECT user_id FROM shop_order WHERE id = $1"
# Paid orders less their refunds, and waiting parts of transfers.
READ_OWED = """
SELECT coalesce(sum(CASE WHEN o.transfer_id IS NOT NULL THEN o.total_kobo - (
         SELECT coalesce(sum(r.amount_kobo), 0) FROM ledger_transfer r
          WHERE r.reverses_id = o.transfer_id)
       ELSE (SELECT coalesce(sum(b.amount_kobo), 0) FROM bank_receipt b
              WHERE b.order_id = o.id AND b.credited_kobo IS NULL) END), 0)::bigint
  FROM shop_order o WHERE o.user_id = $1 AND o.status IN ('pending', 'processing')
"""
RECORD_ALL_REFUNDED = """
UPDATE order_line SET refunded_quantity = quantity
 WHERE order_id = $1 AND refunded_quantity < quantity
"""


@dataclass(frozen=True)
class UnpaidOrder:
    id: UUID
    number: str
    user_id: UUID
    pay_by: datetime


LOCK_DUE = LOCK.format(which=DUE)
LOCK_UNREMINDED = LOCK.format(which=UNREMINDED)
READ_DUE = Query(READ_LOCKED.format(which=DUE, last=4), UnpaidOrder)
READ_UNREMINDED = Query(READ_LOCKED.format(which=UNREMINDED, last=3), UnpaidOrder)


@dataclass(frozen=True)
class OrderSummary:
    id: UUID
    number: str
    status: str
    payment_method: str
    is_paid: bool
    total_kobo: Kobo
    billing: dict[str, Any]
    pay_by: datetime | None
    created_at: datetime


@dataclass(frozen=True)
class OrderRow(OrderSummary):
    """An order; ``transfer_id`` is the ledger's transfer that paid for it."""

    user_id: UUID
    delivery_fee_kobo: Kobo
    transfer_id: UUID | None


READ_ORDER = Query(ORDER + " o.user_id = $1 AND (o.id = $2 OR o.number = $3)", OrderRow)
LOCK_ANY_ORDER = Query(ORDER + " o.id = $1 FOR NO KEY UPDATE", OrderRow)
LOCK_ORDER = Query(ORDER + " o.user_id = $1 AND o.id = $2 FOR NO KEY UPDATE", OrderRow)
LOCK_UNSENT = Query(
    ORDER + " o.user_id = $1 AND o.status IN ('pending', 'processing') ORDER BY o.id"
    " FOR NO KEY UPDATE",
    OrderRow,
)


@dataclass(frozen=True)
class OrderLineRow:
    line: int
    product_id: UUID
    variant_id: UUID
    size: str | None
    name: str
    price_kobo: Kobo
    quantity: int
    refunded_quantity: int
    thumbnail: str


LIST_LINES = Query(
    """
SELECT line, product_id, variant_id, size, name, price_kobo, quantity, refunded_quantity, thumbnail
  FROM order_line WHERE order_id = $1 ORDER BY line
""",
    OrderLineRow,
)


@dataclass(frozen=True)
class ListedOrderLine(OrderSummary, OrderLineRow):
    """A line in a list of orders, with its order."""


LIST_ORDERS = Query(
    """
SELECT o.id, o.number, o.status, o.payment_method, o.is_paid, o.total_kobo, o.billing,
       o.pay_by, o.created_at, l.line, l.product_id, l.variant_id, l.size, l.name, l.price_kobo,
       l.quantity, l.refunded_quantity, l.thumbnail
  FROM (SELECT * FROM shop_order WHERE user_id = $1
         ORDER BY created_at DESC, id DESC LIMIT $2) o
  JOIN order_line l ON l.order_id = o.id
 ORDER BY o.created_at DESC, o.id DESC, l.line
""",
    ListedOrderLine,
)


@dataclass(frozen=True)
class OrderEventRow:
    kind: str
    status: str
    at: datetime
    actor: str
    note: str | None


LIST_EVENTS = Query(
    "SELECT kind, status, at, actor, note FROM order_event WHERE order_id = $1 ORDER BY id",
    OrderEventRow,
)


@dataclass(frozen=True)
class PaidOrder:
    id: UUID
    number: str
    transfer_id: UUID


LIST_PAID_BY = Query(
    "SELECT id, number, transfer_id FROM shop_order WHERE transfer_id = ANY ($1)", PaidOrder
)


@dataclass(frozen=True)
class OrderMove:
    kind: OrderEventKind
    status: OrderStatus
    at: datetime
    actor: OrderActor
    note: str | None = None


async def lock_due(tx: Transaction, now: datetime, limit: int) -> Sequence[UnpaidOrder]:
    """Lock up to ``limit`` open orders whose time to pay is over; skips orders locked elsewhere.

    An order with a proof under review is due when the review took too long.
    """
    bounds = (now, limit, now - PROOF_REVIEW_PERIOD)
    return await _lock_open(tx, DUE, LOCK_DUE, READ_DUE, bounds)


async def lock_to_remind(tx: Transaction, before: datetime, limit: int) -> Sequence[UnpaidOrder]:
    """Lock up to ``limit`` open orders that expire before ``before`` and were not reminded of."""
    return await _lock_open(tx, UNREMINDED, LOCK_UNREMINDED, READ_UNREMINDED, (before, limit))


async def _lock_open(
    tx: Transaction,
    which: str,
    lock: str,
    read_locked: Query[UnpaidOrder],
    bounds: Sequence[datetime | int],
) -> Sequence[UnpaidOrder]:
    await tx.execute(LOCK_MEMBERS.format(which=which), *bounds)
    locked = await tx.fetch_column(lock, *bounds)
    return await tx.fetch_rows(read_locked, *bounds, locked) if locked else []


async def record_reminded(tx: Transaction, order_ids: Sequence[UUID], now: datetime) -> None:
    await tx.execute(RECORD_REMINDED, order_ids, now)


async def lock_order(tx: Transaction, user_id: UUID, order_id: UUID) -> OrderRow | None:
    return await tx.fetch_row(LOCK_ORDER, user_id, order_id)


async def lock_unsent(tx: Transaction, user_id: UUID) -> Sequence[OrderRow]:
    """Lock a member's orders that are not yet shipped."""
    return await tx.fetch_rows(LOCK_UNSENT, user_id)


async def read_owed(tx: Transaction, user_id: UUID) -> Kobo:
    """Return the money received for a member's unshipped orders that is not yet refunded."""
    return Kobo(await tx.fetch_value(READ_OWED, user_id))


async def lock_any_order(tx: Transaction, order_id: UUID) -> OrderRow | None:
    return await tx.fetch_row(LOCK_ANY_ORDER, order_id)


async def read_owner(tx: Transaction, order_id: UUID) -> UUID | None:
    owner: UUID | None = await tx.fetch_value(READ_OWNER, order_id)
    return owner


async def insert_event(tx: Transaction, order_id: UUID, event: OrderMove) -> None:
    """Insert an event that leaves the status of a locked order unchanged."""
    await _insert_events(tx, [order_id], event)


async def _insert_events(tx: Transaction, order_ids: Sequence[UUID], event: OrderMove) -> None:
    kind, status, actor = event.kind.value, event.status.value, event.actor.value
    await tx.execute(INSERT_EVENT, order_ids, kind, status, event.at, actor, event.note)


async def read_order(
    database: Runner, user_id: UUID, order_id: UUID | None, number: str
) -> OrderRow | None:
    return await database.fetch_row(READ_ORDER, user_id, order_id, number)


async def list_lines(database: Runner, order_id: UUID) -> Sequence[OrderLineRow]:
    return await database.fetch_rows(LIST_LINES, order_id)


async def list_events(database: Database, order_id: UUID) -> Sequence[OrderEventRow]:
    """Return an order's events, oldest first."""
    return await database.fetch_rows(LIST_EVENTS, order_id)


async def move(tx: Transaction, order_ids: Sequence[UUID], to: OrderMove) -> None:
    """Change the status of locked orders, and insert one event each."""
    await tx.execute(MOVE, order_ids, to.status.value)
    await _insert_events(tx, order_ids, to)


async def record_all_refunded(tx: Transaction, order_id: UUID) -> None:
    await tx.execute(RECORD_ALL_REFUNDED, order_id)


async def list_orders(database: Database, user_id: UUID, limit: int) -> Sequence[ListedOrderLine]:
    """Return the lines of a member's newest orders, newest order first."""
    return await database.fetch_rows(LIST_ORDERS, user_id, limit)


async def list_paid_by(database: Database, transfer_ids: Sequence[UUID]) -> Sequence[PaidOrder]:
    return await database.fetch_rows(LIST_PAID_BY, transfer_ids)
