"""What members report, and what moderators do about it."""

from datetime import datetime, timedelta
from uuid import UUID

from api.chat import repository
from api.chat.enums import ModerationAction, ReportReason
from api.chat.errors import (
    OwnMessageError,
)
from api.chat.repository import NewModerationAction
from api.chat.rules import (
    PUBLIC_ROOM,
    PUBLIC_TAB,
)
from api.chat.schemas import (
    Mute,
    ReportedMessage,
    ReportTaken,
)
from api.chat.service.messages import shown_message
from api.core.errors import NotFoundError
from api.core.ids import new_id
from api.database.database import Database
from api.security.members import ANOTHER_CLUB, Member
from api.users import service as users

HIDDEN_CHANNEL = "chat_message_hidden"
MOST_REPORTED = 100


async def report(
    database: Database, member: Member, message_id: UUID, reason: ReportReason, now: datetime
) -> ReportTaken:
    """Report a message to the moderators; reporting again keeps the first reason.

    Raises:
        NotFoundError: the member cannot see such a message.
        OwnMessageError: it is the member's own.
    """
    row = await repository.read_message(database, message_id)
    if row is None:
        raise NotFoundError
    if row["room_id"] not in {PUBLIC_ROOM, member.club_id}:
        member.refuse(ANOTHER_CLUB)
    if row["hidden_at"] is not None:
        raise NotFoundError
    if row["user_id"] == member.user_id:
        raise OwnMessageError
    async with database.transaction() as tx:
        standing_reason = await repository.insert_report(
            tx, message_id, member.user_id, reason, now
        )
    return ReportTaken(message_id=message_id, reason=standing_reason)


async def list_reported(database: Database) -> list[ReportedMessage]:
    """Return what members have reported and nobody has settled, longest waiting first."""
    return [
        ReportedMessage(
            message=shown_message(row, row["club_name"] or PUBLIC_TAB),
            hidden=row["hidden_at"] is not None,
            reports=row["reports"],
            reasons=[ReportReason(reason) for reason in row["reasons"]],
            first_reported_at=row["first_reported_at"],
        )
        for row in await repository.list_reported(database, MOST_REPORTED)
    ]


async def moderate(
    database: Database, operator: Member, message_id: UUID, action: ModerationAction, now: datetime
) -> None:
    """Hide a message, show it again, or dismiss its reports; doing it twice changes nothing more.

    Every screen that shows a hidden message is told.

    Raises:
        NotFoundError: there is no such message, or its author was erased.
    """
    row = await repository.read_message(database, message_id)
    if row is None:
        raise NotFoundError
    async with database.transaction() as tx:
        if action is not ModerationAction.DISMISS:
            hidden_at = now if action is ModerationAction.HIDE else None
            if await repository.change_hidden(tx, message_id, hidden_at) is None:
                raise NotFoundError
        await repository.settle_reports(tx, message_id, now)
        await repository.insert_action(
            tx,
            NewModerationAction(
                new_id(), operator.user_id, row["user_id"], message_id, action, {}, now
            ),
        )
        if action is ModerationAction.HIDE:
            await repository.announce(tx, HIDDEN_CHANNEL, f"{row['room_id']} {message_id}")


async def mute(
    database: Database, operator: Member, user_id: UUID, minutes: int, reason: str, now: datetime
) -> Mute:
    """Keep a member from writing from now on; a new mute replaces the old one.

    Raises:
        NotFoundError: there is no such member.
    """
    if await users.find(database, user_id) is None:
        raise NotFoundError
    until = now + timedelta(minutes=minutes)
    detail = {"minutes": minutes, "reason": reason}
    async with database.transaction() as tx:
        await repository.replace_mute(tx, user_id, until, reason)
        await repository.insert_action(
            tx,
            NewModerationAction(
                new_id(), operator.user_id, user_id, None, ModerationAction.MUTE, detail, now
            ),
        )
    return Mute(user_id=user_id, until=until, reason=reason)


async def unmute(database: Database, operator: Member, user_id: UUID, now: datetime) -> None:
    """Let a member write again.

    Raises:
        NotFoundError: the member is not muted.
    """
    async with database.transaction() as tx:
        if not await repository.delete_mute(tx, user_id):
            raise NotFoundError
        await repository.insert_action(
            tx,
            NewModerationAction(
                new_id(), operator.user_id, user_id, None, ModerationAction.UNMUTE, {}, now
            ),
        )
