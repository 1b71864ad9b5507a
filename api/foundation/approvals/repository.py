from collections.abc import Collection, Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Any
from uuid import UUID

from sqlalchemy import insert

from api.foundation.approvals.models import Approval
from api.foundation.database.database import Runner, Transaction
from api.foundation.database.statements import Query
from api.foundation.security.operators import IS_WORKING


@dataclass(frozen=True)
class OpenApproval:
    about: UUID
    id: UUID


# $1: the kind, $2: the content's key of the subject's id, $3: those ids, $4: now.
LIST_OPEN_ABOUT = Query(
    """
SELECT (content ->> $2)::uuid AS about, max(id::text)::uuid AS id FROM approval
 WHERE state = 'open' AND expires_at > $4 AND kind = $1 AND content ->> $2 = ANY ($3::text[])
 GROUP BY 1
""",
    OpenApproval,
)


async def insert_approval(tx: Transaction, values: dict[str, Any]) -> None:
    await tx.execute(insert(Approval).values(**values))


async def list_open_about(
    runner: Runner, kind: str, name: str, ids: Collection[UUID], now: datetime
) -> dict[UUID, UUID]:
    """Return the newest open proposal of a kind about each of ``ids`` that has one.

    ``name`` is the content's key of the id.
    """
    rows = await runner.fetch_rows(LIST_OPEN_ABOUT, kind, name, [str(id_) for id_ in ids], now)
    return {row.about: row.id for row in rows}


AT_WORK = f"""
  FROM operator o JOIN user_account u ON u.id = o.user_id
 WHERE o.roles && $2::text[] AND {IS_WORKING}
"""
COUNT_OTHERS = "SELECT count(*)" + AT_WORK + " AND o.id <> $1 AND o.user_id <> ALL ($3::uuid[])"
IS_AT_WORK = "SELECT EXISTS (SELECT 1" + AT_WORK + " AND o.id = $1)"


async def count_others(
    tx: Transaction, operator_id: UUID, roles: Sequence[str], without: Sequence[UUID]
) -> int:
    """Count the other operators who can sign in, have one of ``roles`` and are not ``without``.

    ``without`` are members' ids.
    """
    found: int = await tx.fetch_value(COUNT_OTHERS, operator_id, list(roles), list(without))
    return found


async def is_at_work(tx: Transaction, operator_id: UUID, roles: Sequence[str]) -> bool:
    """Return whether an operator can sign in and has one of ``roles``."""
    found: bool = await tx.fetch_value(IS_AT_WORK, operator_id, list(roles))
    return found
