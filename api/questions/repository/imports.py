"""SQL of the files that were looked at."""

from datetime import datetime
from typing import Any
from uuid import UUID

from sqlalchemy import insert

from api.database.database import Database, Transaction
from api.database.statements import Row
from api.questions.models import ImportRun

READ = "SELECT content, problems FROM import_run WHERE id = $1"
LOCK = """
SELECT digest, bank_digest, jsonb_array_length(problems) AS problems, applied_at
  FROM import_run WHERE id = $1 FOR UPDATE
"""
APPLIED = "UPDATE import_run SET applied_at = $2 WHERE id = $1"


async def insert_import(tx: Transaction, values: dict[str, Any]) -> None:
    """Keep a file that was looked at."""
    await tx.execute(insert(ImportRun).values(**values))


async def read_import(database: Database, import_id: UUID) -> Row | None:
    """Return a file's bytes and what is wrong in it; neither ever changes."""
    return await database.fetch_row(READ, import_id)


async def lock_import(tx: Transaction, import_id: UUID) -> Row | None:
    """Return what was found of a file once nobody else imports it, and hold it."""
    return await tx.fetch_row(LOCK, import_id)


async def change_applied(tx: Transaction, import_id: UUID, now: datetime) -> None:
    """Write down that a file was imported."""
    await tx.execute(APPLIED, import_id, now)
