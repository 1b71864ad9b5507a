"""The orders behind the transfers of a wallet."""

from collections.abc import Mapping, Sequence
from uuid import UUID

from api.database.database import Database
from api.shop.repository import orders
from api.wallet.enums import ReceiptKind
from api.wallet.ports import Movement, Origin


async def explain_purchases(
    database: Database, movements: Sequence[Movement]
) -> Mapping[UUID, Origin]:
    """Return the orders that the movements paid for."""
    rows = await orders.list_paid_by(database, [movement.id for movement in movements])
    return {
        row["transfer_id"]: Origin(f"Order {row['number']}", (ReceiptKind.ORDER, row["id"]))
        for row in rows
    }
