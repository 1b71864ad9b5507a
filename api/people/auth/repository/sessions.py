from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta
from uuid import UUID

from sqlalchemy import update

from api.foundation.database.database import Database, Transaction
from api.foundation.database.statements import Query
from api.foundation.security.members import SUSPENDED_AT
from api.people.auth.models import Session

# Skips locked rows: they are being changed, and are recorded another time.
CHANGE_SEEN = """
UPDATE session SET last_seen_at = $2
 WHERE id IN (SELECT id FROM session WHERE id = ANY ($1) AND revoked_at IS NULL
                 FOR NO KEY UPDATE SKIP LOCKED)
"""
# Ends sessions beyond the newest few, which their trigger announces to every worker, and stores the
# network. Requires that the member still has the checked password: changing it ends all sessions,
# and one opened afterwards with the old password would survive.
OPEN_SESSION = f"""
WITH here AS MATERIALIZED (SELECT hold_member($2) AS is_held), held AS MATERIALIZED (
  SELECT c.user_id
    FROM here JOIN credential c ON here.is_held JOIN user_account u ON u.id = c.user_id
   WHERE c.user_id = $2 AND c.password_hash = $8 AND {SUSPENDED_AT} IS NULL FOR SHARE OF c
), opened AS (
  INSERT INTO session (id, user_id, device, created_at, last_seen_at, expires_at)
  SELECT $1, $2, $3, $4, $4, $4::timestamptz + $5::interval FROM held
), surplus AS (
  UPDATE session SET revoked_at = $4 WHERE id IN (
    SELECT id FROM session WHERE user_id = $2 AND revoked_at IS NULL
    ORDER BY created_at DESC, id DESC OFFSET $6 - 1)
), browsers AS (
  INSERT INTO known_browser (user_id, browser, seen_at)
  SELECT $2, $9::varchar, $4 FROM held WHERE $9::varchar IS NOT NULL
  ON CONFLICT (user_id, browser) DO UPDATE SET seen_at = excluded.seen_at
)
INSERT INTO known_origin (user_id, origin, seen_at) SELECT $2, $7, $4 FROM held
ON CONFLICT (user_id, origin) DO UPDATE SET seen_at = excluded.seen_at
RETURNING user_id
"""  # noqa: S608 constants only


@dataclass(frozen=True)
class LiveSession:
    user_id: UUID
    expires_at: datetime
    last_seen_at: datetime
    club_id: UUID
    club_name: str


@dataclass(frozen=True)
class SignedInDevice:
    id: UUID
    device: str | None
    created_at: datetime
    last_seen_at: datetime


# A session last seen before $2 has ended.
READ_SESSION = Query(
    f"""
SELECT s.user_id, s.expires_at, s.last_seen_at, u.club_id, c.name AS club_name
  FROM session s
  JOIN user_account u ON u.id = s.user_id
  JOIN club c ON c.id = u.club_id
 WHERE s.id = $1 AND s.revoked_at IS NULL AND s.last_seen_at > $2 AND {SUSPENDED_AT} IS NULL
""",  # noqa: S608 constants only
    LiveSession,
)
LIST_SESSIONS = Query(
    f"""
SELECT s.id, s.device, s.created_at, s.last_seen_at
  FROM session s JOIN user_account u ON u.id = s.user_id
 WHERE s.user_id = $1 AND s.revoked_at IS NULL AND s.last_seen_at > $2 AND s.expires_at > $3
   AND {SUSPENDED_AT} IS NULL
 ORDER BY s.last_seen_at DESC, s.id DESC
""",  # noqa: S608 constants only
    SignedInDevice,
)


@dataclass(frozen=True)
class NewSession:
    """A sign-in to store: its life, device, network and browser.

    ``password_hash`` is the hash the password was verified against.
    """

    id: UUID
    user_id: UUID
    life: timedelta
    device: str | None
    origin: str
    password_hash: str
    browser: str | None


async def change_seen(database: Database, session_ids: Sequence[UUID], now: datetime) -> None:
    """Record when these sessions were last used; ended sessions are unchanged."""
    await database.execute(CHANGE_SEEN, session_ids, now)


async def read_session(
    database: Database, session_id: UUID, seen_since: datetime
) -> LiveSession | None:
    return await database.fetch_row(READ_SESSION, session_id, seen_since)


async def list_sessions(
    database: Database, user_id: UUID, seen_since: datetime, now: datetime
) -> Sequence[SignedInDevice]:
    """Return a member's live sessions, most recently used first."""
    return await database.fetch_rows(LIST_SESSIONS, user_id, seen_since, now)


async def change_others_revoked(
    tx: Transaction, user_id: UUID, kept: UUID, now: datetime
) -> list[UUID]:
    """End every session of a member except ``kept``; return those that were open."""
    statement = (
        update(Session)
        .where(Session.user_id == user_id, Session.id != kept, Session.revoked_at.is_(None))
        .values(revoked_at=now)
        .returning(Session.id)
    )
    return await tx.fetch_column(statement)


async def open_session(database: Database, session: NewSession, now: datetime, kept: int) -> bool:
    """Open a session, end the oldest beyond ``kept``, and store network and browser.

    Returns False and writes nothing if the member's account is deleted or suspended, or the
    password has changed.
    """
    row = await database.fetch_row(
        OPEN_SESSION,
        session.id,
        session.user_id,
        session.device,
        now,
        session.life,
        kept,
        session.origin,
        session.password_hash,
        session.browser,
    )
    return row is not None


async def change_revoked(
    tx: Transaction,
    now: datetime,
    *,
    session_id: UUID | None = None,
    user_id: UUID | None = None,
) -> list[UUID]:
    """End one session, or all of a member; return those that were open."""
    statement = update(Session).where(Session.revoked_at.is_(None)).values(revoked_at=now)
    if session_id is not None:
        statement = statement.where(Session.id == session_id)
    if user_id is not None:
        statement = statement.where(Session.user_id == user_id)
    if session_id is None and user_id is None:
        raise ValueError("Name a session or a member")
    return await tx.fetch_column(statement.returning(Session.id))
