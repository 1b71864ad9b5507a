"""SQL of the checkout, which is one statement: ``place_order``."""

import json
from dataclasses import dataclass
from datetime import datetime
from typing import Any
from uuid import UUID

from asyncpg import UniqueViolationError

from api.database.database import Database

OPEN_ORDERS_LOCK = 7_226_331_109  # any number, so that a member's lock here is nobody else's
PLACE_ORDER = """
SELECT place_order($1, $2, $3, $4, $5::text::jsonb, $6::text::jsonb, $7, $8, $9, $10, $11) AS answer
"""


class NumberTakenError(Exception):
    """Another order has the number that was drawn; draw again."""


@dataclass(frozen=True)
class NewOrder:
    """A checkout as the database takes it.

    ``lines`` are ``{id, quantity, price_kobo}`` in any order and number for one product; the price
    is what the member saw, None when not told. ``pay_by`` is None for a wallet order.
    """

    id: UUID
    number: str
    user_id: UUID
    payment_method: str
    lines: list[dict[str, Any]]
    billing: dict[str, str]
    key: str | None
    fingerprint: str
    now: datetime
    pay_by: datetime | None
    most_open: int


async def place_order(database: Database, order: NewOrder) -> dict[str, Any]:
    """Take key, stock and money and write the order, or nothing of it.

    Returns ``{id, number, total_kobo, pay_by, replayed}``; ``replayed`` when the key's order stood.

    Raises:
        DatabaseRefusal: ``KF402`` money, ``KF404`` the member has left, ``KF411`` stock, ``KF412``
            price, ``KF422`` key, ``KF424`` quantity, ``KF425`` total, ``KF426`` open orders.
        NumberTakenError: the number is another order's.
    """
    try:
        row = await database.fetch_row(
            PLACE_ORDER,
            order.id,
            order.number,
            order.user_id,
            order.payment_method,
            json.dumps(order.lines),
            json.dumps(order.billing),
            order.key,
            order.fingerprint,
            order.now,
            order.pay_by,
            order.most_open,
        )
    except UniqueViolationError as error:
        if error.constraint_name == "uq_shop_order_number":
            raise NumberTakenError from error
        raise
    if row is None:
        raise RuntimeError("place_order returned no row")
    answer: dict[str, Any] = row["answer"]
    return answer
