"""Namespaces: members only, their own rooms, one model per event.

Clients cannot trigger the lifecycle handlers, handlers run one at a time per socket, and there is
no way to emit to everybody.
"""

import asyncio
from collections.abc import Awaitable, Callable, Collection, Iterable
from dataclasses import dataclass
from typing import Any, ClassVar, Generic, TypeVar
from urllib.parse import parse_qs
from uuid import UUID

import socketio
import structlog
from pydantic import ValidationError
from typing_extensions import override

from api.foundation.core import clock
from api.foundation.core.errors import (
    DomainError,
    TokenError,
    TokenMissingError,
    TooManyRequestsError,
    UnavailableError,
)
from api.foundation.core.ids import parse_id
from api.foundation.core.metrics import Metrics
from api.foundation.realtime.engine import LIFECYCLE_EVENTS
from api.foundation.realtime.session_use import SessionUse
from api.foundation.security.identity import Identity
from api.foundation.security.members import ANOTHER_CLUB, IdentityChanged, Member
from api.foundation.wire.acknowledgements import Acknowledgement
from api.foundation.wire.schemas import Content, WireInput, WireModel, field_errors

log = structlog.get_logger(__name__)

SOCKETS_PER_MEMBER = 20

# Gets an event's data; returns socket ids, or None for the whole room.
RecipientChoice = Callable[[Content], Awaitable[Collection[str] | None]]

PayloadT = TypeVar("PayloadT", bound=WireInput)


@dataclass
class MemberSocket:
    """One member's socket in one namespace.

    ``has_changed`` says that the member changed during the handshake; ``is_open`` that the
    handshake is complete.
    """

    eio_sid: str
    member: Member
    expiry: asyncio.TimerHandle
    is_open: bool = False
    has_changed: bool = False


@dataclass(frozen=True)
class EventHandler(Generic[PayloadT]):
    """A handler of one incoming event, and the model of its payload."""

    payload: type[PayloadT]
    answer: Callable[[Member, str, PayloadT], Awaitable[Acknowledgement]]


def member_room(user_id: UUID) -> str:
    """Return the name of the room with all sockets of one member."""
    return f"member:{user_id}"


class MemberNamespace(socketio.AsyncNamespace):  # type: ignore[misc] # it has no types
    """A namespace for signed-in members only.

    The token comes in the handshake's ``auth``; a ``userId`` or ``clubId`` in the query must match
    the token. Every incoming event has an ``EventHandler``; others are refused.
    """

    too_fast: ClassVar[Content] = Acknowledgement(
        status=429, message="You are going too fast.", code="too_many_requests"
    ).model_dump(mode="json", by_alias=True)

    def __init__(self, path: str, *, identity: Identity, metrics: Metrics) -> None:
        super().__init__(path)
        self._identity = identity
        self._metrics = metrics
        self._places: dict[str, MemberSocket] = {}
        self._sids_of: dict[UUID, set[str]] = {}
        self._handlers: dict[str, EventHandler[Any]] = {}
        self.choices: dict[tuple[str, str], RecipientChoice] = {}

    def handle(self, event: str, handler: EventHandler[Any]) -> None:
        """Register the handler of ``event``."""
        self._handlers[event] = handler

    def choose_recipients(self, room: str, event: str, choose: RecipientChoice) -> None:
        """Have ``choose`` select which of a room's sockets on this worker get ``event``.

        It applies to events of all workers.
        """
        self.choices[room, event] = choose

    async def prepare(self, sid: str, member: Member) -> None:
        """Prepare for a member's socket, or refuse it.

        Raises:
            DomainError: the member may not use this namespace now.
        """

    async def joined(self, sid: str, member: Member) -> None:
        """Called after a member's socket has connected."""

    async def left(self, sid: str, member: Member) -> None:
        """Called after a member's socket has disconnected."""

    @override
    async def emit(self, event: str, data: Any = None, *, room: str, **options: Any) -> None:
        """Emit to one room; there is no emitting to everybody."""
        await super().emit(event, data, room=room, **options)

    async def push(self, event: str, payload: WireModel, *, room: str) -> None:
        """Emit one event to one room, on every worker."""
        await self.emit(event, payload.model_dump(mode="json", by_alias=True), room=room)

    async def push_here(self, event: str, payload: WireModel, *, room: str) -> None:
        """Emit one event to one room, to the sockets of this worker only."""
        content = payload.model_dump(mode="json", by_alias=True)
        await self.server.manager.emit_here(event, content, self.namespace, room)

    async def emit_here(
        self, sids: Iterable[str], event: str, payload: WireModel | Content
    ) -> None:
        """Emit one event to sockets of this worker, without publishing it to the others."""
        content = (
            payload.model_dump(mode="json", by_alias=True)
            if isinstance(payload, WireModel)
            else payload
        )
        await self.server.send_here(sids, self.namespace, event, content)

    def has_socket_of(self, user_id: UUID) -> bool:
        """Return whether a member is connected to this worker."""
        return user_id in self._sids_of

    def members(self) -> Collection[UUID]:
        """Return the members connected to this worker."""
        return self._sids_of.keys()

    def sids_of(self, user_id: UUID) -> list[str]:
        """Return a member's sockets on this worker, including those that are still connecting."""
        return list(self._sids_of.get(user_id, ()))

    def is_open(self, sid: str) -> bool:
        """Return whether a socket of this worker is connected."""
        place = self._places.get(sid)
        return place is not None and place.is_open

    async def emit_to_member(self, user_id: UUID, event: str, payload: WireModel) -> None:
        """Emit one event to a member's sockets on this worker."""
        sids = [sid for sid in self._sids_of.get(user_id, ()) if self._places[sid].is_open]
        await self.emit_here(sids, event, payload)

    def close_changed(self, event: IdentityChanged) -> int:
        """End this worker's connections of a changed member; return how many.

        The whole connection ends, so that the client reconnects with the current identity, if
        allowed.
        """
        changed = [place for place in self._places.values() if event.is_about(place.member)]
        for place in changed:
            self._end(place)
        return len(changed)

    async def recheck(self, *, everybody: bool) -> None:
        """End the connections of members who changed, or whose session has expired.

        ``everybody`` is checked when changes may have been missed; otherwise only the sessions
        without a use on this worker for so long that they may have expired.

        Raises:
            DatabaseUnavailableError: the remaining ones could not be checked.
        """
        use: SessionUse = self.server.use
        for sid, place in list(self._places.items()):
            if sid not in self._places:  # it disconnected while others were checked
                continue
            if not everybody and not use.may_have_ended(place.member.session_id):
                continue
            if not await use.is_still(place.member):
                self._end(place)

    async def welcome(self, sid: str) -> None:
        """Greet a socket after the library has confirmed its connection."""
        place = self._places.get(sid)
        if place is not None:
            await self.joined(sid, place.member)

    async def on_connect(self, sid: str, environ: dict[str, Any], auth: Any) -> None:
        """Admit a member, or refuse the handshake with a reason.

        Raises:
            ConnectionRefusedError: the token is missing or invalid, the query has another member's
                id, or the member may not use the namespace now.
        """
        try:
            place = await self._admit(sid, environ, auth)
            try:
                await self.prepare(sid, place.member)
                if place.has_changed:
                    raise TokenError
            except DomainError:
                await self._leave(sid, place)
                raise
        except DomainError as refusal:
            raise socketio.exceptions.ConnectionRefusedError(
                refusal.sentence, {"code": refusal.code, "status": refusal.status}
            ) from None
        place.is_open = True
        self._metrics.sockets.labels(self.namespace).inc()
        self.server.connections.accept(place.eio_sid, self.namespace, place.member)
        await self.enter_room(sid, member_room(place.member.user_id))

    async def on_disconnect(self, sid: str, _reason: str | None = None) -> None:
        """Remove a disconnected socket."""
        place = self._places.get(sid)
        if place is not None:
            await self._leave(sid, place)

    async def _leave(self, sid: str, place: MemberSocket) -> None:
        del self._places[sid]
        place.expiry.cancel()
        self.server.use.leave(place.member.session_id)
        user_id = place.member.user_id
        sids = self._sids_of[user_id]
        sids.discard(sid)
        if not sids:
            del self._sids_of[user_id]
        if place.is_open:
            self._metrics.sockets.labels(self.namespace).dec()
            self.server.connections.leave(place.eio_sid, self.namespace)
        await self.left(sid, place.member)

    async def trigger_event(self, event: str, *args: Any) -> Any:
        """Dispatch the library's lifecycle calls and the members' events."""
        if event in LIFECYCLE_EVENTS:
            return await super().trigger_event(event, *args)
        sid, payload = args[0], args[1] if len(args) > 1 else {}
        return (await self._answer(event, sid, payload)).model_dump(mode="json", by_alias=True)

    async def _admit(self, sid: str, environ: dict[str, Any], auth: Any) -> MemberSocket:
        """Add and return a socket for the member of the handshake's token.

        Nothing is awaited between reading the member and adding the socket, so that a change
        announced meanwhile applies to one of the two.
        """
        token = auth.get("token") if isinstance(auth, dict) else None
        if not isinstance(token, str) or not token:
            raise TokenMissingError
        member = await self._identity.member(token)
        query = parse_qs(environ.get("QUERY_STRING", ""))
        for user_id in query.get("userId", []):
            member.require_self(parse_id(user_id))
        for club_id in query.get("clubId", []):
            if parse_id(club_id) != member.club_id:
                member.refuse(ANOTHER_CLUB)
        # more than a member's tabs could need
        if len(self._sids_of.get(member.user_id, ())) >= SOCKETS_PER_MEMBER:
            raise TooManyRequestsError("You are connected too many times. Close a tab.")
        eio_sid = self.server.manager.eio_sid_from_sid(sid, self.namespace)
        seconds_left = max(0.0, (member.expires_at - clock.now()).total_seconds())
        expiry = asyncio.get_running_loop().call_later(seconds_left, self._expire, sid)
        self._places[sid] = place = MemberSocket(eio_sid, member, expiry)
        self._sids_of.setdefault(member.user_id, set()).add(sid)
        self.server.use.enter(member.session_id)
        return place

    async def _answer(self, event: str, sid: str, payload: Any) -> Acknowledgement:
        place = self._places.get(sid)
        handler = self._handlers.get(event)
        if place is None or handler is None:
            return Acknowledgement(status=404, message="Unknown event.", code="not_found")
        return await self._run(handler, place, sid, payload)

    async def _run(
        self, handler: EventHandler[Any], place: MemberSocket, sid: str, payload: Any
    ) -> Acknowledgement:
        try:
            await self._count_use(place)
            read = handler.payload.model_validate(payload if isinstance(payload, dict) else {})
            return await handler.answer(place.member, sid, read)
        except ValidationError as error:
            sentence, _ = field_errors(error.errors(include_url=False, include_input=False))
            return Acknowledgement(status=422, message=sentence, code="validation_failed")
        except DomainError as refusal:
            return Acknowledgement(
                status=refusal.status,
                message=refusal.sentence,
                data=refusal.content,
                code=refusal.code,
            )
        except Exception:  # last resort: the client waits for an answer, other events for this one
            log.exception("socket handler failed", namespace=self.namespace)
            return Acknowledgement(
                status=500, message=UnavailableError.message, code="internal_error"
            )

    async def _count_use(self, place: MemberSocket) -> None:
        """Count an event as a use of its session.

        Raises:
            TokenError: the session had expired; its connection ends, too.
        """
        try:
            await self.server.use.count(place.member)
        except TokenError:
            self._end(place)
            raise

    def _expire(self, sid: str) -> None:
        place = self._places.get(sid)
        if place is not None:
            self._end(place)

    def _end(self, place: MemberSocket) -> None:
        place.has_changed = True
        connection = self.server.connections.get(place.eio_sid)
        if connection is not None:
            self.server.connections.end(connection)
