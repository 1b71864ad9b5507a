"""The orders behind the transfers of a wallet."""

from collections.abc import Mapping, Sequence
from uuid import UUID

from api.foundation.database.database import Database
from api.money.wallet.enums import ReceiptKind
from api.money.wallet.ports import Movement, Origin
from api.shop.repository import orders


async def explain_purchases(
    database: Database, movements: Sequence[Movement]
) -> Mapping[UUID, Origin]:
    """Return the orders that the movements paid for."""
    rows = await orders.list_paid_by(database, [movement.id for movement in movements])
    return {
        row.transfer_id: Origin(f"Order {row.number}", (ReceiptKind.ORDER, row.id)) for row in rows
    }
