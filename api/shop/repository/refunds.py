"""SQL of orders of which something is given back."""

from uuid import UUID

from api.database.database import Transaction

NOTE_REFUNDED = """
UPDATE order_line SET refunded_quantity = refunded_quantity + $3 WHERE order_id = $1 AND line = $2
"""
# Where the units are decides what becomes of them: held for an order that is not sent yet, or gone.
RELEASE_UNITS = "UPDATE product_variant SET allocated = allocated - $2 WHERE id = $1"
LOSE_UNITS = """
UPDATE product_variant SET stock = stock - $2, allocated = allocated - $2 WHERE id = $1
"""
RESTOCK_UNITS = "UPDATE product_variant SET stock = stock + $2 WHERE id = $1"


async def note_refunded(tx: Transaction, order_id: UUID, line: int, quantity: int) -> None:
    """Write down that some of a line were given back for; the caller holds the order."""
    await tx.execute(NOTE_REFUNDED, order_id, line, quantity)


async def release_units(tx: Transaction, variant_id: UUID, units: int) -> None:
    """Let others have units that an order held."""
    await tx.execute(RELEASE_UNITS, variant_id, units)


async def lose_units(tx: Transaction, variant_id: UUID, units: int) -> None:
    """Take units that an order held off the shelf: nobody gets them."""
    await tx.execute(LOSE_UNITS, variant_id, units)


async def restock_units(tx: Transaction, variant_id: UUID, units: int) -> None:
    """Put units that came back on the shelf."""
    await tx.execute(RESTOCK_UNITS, variant_id, units)
