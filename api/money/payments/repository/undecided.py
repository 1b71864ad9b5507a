from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime

from sqlalchemy import update

from api.foundation.database.database import Database, Transaction
from api.foundation.database.locks import AdvisoryLock
from api.foundation.database.statements import Query
from api.money.payments.models import Funding

CLAIM_SWEEP = "SELECT pg_try_advisory_xact_lock($1)"


@dataclass(frozen=True)
class FundingWaits:
    """The start of the oldest wait of each kind, None without one, and the open cases."""

    started: datetime | None
    reported: datetime | None
    due: datetime | None
    open_cases: int


READ_WAITING = Query(
    """
SELECT (SELECT min(created_at) FROM funding
         WHERE state IN ('prepared', 'pending', 'failed')) AS started,
       (SELECT min(e.received_at) FROM funding f JOIN payment_event e ON e.reference = f.reference
         WHERE f.state IN ('prepared', 'pending', 'failed')) AS reported,
       (SELECT min(next_check_at) FROM funding
         WHERE state IN ('prepared', 'pending', 'failed') AND next_check_at < $1) AS due,
       (SELECT count(*) FROM review_case WHERE state = 'open') AS open_cases
""",
    FundingWaits,
)


@dataclass(frozen=True)
class DueFunding:
    reference: str
    gateway: str
    created_at: datetime


# Round-robin over members, cancelled checkouts last, so that a member with hundreds of open
# checkouts does not delay finding another member's lost webhook.
CLAIM_DUE = Query(
    """
UPDATE funding SET next_check_at = $3::timestamptz + interval '5 minutes'
 WHERE next_check_at <= $3 AND id IN (
   SELECT id FROM (
     SELECT id, next_check_at, cancelled_at,
            row_number() OVER (PARTITION BY user_id, cancelled_at IS NOT NULL
                               ORDER BY next_check_at) AS turn
       FROM funding
      WHERE state IN ('prepared', 'pending', 'failed') AND next_check_at <= $3
        AND gateway = ANY($1)) AS due
   ORDER BY cancelled_at IS NOT NULL, turn, next_check_at LIMIT $2)
RETURNING reference, gateway, created_at
""",
    DueFunding,
)


async def claim_due(
    tx: Transaction, gateways: Sequence[str], limit: int, now: datetime
) -> Sequence[DueFunding]:
    """Return these gateways' fundings that are due for a check, and defer them by 5 minutes.

    Empty if another process is choosing at the moment.
    """
    if not await tx.fetch_value(CLAIM_SWEEP, AdvisoryLock.FUNDING_SWEEP):
        return []
    return await tx.fetch_rows(CLAIM_DUE, list(gateways), limit, now)


async def change_next_check(tx: Transaction, reference: str, next_check_at: datetime) -> None:
    await tx.execute(
        update(Funding)
        .where(Funding.reference == reference, Funding.decided_at.is_(None))
        .values(next_check_at=next_check_at)
    )


async def read_waiting(database: Database, now: datetime) -> FundingWaits:
    """Return the start of the three oldest waits of unsettled fundings, and the open cases."""
    row = await database.fetch_row(READ_WAITING, now)
    assert row is not None  # noqa: S101 it has no FROM
    return row
