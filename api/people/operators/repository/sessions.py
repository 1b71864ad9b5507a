from dataclasses import dataclass
from datetime import datetime
from uuid import UUID

from api.foundation.database.database import Database, Transaction
from api.foundation.database.statements import Query
from api.foundation.security.members import SUSPENDED_AT

READ_PHONE = "SELECT totp_secret FROM operator WHERE id = $1"
# A password change ends all sessions: a concurrent sign-in with the old password waits here, then
# finds it changed.
LOCK_CREDENTIAL = """
SELECT user_id FROM credential WHERE user_id = $1 AND password_hash = $2 FOR SHARE
"""
# Each code is valid once: its step must be above the last one used. The row is locked.
USE_STEP = """
UPDATE operator SET last_code_step = $2
 WHERE id = $1 AND disabled_at IS NULL AND totp_secret = $3
   AND ($4 OR last_code_step IS NULL OR last_code_step < $2)
RETURNING id
"""
OPEN_SESSION = """
INSERT INTO admin_session (id, operator_id, created_at, last_used_at, code_at)
VALUES ($1, $2, $3, $3, $3)
"""
IS_NETWORK_KNOWN = """
SELECT FROM known_operator_network WHERE operator_id = $1 AND origin = $2 AND seen_at > $3
"""
STORE_NETWORK = """
INSERT INTO known_operator_network (operator_id, origin, seen_at) VALUES ($1, $2, $3)
ON CONFLICT (operator_id, origin) DO UPDATE SET seen_at = excluded.seen_at
"""
CHANGE_USED = "UPDATE admin_session SET last_used_at = greatest(last_used_at, $2) WHERE id = $1"
CHANGE_CODE_AT = """
UPDATE admin_session SET code_at = $2, last_used_at = $2 WHERE id = $1 AND ended_at IS NULL
"""
END_SESSION = "UPDATE admin_session SET ended_at = $2 WHERE id = $1 AND ended_at IS NULL"
END_SESSIONS_OF = """
UPDATE admin_session SET ended_at = $2 WHERE operator_id = $1 AND ended_at IS NULL
"""
END_SESSIONS_OF_MEMBER = """
UPDATE admin_session SET ended_at = $2
 WHERE operator_id IN (SELECT id FROM operator WHERE user_id = $1) AND ended_at IS NULL
"""


@dataclass(frozen=True)
class OperatorSignIn:
    """What a sign-in is checked against; without an operator, ``id`` is None."""

    id: UUID | None
    user_id: UUID
    totp_secret: bytes | None
    password_hash: str | None
    is_active: bool


@dataclass(frozen=True)
class LiveAdminSession:
    session_id: UUID
    created_at: datetime
    last_used_at: datetime
    code_at: datetime
    id: UUID
    user_id: UUID
    roles: list[str]
    name: str


READ_SIGN_IN = Query(
    f"""
SELECT o.id, u.id AS user_id, o.totp_secret, c.password_hash,
       {SUSPENDED_AT} IS NULL AND u.erased_at IS NULL AND o.id IS NOT NULL
         AND o.disabled_at IS NULL AS is_active
  FROM user_account u
  LEFT JOIN credential c ON c.user_id = u.id
  LEFT JOIN operator o ON o.user_id = u.id
 WHERE u.email = $1
""",  # noqa: S608 our own words
    OperatorSignIn,
)
READ_SESSION = Query(
    f"""
SELECT s.id AS session_id, s.created_at, s.last_used_at, s.code_at, o.id, o.user_id, o.roles,
       u.first_name || ' ' || u.last_name AS name
  FROM admin_session s
  JOIN operator o ON o.id = s.operator_id
  JOIN user_account u ON u.id = o.user_id
 WHERE s.id = $1 AND s.ended_at IS NULL AND s.last_used_at > $2 AND s.created_at > $3
   AND o.disabled_at IS NULL AND {SUSPENDED_AT} IS NULL AND u.erased_at IS NULL
""",  # noqa: S608 our own words
    LiveAdminSession,
)


async def read_sign_in(database: Database, email: str) -> OperatorSignIn | None:
    """Return what a sign-in with an email is checked against; only operators are active."""
    return await database.fetch_row(READ_SIGN_IN, email)


async def is_network_known(
    database: Database, operator_id: UUID, origin: str, since: datetime
) -> bool:
    return await database.fetch_row(IS_NETWORK_KNOWN, operator_id, origin, since) is not None


async def store_network(tx: Transaction, operator_id: UUID, origin: str, now: datetime) -> None:
    await tx.execute(STORE_NETWORK, operator_id, origin, now)


async def read_session(
    database: Database, session_id: UUID, *, used_since: datetime, started_since: datetime
) -> LiveAdminSession | None:
    return await database.fetch_row(READ_SESSION, session_id, used_since, started_since)


async def read_secret(database: Database, operator_id: UUID) -> bytes | None:
    found: bytes | None = await database.fetch_value(READ_PHONE, operator_id)
    return found


async def lock_credential(tx: Transaction, user_id: UUID, password_hash: str) -> bool:
    """Lock a member's password; return False if it has changed."""
    return await tx.fetch_row(LOCK_CREDENTIAL, user_id, password_hash) is not None


async def use_step(
    tx: Transaction, operator_id: UUID, step: int, sealed: bytes, *, again: bool
) -> bool:
    """Use up a step's code; False if used before, unless ``again``, or if the secret changed."""
    return await tx.fetch_row(USE_STEP, operator_id, step, sealed, again) is not None


async def open_session(tx: Transaction, session_id: UUID, operator_id: UUID, now: datetime) -> None:
    await tx.execute(OPEN_SESSION, session_id, operator_id, now)


async def change_used(database: Database, session_id: UUID, now: datetime) -> None:
    await database.execute(CHANGE_USED, session_id, now)


async def change_code_at(tx: Transaction, session_id: UUID, now: datetime) -> None:
    await tx.execute(CHANGE_CODE_AT, session_id, now)


async def end_session(database: Database, session_id: UUID, now: datetime) -> None:
    await database.execute(END_SESSION, session_id, now)


async def end_sessions_of(tx: Transaction, operator_id: UUID, now: datetime) -> None:
    await tx.execute(END_SESSIONS_OF, operator_id, now)


async def end_sessions_of_member(tx: Transaction, user_id: UUID, now: datetime) -> None:
    await tx.execute(END_SESSIONS_OF_MEMBER, user_id, now)
