"""SQL of the member record."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Any, cast
from uuid import UUID

from sqlalchemy import func, select, text, update
from sqlalchemy.dialects.postgresql import insert

from api.core.database import Database, Row, UnitOfWork
from api.users.models import PrivateDetail, User

COLUMNS = """
SELECT u.id, u.first_name, u.last_name, u.email, u.phone, u.gender, u.born_on, u.avatar, u.badge,
       u.club_id, u.activated_at, u.suspended_at, c.name AS club_name, c.colour_a, c.colour_b,
       current_plan_id(u.id, $2) AS plan_id
  FROM user_account u JOIN club c ON c.id = u.club_id
"""
READ_PRIVATE = "SELECT settlement, next_of_kin FROM private_detail WHERE user_id = $1"
LIST_NAMED_KEYS = "SELECT avatar AS key FROM user_account WHERE avatar = ANY ($1::text[])"
LIST_OTHERWISE_SEALED = """
SELECT user_id FROM private_detail
 WHERE substring(settlement FOR $1) <> $2 OR substring(next_of_kin FOR $1) <> $2
 ORDER BY user_id
"""
READ_USER = COLUMNS + " WHERE u.id = $1"
READ_USER_BY_EMAIL = COLUMNS + " WHERE lower(u.email) = lower($1)"


@dataclass(frozen=True)
class NewUser:
    """A sign-up's record; ``phone`` is E.164."""

    id: UUID
    first_name: str
    last_name: str
    email: str
    phone: str
    club_id: UUID


async def read_user(database: Database, user_id: UUID, now: datetime) -> Row | None:
    """Return a member's row with their club and their plan at ``now``, or None."""
    return await database.fetch_row(READ_USER, user_id, now)


async def read_user_by_email(database: Database, email: str, now: datetime) -> Row | None:
    """Return the row, as above, whose e-mail is ``email`` in any case of letters, or None."""
    return await database.fetch_row(READ_USER_BY_EMAIL, email, now)


async def insert_or_replace_pending(unit: UnitOfWork, user: NewUser) -> UUID | None:
    """Insert a record, or replace the never activated one with this e-mail.

    Returns the id of the record, None when an activated one has the e-mail.
    """
    statement = insert(User).values(
        id=user.id,
        club_id=user.club_id,
        first_name=user.first_name,
        last_name=user.last_name,
        email=user.email,
        phone=user.phone,
        terms_accepted_at=func.now(),
    )
    fresh = statement.excluded
    upsert = statement.on_conflict_do_update(
        index_elements=[func.lower(text("email"))],
        set_={
            "club_id": fresh.club_id,
            "first_name": fresh.first_name,
            "last_name": fresh.last_name,
            "phone": fresh.phone,
            "terms_accepted_at": fresh.terms_accepted_at,
        },
        where=User.activated_at.is_(None),
    ).returning(User.id)
    return (await unit.connection.execute(upsert)).scalar_one_or_none()


async def is_phone_taken(unit: UnitOfWork, phone: str, *, except_user: UUID) -> bool:
    """Say whether an activated member other than ``except_user`` has ``phone``."""
    statement = select(User.id).where(
        User.phone == phone, User.activated_at.is_not(None), User.id != except_user
    )
    return (await unit.connection.execute(statement)).first() is not None


async def lock_user(unit: UnitOfWork, user_id: UUID) -> Row | None:
    """Lock and return a record's own row, or None."""
    statement = select(User.__table__).where(User.id == user_id).with_for_update()
    return cast("Row | None", (await unit.connection.execute(statement)).mappings().first())


async def change_activated(unit: UnitOfWork, user_id: UUID) -> None:
    """Mark a record as activated now."""
    await unit.connection.execute(
        update(User).where(User.id == user_id).values(activated_at=func.now())
    )


async def change_user(unit: UnitOfWork, user_id: UUID, values: dict[str, Any]) -> None:
    """Set columns of a record; without any, nothing."""
    if values:
        await unit.connection.execute(update(User).where(User.id == user_id).values(**values))


async def read_private(database: Database, user_id: UUID) -> Row | None:
    """Return a member's sealed details, or None."""
    return await database.fetch_row(READ_PRIVATE, user_id)


async def lock_private(unit: UnitOfWork, user_id: UUID) -> Row | None:
    """Lock and return a member's sealed details, or None."""
    statement = (
        select(PrivateDetail.__table__).where(PrivateDetail.user_id == user_id).with_for_update()
    )
    return cast("Row | None", (await unit.connection.execute(statement)).mappings().first())


async def change_private(
    unit: UnitOfWork, user_id: UUID, values: Mapping[str, bytes | None]
) -> None:
    """Set a member's sealed details; without any, nothing."""
    if not values:
        return
    statement = insert(PrivateDetail).values(user_id=user_id, **values)
    await unit.connection.execute(
        statement.on_conflict_do_update(
            index_elements=[PrivateDetail.user_id], set_={**values, "changed_at": func.now()}
        )
    )


async def list_otherwise_sealed(database: Database, header: bytes) -> list[UUID]:
    """Return whose details do not begin with ``header``: another key sealed them."""
    rows = await database.fetch_rows(LIST_OTHERWISE_SEALED, len(header), header)
    return [row["user_id"] for row in rows]


async def list_named_keys(database: Database, keys: Sequence[str]) -> set[str]:
    """Return which of ``keys`` a member's avatar is."""
    return {row["key"] for row in await database.fetch_rows(LIST_NAMED_KEYS, list(keys))}
