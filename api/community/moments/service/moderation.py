"""Operators' view of moments: searching, hiding and restoring them."""

from dataclasses import dataclass, replace
from datetime import datetime
from uuid import UUID

from api.community.moments.enums import MomentState
from api.community.moments.errors import MomentStateError
from api.community.moments.repository import moments, sharing
from api.community.moments.repository.moments import MemberMoment, MomentFilter
from api.community.moments.schemas import (
    ModerateMoment,
    MomentCount,
    MomentMember,
    MomentRow,
    OwnMomentModeration,
)
from api.community.moments.service.hiding import hide_locked
from api.community.moments.service.posting import facts
from api.foundation.approvals import kinds, proposing
from api.foundation.approvals.enums import ApprovalReason
from api.foundation.approvals.kinds import ApprovalKind, Approved
from api.foundation.audit import writing as audit
from api.foundation.audit.writing import AuditRecord
from api.foundation.core import clock
from api.foundation.core.errors import NotFoundError
from api.foundation.database.database import Database, Transaction
from api.foundation.database.statements import literal_pattern
from api.foundation.media.storage import NoSuchObjectError, content_type_of
from api.foundation.media.uploading import UploadContext
from api.foundation.security.operators import AdminRequest
from api.foundation.security.rights import Right
from api.foundation.wire.results import AdminResult, Page
from api.foundation.wire.schemas import Content

TARGET = "moment"
PARTS = ("video", "thumbnail")


async def _owner(tx: Transaction, wanted: OwnMomentModeration) -> list[UUID]:
    row = await moments.lock_moment(tx, wanted.moment_id)
    return [] if row is None else [row.user_id]


async def _weigh(
    tx: Transaction, admin: AdminRequest, wanted: OwnMomentModeration
) -> list[ApprovalReason]:
    return kinds.own_reasons(admin, (await _lock(tx, wanted.moment_id)).user_id)


MODERATE_OWN = ApprovalKind(
    "moderate-own-moment", Right.CHAT_WRITE, OwnMomentModeration, _owner, _weigh
)


@dataclass(frozen=True)
class MomentFile:
    """A whole stored file of a moment, and its name for saving."""

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
    """Return all members' moments, newest first; ``title`` is the beginning of their title.

    Reading those of a single member is audited.
    """
    wanted = MomentFilter(
        title=None if title is None else f"{literal_pattern(title)}%",
        user_id=user_id,
        hidden=None if state is None else state is MomentState.HIDDEN,
        reported=reported,
    )
    async with database.transaction() as tx:
        rows = await moments.list_all_moments(tx, wanted, before, limit + 1)
        if user_id is not None:
            await audit.audited(tx, admin, AuditRecord("look-at-moments", "member", user_id))
    return Page.of(rows, limit, _shown)


async def hide(
    database: Database, admin: AdminRequest, moment_id: UUID, form: ModerateMoment, now: datetime
) -> AdminResult:
    """Hide a moment, stop serving its media, and notify its member.

    The operator's own needs a second person.

    Raises:
        MomentStateError: it is hidden already and has no open reports.
    """
    return await _move(database, admin, moment_id, form, MomentState.HIDDEN, now)


async def restore(
    database: Database, admin: AdminRequest, moment_id: UUID, form: ModerateMoment, now: datetime
) -> AdminResult:
    """Show a hidden moment again; the operator's own needs a second person.

    Raises:
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
) -> AdminResult:
    async def work(tx: Transaction) -> AdminResult:
        row = await _lock(tx, moment_id)
        if row.user_id == admin.operator.user_id:
            wanted = OwnMomentModeration(moment_id=moment_id, state=to)
            return await proposing.propose(tx, admin, MODERATE_OWN, wanted, form.reason)
        moved = await _apply(tx, row, to, now)
        before, after = {"state": _state(row).value}, {"state": to.value}
        action = "hide" if to is MomentState.HIDDEN else "restore"
        record = AuditRecord(action, TARGET, moment_id, before, after, form.reason)
        await audit.audited(tx, admin, record)
        return AdminResult.of(_shown(moved))

    return await audit.perform(database, admin, form, work)


async def move_approved(tx: Transaction, approved: Approved) -> Content:
    """Hide or restore an operator's own moment after a second person has approved it.

    Raises:
        NotFoundError, MomentStateError: as for ``hide`` and ``restore``.
    """
    wanted: OwnMomentModeration = approved.content
    row = await _lock(tx, wanted.moment_id)
    await _apply(tx, row, wanted.state, clock.now())
    return {"state": wanted.state.value}


async def _lock(tx: Transaction, moment_id: UUID) -> MemberMoment:
    row = await moments.lock_moment(tx, moment_id)
    if row is None:
        raise NotFoundError
    return row


async def _apply(
    tx: Transaction, row: MemberMoment, to: MomentState, now: datetime
) -> MemberMoment:
    """Set the state of a locked moment; return the updated row."""
    hides = to is MomentState.HIDDEN
    settled = await sharing.settle_reports(tx, row.id, now)
    # A moment hidden by reports awaits a decision, which may be to leave it hidden.
    if _state(row) is to and not (hides and settled):
        raise MomentStateError(content={"status": to.value})
    hidden_at = (row.hidden_at or now) if hides else None
    if not hides:
        await moments.change_hidden(tx, row.id, None)
    elif row.hidden_at is None:
        await hide_locked(tx, row, now)
    return replace(row, hidden_at=hidden_at, reports=0)


async def read_file(
    context: UploadContext, admin: AdminRequest, moment_id: UUID, part: str
) -> MomentFile:
    """Return a file of a moment, hidden or not, and record the operator's access.

    Raises:
        NotFoundError: there is no such moment, or it has no such part.
    """
    if part not in PARTS:
        raise NotFoundError
    async with context.database.transaction() as tx:
        row = await moments.read_moment(tx, moment_id)
        if row is None:
            raise NotFoundError
        await audit.audited(tx, admin, AuditRecord("look-at-moment", TARGET, moment_id))
    key = row.video_key if part == "video" else row.thumbnail_key
    try:
        found = await context.store.describe(key)
        chunks = await context.store.read(key, 0, found.size_bytes - 1)
    except NoSuchObjectError as error:  # its member has just deleted it
        raise NotFoundError from error
    content = b"".join([chunk async for chunk in chunks])
    return MomentFile(content, content_type_of(key), key.rpartition("/")[2])


async def is_hidden(database: Database, key: str) -> bool:
    """Return whether a stored object belongs to a hidden moment."""
    return await moments.is_hidden(database, key)


async def count_reported(database: Database) -> int:
    """Count the moments with open reports."""
    return await moments.count_reported(database)


async def count(database: Database, user_id: UUID) -> MomentCount:
    """Count a member's moments by state."""
    return await moments.count(database, user_id)


def _state(row: MemberMoment) -> MomentState:
    return MomentState.SHOWN if row.hidden_at is None else MomentState.HIDDEN


def _shown(row: MemberMoment) -> MomentRow:
    member = MomentMember(id=row.user_id, first_name=row.first_name, last_name=row.last_name)
    return MomentRow(
        **facts(row),
        state=_state(row),
        reports=row.reports,
        hidden_at=row.hidden_at,
        member=member,
    )
