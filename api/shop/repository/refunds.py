from uuid import UUID

from api.foundation.database.database import Transaction

RECORD_REFUNDED = """
UPDATE order_line SET refunded_quantity = refunded_quantity + $3 WHERE order_id = $1 AND line = $2
"""
# Units of an order that is not shipped yet are allocated; later they are gone.
RELEASE_UNITS = "UPDATE product_variant SET allocated = allocated - $2 WHERE id = $1"
WRITE_OFF_UNITS = """
UPDATE product_variant SET stock = stock - $2, allocated = allocated - $2 WHERE id = $1
"""
RESTOCK_UNITS = "UPDATE product_variant SET stock = stock + $2 WHERE id = $1"


async def record_refunded(tx: Transaction, order_id: UUID, line: int, quantity: int) -> None:
    """Record refunded units of a line; the caller has locked the order."""
    await tx.execute(RECORD_REFUNDED, order_id, line, quantity)


async def release_units(tx: Transaction, variant_id: UUID, units: int) -> None:
    await tx.execute(RELEASE_UNITS, variant_id, units)


async def write_off_units(tx: Transaction, variant_id: UUID, units: int) -> None:
    """Write off allocated units: they leave the stock for no order."""
    await tx.execute(WRITE_OFF_UNITS, variant_id, units)


async def restock_units(tx: Transaction, variant_id: UUID, units: int) -> None:
    await tx.execute(RESTOCK_UNITS, variant_id, units)
