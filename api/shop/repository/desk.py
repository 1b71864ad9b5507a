"""SQL of orders as operators look at them."""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime
from uuid import UUID

from api.database.database import Database
from api.database.statements import Row

# The newest first, a page of orders and then their lines: ids are ordered by time.
LIST = """
WITH page AS (
  SELECT o.*, u.first_name, u.last_name, u.email, u.phone
    FROM shop_order o JOIN user_account u ON u.id = o.user_id
   WHERE ($1::text IS NULL OR o.number ILIKE $1 OR u.email ILIKE $1
          OR u.first_name || ' ' || u.last_name ILIKE $1)
     AND ($2::text IS NULL OR o.status = $2) AND ($3::text IS NULL OR o.payment_method = $3)
     AND ($4::timestamptz IS NULL OR o.created_at >= $4)
     AND ($5::timestamptz IS NULL OR o.created_at < $5)
     AND ($6::text IS NULL OR EXISTS
          (SELECT FROM transfer_proof t WHERE t.order_id = o.id AND t.state = $6))
     AND ($7::uuid IS NULL OR o.id < $7)
   ORDER BY o.id DESC LIMIT $8)
SELECT p.id, p.number, p.user_id, p.status, p.payment_method, p.is_paid, p.total_kobo, p.billing,
       p.pay_by, p.created_at, p.first_name, p.last_name, p.email, p.phone,
       l.line, l.product_id, l.variant_id, l.size, l.name, l.price_kobo, l.quantity,
       l.refunded_quantity, l.thumbnail
  FROM page p JOIN order_line l ON l.order_id = p.id
 ORDER BY p.id DESC, l.line
"""
READ = """
SELECT o.id, o.number, o.user_id, o.status, o.payment_method, o.is_paid, o.total_kobo, o.billing,
       o.delivery_fee_kobo, o.transfer_id, o.pay_by, o.created_at,
       u.first_name, u.last_name, u.email, u.phone
  FROM shop_order o JOIN user_account u ON u.id = o.user_id
 WHERE o.id = $1 OR o.number = $2
"""


@dataclass(frozen=True)
class OrderFilter:
    """Which orders are looked for; None is any. ``q`` is a pattern, moments end before ``until``.

    ``before`` is the id of the last order of the page before.
    """

    q: str | None
    status: str | None
    method: str | None
    proof: str | None
    since: datetime | None
    until: datetime | None
    before: UUID | None


async def list_all_orders(database: Database, wanted: OrderFilter, limit: int) -> Sequence[Row]:
    """Return the lines of up to ``limit`` orders with whose they are, newest order first."""
    return await database.fetch_rows(
        LIST,
        wanted.q,
        wanted.status,
        wanted.method,
        wanted.since,
        wanted.until,
        wanted.proof,
        wanted.before,
        limit,
    )


async def read_any_order(database: Database, order_id: UUID | None, number: str) -> Row | None:
    """Return an order with whose it is, by its id or its number."""
    return await database.fetch_row(READ, order_id, number)
