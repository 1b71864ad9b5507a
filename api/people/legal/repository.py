from datetime import datetime
from uuid import UUID

from api.foundation.database.database import Runner, Transaction

# The current version if the member accepted it, else the latest they accepted.
READ_ACCEPTED = """
SELECT version FROM terms_acceptance WHERE user_id = $1
 ORDER BY version = $2 DESC, accepted_at DESC LIMIT 1
"""
# False if the account is deleted, or being deleted.
HOLD_MEMBER = "SELECT hold_member($1)"
ACCEPT = """
INSERT INTO terms_acceptance (user_id, version, accepted_at) VALUES ($1, $2, $3)
ON CONFLICT DO NOTHING
"""


async def read_accepted(database: Runner, user_id: UUID, current: str) -> str | None:
    """Return the version a member has accepted, the ``current`` one first; None if none."""
    found: str | None = await database.fetch_value(READ_ACCEPTED, user_id, current)
    return found


async def hold_member(tx: Transaction, user_id: UUID) -> bool:
    """Lock a member against account deletion until commit; return False if already deleted."""
    return bool(await tx.fetch_value(HOLD_MEMBER, user_id))


async def insert_acceptance(
    tx: Transaction, user_id: UUID, version: str, accepted_at: datetime
) -> None:
    """Record an acceptance; the first of a version stays."""
    await tx.execute(ACCEPT, user_id, version, accepted_at)
