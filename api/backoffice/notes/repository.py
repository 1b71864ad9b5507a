from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime
from uuid import UUID

from api.backoffice.notes.rules import NoteTarget
from api.foundation.database.database import Database, Transaction
from api.foundation.database.statements import Query

INSERT = """
INSERT INTO operator_note (id, order_id, user_id, text, written_by, written_at)
VALUES ($1, $2, $3, $4, $5, $6)
"""


@dataclass(frozen=True)
class NoteRow:
    id: UUID
    text: str
    written_by: UUID
    name: str
    written_at: datetime


LIST = Query(
    """
SELECT n.id, n.text, n.written_by, u.first_name || ' ' || u.last_name AS name, n.written_at
  FROM operator_note n
  JOIN operator o ON o.id = n.written_by
  JOIN user_account u ON u.id = o.user_id
 WHERE (n.order_id = $1 OR n.user_id = $2) AND ($3::uuid IS NULL OR n.id < $3)
 ORDER BY n.id DESC LIMIT $4
""",
    NoteRow,
)


async def insert(
    tx: Transaction, note_id: UUID, target: NoteTarget, text: str, written_by: UUID, now: datetime
) -> None:
    await tx.execute(INSERT, note_id, *target.columns, text, written_by, now)


async def list_about(
    database: Database, target: NoteTarget, before: UUID | None, limit: int
) -> Sequence[NoteRow]:
    """Return notes, newest first."""
    return await database.fetch_rows(LIST, *target.columns, before, limit)
