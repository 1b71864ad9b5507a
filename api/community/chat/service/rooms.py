"""Rooms: joining them, reading their history, and unread counts."""

from collections.abc import Sequence
from datetime import datetime, timedelta
from uuid import UUID

from api.community.chat.errors import BannedError, NotJoinedError
from api.community.chat.repository import measures
from api.community.chat.repository import messages as messages_repository
from api.community.chat.repository import reactions as reactions_repository
from api.community.chat.repository import rooms as rooms_repository
from api.community.chat.rules import (
    MAX_UNREAD,
    NO_REACTIONS,
    PUBLIC_ROOM,
    PUBLIC_TAB,
    ChatSocket,
    room_of,
    tab_of,
)
from api.community.chat.schemas import (
    ChatStanding,
    HistoryMessage,
    MessageHidden,
    ReadUpTo,
    RoomStanding,
)
from api.community.chat.service.messages import shown_message
from api.foundation.core import clock
from api.foundation.core.errors import NotFoundError
from api.foundation.database.database import Database, Runner
from api.foundation.media.storage import picture_url
from api.foundation.security.members import ANOTHER_CLUB, Member

MAX_HIDDEN = 100
HIDDEN_WINDOW = timedelta(days=1)


async def join(database: Database, member: Member, tab: str, now: datetime) -> ChatStanding:
    """Join the member to the club's room and to Public; joining again changes nothing.

    Raises:
        NotFoundError: ``tab`` is neither.
    """
    room_for(member, tab)
    await require_admitted(database, member.user_id, now)
    rooms = await unread_rooms(database, member)
    if len(rooms.rooms) < len({PUBLIC_ROOM, member.club_id}):
        async with database.transaction() as tx:
            await measures.lock_member(tx, member.user_id)
            await require_admitted(tx, member.user_id, now)
            await rooms_repository.insert_memberships(tx, member.user_id, member.club_id, now)
        rooms = await unread_rooms(database, member)
    return rooms


async def require_admitted(runner: Runner, user_id: UUID, now: datetime) -> None:
    """Raise if a member is banned from the chat."""
    ban = await measures.read_ban(runner, user_id, now)
    if ban is not None:
        raise banned(ban.until)


def banned(until: datetime | None) -> BannedError:
    """Return the error of a ban that ends at ``until``."""
    shown = None if until is None else until.isoformat(timespec="milliseconds")
    return BannedError(content={"until": shown and shown.replace("+00:00", "Z")})


async def banned_among(database: Database, user_ids: Sequence[UUID], now: datetime) -> list[UUID]:
    """Return which of these members are banned."""
    return await measures.list_banned(database, user_ids, now)


async def unread_rooms(database: Database, member: Member) -> ChatStanding:
    """Return the member's rooms with their unread counts, the club's room first."""
    listed = await rooms_repository.list_positions(database, member.user_id, MAX_UNREAD)
    rows = {row.room_id: row for row in listed}
    return ChatStanding(
        rooms=[
            RoomStanding(
                club=tab,
                unread=rows[room_id].unread,
                last_read_seq=rows[room_id].last_read_seq,
                last_seq=rows[room_id].last_seq,
            )
            for room_id, tab in ((member.club_id, member.club_name), (PUBLIC_ROOM, PUBLIC_TAB))
            if room_id in rows
        ]
    )


async def take_seat(database: Database, member: Member, now: datetime) -> ChatSocket:
    """Return the seat of a socket; its member must have joined and not be banned."""
    row = await rooms_repository.read_seat(database, member.user_id, now)
    if row is not None and row.is_banned:
        raise banned(row.until)
    if row is None or not row.has_joined:
        raise NotJoinedError
    return ChatSocket(
        user_id=member.user_id,
        club_id=member.club_id,
        club_name=member.club_name,
        first_name=row.first_name,
        last_name=row.last_name,
        avatar=picture_url(row.avatar),
    )


async def list_messages(
    database: Database,
    member: Member,
    tab: str,
    *,
    before: UUID | None,
    after: UUID | None,
    limit: int,
) -> list[HistoryMessage]:
    """Return visible messages of a tab, oldest first: the newest, or those next to a message.

    Raises:
        NotFoundError: the tab is not the member's, or the message is not in it.
    """
    room_id = room_for(member, tab)
    await require_admitted(database, member.user_id, clock.now())
    mark = before or after
    if mark is None:
        rows = await messages_repository.list_newest(database, room_id, limit)
    else:
        seq = await messages_repository.read_seq(database, mark, room_id)
        if seq is None:
            raise NotFoundError
        listed = (
            messages_repository.list_after if before is None else messages_repository.list_before
        )
        rows = await listed(database, room_id, limit, seq)
    ids = [row.id for row in rows]
    reactions = (
        await reactions_repository.list_reactions(database, ids, member.user_id) if ids else {}
    )
    shown_tab = tab_of(room_id, member.club_name)
    messages = [shown_message(row, shown_tab, reactions.get(row.id, NO_REACTIONS)) for row in rows]
    return messages if mark is not None and before is None else messages[::-1]


async def recently_hidden(
    database: Database, seat: ChatSocket, now: datetime
) -> list[MessageHidden]:
    """Return what was hidden in the last day: a phone that reconnects may still show it."""
    hidden = await hidden_since(database, [seat.club_id, PUBLIC_ROOM], now - HIDDEN_WINDOW)
    return [
        MessageHidden(id=message_id, club=seat.tab_of(room_id)) for room_id, message_id in hidden
    ]


async def hidden_since(
    database: Database, room_ids: Sequence[UUID], since: datetime
) -> list[tuple[UUID, UUID]]:
    """Return the rooms and ids of messages hidden in these rooms since then, newest first."""
    rows = await messages_repository.list_hidden(database, room_ids, since, MAX_HIDDEN)
    return [(row.room_id, row.id) for row in rows]


async def mark_read(database: Database, seat: ChatSocket, tab: str, seq: int) -> ReadUpTo:
    """Store that a tab is read up to ``seq``; return the last read ``seq``.

    Raises:
        NotFoundError: the tab is not the member's.
    """
    room_id = seat.room_of(tab)
    if room_id is None:
        raise NotFoundError
    read = await rooms_repository.change_last_read(database, seat.user_id, room_id, seq)
    if read is None:
        raise NotJoinedError
    return ReadUpTo(club=seat.tab_of(room_id), seq=read)


def room_for(member: Member, tab: str) -> UUID:
    """Return the room of a tab, or refuse the request when it is not the member's."""
    room_id = room_of(tab, member.club_id, member.club_name)
    if room_id is None:
        member.refuse(ANOTHER_CLUB)
    return room_id
