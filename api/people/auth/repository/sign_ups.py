from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Any
from uuid import UUID

from sqlalchemy import Select, delete, select, update
from sqlalchemy.dialects.postgresql import insert

from api.foundation.database.database import Database, Transaction
from api.foundation.database.locks import AdvisoryLock
from api.foundation.database.statements import Query
from api.people.auth.enums import CodeChannel
from api.people.auth.models import SignUpAttempt
from api.people.auth.repository.codes import END_CODES

# Serializes all decisions about an address.
LOCK_ADDRESS = "SELECT pg_advisory_xact_lock(hashtextextended($1, $2))"
WAITS_FOR_CODE = """EXISTS (
  SELECT FROM mailed_code c
   WHERE c.subject_id = a.id AND c.purpose = 'activation' AND c.closed_at IS NULL
     AND c.expires_at > {now})"""
# Each network's newest sign-up is kept before any network's second, so that a network only
# displaces its own.
END_SURPLUS_ATTEMPTS = f"""
DELETE FROM sign_up_attempt WHERE id IN (
  SELECT a.id FROM sign_up_attempt a WHERE a.address = $1
   ORDER BY a.expires_at > $2 DESC, {WAITS_FOR_CODE.format(now="$2")} DESC,
            row_number() OVER (PARTITION BY a.origin ORDER BY a.created_at DESC, a.id DESC),
            a.created_at DESC, a.id DESC
  OFFSET $3)
"""  # noqa: S608 constants only
MARK_ACTIVATING_CODE = """
UPDATE mailed_code SET user_id = subject_id
 WHERE subject_id = $1 AND purpose = 'activation' AND digest = $2
"""
# Another person has neither the phone nor the browser of this sign-up.
IS_CONTESTED = """
SELECT EXISTS (
  SELECT FROM sign_up_attempt a
   WHERE a.address = $1 AND a.id <> $2 AND a.expires_at > $3 AND a.channel = 'email'
     AND a.phone <> $4 AND (a.browser = $5) IS NOT TRUE
     AND EXISTS (SELECT FROM mailed_code c WHERE c.subject_id = a.id))
"""
READ_ACTIVATED_WITH = """
SELECT FROM mailed_code
 WHERE user_id = $1 AND purpose = 'activation' AND digest = $2 AND expires_at > $3
"""


@dataclass(frozen=True)
class SignUpHash:
    id: UUID
    password_hash: str


@dataclass(frozen=True)
class SignUpRow:
    id: UUID
    address: str
    origin: str
    club_id: UUID
    first_name: str
    last_name: str
    email: str
    phone: str
    password_hash: str
    created_at: datetime
    expires_at: datetime
    invite: str | None
    claim: str | None
    browser: str | None
    terms_version: str | None
    channel: CodeChannel


LIST_ATTEMPTS = Query(
    f"""
SELECT a.id, a.password_hash FROM sign_up_attempt a WHERE a.address = $1 AND a.expires_at > $2
 ORDER BY {WAITS_FOR_CODE.format(now="$2")} DESC, a.created_at DESC, a.id DESC LIMIT $3
""",  # noqa: S608 constants only
    SignUpHash,
)


async def lock_address(tx: Transaction, address: str) -> None:
    """Lock an address until commit."""
    await tx.execute(LOCK_ADDRESS, address, AdvisoryLock.SPELLED_OUT)


async def insert_attempt(tx: Transaction, attempt: SignUpRow, kept: int) -> None:
    """Insert a sign-up, and end those of its address beyond ``kept``.

    Keeps first those with a mailed code, then the newest of each network.
    """
    await tx.execute(insert(SignUpAttempt).values(**vars(attempt)))
    await tx.execute(END_SURPLUS_ATTEMPTS, attempt.address, attempt.created_at, kept)


async def read_attempt(database: Database, attempt_id: UUID, now: datetime) -> SignUpRow | None:
    return await database.fetch_row(Query(_attempt(attempt_id, now), SignUpRow))


async def lock_attempt(tx: Transaction, attempt_id: UUID, now: datetime) -> SignUpRow | None:
    statement = _attempt(attempt_id, now).with_for_update()
    return await tx.fetch_row(Query(statement, SignUpRow))


def _attempt(attempt_id: UUID, now: datetime) -> Select[Any]:
    return select(SignUpAttempt.__table__).where(
        SignUpAttempt.id == attempt_id, SignUpAttempt.expires_at > now
    )


async def change_email(tx: Transaction, attempt: SignUpRow, now: datetime, kept: int) -> None:
    """Store the email, address and channel of ``attempt``.

    Ends the sign-ups of the address beyond ``kept``.
    """
    await tx.execute(
        update(SignUpAttempt)
        .where(SignUpAttempt.id == attempt.id)
        .values(email=attempt.email, address=attempt.address, channel=attempt.channel)
    )
    await tx.execute(END_SURPLUS_ATTEMPTS, attempt.address, now, kept)


async def change_phone(tx: Transaction, attempt: SignUpRow) -> None:
    """Store the phone and channel of ``attempt``."""
    await tx.execute(
        update(SignUpAttempt)
        .where(SignUpAttempt.id == attempt.id)
        .values(phone=attempt.phone, channel=attempt.channel)
    )


async def change_channel(tx: Transaction, attempt_id: UUID, channel: CodeChannel) -> None:
    await tx.execute(
        update(SignUpAttempt).where(SignUpAttempt.id == attempt_id).values(channel=channel)
    )


async def list_attempts(
    database: Database, address: str, now: datetime, limit: int
) -> Sequence[SignUpHash]:
    """Return the sign-ups of an address: those with a mailed code first, then the newest."""
    return await database.fetch_rows(LIST_ATTEMPTS, address, now, limit)


async def end_attempts(tx: Transaction, address: str, now: datetime) -> None:
    """End every sign-up of an address and their codes."""
    await tx.execute(delete(SignUpAttempt).where(SignUpAttempt.address == address))
    await tx.execute(END_CODES, address, now)


async def is_contested(tx: Transaction, attempt: SignUpRow, now: datetime) -> bool:
    """Return whether a code was mailed to another person who signs up with the email."""
    whose = (attempt.address, attempt.id, now, attempt.phone, attempt.browser)
    return bool(await tx.fetch_value(IS_CONTESTED, *whose))


async def change_code_used(tx: Transaction, user_id: UUID, digest: str) -> None:
    """Store the digest of the code that activated the member."""
    await tx.execute(MARK_ACTIVATING_CODE, user_id, digest)


async def was_activated_with(database: Database, user_id: UUID, digest: str, now: datetime) -> bool:
    """Return whether this code, still within its life, activated the member."""
    return await database.fetch_row(READ_ACTIVATED_WITH, user_id, digest, now) is not None
