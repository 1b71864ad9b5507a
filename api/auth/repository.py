"""SQL of credentials, codes, sessions and the guard."""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta
from uuid import UUID

from sqlalchemy import func, select, text, update
from sqlalchemy.dialects.postgresql import insert

from api.auth.enums import CodePurpose
from api.auth.models import Credential, MailedCode, Session
from api.core.database import Database, Row, UnitOfWork
from api.core.ids import new_id

# A look at a session also says that its member was here: at most one write in five minutes.
READ_SESSION = """
WITH seen AS (
  UPDATE session SET last_seen_at = now()
   WHERE id = $1 AND revoked_at IS NULL AND last_seen_at < now() - interval '5 minutes'
)
SELECT s.user_id, s.expires_at, u.club_id, u.is_operator, c.name AS club_name
  FROM session s
  JOIN user_account u ON u.id = s.user_id
  JOIN club c ON c.id = u.club_id
 WHERE s.id = $1 AND s.revoked_at IS NULL AND u.suspended_at IS NULL
"""
LIST_SESSIONS = """
SELECT id, device, created_at, last_seen_at FROM session
 WHERE user_id = $1 AND revoked_at IS NULL AND expires_at > now()
 ORDER BY last_seen_at DESC, id DESC
"""
READ_HASH = "SELECT password_hash FROM credential WHERE user_id = $1"
# An attempt is counted before the password is looked at, so that a thousand at once are counted
# too. The free ones pass; from then on each must wait for the delay the last one set.
ADMIT_ATTEMPT = """
INSERT INTO sign_in_guard AS g (digest, attempts, attempted_at, locked_until, admitted)
VALUES ($1, 1, now(), NULL, true)
ON CONFLICT (digest) DO UPDATE SET
  admitted = g.locked_until IS NULL OR g.locked_until <= now(),
  attempts = CASE WHEN g.locked_until > now() THEN g.attempts
                  WHEN g.attempted_at <= now() - $2::interval THEN 1
                  ELSE g.attempts + 1 END,
  attempted_at = CASE WHEN g.locked_until > now() THEN g.attempted_at ELSE now() END,
  locked_until = CASE WHEN g.locked_until > now() THEN g.locked_until
                      WHEN g.attempted_at <= now() - $2::interval OR g.attempts + 1 < $3 THEN NULL
                      ELSE now() + least($4::interval * power(2, g.attempts + 1 - $3),
                                         $5::interval) END
RETURNING admitted, locked_until
"""
CLEAR_GUARD = "DELETE FROM sign_in_guard WHERE digest = $1"
# Sessions beyond the newest few end; their trigger tells every worker.
END_SURPLUS_SESSIONS = text("""
UPDATE session SET revoked_at = now() WHERE id IN (
  SELECT id FROM session WHERE user_id = :user_id AND revoked_at IS NULL
  ORDER BY created_at DESC, id DESC OFFSET :kept)
""")
TRY_CODE = text("""
UPDATE mailed_code SET
  tries = tries + 1,
  closed_at = CASE WHEN digest = :digest OR tries + 1 >= :tries_allowed THEN now() END
WHERE user_id = :user_id AND purpose = :purpose AND closed_at IS NULL AND expires_at > now()
  AND tries < :tries_allowed
RETURNING digest = :digest AS fits
""")


@dataclass(frozen=True)
class Guard:
    """The account's attempt limits."""

    memory: timedelta
    free_attempts: int
    first_delay: timedelta
    longest_delay: timedelta


async def read_session(database: Database, session_id: UUID) -> Row | None:
    """Return a live session with its member's club, or None."""
    return await database.fetch_row(READ_SESSION, session_id)


async def list_sessions(database: Database, user_id: UUID) -> Sequence[Row]:
    """Return a member's live sessions, last used first."""
    return await database.fetch_rows(LIST_SESSIONS, user_id)


async def change_others_revoked(unit: UnitOfWork, user_id: UUID, kept: UUID) -> list[UUID]:
    """End every session of a member but ``kept``; return those that were open."""
    statement = (
        update(Session)
        .where(Session.user_id == user_id, Session.id != kept, Session.revoked_at.is_(None))
        .values(revoked_at=func.now())
        .returning(Session.id)
    )
    return list((await unit.connection.execute(statement)).scalars())


async def read_password_hash(database: Database, user_id: UUID) -> str | None:
    """Return the encoded hash, or None."""
    row = await database.fetch_row(READ_HASH, user_id)
    return None if row is None else str(row["password_hash"])


async def change_password(unit: UnitOfWork, user_id: UUID, password_hash: str) -> None:
    """Set a member's password hash."""
    statement = insert(Credential).values(user_id=user_id, password_hash=password_hash)
    await unit.connection.execute(
        statement.on_conflict_do_update(
            index_elements=[Credential.user_id],
            set_={"password_hash": password_hash, "changed_at": func.now()},
        )
    )


async def admit_attempt(database: Database, digest: str, guard: Guard) -> datetime | None:
    """Count an attempt; return None when it may go on, else the instant it may be repeated."""
    row = await database.fetch_row(
        ADMIT_ATTEMPT,
        digest,
        guard.memory,
        guard.free_attempts,
        guard.first_delay,
        guard.longest_delay,
    )
    if row is None or row["admitted"]:
        return None
    locked_until: datetime = row["locked_until"]
    return locked_until


async def clear_guard(database: Database, digest: str) -> None:
    """Forget an account's wrong attempts."""
    await database.fetch_row(CLEAR_GUARD, digest)


async def list_recent_codes(
    unit: UnitOfWork, user_id: UUID, purpose: CodePurpose, since: datetime
) -> list[datetime]:
    """Return when codes were sent since ``since``, newest first."""
    statement = (
        select(MailedCode.created_at)
        .where(
            MailedCode.user_id == user_id,
            MailedCode.purpose == purpose,
            MailedCode.created_at > since,
        )
        .order_by(MailedCode.created_at.desc())
        .limit(100)
    )
    return list((await unit.connection.execute(statement)).scalars())


async def replace_code(
    unit: UnitOfWork, user_id: UUID, purpose: CodePurpose, digest: str, life: timedelta
) -> None:
    """Void the open code of this purpose and insert a new one."""
    await unit.connection.execute(
        update(MailedCode)
        .where(
            MailedCode.user_id == user_id,
            MailedCode.purpose == purpose,
            MailedCode.closed_at.is_(None),
        )
        .values(closed_at=func.now())
    )
    await unit.connection.execute(
        insert(MailedCode).values(
            id=new_id(),
            user_id=user_id,
            purpose=purpose,
            digest=digest,
            expires_at=func.now() + life,
        )
    )


async def try_code(
    unit: UnitOfWork, user_id: UUID, purpose: CodePurpose, digest: str, tries_allowed: int
) -> bool:
    """Count a try at the open code; True closes it. The count must be committed either way."""
    row = (
        await unit.connection.execute(
            TRY_CODE,
            {
                "user_id": user_id,
                "purpose": purpose.value,
                "digest": digest,
                "tries_allowed": tries_allowed,
            },
        )
    ).first()
    return row is not None and bool(row.fits)


async def was_used(unit: UnitOfWork, user_id: UUID, purpose: CodePurpose, digest: str) -> bool:
    """Say whether this very code, still within its life, has closed before."""
    statement = select(MailedCode.id).where(
        MailedCode.user_id == user_id,
        MailedCode.purpose == purpose,
        MailedCode.digest == digest,
        MailedCode.closed_at.is_not(None),
        MailedCode.expires_at > func.now(),
    )
    return (await unit.connection.execute(statement)).first() is not None


async def insert_session(
    unit: UnitOfWork,
    session_id: UUID,
    user_id: UUID,
    life: timedelta,
    kept: int,
    device: str | None,
) -> None:
    """Open a session, and end the member's oldest beyond ``kept``."""
    await unit.connection.execute(
        insert(Session).values(
            id=session_id, user_id=user_id, expires_at=func.now() + life, device=device
        )
    )
    await unit.connection.execute(END_SURPLUS_SESSIONS, {"user_id": user_id, "kept": kept})


async def change_revoked(
    unit: UnitOfWork, *, session_id: UUID | None = None, user_id: UUID | None = None
) -> list[UUID]:
    """End one session, or all of a member; return those that were open."""
    statement = update(Session).where(Session.revoked_at.is_(None)).values(revoked_at=func.now())
    if session_id is not None:
        statement = statement.where(Session.id == session_id)
    if user_id is not None:
        statement = statement.where(Session.user_id == user_id)
    if session_id is None and user_id is None:
        raise ValueError("Name a session or a member")
    return list((await unit.connection.execute(statement.returning(Session.id))).scalars())
