"""SQL of moments."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import cast
from uuid import UUID

from sqlalchemy import delete, func, select
from sqlalchemy.dialects.postgresql import insert

from api.database.database import Database, Transaction
from api.database.statements import Row
from api.moments.models import Moment

LIST_MOMENTS = """
SELECT id, user_id, title, content, thumbnail_key, video_key, video_type, created_at
  FROM moment WHERE user_id = $1 ORDER BY id DESC
"""
LIST_NAMED_KEYS = """
SELECT thumbnail_key AS key FROM moment WHERE thumbnail_key = ANY ($1::text[])
UNION ALL
SELECT video_key FROM moment WHERE video_key = ANY ($1::text[])
"""


@dataclass(frozen=True)
class NewMoment:
    """A moment whose objects are stored."""

    id: UUID
    user_id: UUID
    title: str
    content: str
    thumbnail_key: str
    video_key: str
    video_type: str
    video_bytes: int


async def list_moments(database: Database, user_id: UUID) -> Sequence[Row]:
    """Return a member's moments, newest first."""
    return await database.fetch_rows(LIST_MOMENTS, user_id)


async def list_named_keys(database: Database, keys: Sequence[str]) -> set[str]:
    """Return which of ``keys`` a moment names."""
    return {row["key"] for row in await database.fetch_rows(LIST_NAMED_KEYS, list(keys))}


async def count_moments(tx: Transaction, user_id: UUID) -> int:
    """Return how many moments a member has."""
    statement = select(func.count()).select_from(Moment).where(Moment.user_id == user_id)
    return int(await tx.fetch_value(statement))


async def insert_moment(tx: Transaction, moment: NewMoment) -> Row:
    """Insert a moment and return its row."""
    statement = insert(Moment).values(**vars(moment)).returning(Moment.__table__)
    return cast("Row", await tx.fetch_row(statement))


async def delete_moment(tx: Transaction, moment_id: UUID, user_id: UUID) -> list[str] | None:
    """Delete a member's moment; return the keys it named, None when it was not there."""
    statement = (
        delete(Moment)
        .where(Moment.id == moment_id, Moment.user_id == user_id)
        .returning(Moment.thumbnail_key, Moment.video_key)
    )
    row = await tx.fetch_row(statement)
    return None if row is None else [row["thumbnail_key"], row["video_key"]]


async def delete_moments(tx: Transaction, user_id: UUID) -> list[str]:
    """Delete a member's moments; return the keys they named."""
    statement = (
        delete(Moment)
        .where(Moment.user_id == user_id)
        .returning(Moment.thumbnail_key, Moment.video_key)
    )
    rows = await tx.fetch_rows(statement)
    return [key for row in rows for key in row.values()]
