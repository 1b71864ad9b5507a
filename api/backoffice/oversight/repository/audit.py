from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Any
from uuid import UUID

from api.backoffice.oversight.schemas.approvals import AuditFilter
from api.foundation.database.database import Database
from api.foundation.database.days import id_bounds
from api.foundation.database.statements import Query, columns, literal_pattern

NAME_OF = "(SELECT u.first_name || ' ' || u.last_name FROM user_account u WHERE u.id = {}.user_id)"


@dataclass(frozen=True)
class StoredEntry:
    """An entry's own row; without an operator it was done at the command line."""

    id: UUID
    at: datetime
    operator_id: UUID | None
    right_used: str
    action: str
    target_type: str
    target_id: str
    before_state: dict[str, Any] | None
    after_state: dict[str, Any] | None
    reason: str | None
    request_id: str


@dataclass(frozen=True)
class AuditEntryRow(StoredEntry):
    name: str | None


# $9: the rights whose entries may be read, null for all; $10: the operator whose own entries may be
# read. Text has no index: only the newest entries that match all other filters are searched.
LIST_AUDIT = Query(
    f"""
SELECT {columns(StoredEntry, "a")}, {NAME_OF.format("o")} AS name
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
""",  # noqa: S608 our own words
    AuditEntryRow,
)
# $3, $4: as $9 and $10 above.
LIST_DEEDS = Query(
    f"""
SELECT {columns(StoredEntry, "a")}, {NAME_OF.format("o")} AS name
  FROM audit_entry a LEFT JOIN operator o ON o.id = a.operator_id
 WHERE a.target_id = $1 AND a.action NOT LIKE 'look-%'
   AND ($3::text[] IS NULL OR a.right_used = ANY ($3) OR a.operator_id = $4)
 ORDER BY a.id DESC LIMIT $2
""",  # noqa: S608 our own words
    AuditEntryRow,
)


async def list_entries(
    database: Database,
    wanted: AuditFilter,
    before: UUID | None,
    limit: int,
    *,
    rights: Sequence[str] | None,
    own: UUID,
) -> Sequence[AuditEntryRow]:
    """Return audit entries under these rights, None for all, or of the operator ``own``."""
    return await database.fetch_rows(
        LIST_AUDIT,
        before,
        limit,
        None if wanted.q is None else literal_pattern(wanted.q),
        wanted.right,
        wanted.operator_id,
        wanted.target,
        wanted.days.since,
        wanted.days.until,
        None if rights is None else list(rights),
        own,
        *id_bounds(wanted.days.since, wanted.days.until),
    )


async def list_audit_about(
    database: Database, target_id: str, rights: Sequence[str] | None, own: UUID, limit: int
) -> Sequence[AuditEntryRow]:
    """Return the entries about a target, newest first, except reads."""
    return await database.fetch_rows(
        LIST_DEEDS, target_id, limit, None if rights is None else list(rights), own
    )
