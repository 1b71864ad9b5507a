"""SQL of deliveries: fees and saved addresses."""

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
    """The delivery fee of a state."""

    state: str
    fee_kobo: Kobo


LIST_FEES = Query("SELECT state, fee_kobo FROM delivery_fee ORDER BY state", DeliveryPrice)


async def list_fees(database: Database) -> Sequence[DeliveryPrice]:
    """Return each state with its fee, by name."""
    return await database.fetch_rows(LIST_FEES)


async def read_address(database: Database, user_id: UUID) -> dict[str, Any] | None:
    """Return a member's saved address."""
    found: dict[str, Any] | None = await database.fetch_value(READ_ADDRESS, user_id)
    return found


async def delete_address(tx: Transaction, user_id: UUID) -> None:
    """Delete a member's saved address; a missing one is not an error."""
    await tx.execute(DELETE_ADDRESS, user_id)
