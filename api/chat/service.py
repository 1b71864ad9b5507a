"""The chat's rules at work: joining, posting, reading back, and what moderators do."""

from collections.abc import Sequence
from datetime import datetime, timedelta
from uuid import UUID

from api.chat import repository
from api.chat.enums import ModerationAction, PostOutcome, ReportReason
from api.chat.errors import (
    MutedError,
    NotJoinedError,
    OwnMessageError,
    RepeatedMessageError,
    ReusedClientIdError,
    TooManyMessagesError,
)
from api.chat.repository import NewModerationAction
from api.chat.rules import (
    LIMITS,
    MOST_UNREAD,
    PUBLIC_ROOM,
    PUBLIC_TAB,
    ChatSocket,
    OutgoingMessage,
    Posted,
    Refused,
    Stored,
    posted,
    room_of,
    tab_of,
)
from api.chat.schemas import (
    ChatMessage,
    ChatStanding,
    MessageHidden,
    MessageSent,
    Mute,
    ReadUpTo,
    ReportedMessage,
    ReportTaken,
    RoomStanding,
    SendMessage,
)
from api.core.errors import NotFoundError
from api.core.ids import new_id
from api.database.database import Database
from api.database.statements import Row
from api.media.storage import picture_url
from api.security.members import ANOTHER_CLUB, Member
from api.users import service as users

HIDDEN_CHANNEL = "chat_message_hidden"
MOST_REPORTED = 100
MOST_HIDDEN = 100
HIDDEN_WITHIN = timedelta(days=1)


async def join(database: Database, member: Member, tab: str, now: datetime) -> ChatStanding:
    """Join the member to the club's room and to Public; joining again changes nothing.

    Raises:
        NotFoundError: ``tab`` is neither.
    """
    _room(member, tab)
    rooms = await standing(database, member)
    if len(rooms.rooms) < len({PUBLIC_ROOM, member.club_id}):
        async with database.transaction() as tx:
            await repository.insert_memberships(tx, member.user_id, member.club_id, now)
        rooms = await standing(database, member)
    return rooms


async def standing(database: Database, member: Member) -> ChatStanding:
    """Return what the member has not read, the club's room first."""
    listed = await repository.list_standing(database, member.user_id, MOST_UNREAD)
    rows = {row["room_id"]: row for row in listed}
    return ChatStanding(
        rooms=[
            RoomStanding(
                club=tab,
                unread=rows[room_id]["unread"],
                last_read_seq=rows[room_id]["last_read_seq"],
                last_seq=rows[room_id]["last_seq"],
            )
            for room_id, tab in ((member.club_id, member.club_name), (PUBLIC_ROOM, PUBLIC_TAB))
            if room_id in rows
        ]
    )


async def take_seat(database: Database, member: Member) -> ChatSocket:
    """Return the place of one of the member's sockets.

    Raises:
        NotJoinedError: the member has not joined the club's room.
    """
    row = await repository.read_seat(database, member.user_id)
    if row is None or not row["has_joined"]:
        raise NotJoinedError
    return ChatSocket(
        user_id=member.user_id,
        club_id=member.club_id,
        club_name=member.club_name,
        first_name=row["first_name"],
        last_name=row["last_name"],
        avatar=picture_url(row["avatar"]),
    )


def outgoing_message(
    seat: ChatSocket, message: SendMessage, received_at: datetime
) -> OutgoingMessage:
    """Return a message ready to be posted.

    Raises:
        NotFoundError: its tab is not the member's.
    """
    room_id = seat.room_of(message.club)
    if room_id is None:
        raise NotFoundError
    client_id = message.client_id or new_id()
    return OutgoingMessage(new_id(), seat, room_id, client_id, message.chat_message, received_at)


async def post_all(database: Database, messages: Sequence[OutgoingMessage]) -> list[Posted]:
    """Store messages that came together; return what became of each.

    Posting a message again answers with its first try, so that a retry never doubles.
    """
    return [posted(row) for row in await repository.post_all(database, messages, LIMITS)]


def as_message(sent: OutgoingMessage, stored: Stored) -> ChatMessage:
    """Return a stored message as everybody in its room sees it."""
    seat = sent.seat
    return ChatMessage(
        id=stored.id,
        seq=stored.seq,
        client_id=sent.client_id,
        user_id=seat.user_id,
        club=seat.tab_of(sent.room_id),
        chat_message=sent.content,
        firstname=seat.first_name,
        lastname=seat.last_name,
        avatar=seat.avatar,
        time=_milliseconds(stored.sent_at),
    )


def receipt(posted: Posted, now: datetime) -> MessageSent:
    """Return what the sender is told.

    Raises:
        DomainError: the message was refused, and why.
    """
    if isinstance(posted, Stored):
        return MessageSent(id=posted.id, seq=posted.seq, time=_milliseconds(posted.sent_at))
    match posted:
        case Refused(PostOutcome.MUTED, datetime() as until):
            raise MutedError(content={"until": until.isoformat()})
        case Refused(PostOutcome.TOO_MANY, datetime() as until):
            seconds = max(0.1, (until - now).total_seconds())
            raise TooManyMessagesError(content={"retryAfter": round(seconds, 1)})
        case Refused(PostOutcome.REPEATED):
            raise RepeatedMessageError
        case Refused(PostOutcome.REUSED):
            raise ReusedClientIdError.of("client_id", ReusedClientIdError.message)
    raise NotJoinedError


async def list_messages(
    database: Database,
    member: Member,
    tab: str,
    *,
    before: UUID | None,
    after: UUID | None,
    most: int,
) -> list[ChatMessage]:
    """Return shown messages of a tab, oldest first: the newest, or those next to a message.

    Raises:
        NotFoundError: the tab is not the member's, or the message is not in it.
    """
    room_id = _room(member, tab)
    mark = before or after
    if mark is None:
        rows = await repository.list_newest(database, room_id, most)
    else:
        seq = await repository.read_seq(database, mark, room_id)
        if seq is None:
            raise NotFoundError
        listed = repository.list_after if before is None else repository.list_before
        rows = await listed(database, room_id, most, seq)
    messages = [_as_message(row, tab_of(room_id, member.club_name)) for row in rows]
    return messages if mark is not None and before is None else messages[::-1]


async def recently_hidden(
    database: Database, seat: ChatSocket, now: datetime
) -> list[MessageHidden]:
    """Return what was hidden in the last day: a phone that comes back may still show it."""
    rows = await repository.list_hidden(
        database, [seat.club_id, PUBLIC_ROOM], now - HIDDEN_WITHIN, MOST_HIDDEN
    )
    return [MessageHidden(id=row["id"], club=seat.tab_of(row["room_id"])) for row in rows]


async def mark_read(database: Database, seat: ChatSocket, tab: str, seq: int) -> ReadUpTo:
    """Remember that a tab is read up to ``seq``; return how far it is read now.

    Raises:
        NotFoundError: the tab is not the member's.
    """
    room_id = seat.room_of(tab)
    if room_id is None:
        raise NotFoundError
    read = await repository.change_last_read(database, seat.user_id, room_id, seq)
    if read is None:
        raise NotJoinedError
    return ReadUpTo(club=seat.tab_of(room_id), seq=read)


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
            message=_as_message(row, row["club_name"] or PUBLIC_TAB),
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


def _room(member: Member, tab: str) -> UUID:
    room_id = room_of(tab, member.club_id, member.club_name)
    if room_id is None:
        member.refuse(ANOTHER_CLUB)
    return room_id


def _as_message(row: Row, tab: str) -> ChatMessage:
    return ChatMessage(
        id=row["id"],
        seq=row["seq"],
        client_id=row["client_id"],
        user_id=row["user_id"],
        club=tab,
        chat_message=row["content"],
        firstname=row["first_name"],
        lastname=row["last_name"],
        avatar=picture_url(row["avatar"]),
        time=_milliseconds(row["sent_at"]),
    )


def _milliseconds(moment: datetime) -> int:
    return int(moment.timestamp() * 1000)
