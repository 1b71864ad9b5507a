"""Clubs in the back office."""

from typing import Any, BinaryIO
from uuid import UUID

from api.foundation.audit import writing as audit
from api.foundation.audit.writing import AuditRecord
from api.foundation.core.errors import InvalidFieldError
from api.foundation.core.ids import new_id
from api.foundation.database.database import Database, Transaction
from api.foundation.database.errors import StaleVersionError
from api.foundation.media.pictures import Frame
from api.foundation.media.storage import new_key
from api.foundation.media.sweeping import discard
from api.foundation.media.uploading import UploadContext, stored
from api.foundation.security.operators import AdminRequest
from api.foundation.wire.forms import FileRule, FormRules, ReceivedForm
from api.foundation.wire.results import AdminResult, Page
from api.people.clubs import repository, rules
from api.people.clubs.errors import ClubNameTakenError, ClubNotFoundError
from api.people.clubs.repository import ClubDetails
from api.people.clubs.schemas import ClubChange, ClubInput, ClubPlan, ClubRow

LARGEST_CREST_BYTES = 512 * 1024
CREST_TOO_LARGE = "The crest exceeds 512 kB. Please choose a smaller picture."
CREST_MISSING = "Please choose a picture."
CREST_FORM_RULES = FormRules(
    files={"file": FileRule(LARGEST_CREST_BYTES, CREST_TOO_LARGE)}, fields={}
)
CRESTS = "crests"
CREST = Frame(256)
TARGET = "club"
SAVED = "The club has been saved."


async def list_all_clubs(database: Database, *, before: UUID | None, limit: int) -> Page[ClubRow]:
    """Return the clubs, hidden or not, newest first."""
    return Page.of(await repository.list_all_clubs(database, before, limit + 1), limit, _shown)


async def add_club(tx: Transaction, plan: ClubPlan) -> bool:
    """Insert a club; return False if one has its name, ignoring case."""
    colour_a, colour_b = plan.colours
    values = {
        "name": plan.name,
        "cc_name": plan.competition,
        "colour_a": colour_a,
        "colour_b": colour_b,
    }
    return await _insert(tx, new_id(), values)


async def create_club(database: Database, admin: AdminRequest, form: ClubInput) -> AdminResult:
    """Create a club."""

    async def work(tx: Transaction) -> AdminResult:
        club_id = new_id()
        if not await _insert(tx, club_id, _columns(form)):
            raise ClubNameTakenError
        shown = await _read(tx, club_id)
        record = AuditRecord("create", TARGET, club_id, after=shown.model_dump(mode="json"))
        await audit.audited(tx, admin, record)
        return AdminResult.of(shown, status=201, message=SAVED)

    return await audit.perform(database, admin, form, work)


async def change_club(
    database: Database, admin: AdminRequest, club_id: UUID, form: ClubChange
) -> AdminResult:
    """Change a club. A new name closes its members' sockets, which reconnect with it."""

    async def work(tx: Transaction) -> AdminResult:
        if form.name is not None:
            await repository.lock_naming(tx)
        row = await _lock(tx, club_id)
        if row.version != form.version:
            raise StaleVersionError
        if form.name is not None and await _is_taken(tx, form.name, but=club_id):
            raise ClubNameTakenError
        await repository.change_club(tx, club_id, _columns(form))
        shown = await _read(tx, club_id)
        before, after = (one.model_dump(mode="json") for one in (_shown(row), shown))
        await audit.audited(tx, admin, AuditRecord("change", TARGET, club_id, before, after))
        return AdminResult.of(shown, message=SAVED)

    return await audit.perform(database, admin, form, work)


async def put_crest(
    context: UploadContext, admin: AdminRequest, club_id: UUID, form: ReceivedForm
) -> AdminResult:
    """Replace a club's crest by an uploaded picture.

    Raises:
        InvalidFieldError: the picture is missing.
        NotAPictureError, DamagedPictureError, HugePictureError: of the picture.
        MediaUnavailableError, DatabaseUnavailableError: nothing was stored.
    """
    received = form.files.get("file")
    if received is None or not received.size_bytes:
        raise InvalidFieldError.of("file", CREST_MISSING)
    if await repository.read_club(context.database, club_id) is None:
        raise ClubNotFoundError
    picture: BinaryIO = await context.images.renew(received.handle, CREST, form.sender)
    key = new_key(CRESTS, "webp")
    unnamed: list[str] = []

    async def work(tx: Transaction) -> AdminResult:
        row = await _lock(tx, club_id)
        await repository.change_club(tx, club_id, {"crest": key})
        if row.crest is not None:
            unnamed.append(row.crest)
        before, after = {"crest": row.crest}, {"crest": key}
        await audit.audited(tx, admin, AuditRecord("change-crest", TARGET, club_id, before, after))
        return AdminResult.of(await _read(tx, club_id), message=SAVED)

    async with stored(context.store, {key: picture}):
        done = await audit.perform(context.database, admin, form.digests(), work)
    await discard(context.store, [key] if done.is_replayed else unnamed)
    return done


async def _insert(tx: Transaction, club_id: UUID, values: dict[str, Any]) -> bool:
    await repository.lock_naming(tx)
    if await _is_taken(tx, values["name"]):
        return False
    return await repository.insert_club(tx, club_id, values)


async def _is_taken(tx: Transaction, name: str, but: UUID | None = None) -> bool:
    """Return whether another club has a name; the database's index folds fewer letters."""
    names = await repository.list_names(tx, but)
    return rules.fold(name) in {rules.fold(known) for known in names}


async def _lock(tx: Transaction, club_id: UUID) -> ClubDetails:
    row = await repository.lock_club(tx, club_id)
    if row is None:
        raise ClubNotFoundError
    return row


async def _read(tx: Transaction, club_id: UUID) -> ClubRow:
    row = await repository.read_club(tx, club_id)
    if row is None:
        raise ClubNotFoundError
    return _shown(row)


def _columns(form: ClubInput | ClubChange) -> dict[str, Any]:
    """Return the columns set by a form; only the category can be removed."""
    given = form.model_dump(by_alias=False, exclude_unset=True, exclude={"version", "colours"})
    values = {
        name: value for name, value in given.items() if value is not None or name == "cc_name"
    }
    if form.colours is not None:
        values["colour_a"], values["colour_b"] = form.colours
    return values


def _shown(row: ClubDetails) -> ClubRow:
    return ClubRow(
        id=row.id,
        name=row.name,
        cc_name=row.cc_name,
        colours=[row.colour_a, row.colour_b],
        hidden=row.hidden,
        emblem=rules.crest_address(row.id),
        has_picture=row.crest is not None,
        version=row.version,
    )
