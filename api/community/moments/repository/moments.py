"""SQL of members' moments and of hiding them."""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import cast
from uuid import UUID

from sqlalchemy.dialects.postgresql import insert

from api.community.moments.models import Moment
from api.foundation.database.database import Database, Runner, Transaction
from api.foundation.database.statements import PLAN_FOR_VALUES, Row

LIST_MOMENTS = """
SELECT id, user_id, title, content, thumbnail_key, video_key, video_type, video_bytes, created_at,
       shared_at, shared_club_id
  FROM moment WHERE user_id = $1 AND hidden_at IS NULL ORDER BY id DESC
"""
ANY_MOMENT = """
SELECT m.*, u.first_name, u.last_name,
       (SELECT count(*) FROM moment_report r WHERE r.moment_id = m.id AND r.settled_at IS NULL)
         AS reports
  FROM moment m JOIN user_account u ON u.id = m.user_id
"""
REPORTED = """EXISTS (SELECT FROM moment_report r
 WHERE r.moment_id = m.id AND r.settled_at IS NULL)"""
COUNT_REPORTED = """
SELECT count(DISTINCT moment_id) FROM moment_report WHERE settled_at IS NULL
"""
READ_MOMENT = f"{ANY_MOMENT} WHERE m.id = $1"
LOCK_MOMENT = f"{READ_MOMENT} FOR UPDATE OF m"
CHANGE_HIDDEN = "UPDATE moment SET hidden_at = $2 WHERE id = $1"
COUNT = """
SELECT count(*) FILTER (WHERE hidden_at IS NULL) AS shown,
       count(*) FILTER (WHERE hidden_at IS NOT NULL) AS hidden
  FROM moment WHERE user_id = $1
"""
IS_HIDDEN = """
SELECT EXISTS (SELECT FROM moment WHERE thumbnail_key = $1 AND hidden_at IS NOT NULL)
    OR EXISTS (SELECT FROM moment WHERE video_key = $1 AND hidden_at IS NOT NULL)
"""
LOCK_OWN = """
SELECT thumbnail_key, video_key FROM moment
 WHERE id = $1 AND user_id = $2 AND hidden_at IS NULL FOR UPDATE
"""
LOCK_ALL_OWN = """
SELECT id, thumbnail_key, video_key FROM moment WHERE user_id = $1 ORDER BY id FOR UPDATE
"""
DELETES = (
    "DELETE FROM moment_applause WHERE moment_id = ANY ($1::uuid[])",
    "DELETE FROM moment_report WHERE moment_id = ANY ($1::uuid[])",
    "DELETE FROM moment WHERE id = ANY ($1::uuid[])",
)
LIST_NAMED_KEYS = """
SELECT thumbnail_key AS key FROM moment WHERE thumbnail_key = ANY ($1::text[])
UNION ALL
SELECT video_key FROM moment WHERE video_key = ANY ($1::text[])
"""


@dataclass(frozen=True)
class MomentFilter:
    """A search for moments; None matches any. ``title`` is a pattern."""

    title: str | None
    user_id: UUID | None
    hidden: bool | None
    reported: bool = False


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
    """Return which of ``keys`` a moment refers to."""
    return {row["key"] for row in await database.fetch_rows(LIST_NAMED_KEYS, list(keys))}


async def count_moments(tx: Transaction, user_id: UUID) -> int:
    """Return how many moments a member has, without those that operators have hidden."""
    row = await count(tx, user_id)
    return int(row["shown"])


async def count(runner: Runner, user_id: UUID) -> Row:
    """Return how many of a member's moments are ``shown`` and ``hidden``."""
    return cast("Row", await runner.fetch_row(COUNT, user_id))


async def list_all_moments(
    tx: Transaction, wanted: MomentFilter, before: UUID | None, limit: int
) -> Sequence[Row]:
    """Return all members' moments with their members, newest first.

    The statement contains only the given criteria, and is planned for their values.
    """
    conditions: list[str] = []
    values: list[object] = [limit]

    def where(condition: str, value: object) -> None:
        values.append(value)
        conditions.append(condition.replace("{}", f"${len(values)}"))

    if wanted.title is not None:
        where("lower(m.title) LIKE lower({})", wanted.title)
    if wanted.user_id is not None:
        where("m.user_id = {}", wanted.user_id)
    if before is not None:
        where("m.id < {}", before)
    if wanted.hidden is not None:
        conditions.append(f"m.hidden_at IS {'NOT ' if wanted.hidden else ''}NULL")
    if wanted.reported:
        conditions.append(REPORTED)
    chosen = f" WHERE {' AND '.join(conditions)}" if conditions else ""
    await tx.execute(PLAN_FOR_VALUES)
    return await tx.fetch_rows(f"{ANY_MOMENT}{chosen} ORDER BY m.id DESC LIMIT $1", *values)


async def read_moment(runner: Runner, moment_id: UUID) -> Row | None:
    """Return a moment with its member, or None."""
    return await runner.fetch_row(READ_MOMENT, moment_id)


async def lock_moment(tx: Transaction, moment_id: UUID) -> Row | None:
    """Lock and return a moment with its member, or None."""
    return await tx.fetch_row(LOCK_MOMENT, moment_id)


async def change_hidden(tx: Transaction, moment_id: UUID, hidden_at: datetime | None) -> None:
    """Hide a moment, or show it again."""
    await tx.execute(CHANGE_HIDDEN, moment_id, hidden_at)


async def is_hidden(database: Database, key: str) -> bool:
    """Return whether a stored object belongs to a hidden moment."""
    return bool(await database.fetch_value(IS_HIDDEN, key))


async def count_reported(database: Database) -> int:
    """Count the moments with open reports."""
    found: int = await database.fetch_value(COUNT_REPORTED)
    return found


async def insert_moment(tx: Transaction, moment: NewMoment) -> Row:
    """Insert a moment and return its row."""
    statement = insert(Moment).values(**vars(moment)).returning(Moment.__table__)
    return cast("Row", await tx.fetch_row(statement))


async def delete_moment(tx: Transaction, moment_id: UUID, user_id: UUID) -> list[str] | None:
    """Delete a member's moment; return its keys, None when there is none.

    A hidden moment does not exist for its member.
    """
    row = await tx.fetch_row(LOCK_OWN, moment_id, user_id)
    if row is None:
        return None
    await _delete(tx, [moment_id])
    return [row["thumbnail_key"], row["video_key"]]


async def delete_moments(tx: Transaction, user_id: UUID) -> list[str]:
    """Delete a member's moments; return their keys."""
    rows = await tx.fetch_rows(LOCK_ALL_OWN, user_id)
    await _delete(tx, [row["id"] for row in rows])
    return [row[key] for row in rows for key in ("thumbnail_key", "video_key")]


async def _delete(tx: Transaction, moment_ids: Sequence[UUID]) -> None:
    """Delete locked moments, after their applause and reports."""
    for statement in DELETES:
        await tx.execute(statement, list(moment_ids))
