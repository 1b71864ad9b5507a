"""SQL of passwords, and of the networks and browsers members signed in from."""

from datetime import datetime
from uuid import UUID

from sqlalchemy.dialects.postgresql import insert

from api.foundation.database.database import Database, Transaction
from api.people.auth.models import Credential

READ_HASH = "SELECT password_hash FROM credential WHERE user_id = $1"
RENEW_HASH = "UPDATE credential SET password_hash = $3 WHERE user_id = $1 AND password_hash = $2"
KEEP_ORIGIN = """
INSERT INTO known_origin (user_id, origin, seen_at) VALUES ($1, $2, $3)
ON CONFLICT (user_id, origin) DO UPDATE SET seen_at = excluded.seen_at
"""
KEEP_BROWSER = """
INSERT INTO known_browser (user_id, browser, seen_at) VALUES ($1, $2, $3)
ON CONFLICT (user_id, browser) DO UPDATE SET seen_at = excluded.seen_at
"""
READ_BROWSER = "SELECT FROM known_browser WHERE browser = $1 LIMIT 1"
READ_ORIGIN = "SELECT FROM known_origin WHERE user_id = $1 AND origin = $2 AND seen_at > $3"


async def store_origin(tx: Transaction, user_id: UUID, origin: str, now: datetime) -> None:
    await tx.execute(KEEP_ORIGIN, user_id, origin, now)


async def store_browser(tx: Transaction, user_id: UUID, browser: str, now: datetime) -> None:
    await tx.execute(KEEP_BROWSER, user_id, browser, now)


async def is_known_browser(tx: Transaction, browser: str) -> bool:
    """Return whether any member has signed in from a browser."""
    return await tx.fetch_row(READ_BROWSER, browser) is not None


async def is_origin_known(database: Database, user_id: UUID, origin: str, since: datetime) -> bool:
    return await database.fetch_row(READ_ORIGIN, user_id, origin, since) is not None


async def read_password_hash(database: Database, user_id: UUID) -> str | None:
    found: str | None = await database.fetch_value(READ_HASH, user_id)
    return found


async def change_password(
    tx: Transaction, user_id: UUID, password_hash: str, now: datetime
) -> None:
    values = {"password_hash": password_hash, "changed_at": now}
    statement = insert(Credential).values(user_id=user_id, **values)
    await tx.execute(
        statement.on_conflict_do_update(index_elements=[Credential.user_id], set_=values)
    )


async def renew_hash(database: Database, user_id: UUID, before: str, renewed: str) -> None:
    """Replace ``before`` by a new hash of the same password, unless it has changed."""
    await database.execute(RENEW_HASH, user_id, before, renewed)
