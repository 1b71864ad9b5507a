"""The member record: registering, activating, reading."""

from uuid import UUID

from api.clubs import service as clubs
from api.core import clock
from api.core.database import Database, Row, UnitOfWork
from api.core.errors import NotFoundError
from api.core.ids import new_id
from api.users import repository, rules
from api.users.errors import AccountExistsError, PhoneTakenError
from api.users.schemas import Profile, SessionUser


async def register(
    unit: UnitOfWork, *, first_name: str, last_name: str, email: str, phone: str, club_id: UUID
) -> UUID:
    """Keep a sign-up's record and return its id; a repeated one replaces the unfinished.

    Raises:
        AccountExistsError: an activated member has the e-mail or the phone.
    """
    user = repository.NewUser(new_id(), first_name, last_name, email, phone, club_id)
    user_id = await repository.insert_or_replace_pending(unit, user)
    if user_id is None:
        raise AccountExistsError
    if await repository.is_phone_taken(unit, phone, except_user=user_id):
        raise PhoneTakenError
    return user_id


async def activate(unit: UnitOfWork, user_id: UUID) -> None:
    """Make a record a member; again changes nothing.

    Raises:
        NotFoundError: there is no such record.
        PhoneTakenError: another member activated this phone in the meantime.
    """
    user = await repository.lock_user(unit, user_id)
    if user is None:
        raise NotFoundError
    if user["activated_at"] is not None:
        return
    if await repository.is_phone_taken(unit, user["phone"], except_user=user_id):
        raise PhoneTakenError
    await repository.change_activated(unit, user_id)


async def lock(unit: UnitOfWork, user_id: UUID) -> None:
    """Let the caller's transaction be the only one to work on a record.

    Raises:
        NotFoundError: there is no such record.
    """
    if await repository.lock_user(unit, user_id) is None:
        raise NotFoundError


async def find_by_email(database: Database, email: str) -> Row | None:
    """Return the row with this e-mail, or None."""
    return await repository.read_user_by_email(database, email, clock.now())


async def find(database: Database, user_id: UUID) -> Row | None:
    """Return the row of a member, or None."""
    return await repository.read_user(database, user_id, clock.now())


async def profile(database: Database, user_id: UUID) -> Profile:
    """Return a member's own record.

    Raises:
        NotFoundError: there is no such member.
    """
    row = await repository.read_user(database, user_id, clock.now())
    if row is None:
        raise NotFoundError
    return Profile(**describe(row).model_dump(), gender=row["gender"], date_of_birth=row["born_on"])


def describe(row: Row) -> SessionUser:
    """Return what a sign-in tells the browser of a member's row."""
    return SessionUser(
        id=row["id"],
        first_name=row["first_name"],
        last_name=row["last_name"],
        email=row["email"],
        phone=row["phone"],
        club=row["club_id"],
        club_name=row["club_name"],
        emblem=clubs.emblem_of(row["club_id"]),
        club_colours=(row["colour_a"], row["colour_b"]),
        avatar=row["avatar"],
        badge=row["badge"],
        subscription_id=row["plan_id"],
    )


normalise_phone = rules.normalise_phone
