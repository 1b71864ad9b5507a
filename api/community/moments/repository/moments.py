from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime
from uuid import UUID

from sqlalchemy.dialects.postgresql import insert

from api.community.moments.models import Moment
from api.community.moments.schemas import MomentCount
from api.foundation.database.database import Database, Runner, Transaction
from api.foundation.database.statements import PLAN_FOR_VALUES, Query, columns

REPORTED = """EXISTS (SELECT FROM moment_report r
 WHERE r.moment_id = m.id AND r.settled_at IS NULL)"""
COUNT_REPORTED = """
SELECT count(DISTINCT moment_id) FROM moment_report WHERE settled_at IS NULL
"""
CHANGE_HIDDEN = "UPDATE moment SET hidden_at = $2 WHERE id = $1"
IS_HIDDEN = """
SELECT EXISTS (SELECT FROM moment WHERE thumbnail_key = $1 AND hidden_at IS NOT NULL)
    OR EXISTS (SELECT FROM moment WHERE video_key = $1 AND hidden_at IS NOT NULL)
"""
DELETES = (
    "DELETE FROM moment_applause WHERE moment_id = ANY ($1::uuid[])",
    "DELETE FROM moment_report WHERE moment_id = ANY ($1::uuid[])",
    "DELETE FROM moment WHERE id = ANY ($1::uuid[])",
)


@dataclass(frozen=True)
class VisibleMoment:
    id: UUID
    user_id: UUID
    title: str
    content: str
    thumbnail_key: str
    video_key: str
    video_type: str
    video_bytes: int
    created_at: datetime
    shared_at: datetime | None
    shared_club_id: UUID | None
    public_at: datetime | None


@dataclass(frozen=True)
class StoredMoment(VisibleMoment):
    hidden_at: datetime | None


@dataclass(frozen=True)
class MemberMoment(StoredMoment):
    first_name: str
    last_name: str
    reports: int


ANY_MOMENT = f"""
SELECT {columns(StoredMoment, "m")}, u.first_name, u.last_name,
       (SELECT count(*) FROM moment_report r WHERE r.moment_id = m.id AND r.settled_at IS NULL)
         AS reports
  FROM moment m JOIN user_account u ON u.id = m.user_id
"""  # noqa: S608 constants only


@dataclass(frozen=True)
class MomentKeys:
    thumbnail_key: str
    video_key: str


@dataclass(frozen=True)
class LockedMoment(MomentKeys):
    id: UUID


LIST_MOMENTS = Query(
    """
SELECT id, user_id, title, content, thumbnail_key, video_key, video_type, video_bytes, created_at,
       shared_at, shared_club_id, public_at
  FROM moment WHERE user_id = $1 AND hidden_at IS NULL ORDER BY created_at DESC, id DESC
""",
    VisibleMoment,
)
READ_MOMENT = Query(f"{ANY_MOMENT} WHERE m.id = $1", MemberMoment)
LOCK_MOMENT = Query(f"{ANY_MOMENT} WHERE m.id = $1 FOR UPDATE OF m", MemberMoment)
COUNT = Query(
    """
SELECT count(*) FILTER (WHERE hidden_at IS NULL) AS shown,
       count(*) FILTER (WHERE hidden_at IS NOT NULL) AS hidden
  FROM moment WHERE user_id = $1
""",
    MomentCount,
)
LOCK_OWN = Query(
    """
SELECT thumbnail_key, video_key FROM moment
 WHERE id = $1 AND user_id = $2 AND hidden_at IS NULL FOR UPDATE
""",
    MomentKeys,
)
LOCK_ALL_OWN = Query(
    """
SELECT id, thumbnail_key, video_key FROM moment WHERE user_id = $1 ORDER BY id FOR UPDATE
""",
    LockedMoment,
)
LIST_NAMED_KEYS = """
SELECT thumbnail_key FROM moment WHERE thumbnail_key = ANY ($1::text[])
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


async def list_moments(database: Database, user_id: UUID) -> Sequence[VisibleMoment]:
    """Return a member's moments, newest first."""
    return await database.fetch_rows(LIST_MOMENTS, user_id)


async def list_named_keys(database: Database, keys: Sequence[str]) -> set[str]:
    """Return which of ``keys`` a moment refers to."""
    return set(await database.fetch_column(LIST_NAMED_KEYS, list(keys)))


async def count_moments(tx: Transaction, user_id: UUID) -> int:
    """Return how many moments a member has, without those that operators have hidden."""
    row = await count(tx, user_id)
    return row.shown


async def count(runner: Runner, user_id: UUID) -> MomentCount:
    row = await runner.fetch_row(COUNT, user_id)
    assert row is not None  # noqa: S101 a count has a row
    return row


async def list_all_moments(
    tx: Transaction, wanted: MomentFilter, before: UUID | None, limit: int
) -> Sequence[MemberMoment]:
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
    found = Query(f"{ANY_MOMENT}{chosen} ORDER BY m.id DESC LIMIT $1", MemberMoment)
    return await tx.fetch_rows(found, *values)


async def read_moment(runner: Runner, moment_id: UUID) -> MemberMoment | None:
    return await runner.fetch_row(READ_MOMENT, moment_id)


async def lock_moment(tx: Transaction, moment_id: UUID) -> MemberMoment | None:
    return await tx.fetch_row(LOCK_MOMENT, moment_id)


async def change_hidden(tx: Transaction, moment_id: UUID, hidden_at: datetime | None) -> None:
    await tx.execute(CHANGE_HIDDEN, moment_id, hidden_at)


async def is_hidden(database: Database, key: str) -> bool:
    return bool(await database.fetch_value(IS_HIDDEN, key))


async def count_reported(database: Database) -> int:
    found: int = await database.fetch_value(COUNT_REPORTED)
    return found


async def insert_moment(tx: Transaction, moment: NewMoment) -> StoredMoment:
    statement = insert(Moment).values(**vars(moment)).returning(Moment.__table__)
    row = await tx.fetch_row(Query(statement, StoredMoment))
    assert row is not None  # noqa: S101 just inserted
    return row


async def delete_moment(tx: Transaction, moment_id: UUID, user_id: UUID) -> list[str] | None:
    """Delete a member's moment; return its keys, None when there is none.

    A hidden moment does not exist for its member.
    """
    row = await tx.fetch_row(LOCK_OWN, moment_id, user_id)
    if row is None:
        return None
    await _delete(tx, [moment_id])
    return [row.thumbnail_key, row.video_key]


async def delete_moments(tx: Transaction, user_id: UUID) -> list[str]:
    """Delete a member's moments; return their keys."""
    rows = await tx.fetch_rows(LOCK_ALL_OWN, user_id)
    await _delete(tx, [row.id for row in rows])
    return [key for row in rows for key in (row.thumbnail_key, row.video_key)]


async def _delete(tx: Transaction, moment_ids: Sequence[UUID]) -> None:
    """Delete locked moments, after their applause and reports."""
    for statement in DELETES:
        await tx.execute(statement, list(moment_ids))
