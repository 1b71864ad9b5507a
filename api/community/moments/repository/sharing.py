from collections.abc import Sequence
from dataclasses import dataclass
from datetime import date, datetime, timedelta
from decimal import Decimal
from uuid import UUID

from sqlalchemy.dialects.postgresql import insert

from api.community.moments.enums import MomentComplaint
from api.community.moments.models import MomentApplause, MomentReport, MomentShare
from api.community.moments.repository.moments import StoredMoment
from api.foundation.database.database import Database, Transaction
from api.foundation.database.statements import Query, columns
from api.foundation.security.members import SUSPENDED_AT

# Moments of members who have left the club, or are banned, are not visible. $2 is now.
IS_SHARED = f"""
m.shared_at IS NOT NULL AND m.hidden_at IS NULL
   AND u.club_id = m.shared_club_id AND {SUSPENDED_AT} IS NULL
   AND NOT EXISTS (SELECT FROM chat_ban b
                    WHERE b.user_id = u.id AND (b.until IS NULL OR b.until > $2))
"""
IN_CLUB = f"m.shared_club_id = $1 AND {IS_SHARED}"
# FOR SHARE lets many applaud at once; a transaction that hides or deletes the moment waits.
LOCK_SHARED = f"""
SELECT m.user_id FROM moment m JOIN user_account u ON u.id = m.user_id
 WHERE {IN_CLUB} AND m.id = $3 FOR {{strength}} OF m
"""  # noqa: S608 constants only
LOCK_TO_APPLAUD, LOCK_TO_REPORT = (
    LOCK_SHARED.format(strength=strength) for strength in ("SHARE", "NO KEY UPDATE")
)
UNDO_APPLAUSE = "DELETE FROM moment_applause WHERE moment_id = $1 AND user_id = $2"
COUNT_APPLAUSE = "SELECT count(*) FROM moment_applause WHERE moment_id = $1"
READ_REASON = "SELECT reason FROM moment_report WHERE moment_id = $1 AND user_id = $2"
# One report of a member per author at a time, so that each one is weighed before the next. It does
# not exclude rows that refer to the member: hiding a moment notifies its locked author.
LOCK_MEMBER = "SELECT FROM user_account WHERE id = $1 FOR NO KEY UPDATE"
# Only a member's first report per author and day in Lagos counts, even if it is closed; a young
# account's counts less. Closed reports do not count: after a restore only new reporters do.
WEIGH_OPEN = """
SELECT coalesce(sum(CASE WHEN r.reported_at < u.created_at + $2::interval
                         THEN $3::numeric ELSE 1 END), 0)
  FROM moment_report r
  JOIN moment m ON m.id = r.moment_id
  JOIN user_account u ON u.id = r.user_id
 WHERE r.moment_id = $1 AND r.settled_at IS NULL
   AND NOT EXISTS (
     SELECT FROM moment_report o JOIN moment om ON om.id = o.moment_id
      WHERE o.user_id = r.user_id AND om.user_id = m.user_id
        AND (o.reported_at, o.moment_id) < (r.reported_at, r.moment_id)
        AND date_trunc('day', o.reported_at, 'Africa/Lagos')
            = date_trunc('day', r.reported_at, 'Africa/Lagos'))
"""
SETTLE = """
UPDATE moment_report SET settled_at = $2 WHERE moment_id = $1 AND settled_at IS NULL
RETURNING user_id
"""


@dataclass(frozen=True)
class ClubMoment:
    id: UUID
    user_id: UUID
    title: str
    content: str
    thumbnail_key: str
    video_key: str
    video_bytes: int
    shared_at: datetime
    first_name: str
    last_name: str
    avatar: str | None
    applause: int
    applauded: bool


@dataclass(frozen=True)
class PublicMomentRow:
    title: str
    content: str
    thumbnail_key: str
    video_key: str
    first_name: str
    club_name: str


@dataclass(frozen=True)
class DayShare:
    moment_id: UUID
    shared_at: datetime


LIST_SHARED = Query(
    f"""
SELECT m.id, m.user_id, m.title, m.content, m.thumbnail_key, m.video_key, m.video_bytes,
       m.shared_at, u.first_name, u.last_name, u.avatar,
       (SELECT count(*) FROM moment_applause a WHERE a.moment_id = m.id) AS applause,
       EXISTS (SELECT FROM moment_applause a WHERE a.moment_id = m.id AND a.user_id = $3)
         AS applauded
  FROM moment m JOIN user_account u ON u.id = m.user_id
 WHERE {IN_CLUB} ORDER BY m.shared_at DESC, m.id DESC LIMIT $4
""",  # noqa: S608 constants only
    ClubMoment,
)
READ_PUBLIC = Query(
    f"""
SELECT m.title, m.content, m.thumbnail_key, m.video_key, u.first_name, c.name AS club_name
  FROM moment m JOIN user_account u ON u.id = m.user_id JOIN club c ON c.id = u.club_id
 WHERE m.id = $1 AND m.public_at IS NOT NULL AND {IS_SHARED}
""",  # noqa: S608 constants only
    PublicMomentRow,
)
LOCK_OWN = Query(
    f"""
SELECT {columns(StoredMoment, "m")} FROM moment m
 WHERE m.id = $1 AND m.user_id = $2 AND m.hidden_at IS NULL FOR NO KEY UPDATE
""",  # noqa: S608 constants only
    StoredMoment,
)
LIST_SHARES = Query(
    "SELECT moment_id, shared_at FROM moment_share WHERE user_id = $1 AND day = $2", DayShare
)
CHANGE_SHARED = Query(
    f"""
UPDATE moment SET shared_at = $2, shared_club_id = $3, public_at = $4 WHERE id = $1
RETURNING {columns(StoredMoment, "moment")}
""",  # noqa: S608 constants only
    StoredMoment,
)


async def list_shared(
    database: Database, club_id: UUID, user_id: UUID, now: datetime, limit: int
) -> Sequence[ClubMoment]:
    """Return the moments that a club sees, latest share first, with a member's applause."""
    return await database.fetch_rows(LIST_SHARED, club_id, now, user_id, limit)


async def read_public(database: Database, moment_id: UUID, now: datetime) -> PublicMomentRow | None:
    """Return a moment that everybody may watch, or None."""
    return await database.fetch_row(READ_PUBLIC, moment_id, now)


async def lock_to_applaud(
    tx: Transaction, moment_id: UUID, club_id: UUID, now: datetime
) -> UUID | None:
    """Lock a moment that a club sees, shared with other transactions; return its owner, or None."""
    owner: UUID | None = await tx.fetch_value(LOCK_TO_APPLAUD, club_id, now, moment_id)
    return owner


async def lock_to_report(
    tx: Transaction, moment_id: UUID, club_id: UUID, now: datetime
) -> UUID | None:
    """Lock a moment that a club sees, exclusively; return its owner, or None."""
    owner: UUID | None = await tx.fetch_value(LOCK_TO_REPORT, club_id, now, moment_id)
    return owner


async def lock_own(tx: Transaction, moment_id: UUID, user_id: UUID) -> StoredMoment | None:
    """Lock and return a member's own visible moment, or None."""
    return await tx.fetch_row(LOCK_OWN, moment_id, user_id)


async def list_shares(tx: Transaction, user_id: UUID, day: date) -> dict[UUID, datetime]:
    """Return the moments that a member shared on a day and the first times, even if taken back."""
    rows = await tx.fetch_rows(LIST_SHARES, user_id, day)
    return {row.moment_id: row.shared_at for row in rows}


async def insert_share(
    tx: Transaction, user_id: UUID, day: date, moment_id: UUID, now: datetime
) -> None:
    """Record a member's first share of a moment on a day."""
    row = {"user_id": user_id, "day": day, "moment_id": moment_id, "shared_at": now}
    await tx.execute(insert(MomentShare).values(row))


async def change_shared(
    tx: Transaction,
    moment_id: UUID,
    shared_at: datetime | None,
    club_id: UUID | None,
    public_at: datetime | None,
) -> StoredMoment:
    """Set or clear the club that a moment is shared with, and its link; return the moment."""
    row = await tx.fetch_row(CHANGE_SHARED, moment_id, shared_at, club_id, public_at)
    assert row is not None  # noqa: S101 it is locked
    return row


async def insert_applause(tx: Transaction, moment_id: UUID, user_id: UUID, now: datetime) -> None:
    """Insert a member's applause unless it exists."""
    row = {"moment_id": moment_id, "user_id": user_id, "applauded_at": now}
    await tx.execute(insert(MomentApplause).values(row).on_conflict_do_nothing())


async def delete_applause(tx: Transaction, moment_id: UUID, user_id: UUID) -> None:
    await tx.execute(UNDO_APPLAUSE, moment_id, user_id)


async def count_applause(tx: Transaction, moment_id: UUID) -> int:
    found: int = await tx.fetch_value(COUNT_APPLAUSE, moment_id)
    return found


async def read_report(tx: Transaction, moment_id: UUID, user_id: UUID) -> MomentComplaint | None:
    reason = await tx.fetch_value(READ_REASON, moment_id, user_id)
    return None if reason is None else MomentComplaint(reason)


async def insert_report(
    tx: Transaction, moment_id: UUID, user_id: UUID, reason: MomentComplaint, now: datetime
) -> None:
    row = {"moment_id": moment_id, "user_id": user_id, "reason": reason, "reported_at": now}
    await tx.execute(insert(MomentReport).values(row))


async def lock_member(tx: Transaction, user_id: UUID) -> None:
    """Lock a member who shares or reports: their other shares and reports wait until commit."""
    await tx.execute(LOCK_MEMBER, user_id)


async def weigh_open_reports(
    tx: Transaction, moment_id: UUID, young: timedelta, young_weight: Decimal
) -> Decimal:
    """Return the total weight of a moment's open reports, where 1 is one member's.

    Reports of accounts that were younger than ``young`` weigh ``young_weight``.
    """
    found: Decimal = await tx.fetch_value(WEIGH_OPEN, moment_id, young, young_weight)
    return found


async def settle_reports(tx: Transaction, moment_id: UUID, now: datetime) -> int:
    """Close the open reports of a moment and return how many there were."""
    return len(await tx.fetch_rows(SETTLE, moment_id, now))
