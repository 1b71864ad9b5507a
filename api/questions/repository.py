"""SQL of the question bank."""

from collections.abc import Sequence
from datetime import datetime
from typing import Any, cast
from uuid import UUID

from sqlalchemy import insert, text

from api.database.database import Row, UnitOfWork
from api.questions.models import Question

IMPORT_LOCK = 7_226_331_111  # any number, the same for everybody who imports
LOCK_BANK = text("SELECT pg_advisory_xact_lock(:key)")
LIST_CLUBS = text("SELECT id, name FROM club")
COLUMNS = """
SELECT id, slug, kind, club_id, topic, question, options, right_option, explanation, source,
       difficulty
  FROM question
"""
LIST_LIVE = text(COLUMNS + " WHERE retired_at IS NULL")
RETIRE = text("UPDATE question SET retired_at = :now WHERE id = ANY (CAST(:ids AS uuid[]))")


async def lock_bank(unit: UnitOfWork) -> None:
    """Wait until no other import runs; this one holds the bank until the transaction ends."""
    await unit.connection.execute(LOCK_BANK, {"key": IMPORT_LOCK})


async def list_club_ids(unit: UnitOfWork) -> dict[str, UUID]:
    """Return every club's id by its name."""
    rows = await unit.connection.execute(LIST_CLUBS)
    return {row.name: row.id for row in rows}


async def list_live(unit: UnitOfWork) -> Sequence[Row]:
    """Return the questions that are not retired, in no order."""
    return cast("Sequence[Row]", (await unit.connection.execute(LIST_LIVE)).mappings().all())


async def insert_questions(unit: UnitOfWork, rows: Sequence[dict[str, Any]]) -> None:
    """Write new questions; their slugs must not be live."""
    if rows:
        await unit.connection.execute(insert(Question), rows)


async def retire_questions(unit: UnitOfWork, ids: Sequence[UUID], now: datetime) -> None:
    """Take questions out of the games; what was played with them stays."""
    if ids:
        await unit.connection.execute(RETIRE, {"ids": list(ids), "now": now})
