"""Moderators' measures against members: mutes prevent writing, bans prevent entering."""

from datetime import datetime, timedelta
from typing import Any
from uuid import UUID

from api.community.chat.enums import ModerationAction
from api.community.chat.errors import MuteStateError
from api.community.chat.repository import measures, messages, reports
from api.community.chat.repository.measures import BannedMember, MutedMember, NewModerationAction
from api.community.chat.schemas import (
    Ban,
    BanMember,
    BanRow,
    ChatConduct,
    ChatMember,
    Mute,
    MuteMember,
    MuteRow,
    OwnMeasureRemoval,
)
from api.community.chat.service.moderation import reported_message
from api.foundation.approvals import kinds, proposing
from api.foundation.approvals.enums import ApprovalReason
from api.foundation.approvals.kinds import ApprovalKind, Approved
from api.foundation.audit import writing as audit
from api.foundation.audit.writing import AuditRecord
from api.foundation.core import clock
from api.foundation.core.errors import NotFoundError
from api.foundation.core.ids import new_id
from api.foundation.database.database import Database, Transaction
from api.foundation.security.operators import AdminRequest, Operator
from api.foundation.security.rights import Right
from api.foundation.wire.results import AdminResult, Page
from api.foundation.wire.schemas import Content
from api.messaging.notifications.enums import NotificationKind
from api.messaging.notifications.service import notify
from api.people.users.service import account as users_account

BANNED_CHANNEL = "chat_member_banned"
TARGET = "member"
SCANNED_MESSAGES = 1000  # of a member's newest messages, when searching for reported ones
MAX_REPORTED = 10
OWN_REASON = "It is my own."


async def _owner(_tx: Transaction, wanted: OwnMeasureRemoval) -> list[UUID]:
    return [wanted.user_id]


async def _weigh(
    tx: Transaction, admin: AdminRequest, wanted: OwnMeasureRemoval
) -> list[ApprovalReason]:
    if not await users_account.hold(tx, wanted.user_id):
        raise NotFoundError
    return kinds.own_reasons(admin, wanted.user_id)


LIFT_OWN = ApprovalKind("lift-own-measure", Right.CHAT_WRITE, OwnMeasureRemoval, _owner, _weigh)


async def mute(
    database: Database, admin: AdminRequest, form: MuteMember, now: datetime
) -> AdminResult:
    """Mute a member from now on.

    Raises:
        MuteStateError: they are muted already.
    """
    until = now + timedelta(minutes=form.minutes)
    detail = {"minutes": form.minutes, "reason": form.reason}

    async def work(tx: Transaction) -> AdminResult:
        if not await users_account.hold(tx, form.user_id):
            raise NotFoundError
        moderation = _action(admin.operator, form.user_id, ModerationAction.MUTE, detail, now)
        values = {"id": moderation.id, "until": until, "reason": form.reason}
        if not await measures.insert_mute(tx, form.user_id, values, now):
            raise MuteStateError(content={"status": "muted"})
        await measures.insert_action(tx, moderation)
        await notify(tx, form.user_id, NotificationKind.CHAT_MUTED, moderation.id, now, until=until)
        muted = Mute(user_id=form.user_id, until=until, reason=form.reason)
        before, after = {"until": None}, {"until": until}
        record = AuditRecord("mute", TARGET, form.user_id, before, after, form.reason)
        await audit.audited(tx, admin, record)
        return AdminResult.of(muted)

    return await audit.perform(database, admin, form, work)


async def unmute(
    database: Database, admin: AdminRequest, user_id: UUID, now: datetime
) -> AdminResult:
    """Unmute a member; the operator's own mute needs a second person.

    Raises:
        MuteStateError: they are not muted.
        SecondPersonNeededError: it is the operator's own, and no other operator could decide it.
    """

    async def work(tx: Transaction) -> AdminResult:
        if user_id == admin.operator.user_id:
            return await _propose_own(tx, admin, ModerationAction.UNMUTE)
        until = await _unmute(tx, admin.operator, user_id, now)
        before, after = {"until": until}, {"until": None}
        await audit.audited(tx, admin, AuditRecord("unmute", TARGET, user_id, before, after))
        return AdminResult(None)

    return await audit.perform(database, admin, {}, work)


async def lift_approved(tx: Transaction, approved: Approved) -> Content:
    """Lift an operator's own mute or ban after a second person has approved it.

    Raises:
        NotFoundError, MuteStateError: as for ``unmute`` and ``unban``.
    """
    wanted: OwnMeasureRemoval = approved.content
    now = clock.now()
    if wanted.action is ModerationAction.UNMUTE:
        await _unmute(tx, approved.decider, wanted.user_id, now)
    else:
        await _unban(tx, approved.decider, wanted.user_id, now)
    return {"user_id": wanted.user_id}


async def _propose_own(
    tx: Transaction, admin: AdminRequest, action: ModerationAction
) -> AdminResult:
    wanted = OwnMeasureRemoval(user_id=admin.operator.user_id, action=action)
    return await proposing.propose(tx, admin, LIFT_OWN, wanted, OWN_REASON)


async def _unmute(tx: Transaction, moderator: Operator, user_id: UUID, now: datetime) -> datetime:
    if not await users_account.hold(tx, user_id):
        raise NotFoundError
    until = await measures.delete_mute(tx, user_id, now)
    if until is None:
        raise MuteStateError(content={"status": "not_muted"})
    moderation = _action(moderator, user_id, ModerationAction.UNMUTE, {}, now)
    await measures.insert_action(tx, moderation)
    return until


async def ban(
    database: Database, admin: AdminRequest, form: BanMember, now: datetime
) -> AdminResult:
    """Ban a member from the chat; a new ban replaces the old one.

    They leave their rooms at once, and their sockets are closed on every worker.
    """
    detail = {"until": form.until and form.until.isoformat(), "reason": form.reason}

    async def work(tx: Transaction) -> AdminResult:
        if not await users_account.hold(tx, form.user_id):
            raise NotFoundError
        await measures.lock_member(tx, form.user_id)
        moderation = _action(admin.operator, form.user_id, ModerationAction.BAN, detail, now)
        values = {
            "id": moderation.id,
            "until": form.until,
            "reason": form.reason,
            "banned_at": now,
        }
        await measures.replace_ban(tx, form.user_id, values)
        await measures.insert_action(tx, moderation)
        await messages.announce(tx, BANNED_CHANNEL, str(form.user_id))
        kind = NotificationKind.CHAT_BANNED
        await notify(tx, form.user_id, kind, moderation.id, now, until=form.until)
        record = AuditRecord(
            "ban", TARGET, form.user_id, after={"until": form.until}, reason=form.reason
        )
        await audit.audited(tx, admin, record)
        return AdminResult.of(Ban(user_id=form.user_id, until=form.until, reason=form.reason))

    return await audit.perform(database, admin, form, work)


async def unban(
    database: Database, admin: AdminRequest, user_id: UUID, now: datetime
) -> AdminResult:
    """Lift a member's ban; the operator's own ban needs a second person.

    Raises:
        NotFoundError: the member is not banned.
        SecondPersonNeededError: it is the operator's own, and no other operator could decide it.
    """

    async def work(tx: Transaction) -> AdminResult:
        if user_id == admin.operator.user_id:
            return await _propose_own(tx, admin, ModerationAction.UNBAN)
        await _unban(tx, admin.operator, user_id, now)
        await audit.audited(tx, admin, AuditRecord("unban", TARGET, user_id))
        return AdminResult(None)

    return await audit.perform(database, admin, {}, work)


async def _unban(tx: Transaction, moderator: Operator, user_id: UUID, now: datetime) -> None:
    if not await measures.delete_ban(tx, user_id):
        raise NotFoundError
    moderation = _action(moderator, user_id, ModerationAction.UNBAN, {}, now)
    await measures.insert_action(tx, moderation)


async def list_mutes(
    database: Database, now: datetime, *, before: UUID | None, limit: int
) -> Page[MuteRow]:
    """Return the mutes in force, newest first."""
    rows = await measures.list_mutes(database, now, before, limit + 1)
    return Page.of(rows, limit, _mute_row)


async def list_bans(
    database: Database, now: datetime, *, before: UUID | None, limit: int
) -> Page[BanRow]:
    """Return the bans in force, newest first."""
    rows = await measures.list_bans(database, now, before, limit + 1)
    return Page.of(rows, limit, _ban_row)


async def conduct(database: Database, user_id: UUID, now: datetime) -> ChatConduct:
    """Return a member's measures in force, and the reported ones among their newest messages."""
    muted = await measures.read_mute(database, user_id, now)
    barred = await measures.read_ban(database, user_id, now)
    reported = await reports.list_reported_of(database, user_id, SCANNED_MESSAGES, MAX_REPORTED)
    return ChatConduct(
        mute=None
        if muted is None
        else Mute(user_id=user_id, until=muted.until, reason=muted.reason),
        ban=None
        if barred is None
        else Ban(user_id=user_id, until=barred.until, reason=barred.reason),
        reported=[reported_message(row) for row in reported],
    )


def _action(
    moderator: Operator,
    user_id: UUID,
    action: ModerationAction,
    detail: dict[str, Any],
    now: datetime,
) -> NewModerationAction:
    return NewModerationAction(new_id(), moderator.user_id, user_id, None, action, detail, now)


def _member(row: MutedMember | BannedMember) -> ChatMember:
    return ChatMember(id=row.user_id, first_name=row.first_name, last_name=row.last_name)


def _mute_row(row: MutedMember) -> MuteRow:
    return MuteRow(id=row.id, member=_member(row), until=row.until, reason=row.reason)


def _ban_row(row: BannedMember) -> BanRow:
    return BanRow(
        id=row.id,
        member=_member(row),
        until=row.until,
        reason=row.reason,
        banned_at=row.banned_at,
    )
