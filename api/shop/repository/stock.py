"""SQL of what is on the shelf: what orders hold of it, sell, and give back."""

from collections.abc import Sequence
from uuid import UUID

from api.database.database import Transaction

# Variants are held in the order in which checkouts hold them.
LOCK_ORDERED = """
SELECT id FROM product_variant
 WHERE id IN (SELECT variant_id FROM order_line WHERE order_id = ANY ($1::uuid[]))
 ORDER BY id FOR NO KEY UPDATE
"""
# What an order still holds: what was given back for is not sent.
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
# All of what an order held before it was let go is there again, or nothing is taken.
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
LIST_ORDERED = "SELECT product_id, variant_id FROM order_line WHERE order_id = $1"


async def release(tx: Transaction, order_ids: Sequence[UUID]) -> None:
    """Let others have what these orders held; the caller holds the orders."""
    await _hold(tx, order_ids)
    await tx.execute(RELEASE, order_ids)


async def sell(tx: Transaction, order_id: UUID) -> None:
    """Take what an order holds off the shelf: it is sent; the caller holds the order."""
    await _hold(tx, [order_id])
    await tx.execute(SELL, order_id)


async def allocate(tx: Transaction, order_id: UUID) -> bool:
    """Hold what an order needs once more; False, and nothing, when it is not there."""
    is_there = await can_allocate(tx, order_id)
    if is_there:
        await tx.execute(ALLOCATE, order_id)
    return is_there


async def can_allocate(tx: Transaction, order_id: UUID) -> bool:
    """Say whether what an order needs is there; it stays so until the transaction ends."""
    await _hold(tx, [order_id])
    return bool(await tx.fetch_value(CAN_ALLOCATE, order_id))


async def list_ordered(tx: Transaction, order_id: UUID) -> list[UUID]:
    """Return the ids of an order's products and of their sizes."""
    rows = await tx.fetch_rows(LIST_ORDERED, order_id)
    return [id_ for row in rows for id_ in (row["product_id"], row["variant_id"])]


async def _hold(tx: Transaction, order_ids: Sequence[UUID]) -> None:
    await tx.execute(LOCK_ORDERED, order_ids)
