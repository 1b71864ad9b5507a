"""Accounts: opening, finding, locking and erasing."""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Any
from uuid import UUID

from api.foundation.core import clock
from api.foundation.core.errors import NotFoundError
from api.foundation.database.database import Database, Transaction
from api.foundation.media.storage import picture_url
from api.people.clubs.service import queries as clubs_queries
from api.people.users import repository
from api.people.users.errors import AccountExistsError, PhoneTakenError
from api.people.users.repository import LockedUser, UserRecord
from api.people.users.schemas import (
    SessionUser,
)

ERASED_NAME = ("Former", "Member")
# Columns kept when an account is deleted; ``erased_values`` covers the others.
KEPT_OF_THE_ERASED = frozenset(
    {
        *("id", "club_id", "badge", "terms_accepted_at", "activated_at", "created_at"),
        "is_email_proved",
    }
)


@dataclass(frozen=True)
class NewUser:
    """The data of a new member; ``phone`` is E.164. The terms were accepted with the form."""

    id: UUID
    first_name: str
    last_name: str
    email: str
    phone: str
    club_id: UUID
    signed_up_at: datetime
    is_email_proved: bool


async def open_account(tx: Transaction, user: NewUser, now: datetime) -> None:
    """Insert the member of an activated sign-up.

    Raises:
        AccountExistsError: a member has the email.
    """
    inserted = await repository.insert_user(
        tx,
        {
            "id": user.id,
            "club_id": user.club_id,
            "first_name": user.first_name,
            "last_name": user.last_name,
            "email": user.email,
            "is_email_proved": user.is_email_proved,
            "phone": user.phone,
            "terms_accepted_at": user.signed_up_at,
            "activated_at": now,
        },
    )
    if inserted:
        return
    has_email, _ = await repository.read_taken(tx, user.email, user.phone)
    if has_email:
        raise AccountExistsError(fields={"email": AccountExistsError.message})
    raise PhoneTakenError(fields={"phone": PhoneTakenError.message})


async def prove_email(tx: Transaction, user_id: UUID) -> None:
    """Record that a member entered a code that was mailed to them; idempotent."""
    await repository.change_user(tx, user_id, {"is_email_proved": True})


async def require_free(tx: Transaction, email: str, phone: str) -> None:
    """Reject a sign-up with a member's email or phone.

    Raises:
        AccountExistsError: one has them; the fields say which, the message does not.
    """
    has_email, has_phone = await repository.read_taken(tx, email, phone)
    if has_email:
        raise AccountExistsError(fields={"email": AccountExistsError.message})
    if has_phone:
        raise AccountExistsError(fields={"phone": PhoneTakenError.message})


async def require_free_phone(tx: Transaction, phone: str) -> None:
    """Reject a pending sign-up whose phone another member has activated since."""
    _, has_phone = await repository.read_taken(tx, "", phone)
    if has_phone:
        raise PhoneTakenError(fields={"phone": PhoneTakenError.message})


async def lock(tx: Transaction, user_id: UUID) -> None:
    """Lock a member until commit.

    Raises:
        NotFoundError: there is no such record, or the account is deleted.
    """
    await _locked(tx, user_id)


async def _locked(tx: Transaction, user_id: UUID) -> LockedUser:
    row = await repository.lock_user(tx, user_id)
    if row is None or row.erased_at is not None:
        raise NotFoundError
    return row


async def find_by_email(database: Database, email: str) -> UserRecord | None:
    """Return the row with this email, or None."""
    return await repository.read_user_by_email(database, email, clock.now())


async def find(database: Database, user_id: UUID) -> UserRecord | None:
    """Return the row of a member, or None."""
    return await repository.read_user(database, user_id, clock.now())


async def hold(tx: Transaction, user_id: UUID) -> bool:
    """Lock a member against account deletion until commit; return False if already deleted."""
    return await repository.hold_user(tx, user_id)


async def erase(tx: Transaction, user_id: UUID) -> list[str]:
    """Erase personal data from a record that is kept; return the stored objects to remove.

    The account cannot be signed in to, mailed or found any more.
    """
    row = await _locked(tx, user_id)
    await repository.change_user(tx, user_id, erased_values(user_id, clock.now()))
    return [] if row.avatar is None else [row.avatar]


def erased_values(user_id: UUID, now: datetime) -> dict[str, Any]:
    """Return the columns of a deleted account."""
    return {
        "first_name": ERASED_NAME[0],
        "last_name": ERASED_NAME[1],
        "email": f"erased:{user_id}",
        "phone": f"+0{user_id.int % 10**14:014d}",
        "gender": None,
        "born_on": None,
        "avatar": None,
        "suspended_at": now,
        "suspended_until": None,
        "erased_at": now,
        "tour_seen_at": None,
    }


async def has_seen_tour(database: Database, user_id: UUID) -> bool:
    """Return whether a member has seen the tour."""
    return await repository.has_seen_tour(database, user_id)


async def see_tour(database: Database, user_id: UUID, now: datetime) -> None:
    """Record that a member has seen the tour; idempotent."""
    await repository.change_tour_seen(database, user_id, now)


async def named_keys(database: Database, keys: Sequence[str]) -> set[str]:
    """Return which of ``keys`` are avatars."""
    return await repository.list_named_keys(database, keys)


def describe(row: UserRecord) -> SessionUser:
    """Return the user object of a sign-in's response."""
    return SessionUser(
        id=row.id,
        first_name=row.first_name,
        last_name=row.last_name,
        email=row.email,
        phone=row.phone,
        club=row.club_id,
        club_name=row.club_name,
        emblem=clubs_queries.emblem_of(row.club_id),
        club_colours=(row.colour_a, row.colour_b),
        avatar=picture_url(row.avatar),
        badge=row.badge,
        subscription_id=row.plan_id,
    )


async def first_joined(database: Database) -> datetime | None:
    """Return when the first member joined, or None."""
    return await repository.read_first_joined(database)
