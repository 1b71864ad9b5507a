from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Any
from uuid import UUID

from sqlalchemy.dialects.postgresql import insert

from api.foundation.core.ids import new_id
from api.foundation.core.money import Kobo
from api.foundation.database.database import Database, Runner, Transaction
from api.foundation.database.statements import Query
from api.money.payments.enums import DisputeState, ReportState
from api.money.payments.models import PaymentEvent
from api.money.payments.rules import status_sql

LOCK_ACCOUNT_OF = "SELECT hold_member(user_id) FROM funding WHERE reference = $1"
# An ignored report stays ignored unless a funding is found for it after all.
CHANGE_STATE = """
UPDATE payment_event SET state = $2
 WHERE dedupe_key = $1 AND state <> $2 AND (state <> 'ignored' OR $2 = 'matched')
"""
IGNORE = "UPDATE payment_event SET state = 'ignored', reason = $2 WHERE id = $1"
READ = f"""
SELECT e.id, e.gateway, e.dedupe_key, e.type, e.reference, e.raw, e.state, e.reason, e.received_at,
       {status_sql("f")} AS funding_status
  FROM payment_event e LEFT JOIN funding f ON f.reference = e.reference AND f.gateway = e.gateway
"""  # noqa: S608 our own words
COUNT_UNSETTLED = "SELECT count(*) FROM payment_event WHERE state IN ('unmatched', 'failed')"
# A late report does not reopen a decided dispute.
WRITE_DISPUTE = """
INSERT INTO dispute (id, gateway, case_id, reference, funding_id, amount_kobo, status, resolution,
                     opened_at, told_at, closed_at)
VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $9, CASE WHEN $10 THEN $9::timestamptz END)
ON CONFLICT (gateway, case_id) DO UPDATE
   SET status = EXCLUDED.status, resolution = EXCLUDED.resolution, told_at = EXCLUDED.told_at,
       closed_at = EXCLUDED.closed_at,
       funding_id = coalesce(dispute.funding_id, EXCLUDED.funding_id)
 WHERE dispute.closed_at IS NULL
"""
COUNT_DISPUTES = "SELECT count(*) FROM dispute WHERE closed_at IS NULL"


@dataclass(frozen=True)
class StoredReport:
    id: UUID
    gateway: str
    dedupe_key: str
    type: str
    reference: str | None
    raw: bytes
    state: str
    reason: str | None
    received_at: datetime
    funding_status: str | None


READ_ONE = Query(READ + " WHERE e.id = $1", StoredReport)
LOCK_ONE = Query(READ + " WHERE e.id = $1 FOR NO KEY UPDATE OF e", StoredReport)
LIST = Query(
    READ
    + """
 WHERE ($1::text IS NULL OR e.state = $1) AND ($2::uuid IS NULL OR e.id < $2)
 ORDER BY e.id DESC LIMIT $3
""",
    StoredReport,
)


@dataclass(frozen=True)
class FundingReport:
    gateway: str
    reference: str
    raw: bytes
    received_at: datetime


# A report is its funding's own gateway's word.
LIST_OF_FUNDINGS = Query(
    """
SELECT e.gateway, e.reference, e.raw, e.received_at
  FROM payment_event e JOIN funding f ON f.reference = e.reference AND f.gateway = e.gateway
 WHERE e.reference = ANY ($1::text[]) AND e.raw <> ''
 ORDER BY e.id
""",
    FundingReport,
)


@dataclass(frozen=True)
class ReportedFunding:
    id: UUID
    state: str


READ_FUNDING_OF = Query(
    """
SELECT id, state FROM funding WHERE gateway = $1 AND reference = $2
""",
    ReportedFunding,
)


@dataclass(frozen=True)
class StoredDispute:
    """A dispute, what was charged back for it, and the member of its funding, if known."""

    id: UUID
    gateway: str
    case_id: str
    reference: str
    amount_kobo: Kobo
    status: str
    resolution: str | None
    opened_at: datetime
    reported_at: datetime
    closed_at: datetime | None
    user_id: UUID | None
    first_name: str | None
    last_name: str | None
    charged_back_kobo: Kobo


LIST_DISPUTES = Query(
    """
SELECT d.id, d.gateway, d.case_id, d.reference, d.amount_kobo, d.status, d.resolution,
       d.opened_at, d.told_at AS reported_at, d.closed_at, f.user_id, u.first_name, u.last_name,
       coalesce(c.amount_kobo, 0) AS charged_back_kobo
  FROM dispute d LEFT JOIN funding f ON f.id = d.funding_id
  LEFT JOIN user_account u ON u.id = f.user_id
  LEFT JOIN chargeback c ON c.gateway = d.gateway AND c.case_id = d.case_id
 WHERE ($1::text IS NULL OR (d.closed_at IS NULL) = ($1 = 'open'))
   AND ($2::uuid IS NULL OR d.id < $2)
 ORDER BY d.id DESC LIMIT $3
""",
    StoredDispute,
)


@dataclass(frozen=True)
class DisputeNotice:
    gateway: str
    case_id: str
    reference: str
    funding_id: UUID | None
    amount_kobo: int
    status: str
    resolution: str | None
    reported_at: datetime
    is_over: bool


async def insert_event(tx: Transaction, event: dict[str, Any]) -> bool:
    """Insert a provider's report; return False, and write nothing, if it is already known.

    If the member's account is deleted, the bytes are not stored, because they name the payer.
    """
    is_held = await tx.fetch_value(LOCK_ACCOUNT_OF, event["reference"])
    kept = event | {"raw": b""} if is_held is False else event
    statement = (
        insert(PaymentEvent)
        .values(id=new_id(), **kept)
        .on_conflict_do_nothing(index_elements=["dedupe_key"])
        .returning(PaymentEvent.id)
    )
    return await tx.fetch_value(statement) is not None


async def change_report_state(tx: Transaction, dedupe_key: str, state: ReportState) -> None:
    await tx.execute(CHANGE_STATE, dedupe_key, state.value)


async def change_ignored(tx: Transaction, report_id: UUID, reason: str) -> None:
    await tx.execute(IGNORE, report_id, reason)


async def read_report(database: Database, report_id: UUID) -> StoredReport | None:
    return await database.fetch_row(READ_ONE, report_id)


async def lock_report(tx: Transaction, report_id: UUID) -> StoredReport | None:
    """Lock a report until commit, and return it as ``read_report`` does."""
    return await tx.fetch_row(LOCK_ONE, report_id)


async def list_reports(
    database: Database, state: ReportState | None, before: UUID | None, limit: int
) -> Sequence[StoredReport]:
    """Return up to ``limit`` reports, newest first."""
    return await database.fetch_rows(LIST, state and state.value, before, limit)


async def list_reports_of(runner: Runner, references: Sequence[str]) -> Sequence[FundingReport]:
    """Return the reports on some fundings whose bytes are stored, oldest first."""
    return await runner.fetch_rows(LIST_OF_FUNDINGS, list(references))


async def count_unsettled_reports(database: Database) -> int:
    """Count the reports that need an operator."""
    return int(await database.fetch_value(COUNT_UNSETTLED))


async def read_funding_of(
    runner: Runner, gateway: str, reference: str | None
) -> ReportedFunding | None:
    """Return id and state of the funding that a gateway's report names, or None."""
    if reference is None:
        return None
    return await runner.fetch_row(READ_FUNDING_OF, gateway, reference)


async def write_dispute(tx: Transaction, dispute: DisputeNotice) -> None:
    """Insert a dispute, or update it."""
    await tx.execute(
        WRITE_DISPUTE,
        new_id(),
        dispute.gateway,
        dispute.case_id,
        dispute.reference,
        dispute.funding_id,
        dispute.amount_kobo,
        dispute.status,
        dispute.resolution,
        dispute.reported_at,
        dispute.is_over,
    )


async def list_disputes(
    database: Database, state: DisputeState | None, before: UUID | None, limit: int
) -> Sequence[StoredDispute]:
    """Return up to ``limit`` disputes, newest first, with what was charged back for them."""
    return await database.fetch_rows(LIST_DISPUTES, state and state.value, before, limit)


async def count_open_disputes(database: Database) -> int:
    return int(await database.fetch_value(COUNT_DISPUTES))
