"""SQL of the checkout, which is a single statement: ``place_orders``."""

import json
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Any
from uuid import UUID

from asyncpg import UniqueViolationError

from api.foundation.core.money import Kobo
from api.foundation.core.strict_json import read_json
from api.foundation.database.database import Runner, Transaction
from api.foundation.database.errors import DatabaseRefusal
from api.foundation.database.locks import AdvisoryLock
from api.foundation.database.statements import Query

PLACE_ORDERS = "SELECT place_orders($1::text::jsonb)"
LOCK_OPEN = "SELECT pg_advisory_xact_lock(hashtextextended($1::uuid::text, $2))"


@dataclass(frozen=True)
class WaitingOrder:
    id: UUID
    number: str
    total_kobo: Kobo
    created_at: datetime
    pay_by: datetime
    units: int


LIST_OPEN = Query(
    """
SELECT o.id, o.number, o.total_kobo, o.created_at, o.pay_by,
       (SELECT sum(l.quantity)::int FROM order_line l WHERE l.order_id = o.id) AS units
  FROM shop_order o
 WHERE o.user_id = $1 AND o.status = 'pending' AND NOT o.is_paid ORDER BY o.id
""",
    WaitingOrder,
)


@dataclass(frozen=True)
class Buyer:
    created_at: datetime
    has_paid: bool


# A paid order that was cancelled or refunded does not count.
READ_BUYER = Query(
    """
SELECT u.created_at, EXISTS (
         SELECT FROM shop_order o WHERE o.user_id = u.id AND o.is_paid
            AND o.status IN ('processing', 'shipped', 'delivered')) AS has_paid
  FROM user_account u WHERE u.id = $1
""",
    Buyer,
)


class NumberTakenError(Exception):
    """Another order has this number; draw another one."""


@dataclass(frozen=True)
class NewOrder:
    """The input of a checkout in the database.

    ``lines`` are ``{id, variant, quantity, price_kobo}`` in any order, several per product allowed;
    without a variant it is the default. Price and ``seen_fee_kobo`` are what the member saw, None
    if unknown. ``pay_by`` is None for a wallet order.
    """

    id: UUID
    number: str
    user_id: UUID
    payment_method: str
    lines: list[dict[str, Any]]
    billing: dict[str, str]
    seen_fee_kobo: int | None
    keeps_address: bool
    key: str | None
    fingerprint: str
    now: datetime
    pay_by: datetime | None

    @property
    def only_size(self) -> str | None:
        """The only size that is ordered; None if there are several lines."""
        if len(self.lines) != 1:
            return None
        (line,) = self.lines
        return f"{line['id']}:{line['variant']}"


async def lock_open_orders(tx: Transaction, user_id: UUID) -> None:
    """Lock a member's orders by bank transfer until commit, so that no other is placed."""
    await tx.execute(LOCK_OPEN, user_id, AdvisoryLock.OPEN_ORDERS_OF_MEMBER)


async def list_open_orders(tx: Transaction, user_id: UUID) -> Sequence[WaitingOrder]:
    """Return a member's orders that wait for a bank transfer, oldest first."""
    return await tx.fetch_rows(LIST_OPEN, user_id)


async def read_buyer(tx: Transaction, user_id: UUID) -> Buyer:
    row = await tx.fetch_row(READ_BUYER, user_id)
    assert row is not None  # noqa: S101 its order was placed just now
    return row


async def place_orders(
    database: Runner, orders: Sequence[NewOrder]
) -> dict[UUID, dict[str, Any] | Exception]:
    """Place each order with its key, stock and money, atomically; keys must be distinct.

    Runs in one transaction, in which each order succeeds or fails alone. Returns the outcomes by
    id: ``{id, number, total_kobo, delivery_fee_kobo, pay_by, replayed}``, where ``replayed`` means
    that the key's order already existed; or a ``DatabaseRefusal`` with ``KF402`` money, ``KF404``
    account deleted, ``KF411`` stock, ``KF412`` price or fee, ``KF422`` key, ``KF424`` quantity,
    ``KF425`` total; or a ``NumberTakenError``.
    """
    # The lock order of every transaction that places orders.
    ordered = sorted(orders, key=lambda order: (order.user_id, order.key or ""))
    orders_json = json.dumps([_order_json(order) for order in ordered])
    answers: dict[str, dict[str, Any]] = await database.fetch_value(PLACE_ORDERS, orders_json)
    return {order.id: _outcome(answers[str(order.id)]) for order in orders}


async def place_order(database: Runner, order: NewOrder) -> dict[str, Any]:
    """Place one order; see ``place_orders``.

    Raises:
        DatabaseRefusal: nothing was written.
    """
    outcome = (await place_orders(database, [order]))[order.id]
    if isinstance(outcome, Exception):
        raise outcome
    return outcome


def _order_json(order: NewOrder) -> dict[str, Any]:
    return {
        "id": str(order.id),
        "number": order.number,
        "user_id": str(order.user_id),
        "method": order.payment_method,
        "lines": order.lines,
        "billing": order.billing,
        "seen_fee": order.seen_fee_kobo,
        "keeps_address": order.keeps_address,
        "key": order.key,
        "fingerprint": order.fingerprint,
        "now": order.now.isoformat(),
        "pay_by": None if order.pay_by is None else order.pay_by.isoformat(),
    }


def _outcome(answer: dict[str, Any]) -> dict[str, Any] | Exception:
    code = answer.get("refused")
    if code is None:
        return answer
    if code == UniqueViolationError.sqlstate:
        return NumberTakenError()
    facts = answer.get("facts")
    return DatabaseRefusal(code, read_json(facts) if facts else None)
