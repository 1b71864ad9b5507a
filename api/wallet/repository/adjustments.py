"""SQL of adjustments: what operators have changed in members' wallets."""

from dataclasses import dataclass
from datetime import datetime
from uuid import UUID

from api.database.database import Transaction
from api.wallet.enums import AdjustmentCategory

DAY_LOCK = 7_226_331_161  # any number, so that an operator's lock here is nobody else's
LOCK_DAY = "SELECT pg_advisory_xact_lock(hashtextextended($1, $2))"
READ_DAY = """
SELECT coalesce(sum(abs(amount_kobo)), 0)::bigint FROM wallet_adjustment
 WHERE operator_id = $1 AND created_at >= $2 AND approval_id IS NULL
"""
INSERT = """
INSERT INTO wallet_adjustment
       (id, user_id, operator_id, approval_id, amount_kobo, category, reason, created_at)
VALUES ($1, $2, $3, $4, $5, $6, $7, $8)
"""


@dataclass(frozen=True)
class NewAdjustment:
    """A change of a wallet by hand; without an approval the operator has made it alone."""

    id: UUID
    user_id: UUID
    operator_id: UUID
    approval_id: UUID | None
    amount_kobo: int
    category: AdjustmentCategory
    reason: str
    created_at: datetime


async def lock_day(tx: Transaction, operator_id: UUID, since: datetime) -> int:
    """Return how many kobo an operator has moved alone since a moment, either way.

    No other adjustment of theirs begins before this transaction ends.
    """
    await tx.execute(LOCK_DAY, str(operator_id), DAY_LOCK)
    return int(await tx.fetch_value(READ_DAY, operator_id, since))


async def insert_adjustment(tx: Transaction, new: NewAdjustment) -> None:
    """Write an adjustment down."""
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
