"""SQL of stock: allocated to orders, sold, and released."""

from collections.abc import Sequence
from dataclasses import dataclass
from uuid import UUID

from api.foundation.database.database import Transaction
from api.foundation.database.statements import Query

# Variants are locked in the lock order of checkouts.
LOCK_ORDERED = """
SELECT id FROM product_variant
 WHERE id IN (SELECT variant_id FROM order_line WHERE order_id = ANY ($1::uuid[]))
 ORDER BY id FOR NO KEY UPDATE
"""
# What is still allocated to an order: refunded units are not shipped.
RELEASE = """
UPDATE product_variant v SET allocated = v.allocated - ordered.units
  FROM (SELECT variant_id, sum(quantity - refunded_quantity)::int AS units FROM order_line
         WHERE order_id = ANY ($1::uuid[]) GROUP BY variant_id) ordered
 WHERE v.id = ordered.variant_id
"""
SELL = """
UPDATE product_variant v
   SET stock = v.stock - ordered.units, allocated = v.allocated - ordered.units
  FROM (SELECT variant_id, sum(quantity - refunded_quantity)::int AS units FROM order_line
         WHERE order_id = $1 GROUP BY variant_id) ordered
 WHERE v.id = ordered.variant_id
"""
# Everything that an expired order had allocated is available again, or nothing is allocated.
ALLOCATE = """
WITH ordered AS (SELECT variant_id, sum(quantity)::int AS units FROM order_line
                  WHERE order_id = $1 GROUP BY variant_id)
UPDATE product_variant v SET allocated = v.allocated + o.units FROM ordered o
 WHERE v.id = o.variant_id
"""
CAN_ALLOCATE = """
SELECT NOT EXISTS (
  SELECT FROM (SELECT variant_id, sum(quantity) AS units FROM order_line
                WHERE order_id = $1 GROUP BY variant_id) one
    JOIN product_variant w ON w.id = one.variant_id
   WHERE w.stock - w.allocated < one.units)
"""


@dataclass(frozen=True)
class OrderedVariant:
    product_id: UUID
    variant_id: UUID


LIST_ORDERED = Query(
    "SELECT product_id, variant_id FROM order_line WHERE order_id = $1", OrderedVariant
)


async def release(tx: Transaction, order_ids: Sequence[UUID]) -> None:
    """Release what is allocated to these orders, which the caller has locked."""
    await _lock_variants(tx, order_ids)
    await tx.execute(RELEASE, order_ids)


async def sell(tx: Transaction, order_id: UUID) -> None:
    """Remove what is allocated to an order from stock when it ships; the caller has locked it."""
    await _lock_variants(tx, [order_id])
    await tx.execute(SELL, order_id)


async def allocate(tx: Transaction, order_id: UUID) -> bool:
    """Allocate an order's units again; return False, and change nothing, if stock is short."""
    is_there = await can_allocate(tx, order_id)
    if is_there:
        await tx.execute(ALLOCATE, order_id)
    return is_there


async def can_allocate(tx: Transaction, order_id: UUID) -> bool:
    """Return whether an order's units are available; they stay so until commit."""
    await _lock_variants(tx, [order_id])
    return bool(await tx.fetch_value(CAN_ALLOCATE, order_id))


async def list_ordered(tx: Transaction, order_id: UUID) -> list[UUID]:
    """Return the ids of an order's products and of their sizes."""
    rows = await tx.fetch_rows(LIST_ORDERED, order_id)
    return [id_ for row in rows for id_ in (row.product_id, row.variant_id)]


async def _lock_variants(tx: Transaction, order_ids: Sequence[UUID]) -> None:
    await tx.execute(LOCK_ORDERED, order_ids)
