from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any
from uuid import UUID

from api.foundation.core.money import Kobo
from api.foundation.database.database import Database, Transaction
from api.foundation.database.statements import Query

READ_ADDRESS = "SELECT billing FROM saved_address WHERE user_id = $1"
DELETE_ADDRESS = "DELETE FROM saved_address WHERE user_id = $1"


@dataclass(frozen=True)
class DeliveryPrice:
    state: str
    fee_kobo: Kobo


LIST_FEES = Query("SELECT state, fee_kobo FROM delivery_fee ORDER BY state", DeliveryPrice)


async def list_fees(database: Database) -> Sequence[DeliveryPrice]:
    """Return the fees by name of the state."""
    return await database.fetch_rows(LIST_FEES)


async def read_address(database: Database, user_id: UUID) -> dict[str, Any] | None:
    found: dict[str, Any] | None = await database.fetch_value(READ_ADDRESS, user_id)
    return found


async def delete_address(tx: Transaction, user_id: UUID) -> None:
    """Delete a member's saved address, if there is one."""
    await tx.execute(DELETE_ADDRESS, user_id)
