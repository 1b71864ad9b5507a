from dataclasses import dataclass
from datetime import datetime
from uuid import UUID

from api.foundation.database.database import Transaction
from api.money.wallet.enums import AdjustmentCategory

INSERT = """
INSERT INTO wallet_adjustment
       (id, user_id, operator_id, approval_id, amount_kobo, category, reason, created_at)
VALUES ($1, $2, $3, $4, $5, $6, $7, $8)
"""


@dataclass(frozen=True)
class NewAdjustment:
    """A change of a wallet by hand; without an approval one operator made it alone."""

    id: UUID
    user_id: UUID
    operator_id: UUID
    approval_id: UUID | None
    amount_kobo: int
    category: AdjustmentCategory
    reason: str
    created_at: datetime


async def insert_adjustment(tx: Transaction, new: NewAdjustment) -> None:
    await tx.execute(
        INSERT,
        new.id,
        new.user_id,
        new.operator_id,
        new.approval_id,
        new.amount_kobo,
        new.category.value,
        new.reason,
        new.created_at,
    )
