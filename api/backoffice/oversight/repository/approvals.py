from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Any
from uuid import UUID

from api.backoffice.oversight.repository.audit import NAME_OF
from api.foundation.approvals.enums import ApprovalState
from api.foundation.database.database import Database, Transaction
from api.foundation.database.statements import Query, columns

CHANGE_CONTENT = """
UPDATE approval SET content = $2, digest = $3, reason = $4, reasons = $5, expires_at = $6
 WHERE id = $1
"""
DECIDE = """
UPDATE approval SET state = $2, decided_by = $3, decided_at = $4, decision_reason = $5, result = $6
 WHERE id = $1
"""
COUNT_OPEN = """
SELECT count(*) FROM approval
 WHERE state = 'open' AND expires_at > $1 AND right_needed = ANY ($2::text[])
   AND proposed_by <> $3
"""
COUNT_OWN_OPEN = """
SELECT count(*) FROM approval WHERE state = 'open' AND expires_at > $1 AND proposed_by = $2
"""


@dataclass(frozen=True)
class ApprovalRow:
    id: UUID
    kind: str
    content: dict[str, Any]
    digest: str
    right_needed: str
    state: str
    proposed_by: UUID
    proposed_at: datetime
    reason: str
    reasons: list[str]
    expires_at: datetime
    decided_by: UUID | None
    decided_at: datetime | None
    decision_reason: str | None
    result: dict[str, Any] | None


@dataclass(frozen=True)
class NamedApproval(ApprovalRow):
    proposer_name: str
    decider_name: str | None


APPROVALS = f"""
SELECT {columns(ApprovalRow, "a")},
       {NAME_OF.format("p")} AS proposer_name,
       {NAME_OF.format("d")} AS decider_name
  FROM approval a
  JOIN operator p ON p.id = a.proposed_by
  LEFT JOIN operator d ON d.id = a.decided_by
"""  # noqa: S608 our own words
# $3: the caller's rights, $4: the caller, $5: the state, $6: now.
LIST_APPROVALS = Query(
    APPROVALS
    + """
 WHERE ($1::uuid IS NULL OR a.id < $1)
   AND (a.right_needed = ANY ($3::text[]) OR a.proposed_by = $4)
   AND ($5::text IS NULL OR $5 =
        CASE WHEN a.state = 'open' AND a.expires_at <= $6 THEN 'expired' ELSE a.state END)
 ORDER BY a.id DESC LIMIT $2
""",
    NamedApproval,
)
READ_APPROVAL = Query(APPROVALS + " WHERE a.id = $1", NamedApproval)
LOCK_APPROVAL = Query(
    f"SELECT {columns(ApprovalRow, 'a')} FROM approval a WHERE a.id = $1 FOR UPDATE",  # noqa: S608 constants only
    ApprovalRow,
)


async def list_approvals(
    database: Database,
    rights: Sequence[str],
    operator_id: UUID,
    state: ApprovalState | None,
    now: datetime,
    before: UUID | None,
    limit: int,
) -> Sequence[NamedApproval]:
    """Return proposals that an operator may decide or has made, newest first."""
    return await database.fetch_rows(
        LIST_APPROVALS, before, limit, list(rights), operator_id, state and state.value, now
    )


async def read_approval(tx: Transaction, approval_id: UUID) -> NamedApproval | None:
    return await tx.fetch_row(READ_APPROVAL, approval_id)


async def lock_approval(tx: Transaction, approval_id: UUID) -> ApprovalRow | None:
    return await tx.fetch_row(LOCK_APPROVAL, approval_id)


async def change_content(
    tx: Transaction,
    approval_id: UUID,
    *,
    content: str,
    digest: str,
    reason: str,
    reasons: Sequence[str],
    expires_at: datetime,
) -> None:
    """Replace a proposal's content, which is JSON, and its reasons."""
    values = (content, digest, reason, list(reasons), expires_at)
    await tx.execute(CHANGE_CONTENT, approval_id, *values)


async def decide(
    tx: Transaction,
    approval_id: UUID,
    state: ApprovalState,
    operator_id: UUID,
    now: datetime,
    reason: str,
    result: str | None,
) -> None:
    """Store a decision; ``result`` is that of executing the proposal, as JSON."""
    await tx.execute(DECIDE, approval_id, state.value, operator_id, now, reason, result)


async def count_open(
    database: Database, rights: Sequence[str], operator_id: UUID, now: datetime
) -> int:
    """Count the proposals that await an operator's decision."""
    found: int = await database.fetch_value(COUNT_OPEN, now, list(rights), operator_id)
    return found


async def count_own_open(database: Database, operator_id: UUID, now: datetime) -> int:
    """Count an operator's own proposals that await another operator's decision."""
    found: int = await database.fetch_value(COUNT_OWN_OPEN, now, operator_id)
    return found
