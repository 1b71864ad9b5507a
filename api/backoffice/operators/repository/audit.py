"""SQL of the audit and of approvals."""

from collections.abc import Collection, Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Any
from uuid import UUID

from sqlalchemy import insert

from api.backoffice.operators.enums import ApprovalState
from api.backoffice.operators.models import Approval, AuditEntry
from api.foundation.database.database import Database, Runner, Transaction
from api.foundation.database.days import id_bounds
from api.foundation.database.statements import Row

NAME_OF = "(SELECT u.first_name || ' ' || u.last_name FROM user_account u WHERE u.id = {}.user_id)"
# $9: the rights whose entries may be read, null for all; $10: the operator whose own entries may be
# read. Text has no index: only the newest entries that match all other filters are searched.
LIST_AUDIT = f"""
SELECT a.*, {NAME_OF.format("o")} AS name
  FROM (SELECT * FROM audit_entry a
         WHERE ($1::uuid IS NULL OR a.id < $1)
           AND ($4::text IS NULL OR a.right_used = $4)
           AND ($5::uuid IS NULL OR a.operator_id = $5)
           AND ($6::text IS NULL OR a.target_id = $6)
           AND ($7::timestamptz IS NULL OR a.at >= $7 AND a.id >= $11)
           AND ($8::timestamptz IS NULL OR a.at < $8 AND a.id < $12)
           AND ($9::text[] IS NULL OR a.right_used = ANY ($9) OR a.operator_id = $10)
         ORDER BY a.id DESC LIMIT CASE WHEN $3::text IS NULL THEN $2::int ELSE 2000 END) a
  LEFT JOIN operator o ON o.id = a.operator_id
 WHERE $3::text IS NULL OR concat_ws(' ', a.action, a.target_type, a.target_id, a.reason)
       ILIKE '%' || $3 || '%'
 ORDER BY a.id DESC LIMIT $2
"""  # noqa: S608 our own words
# $3, $4: as $9 and $10 above.
LIST_DEEDS = f"""
SELECT a.*, {NAME_OF.format("o")} AS name
  FROM audit_entry a LEFT JOIN operator o ON o.id = a.operator_id
 WHERE a.target_id = $1 AND a.action NOT LIKE 'look-%'
   AND ($3::text[] IS NULL OR a.right_used = ANY ($3) OR a.operator_id = $4)
 ORDER BY a.id DESC LIMIT $2
"""  # noqa: S608 our own words
APPROVALS = f"""
SELECT a.*, {NAME_OF.format("p")} AS proposer_name, {NAME_OF.format("d")} AS decider_name
  FROM approval a
  JOIN operator p ON p.id = a.proposed_by
  LEFT JOIN operator d ON d.id = a.decided_by
"""  # noqa: S608 our own words
# $3: the caller's rights, $4: the caller, $5: the state, $6: now.
LIST_APPROVALS = (
    APPROVALS
    + """
 WHERE ($1::uuid IS NULL OR a.id < $1)
   AND (a.right_needed = ANY ($3::text[]) OR a.proposed_by = $4)
   AND ($5::text IS NULL OR $5 =
        CASE WHEN a.state = 'open' AND a.expires_at <= $6 THEN 'expired' ELSE a.state END)
 ORDER BY a.id DESC LIMIT $2
"""
)
READ_APPROVAL = APPROVALS + " WHERE a.id = $1"
# $1: the kind, $2: the content's key of the subject's id, $3: those ids, $4: now.
LIST_OPEN_ABOUT = """
SELECT (content ->> $2)::uuid AS about, max(id::text)::uuid AS id FROM approval
 WHERE state = 'open' AND expires_at > $4 AND kind = $1 AND content ->> $2 = ANY ($3::text[])
 GROUP BY 1
"""
LOCK_APPROVAL = "SELECT * FROM approval WHERE id = $1 FOR UPDATE"
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


HAS_CHANGED = """
SELECT EXISTS (SELECT FROM audit_entry
                WHERE target_id = ANY ($2) AND operator_id = $1 AND at >= $3
                  AND action NOT LIKE 'look-%' AND action <> ALL ($4))
"""


@dataclass(frozen=True)
class AuditFilter:
    """Filters on entries; None matches any. ``rights`` and ``own`` limit what may be read."""

    q: str | None
    right: str | None
    operator_id: UUID | None
    target: str | None
    since: datetime | None
    until: datetime | None
    rights: Sequence[str] | None
    own: UUID


async def insert_entry(tx: Transaction, values: dict[str, Any]) -> None:
    """Insert an audit entry."""
    await tx.execute(insert(AuditEntry).values(**values))


async def list_entries(
    database: Database, wanted: AuditFilter, before: UUID | None, limit: int
) -> Sequence[Row]:
    """Return audit entries, newest first."""
    return await database.fetch_rows(
        LIST_AUDIT,
        before,
        limit,
        wanted.q,
        wanted.right,
        wanted.operator_id,
        wanted.target,
        wanted.since,
        wanted.until,
        None if wanted.rights is None else list(wanted.rights),
        wanted.own,
        *id_bounds(wanted.since, wanted.until),
    )


async def list_audit_about(
    database: Database, target_id: str, rights: Sequence[str] | None, own: UUID, limit: int
) -> Sequence[Row]:
    """Return the entries about a target, newest first, except reads."""
    return await database.fetch_rows(
        LIST_DEEDS, target_id, limit, None if rights is None else list(rights), own
    )


async def has_changed(
    tx: Transaction,
    operator_id: UUID,
    target_ids: Sequence[str],
    since: datetime,
    but: Sequence[str],
) -> bool:
    """Return whether an operator changed one of these, other than by the actions in ``but``."""
    values = (operator_id, list(target_ids), since, list(but))
    found: bool = await tx.fetch_value(HAS_CHANGED, *values)
    return found


async def insert_approval(tx: Transaction, values: dict[str, Any]) -> None:
    """Insert a proposal."""
    await tx.execute(insert(Approval).values(**values))


async def list_approvals(
    database: Database,
    rights: Sequence[str],
    operator_id: UUID,
    state: ApprovalState | None,
    now: datetime,
    before: UUID | None,
    limit: int,
) -> Sequence[Row]:
    """Return proposals that an operator may decide or has made, newest first."""
    return await database.fetch_rows(
        LIST_APPROVALS, before, limit, list(rights), operator_id, state and state.value, now
    )


async def list_open_about(
    runner: Runner, kind: str, name: str, ids: Collection[UUID], now: datetime
) -> dict[UUID, UUID]:
    """Return the newest open proposal of a kind about each of ``ids`` that has one.

    ``name`` is the content's key of the id.
    """
    rows = await runner.fetch_rows(LIST_OPEN_ABOUT, kind, name, [str(id_) for id_ in ids], now)
    return {row["about"]: row["id"] for row in rows}


async def read_approval(tx: Transaction, approval_id: UUID) -> Row | None:
    """Return a proposal with its proposer's and decider's names, or None."""
    return await tx.fetch_row(READ_APPROVAL, approval_id)


async def lock_approval(tx: Transaction, approval_id: UUID) -> Row | None:
    """Lock and return a proposal's own row, or None."""
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
    """Replace a proposal's content (JSON) and its reasons."""
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
    """Store who decided a proposal, and the result of executing it (JSON)."""
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
