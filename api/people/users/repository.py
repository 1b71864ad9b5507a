from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import date, datetime
from typing import Any
from uuid import UUID

from sqlalchemy import select, update
from sqlalchemy.dialects.postgresql import insert

from api.foundation.database.database import Database, Runner, Transaction
from api.foundation.database.statements import Query
from api.foundation.security.members import SUSPENDED_AT
from api.people.users.models import ChangeOfClub, PrivateDetail, User

COLUMNS = f"""
SELECT u.id, u.first_name, u.last_name, u.email, u.phone, u.gender, u.born_on, u.avatar, u.badge,
       u.club_id, u.activated_at, {SUSPENDED_AT} AS suspended_at,
       c.name AS club_name, c.colour_a, c.colour_b,
       current_plan_id(u.id, $2) AS plan_id
  FROM user_account u JOIN club c ON c.id = u.club_id
"""  # noqa: S608 constants only
READ_FIRST_JOINED = "SELECT created_at FROM user_account ORDER BY id LIMIT 1"
HOLD_USER = "SELECT hold_member($1)"
HAS_SEEN_TOUR = "SELECT tour_seen_at IS NOT NULL FROM user_account WHERE id = $1"
SEE_TOUR = """
UPDATE user_account SET tour_seen_at = $2
 WHERE id = $1 AND tour_seen_at IS NULL AND erased_at IS NULL
"""


@dataclass(frozen=True)
class PrivateDetails:
    settlement: bytes | None
    next_of_kin: bytes | None


@dataclass(frozen=True)
class SealedDetail:
    """A sealed detail; ``place`` is its column."""

    user_id: UUID
    place: str
    sealed: bytes


@dataclass(frozen=True)
class LockedUser:
    """A record, deleted or not; ``suspended_since`` is None unless it is suspended."""

    club_id: UUID
    avatar: str | None
    erased_at: datetime | None
    suspended_until: datetime | None
    suspended_since: datetime | None


@dataclass(frozen=True)
class ClubPeriodRow:
    club_id: UUID
    club_name: str
    began_at: datetime
    ended_at: datetime | None
    operator_id: UUID | None
    operator_name: str | None


@dataclass(frozen=True)
class TakenContacts:
    email: bool
    phone: bool


@dataclass(frozen=True)
class UserRecord:
    id: UUID
    first_name: str
    last_name: str
    email: str
    phone: str
    gender: str | None
    born_on: date | None
    avatar: str | None
    badge: str
    club_id: UUID
    activated_at: datetime
    suspended_at: datetime | None
    club_name: str
    colour_a: str
    colour_b: str
    plan_id: UUID | None


READ_PRIVATE = Query(
    "SELECT settlement, next_of_kin FROM private_detail WHERE user_id = $1", PrivateDetails
)
LIST_NAMED_KEYS = "SELECT avatar FROM user_account WHERE avatar = ANY ($1::text[])"
LIST_OTHERWISE_SEALED = """
SELECT user_id FROM private_detail
 WHERE substring(settlement FOR $1) <> $2 OR substring(next_of_kin FOR $1) <> $2
 ORDER BY user_id
"""
LIST_SAMPLES_BY_KEY = Query(
    """
SELECT DISTINCT ON (substring(sealed FOR $1)) user_id, place, sealed
  FROM (SELECT user_id, 'settlement' AS place, settlement AS sealed FROM private_detail
         UNION ALL SELECT user_id, 'next_of_kin', next_of_kin FROM private_detail) AS one
 WHERE sealed IS NOT NULL
""",
    SealedDetail,
)
LOCK_USER = Query(
    f"""
SELECT u.club_id, u.avatar, u.erased_at, u.suspended_until, {SUSPENDED_AT} AS suspended_since
  FROM user_account u WHERE u.id = $1 FOR UPDATE
""",  # noqa: S608 constants only
    LockedUser,
)
# Each change ends a period and begins the next; the first was begun by the member.
LIST_CLUB_PERIODS = Query(
    """
WITH begun AS (
  SELECT u.club_id, u.activated_at AS began_at, NULL::uuid AS operator_id, NULL::uuid AS id
    FROM user_account u
   WHERE u.id = $1 AND NOT EXISTS (SELECT FROM club_change c WHERE c.user_id = u.id)
  UNION ALL
  (SELECT c.from_club_id, u.activated_at, NULL, NULL
     FROM club_change c JOIN user_account u ON u.id = c.user_id
    WHERE c.user_id = $1 ORDER BY c.id LIMIT 1)
  UNION ALL
  SELECT c.to_club_id, c.changed_at, c.operator_id, c.id FROM club_change c WHERE c.user_id = $1
), period AS (
  SELECT b.*, lead(b.began_at) OVER (ORDER BY b.id NULLS FIRST) AS ended_at FROM begun b
)
SELECT p.club_id, k.name AS club_name, p.began_at, p.ended_at, p.operator_id,
       w.first_name || ' ' || w.last_name AS operator_name
  FROM period p JOIN club k ON k.id = p.club_id
  LEFT JOIN operator o ON o.id = p.operator_id
  LEFT JOIN user_account w ON w.id = o.user_id
 ORDER BY p.id DESC NULLS LAST LIMIT 100
""",
    ClubPeriodRow,
)
READ_TAKEN = Query(
    """
SELECT EXISTS (SELECT FROM user_account WHERE email = $1) AS email,
       EXISTS (SELECT FROM user_account WHERE phone = $2) AS phone
""",
    TakenContacts,
)
READ_USER = Query(COLUMNS + " WHERE u.id = $1", UserRecord)
READ_USER_BY_EMAIL = Query(COLUMNS + " WHERE u.email = $1", UserRecord)


async def read_user(database: Database, user_id: UUID, now: datetime) -> UserRecord | None:
    return await database.fetch_row(READ_USER, user_id, now)


async def read_user_by_email(database: Database, email: str, now: datetime) -> UserRecord | None:
    return await database.fetch_row(READ_USER_BY_EMAIL, email, now)


async def insert_user(tx: Transaction, values: Mapping[str, Any]) -> bool:
    """Insert a member; return False if the email or phone is taken."""
    statement = insert(User).values(**values).on_conflict_do_nothing().returning(User.id)
    return await tx.fetch_row(statement) is not None


async def read_taken(tx: Transaction, email: str, phone: str) -> tuple[bool, bool]:
    """Return whether a member has the email, and whether one has the phone."""
    row = await tx.fetch_row(READ_TAKEN, email, phone)
    assert row is not None  # noqa: S101 the query has one row
    return row.email, row.phone


async def lock_user(tx: Transaction, user_id: UUID) -> LockedUser | None:
    return await tx.fetch_row(LOCK_USER, user_id)


async def change_user(tx: Transaction, user_id: UUID, values: dict[str, Any]) -> None:
    if values:
        await tx.execute(update(User).where(User.id == user_id).values(**values))


async def has_seen_tour(database: Database, user_id: UUID) -> bool:
    return bool(await database.fetch_value(HAS_SEEN_TOUR, user_id))


async def change_tour_seen(database: Database, user_id: UUID, now: datetime) -> None:
    """Record when a member first saw the tour."""
    await database.execute(SEE_TOUR, user_id, now)


async def insert_club_change(tx: Transaction, values: Mapping[str, Any]) -> None:
    await tx.execute(insert(ChangeOfClub).values(**values))


async def list_club_periods(database: Runner, user_id: UUID) -> Sequence[ClubPeriodRow]:
    """Return a member's clubs and who moved them there, latest first."""
    return await database.fetch_rows(LIST_CLUB_PERIODS, user_id)


async def read_private(database: Database, user_id: UUID) -> PrivateDetails | None:
    return await database.fetch_row(READ_PRIVATE, user_id)


async def lock_private(tx: Transaction, user_id: UUID) -> PrivateDetails | None:
    statement = (
        select(PrivateDetail.settlement, PrivateDetail.next_of_kin)
        .where(PrivateDetail.user_id == user_id)
        .with_for_update()
    )
    return await tx.fetch_row(Query(statement, PrivateDetails))


async def change_private(
    tx: Transaction, user_id: UUID, values: Mapping[str, bytes | None], now: datetime
) -> None:
    if not values:
        return
    changed = {**values, "changed_at": now}
    statement = insert(PrivateDetail).values(user_id=user_id, **changed)
    await tx.execute(
        statement.on_conflict_do_update(index_elements=[PrivateDetail.user_id], set_=changed)
    )


async def list_otherwise_sealed(database: Database, header: bytes) -> list[UUID]:
    """Return the members whose details do not begin with ``header``: another key sealed them."""
    return await database.fetch_column(LIST_OTHERWISE_SEALED, len(header), header)


async def list_samples_by_key(database: Database, header_bytes: int) -> Sequence[SealedDetail]:
    """Return one sealed detail per header: its member, column and content."""
    return await database.fetch_rows(LIST_SAMPLES_BY_KEY, header_bytes)


async def list_named_keys(database: Database, keys: Sequence[str]) -> set[str]:
    """Return which of ``keys`` are avatars."""
    return set(await database.fetch_column(LIST_NAMED_KEYS, list(keys)))


async def hold_user(tx: Transaction, user_id: UUID) -> bool:
    """Lock a record against changes until commit; return False if the account is deleted."""
    return bool(await tx.fetch_value(HOLD_USER, user_id))


async def read_first_joined(database: Database) -> datetime | None:
    found: datetime | None = await database.fetch_value(READ_FIRST_JOINED)
    return found
