"""SQL of products and orders. A checkout is one statement, ``place_order``."""

import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Any
from uuid import UUID

from asyncpg import UniqueViolationError
from sqlalchemy import func, insert, select

from api.database.database import Database, Transaction
from api.database.statements import Row
from api.media.storage import media_url
from api.shop.models import Product

ADDING_LOCK = 7_226_331_112  # any number, the same for everybody who adds products
OPEN_ORDERS_LOCK = 7_226_331_109  # any number, so that a member's lock here is nobody else's
COLUMNS = """
SELECT id, name, price_kobo, description, image, thumbnail, star, least(stock, 99) AS available
  FROM product
"""
LIST_PRODUCTS = COLUMNS + " WHERE NOT hidden ORDER BY position, id LIMIT 500"
READ_PRODUCT = COLUMNS + " WHERE id = $1 AND NOT hidden"
PLACE_ORDER = """
SELECT place_order($1, $2, $3, $4, $5::text::jsonb, $6::text::jsonb, $7, $8, $9, $10, $11) AS answer
"""
LIST_NAMED_URLS = """
SELECT image AS url FROM product WHERE image = ANY ($1::text[])
UNION ALL
SELECT thumbnail FROM product WHERE thumbnail = ANY ($1::text[])
"""
# Orders that somebody else is deciding right now are left for the next time.
LOCK_DUE = """
SELECT id FROM shop_order
 WHERE status = 'pending' AND NOT is_paid AND pay_by <= $1
 ORDER BY pay_by, id LIMIT $2 FOR UPDATE SKIP LOCKED
"""
LOCK_ORDERED = """
SELECT id FROM product
 WHERE id IN (SELECT product_id FROM order_line WHERE order_id = ANY ($1::uuid[]))
 ORDER BY id FOR NO KEY UPDATE
"""
RETURN_STOCK = """
UPDATE product p SET stock = p.stock + given.back
  FROM (SELECT product_id, sum(quantity)::int AS back FROM order_line
         WHERE order_id = ANY ($1::uuid[]) GROUP BY product_id) given
 WHERE p.id = given.product_id
"""
EXPIRE = "UPDATE shop_order SET status = 'expired' WHERE id = ANY ($1::uuid[])"
LIST_ORDERS = """
SELECT o.id, o.number, o.status, o.payment_method, o.is_paid, o.total_kobo, o.billing,
       o.pay_by, o.created_at, l.product_id, l.name, l.price_kobo, l.quantity, l.thumbnail
  FROM (SELECT * FROM shop_order WHERE user_id = $1 ORDER BY id DESC LIMIT $2) o
  JOIN order_line l ON l.order_id = o.id
 ORDER BY o.id DESC, l.line
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


async def list_products(database: Database) -> Sequence[Row]:
    """Return the products that are shown, in their order."""
    return await database.fetch_rows(LIST_PRODUCTS)


async def read_product(database: Database, product_id: UUID) -> Row | None:
    """Return one product's row, or None when unknown or hidden."""
    return await database.fetch_row(READ_PRODUCT, product_id)


async def lock_adding(tx: Transaction) -> None:
    """Let nobody else add products before this transaction ends: a name has no index."""
    await tx.execute("SELECT pg_advisory_xact_lock($1)", ADDING_LOCK)


async def list_names(tx: Transaction) -> set[str]:
    """Return the names of all products, hidden ones too."""
    return {row["name"] for row in await tx.fetch_rows(select(Product.name))}


async def insert_product(tx: Transaction, product_id: UUID, values: Mapping[str, Any]) -> None:
    """Insert a product behind the others."""
    last = select(func.coalesce(func.max(Product.position), -1) + 1).scalar_subquery()
    await tx.execute(insert(Product).values(id=product_id, position=last, **values))


async def list_named_keys(database: Database, keys: Sequence[str]) -> set[str]:
    """Return which of ``keys`` a product's pictures are."""
    urls = {media_url(key): key for key in keys}
    rows = await database.fetch_rows(LIST_NAMED_URLS, list(urls))
    return {urls[row["url"]] for row in rows}


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


async def lock_due(tx: Transaction, now: datetime, most: int) -> list[UUID]:
    """Hold up to ``most`` open orders whose time to pay is over, and that nobody else holds."""
    return [row["id"] for row in await tx.fetch_rows(LOCK_DUE, now, most)]


async def lock_ordered(tx: Transaction, order_ids: Sequence[UUID]) -> None:
    """Hold the products of these orders, in the order in which checkouts hold them."""
    await tx.execute(LOCK_ORDERED, order_ids)


async def change_expired(tx: Transaction, order_ids: Sequence[UUID]) -> None:
    """Expire orders and give their stock back; the caller holds both."""
    await tx.execute(RETURN_STOCK, order_ids)
    await tx.execute(EXPIRE, order_ids)


async def list_orders(database: Database, user_id: UUID, limit: int) -> Sequence[Row]:
    """Return the lines of a member's newest orders, newest order first."""
    return await database.fetch_rows(LIST_ORDERS, user_id, limit)
