"""The member's own record: reading, changing, its picture and its sealed details."""

from dataclasses import dataclass
from datetime import date
from pathlib import Path
from typing import Any, BinaryIO
from uuid import UUID

from pydantic import ValidationError

from api.foundation.core import clock
from api.foundation.core.errors import InvalidFieldError, NotFoundError
from api.foundation.core.strict_json import read_json
from api.foundation.database.database import Database
from api.foundation.database.errors import UniqueViolation
from api.foundation.media.pictures import Frame, ImageProcessor
from api.foundation.media.storage import MediaStore, new_key
from api.foundation.media.sweeping import discard
from api.foundation.media.uploading import stored
from api.foundation.security.events import SecurityEvent, SecurityLog
from api.foundation.security.sealing import Sealer, UnsealableError
from api.foundation.wire.forms import FileRule, FormRules, MalformedFormError, ReceivedForm
from api.foundation.wire.schemas import field_errors
from api.people.legal import service as legal
from api.people.users import repository, rules
from api.people.users.enums import Gender
from api.people.users.errors import PhoneTakenError
from api.people.users.schemas import (
    BankAnswer,
    NextOfKinsDetails,
    Profile,
    ProfileInput,
    SettlementDetails,
)
from api.people.users.service.account import _locked, describe

LARGEST_AVATAR_BYTES = 2 * 1024 * 1024  # contract B-24
AVATAR_TOO_LARGE = "The picture exceeds 2MB. Please choose a smaller one."
FORM = FormRules(
    files={"avatar": FileRule(LARGEST_AVATAR_BYTES, AVATAR_TOO_LARGE)},
    fields={"user": 16 * 1024},
)
AVATARS = "avatars"
AVATAR = Frame(512, is_square=True)
SETTLEMENT, NEXT_OF_KIN = "settlement", "next_of_kin"
ACCOUNT_HINT = "Please check the account number: it does not look like one of this bank."


@dataclass(frozen=True)
class ProfileContext:
    """The dependencies of the member record, created once per process."""

    database: Database
    store: MediaStore
    images: ImageProcessor
    sealer: Sealer
    uploads: Path
    security: SecurityLog


@dataclass(frozen=True)
class Saved:
    """A saved record, and hints for the member to check."""

    profile: Profile
    hint: str | None


async def profile(context: ProfileContext, user_id: UUID) -> Profile:
    """Return a member's own record, for the member's own form."""
    row = await repository.read_user(context.database, user_id, clock.now())
    if row is None:
        raise NotFoundError
    private = await repository.read_private(context.database, user_id)
    settlement = None if private is None else private.settlement
    kin = None if private is None else private.next_of_kin
    return Profile(
        **describe(row).model_dump(),
        gender=None if row.gender is None else Gender(row.gender),
        date_of_birth=row.born_on,
        settlement_details=SettlementDetails(
            **_opened(context.sealer, settlement, user_id, SETTLEMENT)
        ),
        next_of_kins_details=NextOfKinsDetails(
            **_opened(context.sealer, kin, user_id, NEXT_OF_KIN)
        ),
        legal=await legal.read_state(context.database, user_id),
    )


async def save(context: ProfileContext, user_id: UUID, form: ReceivedForm) -> Saved:
    """Change a member's record and picture; fields missing in the form are kept.

    The new picture is stored before the record references it, and the old one is removed
    afterwards.

    Raises:
        MalformedFormError: ``user`` is not a JSON object.
        NotFoundError: the form names another member.
        NotAPictureError, DamagedPictureError, HugePictureError: of the avatar.
        TooManyPicturesError: the member sent too many pixels this minute.
        MediaUnavailableError, DatabaseUnavailableError: nothing was stored.
    """
    wish = _read_wish(form.fields.get("user", "{}"))
    if wish.id not in {None, user_id}:
        raise NotFoundError
    values = _columns(wish, clock.lagos_day(clock.now()))
    sealed = _sealed(context.sealer, wish, user_id)
    picture = form.files.get("avatar")
    if picture is None or not picture.size_bytes:
        await _change(context.database, user_id, values, sealed)
    else:
        renewed = await context.images.renew(picture.handle, AVATAR, form.sender)
        await _replace_avatar(context, user_id, values, sealed, renewed)
    context.security.record(SecurityEvent.PROFILE_CHANGED, user_id=user_id)
    return Saved(await profile(context, user_id), _hint(wish))


async def reseal(database: Database, sealer: Sealer) -> int:
    """Re-seal details under the current key; return how many members were affected.

    Raises:
        UnsealableError: a value's key is not configured.
    """
    members = await repository.list_otherwise_sealed(database, sealer.header)
    for user_id in members:
        async with database.transaction() as tx:
            row = await repository.lock_private(tx, user_id)
            if row is None:
                continue
            details = {SETTLEMENT: row.settlement, NEXT_OF_KIN: row.next_of_kin}
            renewed = {
                place: sealer.seal(
                    sealer.open(sealed, _place(user_id, place)), _place(user_id, place)
                )
                for place, sealed in details.items()
                if sealed is not None
            }
            await repository.change_private(tx, user_id, renewed, clock.now())
    return len(members)


async def can_open_sealed(database: Database, sealer: Sealer) -> bool | None:
    """Return whether sealed details can be opened, one per key; None if there are none."""
    samples = await repository.list_samples_by_key(database, len(sealer.header))
    try:
        for row in samples:
            sealer.open(row.sealed, _place(row.user_id, row.place))
    except UnsealableError:
        return False
    return True if samples else None


def list_banks() -> list[BankAnswer]:
    """Return the supported banks, by name."""
    return [BankAnswer(code=code, name=name) for code, name in rules.BANKS.items()]


def _read_wish(text: str) -> ProfileInput:
    try:
        content = read_json(text)
    except (ValueError, RecursionError) as error:
        raise MalformedFormError from error
    if not isinstance(content, dict):
        raise MalformedFormError
    try:
        return ProfileInput.model_validate(content)
    except ValidationError as error:
        sentence, fields = field_errors(error.errors())
        raise InvalidFieldError(sentence, fields=fields) from error


def _columns(wish: ProfileInput, today: date) -> dict[str, Any]:
    """Return the columns set by the form; other fields never reach the table."""
    values: dict[str, Any] = {
        name: value
        for name in ("first_name", "last_name", "phone")
        if (value := getattr(wish, name)) is not None
    }
    if "gender" in wish.model_fields_set:
        values["gender"] = wish.gender
    if "date_of_birth" in wish.model_fields_set:
        if wish.date_of_birth is not None:
            try:
                rules.check_birthday(wish.date_of_birth, today)
            except ValueError as error:
                raise InvalidFieldError.of("dateOfBirth", str(error)) from error
        values["born_on"] = wish.date_of_birth
    return values


def _sealed(sealer: Sealer, wish: ProfileInput, user_id: UUID) -> dict[str, bytes | None]:
    sealed: dict[str, bytes | None] = {}
    for place, details in (
        (SETTLEMENT, wish.settlement_details),
        (NEXT_OF_KIN, wish.next_of_kins_details),
    ):
        if details is not None:
            content = details.model_dump(by_alias=False)
            is_given = any(content.values())
            sealed[place] = sealer.seal(content, _place(user_id, place)) if is_given else None
    return sealed


def _opened(sealer: Sealer, sealed: bytes | None, user_id: UUID, place: str) -> dict[str, str]:
    if sealed is None:
        return {}
    opened: dict[str, str] = sealer.open(sealed, _place(user_id, place))
    return opened


def _place(user_id: UUID, place: str) -> str:
    return f"{user_id}:{place}"


async def _replace_avatar(
    context: ProfileContext,
    user_id: UUID,
    values: dict[str, Any],
    sealed: dict[str, bytes | None],
    picture: BinaryIO,
) -> None:
    """Store the picture, update the record, and remove the old picture; undone on failure."""
    key = new_key(AVATARS, "webp")
    async with stored(context.store, {key: picture}):
        old = await _change(context.database, user_id, values | {"avatar": key}, sealed)
    if old is not None:
        await discard(context.store, [old])


async def _change(
    database: Database, user_id: UUID, values: dict[str, Any], sealed: dict[str, bytes | None]
) -> str | None:
    """Update the record in one transaction; return the previous avatar."""
    try:
        async with database.transaction() as tx:
            row = await _locked(tx, user_id)
            await repository.change_user(tx, user_id, values)
            await repository.change_private(tx, user_id, sealed, clock.now())
    except UniqueViolation as error:  # only the phone's unique index can be violated
        raise PhoneTakenError from error
    return row.avatar


def _hint(wish: ProfileInput) -> str | None:
    details = wish.settlement_details
    if details is None or rules.fits_bank(details.bank_code, details.account_number):
        return None
    return ACCOUNT_HINT
