"""SQL of sign-ups, credentials, codes, sessions and the guard."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import Any
from uuid import UUID

from sqlalchemy import delete, select, update
from sqlalchemy.dialects.postgresql import insert

from api.auth.enums import CodePurpose
from api.auth.models import Credential, MailedCode, Session, SignUpAttempt
from api.core.ids import new_id
from api.database.database import Database, Runner, Transaction
from api.database.statements import Row

# One that was last seen before $2 has ended, and nothing wakes it.
READ_SESSION = """
SELECT s.user_id, s.expires_at, s.last_seen_at, u.club_id, u.is_operator, c.name AS club_name
  FROM session s
  JOIN user_account u ON u.id = s.user_id
  JOIN club c ON c.id = u.club_id
 WHERE s.id = $1 AND s.revoked_at IS NULL AND s.last_seen_at > $2 AND u.suspended_at IS NULL
"""
# Whoever holds a session's row is changing it: that one is skipped and noticed another time.
CHANGE_SEEN = """
UPDATE session SET last_seen_at = $2
 WHERE id IN (SELECT id FROM session WHERE id = ANY ($1) AND revoked_at IS NULL
                 FOR NO KEY UPDATE SKIP LOCKED)
"""
LIST_SESSIONS = """
SELECT id, device, created_at, last_seen_at FROM session
 WHERE user_id = $1 AND revoked_at IS NULL AND last_seen_at > $2 AND expires_at > $3
 ORDER BY last_seen_at DESC, id DESC
"""
READ_HASH = "SELECT password_hash FROM credential WHERE user_id = $1"
# An attempt is counted before the password is looked at, so that a thousand at once are counted
# too. The free ones pass; from then on each must wait for the delay the last one set.
ADMIT_ATTEMPT = """
INSERT INTO sign_in_guard AS g (digest, attempts, attempted_at, locked_until, admitted)
VALUES ($1, 1, $6, NULL, true)
ON CONFLICT (digest) DO UPDATE SET
  admitted = g.locked_until IS NULL OR g.locked_until <= $6,
  attempts = CASE WHEN g.locked_until > $6 THEN g.attempts
                  WHEN g.attempted_at <= $6::timestamptz - $2::interval THEN 1
                  ELSE g.attempts + 1 END,
  attempted_at = CASE WHEN g.locked_until > $6 THEN g.attempted_at ELSE $6 END,
  locked_until = CASE WHEN g.locked_until > $6 THEN g.locked_until
                      WHEN g.attempted_at <= $6::timestamptz - $2::interval
                        OR g.attempts + 1 < $3 THEN NULL
                      ELSE $6 + least($4::interval * power(2, g.attempts + 1 - $3),
                                         $5::interval) END
RETURNING admitted, locked_until
"""
# What was admitted and not judged never happened: the lock it may have set is its own.
GIVE_BACK_ATTEMPT = """
UPDATE sign_in_guard SET attempts = attempts - 1, locked_until = NULL
 WHERE digest = $1 AND attempts > 0
"""
RENEW_HASH = "UPDATE credential SET password_hash = $3 WHERE user_id = $1 AND password_hash = $2"
CLEAR_GUARD = "DELETE FROM sign_in_guard WHERE digest = $1"
# Sessions beyond the newest few end; their trigger tells every worker. The network is remembered.
# The password that was judged must be the member's still: whoever changes it ends all sessions, and
# one that was opened with the old one a moment later would live on.
OPEN_SESSION = """
WITH here AS MATERIALIZED (SELECT hold_member($2) AS is_held), held AS MATERIALIZED (
  SELECT c.user_id FROM here JOIN credential c ON here.is_held
   WHERE c.user_id = $2 AND c.password_hash = $8 FOR SHARE OF c
), opened AS (
  INSERT INTO session (id, user_id, device, created_at, last_seen_at, expires_at)
  SELECT $1, $2, $3, $4, $4, $4::timestamptz + $5::interval FROM held
), surplus AS (
  UPDATE session SET revoked_at = $4 WHERE id IN (
    SELECT id FROM session WHERE user_id = $2 AND revoked_at IS NULL
    ORDER BY created_at DESC, id DESC OFFSET $6 - 1)
)
INSERT INTO known_origin (user_id, origin, seen_at) SELECT $2, $7, $4 FROM held
ON CONFLICT (user_id, origin) DO UPDATE SET seen_at = excluded.seen_at
RETURNING user_id
"""
# A right try closes the code unless it is only a look; a wrong one counts. The tries of networks
# that the member has come from are their own: strangers elsewhere cannot use them up.
TRY_CODE = """
WITH tried AS (
UPDATE mailed_code c SET
  tries = c.tries + (c.digest <> $3 AND NOT caller.is_known)::int,
  known_tries = c.known_tries + (c.digest <> $3 AND caller.is_known)::int,
  closed_at = CASE WHEN c.digest = $3 AND $6 THEN $4::timestamptz END
FROM (SELECT m.id, k.origin IS NOT NULL AS is_known
        FROM mailed_code m LEFT JOIN known_origin k ON k.user_id = m.user_id AND k.origin = $7
       WHERE m.subject_id = $1 AND m.purpose = $2 AND m.closed_at IS NULL) caller
WHERE c.id = caller.id AND c.closed_at IS NULL AND c.expires_at > $4::timestamptz
  AND CASE WHEN caller.is_known THEN c.known_tries ELSE c.tries END < $5
RETURNING c.digest = $3 AS fits, c.user_id)
SELECT fits, user_id FROM tried ORDER BY fits DESC LIMIT 1
"""
# Every decision about an address is taken by one transaction at a time.
LOCK_ADDRESS = "SELECT pg_advisory_xact_lock(hashtextextended($1, 0))"
WAITS_FOR_CODE = """EXISTS (
  SELECT FROM mailed_code c
   WHERE c.subject_id = a.id AND c.purpose = 'activation' AND c.closed_at IS NULL
     AND c.expires_at > {now})"""
LIST_ATTEMPTS = f"""
SELECT a.id, a.password_hash FROM sign_up_attempt a WHERE a.address = $1 AND a.expires_at > $2
 ORDER BY {WAITS_FOR_CODE.format(now="$2")} DESC, a.created_at DESC, a.id DESC LIMIT $3
"""  # noqa: S608 our own words
# What one network sends crowds out its own: each keeps its newest before any keeps its second.
END_SURPLUS_ATTEMPTS = f"""
DELETE FROM sign_up_attempt WHERE id IN (
  SELECT a.id FROM sign_up_attempt a WHERE a.address = $1
   ORDER BY a.expires_at > $2 DESC, {WAITS_FOR_CODE.format(now="$2")} DESC,
            row_number() OVER (PARTITION BY a.origin ORDER BY a.created_at DESC, a.id DESC),
            a.created_at DESC, a.id DESC
  OFFSET $3)
"""  # noqa: S608 our own words
END_CODES = """
UPDATE mailed_code SET closed_at = $2
 WHERE address = $1 AND purpose = 'activation' AND closed_at IS NULL
"""
MARK_ACTIVATING_CODE = """
UPDATE mailed_code SET user_id = subject_id
 WHERE subject_id = $1 AND purpose = 'activation' AND digest = $2
"""
READ_ATTEMPT = "SELECT * FROM sign_up_attempt WHERE id = $1 AND expires_at > $2"
READ_ACTIVATED_WITH = """
SELECT FROM mailed_code
 WHERE user_id = $1 AND purpose = 'activation' AND digest = $2 AND expires_at > $3
"""
KEEP_ORIGIN = """
INSERT INTO known_origin (user_id, origin, seen_at) VALUES ($1, $2, $3)
ON CONFLICT (user_id, origin) DO UPDATE SET seen_at = excluded.seen_at
"""
READ_ORIGIN = "SELECT FROM known_origin WHERE user_id = $1 AND origin = $2"


@dataclass(frozen=True)
class Guard:
    """The account's attempt limits."""

    memory: timedelta
    free_attempts: int
    first_delay: timedelta
    longest_delay: timedelta


@dataclass(frozen=True)
class Code:
    """A code: what it is good for, and its digest."""

    subject_id: UUID
    purpose: CodePurpose
    digest: str


@dataclass(frozen=True)
class Asking:
    """Who is asked for codes: an address, for what, and whether from a network the member knows."""

    address: str
    purpose: CodePurpose
    is_from_known: bool = False


@dataclass(frozen=True)
class NewSession:
    """A sign-in to keep: for how long, on what, and from which network.

    ``password_hash`` is the one that the password was found to fit.
    """

    id: UUID
    user_id: UUID
    life: timedelta
    device: str | None
    origin: str
    password_hash: str


async def change_seen(database: Database, session_ids: Sequence[UUID], now: datetime) -> None:
    """Note that the members of these sessions were here; ended sessions stay as they are."""
    await database.execute(CHANGE_SEEN, session_ids, now)


async def lock_address(tx: Transaction, address: str) -> None:
    """Let the caller's transaction be the only one to decide about an address."""
    await tx.execute(LOCK_ADDRESS, address)


async def insert_attempt(tx: Transaction, attempt: Mapping[str, Any], kept: int) -> None:
    """Insert a sign-up, and end those of its address beyond ``kept``.

    Those that wait for a mailed code stay first, then the newest of each network.
    """
    await tx.execute(insert(SignUpAttempt).values(**attempt))
    await tx.execute(END_SURPLUS_ATTEMPTS, attempt["address"], attempt["created_at"], kept)


async def read_attempt(database: Database, attempt_id: UUID, now: datetime) -> Row | None:
    """Return a sign-up that waits, or None."""
    return await database.fetch_row(READ_ATTEMPT, attempt_id, now)


async def lock_attempt(tx: Transaction, attempt_id: UUID, now: datetime) -> Row | None:
    """Lock and return a sign-up that still waits, or None."""
    statement = (
        select(SignUpAttempt.__table__)
        .where(SignUpAttempt.id == attempt_id, SignUpAttempt.expires_at > now)
        .with_for_update()
    )
    return await tx.fetch_row(statement)


async def list_attempts(
    database: Database, address: str, now: datetime, most: int
) -> Sequence[Row]:
    """Return the sign-ups of an address: those that wait for a code first, then the newest."""
    return await database.fetch_rows(LIST_ATTEMPTS, address, now, most)


async def end_attempts(tx: Transaction, address: str, now: datetime) -> None:
    """End every sign-up of an address, and every code they wait for."""
    await tx.execute(delete(SignUpAttempt).where(SignUpAttempt.address == address))
    await tx.execute(END_CODES, address, now)


async def change_code_used(tx: Transaction, user_id: UUID, digest: str) -> None:
    """Keep in mind which code has made the member."""
    await tx.execute(MARK_ACTIVATING_CODE, user_id, digest)


async def was_activated_with(database: Database, user_id: UUID, digest: str, now: datetime) -> bool:
    """Say whether this code, still within its life, has made the member."""
    return await database.fetch_row(READ_ACTIVATED_WITH, user_id, digest, now) is not None


async def keep_origin(tx: Transaction, user_id: UUID, origin: str, now: datetime) -> None:
    """Remember a network the member came from."""
    await tx.execute(KEEP_ORIGIN, user_id, origin, now)


async def is_origin_known(database: Database, user_id: UUID, origin: str) -> bool:
    """Say whether the member has come from this network before."""
    return await database.fetch_row(READ_ORIGIN, user_id, origin) is not None


async def read_session(database: Database, session_id: UUID, seen_since: datetime) -> Row | None:
    """Return a live session with its member's club, or None; unseen since then it has ended."""
    return await database.fetch_row(READ_SESSION, session_id, seen_since)


async def list_sessions(
    database: Database, user_id: UUID, seen_since: datetime, now: datetime
) -> Sequence[Row]:
    """Return a member's live sessions, last used first."""
    return await database.fetch_rows(LIST_SESSIONS, user_id, seen_since, now)


async def change_others_revoked(
    tx: Transaction, user_id: UUID, kept: UUID, now: datetime
) -> list[UUID]:
    """End every session of a member but ``kept``; return those that were open."""
    statement = (
        update(Session)
        .where(Session.user_id == user_id, Session.id != kept, Session.revoked_at.is_(None))
        .values(revoked_at=now)
        .returning(Session.id)
    )
    return [row["id"] for row in await tx.fetch_rows(statement)]


async def read_password_hash(database: Database, user_id: UUID) -> str | None:
    """Return the encoded hash, or None."""
    row = await database.fetch_row(READ_HASH, user_id)
    return None if row is None else str(row["password_hash"])


async def change_password(
    tx: Transaction, user_id: UUID, password_hash: str, now: datetime
) -> None:
    """Set a member's password hash."""
    values = {"password_hash": password_hash, "changed_at": now}
    statement = insert(Credential).values(user_id=user_id, **values)
    await tx.execute(
        statement.on_conflict_do_update(index_elements=[Credential.user_id], set_=values)
    )


async def renew_hash(database: Database, user_id: UUID, before: str, renewed: str) -> None:
    """Put a hash of the same password in the place of ``before``, if that still stands."""
    await database.execute(RENEW_HASH, user_id, before, renewed)


async def admit_attempt(
    database: Database, digest: str, guard: Guard, now: datetime
) -> datetime | None:
    """Count an attempt; return None when it may go on, else the instant it may be repeated."""
    row = await database.fetch_row(
        ADMIT_ATTEMPT,
        digest,
        guard.memory,
        guard.free_attempts,
        guard.first_delay,
        guard.longest_delay,
        now,
    )
    if row is None or row["admitted"]:
        return None
    locked_until: datetime = row["locked_until"]
    return locked_until


async def give_back_attempt(database: Database, digest: str) -> None:
    """Take back an attempt that was admitted and not judged."""
    await database.execute(GIVE_BACK_ATTEMPT, digest)


async def clear_guard(database: Database, digest: str) -> None:
    """Forget an account's wrong attempts."""
    await database.execute(CLEAR_GUARD, digest)


async def list_recent_codes(tx: Transaction, asking: Asking, since: datetime) -> list[datetime]:
    """Return when codes were sent for such an asking since ``since``, newest first."""
    statement = (
        select(MailedCode.created_at)
        .where(
            MailedCode.address == asking.address,
            MailedCode.purpose == asking.purpose,
            MailedCode.is_from_known == asking.is_from_known,
            MailedCode.created_at > since,
        )
        .order_by(MailedCode.created_at.desc())
        .limit(100)
    )
    return [row["created_at"] for row in await tx.fetch_rows(statement)]


async def replace_code(
    tx: Transaction,
    code: Code,
    asking: Asking,
    *,
    user_id: UUID | None,
    now: datetime,
    life: timedelta,
) -> None:
    """Void the subject's open code of this kind and insert the one that was asked for."""
    await tx.execute(
        update(MailedCode)
        .where(
            MailedCode.subject_id == code.subject_id,
            MailedCode.purpose == code.purpose,
            MailedCode.is_from_known == asking.is_from_known,
            MailedCode.closed_at.is_(None),
        )
        .values(closed_at=now)
    )
    await tx.execute(
        insert(MailedCode).values(
            id=new_id(),
            subject_id=code.subject_id,
            user_id=user_id,
            address=asking.address,
            is_from_known=asking.is_from_known,
            purpose=code.purpose,
            digest=code.digest,
            created_at=now,
            expires_at=now + life,
        )
    )


async def look_at_code(
    database: Database, code: Code, origin: str, now: datetime, tries: int
) -> Row | None:
    """Try the open code and leave a right one open; return its row when it fits, else None.

    A wrong try is counted; after ``tries`` from networks new to the member no such network's is
    taken any more, and after as many from those they have come from, none of theirs.
    """
    return await _try_code(database, code, origin, now, tries, closes=False)


async def use_code(
    tx: Transaction, code: Code, origin: str, now: datetime, tries: int
) -> Row | None:
    """Do what ``look_at_code`` does, and close the right code; commit it either way."""
    return await _try_code(tx, code, origin, now, tries, closes=True)


async def _try_code(
    runner: Runner, code: Code, origin: str, now: datetime, tries: int, *, closes: bool
) -> Row | None:
    row = await runner.fetch_row(
        TRY_CODE, code.subject_id, code.purpose, code.digest, now, tries, closes, origin
    )
    return row if row is not None and row["fits"] else None


async def end_codes(tx: Transaction, code: Code, now: datetime) -> None:
    """Void every open code of the subject and purpose: one of them has done its work."""
    await tx.execute(
        update(MailedCode)
        .where(
            MailedCode.subject_id == code.subject_id,
            MailedCode.purpose == code.purpose,
            MailedCode.closed_at.is_(None),
        )
        .values(closed_at=now)
    )


async def open_session(database: Database, session: NewSession, now: datetime, kept: int) -> bool:
    """Open a session, end the member's oldest beyond ``kept``, and remember the network.

    Returns False, and writes nothing, when the member has left or has another password by now.
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
    return [row["id"] for row in await tx.fetch_rows(statement.returning(Session.id))]
