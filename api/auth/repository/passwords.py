"""SQL of passwords, the tries at them, and the networks they were right from."""

from dataclasses import dataclass
from datetime import datetime, timedelta
from uuid import UUID

from sqlalchemy.dialects.postgresql import insert

from api.auth.models import Credential
from api.database.database import Database, Transaction

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
KEEP_ORIGIN = """
INSERT INTO known_origin (user_id, origin, seen_at) VALUES ($1, $2, $3)
ON CONFLICT (user_id, origin) DO UPDATE SET seen_at = excluded.seen_at
"""
KEEP_BROWSER = """
INSERT INTO known_browser (user_id, browser, seen_at) VALUES ($1, $2, $3)
ON CONFLICT (user_id, browser) DO UPDATE SET seen_at = excluded.seen_at
"""
READ_ORIGIN = "SELECT FROM known_origin WHERE user_id = $1 AND origin = $2"


@dataclass(frozen=True)
class Guard:
    """The account's attempt limits."""

    memory: timedelta
    free_attempts: int
    first_delay: timedelta
    longest_delay: timedelta


async def keep_origin(tx: Transaction, user_id: UUID, origin: str, now: datetime) -> None:
    """Remember a network the member came from."""
    await tx.execute(KEEP_ORIGIN, user_id, origin, now)


async def keep_browser(tx: Transaction, user_id: UUID, browser: str, now: datetime) -> None:
    """Remember a browser the member came with."""
    await tx.execute(KEEP_BROWSER, user_id, browser, now)


async def is_origin_known(database: Database, user_id: UUID, origin: str) -> bool:
    """Say whether the member has come from this network before."""
    return await database.fetch_row(READ_ORIGIN, user_id, origin) is not None


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
