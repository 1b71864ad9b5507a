from dataclasses import dataclass
from datetime import datetime
from typing import Any
from uuid import UUID

from sqlalchemy import insert

from api.foundation.database.database import Database, Transaction
from api.foundation.database.statements import Query
from api.games.questions.models import ImportRun


@dataclass(frozen=True)
class StoredImport:
    content: bytes
    problems: list[dict[str, Any]]


READ = Query(
    "SELECT content, problems FROM import_run WHERE id = $1",
    StoredImport,
)


@dataclass(frozen=True)
class ImportCheck:
    """The check of a file: the bank it was checked against, and its number of problems."""

    digest: str
    bank_digest: str
    problems: int
    applied_at: datetime | None


LOCK = Query(
    """
SELECT digest, bank_digest, jsonb_array_length(problems) AS problems, applied_at
  FROM import_run WHERE id = $1 FOR UPDATE
""",
    ImportCheck,
)
APPLIED = "UPDATE import_run SET applied_at = $2 WHERE id = $1"


async def insert_import(tx: Transaction, values: dict[str, Any]) -> None:
    await tx.execute(insert(ImportRun).values(**values))


async def read_import(database: Database, import_id: UUID) -> StoredImport | None:
    """Return a file's content and its problems; neither ever changes."""
    return await database.fetch_row(READ, import_id)


async def lock_import(tx: Transaction, import_id: UUID) -> ImportCheck | None:
    return await tx.fetch_row(LOCK, import_id)


async def change_applied(tx: Transaction, import_id: UUID, now: datetime) -> None:
    await tx.execute(APPLIED, import_id, now)
