"""What a movement of a wallet paid for here."""

from collections.abc import Mapping, Sequence
from uuid import UUID

from api.database.database import Database
from api.shop import repository
from api.wallet.enums import ReceiptKind
from api.wallet.ports import Movement, Origin


async def explain_purchases(
    database: Database, movements: Sequence[Movement]
) -> Mapping[UUID, Origin]:
    """Return which orders the movements have paid."""
    rows = await repository.list_paid_by(database, [movement.id for movement in movements])
    return {
        row["transfer_id"]: Origin(f"Order {row['number']}", (ReceiptKind.ORDER, row["id"]))
        for row in rows
    }
