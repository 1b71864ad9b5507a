"""SQL of the question bank."""

from collections.abc import Sequence
from datetime import datetime
from typing import Any
from uuid import UUID

from sqlalchemy import insert

from api.database.database import Transaction
from api.database.statements import Row
from api.questions.models import Question

IMPORT_LOCK = 7_226_331_111  # any number, the same for everybody who imports
LOCK_BANK = "SELECT pg_advisory_xact_lock($1)"
LIST_CLUBS = "SELECT id, name FROM club"
COLUMNS = """
SELECT id, slug, kind, club_id, topic, question, options, right_option, explanation, source,
       difficulty
  FROM question
"""
LIST_LIVE = COLUMNS + " WHERE retired_at IS NULL"
RETIRE = "UPDATE question SET retired_at = $2 WHERE id = ANY ($1::uuid[])"


async def lock_bank(tx: Transaction) -> None:
    """Wait until no other import runs; this one holds the bank until the transaction ends."""
    await tx.execute(LOCK_BANK, IMPORT_LOCK)


async def list_club_ids(tx: Transaction) -> dict[str, UUID]:
    """Return every club's id by its name."""
    return {row["name"]: row["id"] for row in await tx.fetch_rows(LIST_CLUBS)}


async def list_live(tx: Transaction) -> Sequence[Row]:
    """Return the questions that are not retired, in no order."""
    return await tx.fetch_rows(LIST_LIVE)


async def insert_questions(tx: Transaction, rows: Sequence[dict[str, Any]]) -> None:
    """Write new questions; their slugs must not be live."""
    await tx.execute_many(insert(Question), rows)


async def retire_questions(tx: Transaction, ids: Sequence[UUID], now: datetime) -> None:
    """Take questions out of the games; what was played with them stays."""
    if ids:
        await tx.execute(RETIRE, list(ids), now)
