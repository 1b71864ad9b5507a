from collections.abc import Sequence
from dataclasses import dataclass
from uuid import UUID

from api.foundation.core.money import Kobo
from api.foundation.database.database import Database
from api.foundation.database.days import Day, DayActivity
from api.foundation.database.statements import Query


@dataclass(frozen=True)
class OrderDay(DayActivity):
    amount_kobo: Kobo


COUNT_DAY = Query(
    """
SELECT count(*) AS count, coalesce(sum(total_kobo), 0)::bigint AS amount_kobo,
       coalesce(array_agg(DISTINCT user_id), '{}') AS members
  FROM shop_order WHERE id >= $1 AND id < $2 AND created_at >= $3 AND created_at < $4
""",
    OrderDay,
)


@dataclass(frozen=True)
class DaySales:
    """The orders placed in a day that were not cancelled, and those of them that are paid."""

    orders: int
    amount_kobo: Kobo
    paid: int
    paid_kobo: Kobo


@dataclass(frozen=True)
class LowStock:
    """A size on offer with few available units; ``size`` is None for a product without sizes."""

    product_id: UUID
    name: str
    size: str | None
    available: int


READ_SALES = Query(
    """
SELECT count(*) AS orders, coalesce(sum(total_kobo), 0)::bigint AS amount_kobo,
       count(*) FILTER (WHERE is_paid) AS paid,
       coalesce(sum(total_kobo) FILTER (WHERE is_paid), 0)::bigint AS paid_kobo
  FROM shop_order
 WHERE id >= $1 AND id < $2 AND created_at >= $3 AND created_at < $4
   AND status NOT IN ('cancelled', 'expired', 'refunded')
""",
    DaySales,
)
LIST_LOW_STOCK = Query(
    """
SELECT p.id AS product_id, p.name, v.size, v.stock - v.allocated AS available
  FROM product_variant v JOIN product p ON p.id = v.product_id
 WHERE NOT p.hidden AND NOT v.hidden AND v.stock - v.allocated <= $1
 ORDER BY available, p.position, p.id, v.position, v.id LIMIT $2
""",
    LowStock,
)


async def read_sales(database: Database, day: Day) -> DaySales:
    row = await database.fetch_row(READ_SALES, day.first_id, day.end_id, day.since, day.until)
    assert row is not None  # noqa: S101 a count has a row
    return row


async def list_low_stock(database: Database, most: int, limit: int) -> Sequence[LowStock]:
    """Return the sizes with at most so many available units, the fewest first."""
    return await database.fetch_rows(LIST_LOW_STOCK, most, limit)


async def count_day(database: Database, day: Day) -> OrderDay:
    row = await database.fetch_row(COUNT_DAY, day.first_id, day.end_id, day.since, day.until)
    assert row is not None  # noqa: S101 a count has a row
    return row
