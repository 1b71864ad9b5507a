"""Moments as operators look at them: hidden from everybody, and shown again."""

from dataclasses import dataclass
from datetime import datetime
from uuid import UUID

from api.core import clock
from api.core.errors import NotFoundError
from api.database.database import Database, Transaction
from api.database.statements import Row, literal_pattern
from api.http.admin_answers import Done
from api.http.wire import Content
from api.media.storage import NoSuchObjectError, content_type_of
from api.media.uploading import UploadContext
from api.moments import repository
from api.moments.enums import MomentState
from api.moments.errors import MomentStateError
from api.moments.repository import MomentFilter
from api.moments.schemas import (
    ModerateMoment,
    MomentCount,
    MomentMember,
    MomentRow,
    OwnMomentWanted,
)
from api.moments.service.hiding import take_off
from api.moments.service.posting import facts
from api.operators import service as operators
from api.operators.enums import ApprovalReason
from api.operators.schemas import Page
from api.operators.service import ApprovalKind, Approved, AuditRecord
from api.security.operators import AdminRequest
from api.security.rights import Right

TARGET = "moment"
MEDIA_KEYS = {"video": "video_key", "thumbnail": "thumbnail_key"}


async def _owner(tx: Transaction, wanted: OwnMomentWanted) -> list[UUID]:
    row = await repository.lock_moment(tx, wanted.moment_id)
    return [] if row is None else [row["user_id"]]


async def _weigh(
    tx: Transaction, admin: AdminRequest, wanted: OwnMomentWanted
) -> list[ApprovalReason]:
    return operators.own_reasons(admin, (await _hold(tx, wanted.moment_id))["user_id"])


MODERATE_OWN = ApprovalKind(
    "moderate-own-moment", Right.CHAT_WRITE, OwnMomentWanted, _owner, _weigh
)


@dataclass(frozen=True)
class MomentFile:
    """A stored file of a moment, whole, and what it is called when it is saved."""

    content: bytes
    content_type: str
    name: str


async def list_all_moments(
    database: Database,
    admin: AdminRequest,
    *,
    title: str | None,
    user_id: UUID | None,
    state: MomentState | None,
    reported: bool,
    before: UUID | None,
    limit: int,
) -> Page[MomentRow]:
    """Return everybody's moments, newest first; ``title`` is how theirs begins.

    Looking through those of one member is written down.
    """
    wanted = MomentFilter(
        title=None if title is None else f"{literal_pattern(title)}%",
        user_id=user_id,
        hidden=None if state is None else state is MomentState.HIDDEN,
        reported=reported,
    )
    async with database.transaction() as tx:
        rows = await repository.list_all_moments(tx, wanted, before, limit + 1)
        if user_id is not None:
            await operators.audited(tx, admin, AuditRecord("look-at-moments", "member", user_id))
    return Page.of(rows, limit, _shown)


async def hide(
    database: Database, admin: AdminRequest, moment_id: UUID, form: ModerateMoment, now: datetime
) -> Done:
    """Take a moment off its member's list, and its media off the net; its member is told.

    The operator's own waits for a second person.

    Raises:
        NotFoundError: there is no such moment.
        MomentStateError: it is hidden already, and nobody has reported it since.
    """
    return await _move(database, admin, moment_id, form, MomentState.HIDDEN, now)


async def restore(
    database: Database, admin: AdminRequest, moment_id: UUID, form: ModerateMoment, now: datetime
) -> Done:
    """Show a hidden moment again; the operator's own waits for a second person.

    Raises:
        NotFoundError: there is no such moment.
        MomentStateError: it is not hidden.
    """
    return await _move(database, admin, moment_id, form, MomentState.SHOWN, now)


async def _move(
    database: Database,
    admin: AdminRequest,
    moment_id: UUID,
    form: ModerateMoment,
    to: MomentState,
    now: datetime,
) -> Done:
    async def work(tx: Transaction) -> Done:
        row = await _hold(tx, moment_id)
        if row["user_id"] == admin.operator.user_id:
            wanted = OwnMomentWanted(moment_id=moment_id, state=to)
            return await operators.propose(tx, admin, MODERATE_OWN, wanted, form.reason)
        moved = await _apply(tx, row, to, now)
        before, after = {"state": _state(row).value}, {"state": to.value}
        action = "hide" if to is MomentState.HIDDEN else "restore"
        record = AuditRecord(action, TARGET, moment_id, before, after, form.reason)
        await operators.audited(tx, admin, record)
        return Done.of(_shown(moved))

    return await operators.perform(database, admin, form, work)


async def move_approved(tx: Transaction, approved: Approved) -> Content:
    """Hide an operator's own moment or show it again, as a second person has agreed.

    Raises:
        NotFoundError, MomentStateError: as for ``hide`` and ``restore``.
    """
    wanted: OwnMomentWanted = approved.content
    row = await _hold(tx, wanted.moment_id)
    await _apply(tx, row, wanted.state, clock.now())
    return {"state": wanted.state.value}


async def _hold(tx: Transaction, moment_id: UUID) -> Row:
    row = await repository.lock_moment(tx, moment_id)
    if row is None:
        raise NotFoundError
    return row


async def _apply(tx: Transaction, row: Row, to: MomentState, now: datetime) -> Row:
    """Move a moment that is held; return it as it is after that."""
    hides = to is MomentState.HIDDEN
    settled = await repository.settle_reports(tx, row["id"], now)
    # What reports have hidden waits for a decision, which may be to leave it so.
    if _state(row) is to and not (hides and settled):
        raise MomentStateError(content={"status": to.value})
    hidden_at = (row["hidden_at"] or now) if hides else None
    if not hides:
        await repository.change_hidden(tx, row["id"], None)
    elif row["hidden_at"] is None:
        await take_off(tx, row, now)
    return {**row, "hidden_at": hidden_at, "reports": 0}


async def look_at(
    context: UploadContext, admin: AdminRequest, moment_id: UUID, part: str
) -> MomentFile:
    """Return a file of a moment, hidden or not, and write down that an operator looked at it.

    Raises:
        NotFoundError: there is no such moment, or it has no such part.
        MediaUnavailableError: the store is away.
    """
    if part not in MEDIA_KEYS:
        raise NotFoundError
    async with context.database.transaction() as tx:
        row = await repository.read_moment(tx, moment_id)
        if row is None:
            raise NotFoundError
        await operators.audited(tx, admin, AuditRecord("look-at-moment", TARGET, moment_id))
    key = row[MEDIA_KEYS[part]]
    try:
        found = await context.store.describe(key)
        chunks = await context.store.read(key, 0, found.size_bytes - 1)
    except NoSuchObjectError as error:  # its member has just removed it
        raise NotFoundError from error
    content = b"".join([chunk async for chunk in chunks])
    return MomentFile(content, content_type_of(key), key.rpartition("/")[2])


async def is_hidden(database: Database, key: str) -> bool:
    """Say whether a stored object is of a hidden moment.

    Raises:
        DatabaseUnavailableError: nobody knows.
    """
    return await repository.is_hidden(database, key)


async def count_reported(database: Database) -> int:
    """Count the moments that members have reported and nobody has settled."""
    return await repository.count_reported(database)


async def count(database: Database, user_id: UUID) -> MomentCount:
    """Return how many moments a member has."""
    return MomentCount(**await repository.count(database, user_id))


def _state(row: Row) -> MomentState:
    return MomentState.SHOWN if row["hidden_at"] is None else MomentState.HIDDEN


def _shown(row: Row) -> MomentRow:
    member = MomentMember(
        id=row["user_id"], first_name=row["first_name"], last_name=row["last_name"]
    )
    return MomentRow(
        **facts(row),
        state=_state(row),
        reports=row["reports"],
        hidden_at=row["hidden_at"],
        member=member,
    )
