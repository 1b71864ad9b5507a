"""Socket events of the chat: both of a member's rooms over one connection."""

import asyncio
from collections.abc import Collection, Iterable, Mapping
from datetime import datetime, timedelta
from uuid import UUID

import structlog
from typing_extensions import override

from api.community.chat.enums import ReactionKey
from api.community.chat.errors import TooManyReactionsError
from api.community.chat.live.delivery_limit import DeliveryLimit, SkippedRange
from api.community.chat.live.messages import MessageDispatcher
from api.community.chat.live.pace import ALIVE_SECONDS
from api.community.chat.live.presence import Presence
from api.community.chat.live.reactions import ReactionEmitter
from api.community.chat.live.rooms import RoomWatch
from api.community.chat.rules import PUBLIC_ROOM, PUBLIC_TAB, ChatSocket, Limits
from api.community.chat.schemas import (
    ChatMessage,
    DeleteMessage,
    MarkRead,
    MessageDeleted,
    MessageHidden,
    MessageReactions,
    MessagesSkipped,
    React,
    Reacted,
    SendMessage,
    UserList,
)
from api.community.chat.service import messages
from api.community.chat.service import reactions as reactions_service
from api.community.chat.service import rooms as rooms_service
from api.foundation.core import clock
from api.foundation.core.errors import DomainError, NotFoundError, TooManyRequestsError
from api.foundation.core.metrics import Metrics
from api.foundation.core.supervisor import Job
from api.foundation.database.database import Database
from api.foundation.database.rate_limit import Limit, RateLimiter
from api.foundation.realtime.namespaces import EventHandler, MemberNamespace
from api.foundation.security.identity import Identity
from api.foundation.security.members import ANOTHER_CLUB, Member
from api.foundation.wire.acknowledgements import Acknowledgement
from api.foundation.wire.schemas import Content, WireModel

log = structlog.get_logger(__name__)

REACTING = Limit("chat-react", 20, timedelta(seconds=10))  # contract G
LOSS_MARGIN = timedelta(minutes=1)  # a loss is noticed late, and clocks differ


class ChatNamespace(MemberNamespace):
    """``/chat``: messages, reads, reactions, deletions, and who is online.

    The rooms follow from the token; a payload only names one of the two as its tab.
    """

    def __init__(
        self,
        identity: Identity,
        metrics: Metrics,
        database: Database,
        limiter: RateLimiter,
        limits: Limits,
    ) -> None:
        super().__init__("/chat", identity=identity, metrics=metrics)
        self._database = database
        self._limiter = limiter
        self._seats: dict[str, ChatSocket] = {}
        self._banned: set[str] = set()
        self._listener_down_since: datetime | None = clock.now()
        self._missed_since: datetime | None = None
        self._listening_again = asyncio.Event()
        self.dispatcher = MessageDispatcher(database, self._emit_room, limits)
        self.public_limit = DeliveryLimit(limits.deliveries, self._emit_skipped)
        self.presence = Presence(database, self._emit_users, limits)
        self.reactions = ReactionEmitter(database, self._emit_reactions)
        self.room_watch = RoomWatch(database)
        self.handle("message", EventHandler(SendMessage, self._post))
        self.handle("read", EventHandler(MarkRead, self._mark_read))
        self.handle("react", EventHandler(React, self._react))
        self.handle("delete_message", EventHandler(DeleteMessage, self._delete))
        self.choose_recipients(room_name(PUBLIC_ROOM), "message", self._recipients)

    @override
    async def prepare(self, sid: str, member: Member) -> None:
        """Give a socket its seat; only members who have joined the chat get one (spec 4).

        The socket enters both rooms before its connection is confirmed, so a client that reads
        the history afterwards misses nothing.
        """
        seat = await rooms_service.take_seat(self._database, member, clock.now())
        self._seats[sid] = seat
        for room_id in (seat.club_id, PUBLIC_ROOM):
            await self.enter_room(sid, room_name(room_id))
        if sid in self._banned:
            await rooms_service.require_admitted(self._database, member.user_id, clock.now())

    @override
    async def joined(self, sid: str, member: Member) -> None:
        """Count a socket, and send it the recently hidden messages."""
        seat = self._seats.get(sid)
        if sid in self._banned:
            await self.disconnect(sid)
        elif seat is not None:
            await self.presence.join(sid, seat)
            await self._emit_hidden(sid, seat)

    @override
    async def left(self, sid: str, member: Member) -> None:
        """Stop counting a disconnected socket."""
        self._seats.pop(sid, None)
        self._banned.discard(sid)
        self.presence.leave(sid)

    def jobs(self) -> list[Job]:
        """Return the background jobs of the chat's sockets."""
        return [
            self.dispatcher.job(),
            self.public_limit.job(),
            *self.presence.jobs(),
            self.reactions.job(),
            self.room_watch.job(),
            Job(
                name="chat_hidden",
                step=self.catch_up,
                every_seconds=ALIVE_SECONDS,
                wake=self._listening_again,
            ),
        ]

    def stop_listening(self) -> None:
        """Record that announcements are missed from now on."""
        self._listener_down_since = self._listener_down_since or clock.now()

    def start_listening(self) -> None:
        """Resume listening, and check what was missed."""
        if self._listener_down_since is None:
            return
        self.presence.recheck()
        self._missed_since = self._missed_since or self._listener_down_since - LOSS_MARGIN
        self._listener_down_since = None
        self._listening_again.set()

    async def catch_up(self) -> None:
        """Apply what was missed: hidden messages, bans and reactions.

        Raises:
            DatabaseUnavailableError: it has to be called again.
        """
        since, self._missed_since = self._missed_since, None
        if since is None:
            return
        now = clock.now()
        rooms = {PUBLIC_ROOM, *(seat.club_id for seat in self._seats.values())}
        try:
            for room_id, message_id in await rooms_service.hidden_since(
                self._database, [*rooms], since
            ):
                await self._hide(room_id, message_id)
            for user_id in await rooms_service.banned_among(self._database, [*self.members()], now):
                await self._disconnect_member(user_id)
            if self._seats:
                await self.reactions.recheck([*rooms])
        except BaseException:
            self._missed_since = since  # it is the earlier one
            raise

    async def on_hidden(self, payload: str) -> None:
        """Remove a message that a moderator has hidden from this worker's screens."""
        room_id, message_id = (UUID(word) for word in payload.split())
        await self._hide(room_id, message_id)

    async def on_banned(self, payload: str) -> None:
        """Disconnect this worker's sockets of a banned member."""
        await self._disconnect_member(UUID(payload))

    async def _disconnect_member(self, user_id: UUID) -> None:
        for sid in self.sids_of(user_id):
            self._banned.add(sid)  # one still connecting is refused when its handshake ends
            if self.is_open(sid):
                await self.disconnect(sid)

    async def _hide(self, room_id: UUID, message_id: UUID) -> None:
        self.reactions.discard(message_id)
        for tab, sids in self._screens_of(room_id).items():
            await self.emit_here(sids, "message_hidden", MessageHidden(id=message_id, club=tab))

    async def _emit_reactions(
        self, room_id: UUID, message_id: UUID, counts: Mapping[ReactionKey, int]
    ) -> None:
        for tab, sids in self._screens_of(room_id).items():
            event = MessageReactions(id=message_id, club=tab, counts=counts)
            await self.emit_here(sids, "reactions", event)

    def _screens_of(self, room_id: UUID) -> dict[str, list[str]]:
        """Return this worker's sockets in a room, by tab."""
        sids: dict[str, list[str]] = {}
        for sid, seat in self._seats.items():
            if room_id in {seat.club_id, PUBLIC_ROOM}:
                sids.setdefault(seat.tab_of(room_id), []).append(sid)
        return sids

    async def _post(self, member: Member, sid: str, payload: SendMessage) -> Acknowledgement:
        seat = self._seat(member, sid, payload.club)
        now = clock.now()
        posted = await self.dispatcher.submit(messages.outgoing_message(seat, payload, now))
        return _acknowledged(messages.receipt(posted, now))

    async def _mark_read(self, member: Member, sid: str, payload: MarkRead) -> Acknowledgement:
        seat = self._seat(member, sid, payload.club)
        return _acknowledged(
            await rooms_service.mark_read(self._database, seat, payload.club, payload.seq)
        )

    async def _react(self, member: Member, sid: str, payload: React) -> Acknowledgement:
        seat = self._seat(member, sid, payload.club)
        try:
            await self._limiter.hit_member(REACTING, member.user_id)
        except TooManyRequestsError as refusal:
            wait = {"retryAfter": refusal.retry_after_seconds}
            raise TooManyReactionsError(content=wait) from refusal
        reactions = await reactions_service.react(
            self._database, seat, payload.club, payload.id, payload.key, clock.now()
        )
        return _acknowledged(Reacted(id=payload.id, counts=reactions.counts, mine=reactions.mine))

    async def _delete(self, member: Member, sid: str, payload: DeleteMessage) -> Acknowledgement:
        seat = self._seat(member, sid, payload.club)
        await reactions_service.delete_message(
            self._database, seat, payload.club, payload.id, clock.now()
        )
        return _acknowledged(MessageDeleted(id=payload.id))

    def _seat(self, member: Member, sid: str, tab: str) -> ChatSocket:
        """Return a member's seat if the tab is theirs."""
        seat = self._seats.get(sid)
        if seat is None:
            raise NotFoundError
        if seat.room_of(tab) is None:
            member.refuse(ANOTHER_CLUB)
        return seat

    async def _emit_hidden(self, sid: str, seat: ChatSocket) -> None:
        try:
            hidden = await rooms_service.recently_hidden(self._database, seat, clock.now())
        except DomainError as refusal:
            log.warning("hidden messages could not be told", code=refusal.code)
            return
        for message in hidden:
            await self.emit_here([sid], "message_hidden", message)

    async def _emit_room(self, room_id: UUID, message: ChatMessage) -> None:
        await self.push("message", message, room=room_name(room_id))

    async def _recipients(self, message: Content) -> Collection[str] | None:
        """Return the author's sockets once the limit is reached: they get every message."""
        if await self.public_limit.allows(message["seq"]):
            return None
        return self.sids_of(UUID(message["user_id"]))

    async def _emit_skipped(self, skipped: SkippedRange) -> None:
        event = MessagesSkipped(
            club=PUBLIC_TAB, count=skipped.count, first=skipped.first, last=skipped.last
        )
        await self.push_here("messages_skipped", event, room=room_name(PUBLIC_ROOM))

    async def _emit_users(self, sids: Iterable[str], users: UserList) -> None:
        await self.emit_here(sids, "userList", users)


def room_name(room_id: UUID) -> str:
    """Return the socket server's name for a room."""
    return "public" if room_id == PUBLIC_ROOM else f"club:{room_id}"


def _acknowledged(content: WireModel) -> Acknowledgement:
    return Acknowledgement(
        status=200, message="OK", data=content.model_dump(mode="json", by_alias=True)
    )
