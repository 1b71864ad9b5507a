"""Sockets: one engine, authenticated namespaces, rooms, one model per event.

What the library leaves open is closed here: clients cannot fire the lifecycle handlers, handlers
run one at a time per socket behind a token bucket, a socket that does not read is cut off at a
bounded queue, and there is no way to emit to everybody.
"""

import asyncio
import json
import time
from collections.abc import Awaitable, Callable, Iterable
from dataclasses import dataclass, field
from typing import Any, Generic, TypeVar
from urllib.parse import parse_qs
from uuid import UUID

import engineio.packet
import socketio
import socketio.packet
import structlog
from pydantic import ValidationError
from starlette.types import Message, Receive, Scope, Send
from typing_extensions import override

from api.core import clock
from api.core.direct import Wire, shorten, text_frame
from api.core.errors import (
    DomainError,
    TokenMissingError,
    TooManyRequestsError,
    UnavailableError,
)
from api.core.identity import Identity, Member, SessionRevoked
from api.core.metrics import Metrics
from api.core.wire import Content, WireInput, WireModel, explain, read_json

log = structlog.get_logger(__name__)

LIFECYCLE_EVENTS = frozenset({"connect", "disconnect", "connect_error", "__disconnect_final"})
QUEUED_PACKETS_LIMIT = 256
BUFFER_BYTES_LIMIT = 16 * 1024
EVENTS_PER_SECOND = 5.0
BURST = 20.0
SOCKETS_PER_MEMBER = 20
DROPS_BEFORE_KICK = 200

EVENT_PACKET = socketio.packet.EVENT
ENGINE_PACKETS = "0123456"  # the first character says which
CLOSE_PACKET = "1"
NORMAL_CLOSURE, PROTOCOL_ERROR = 1000, 1002  # RFC 6455, section 7.4.1

PayloadT = TypeVar("PayloadT", bound=WireInput)
Clock = Callable[[], float]


class _Json:
    """The socket's JSON: read like the HTTP surface reads it, written compactly."""

    @staticmethod
    def dumps(value: Any, **_options: Any) -> str:
        """Write ``value`` as JSON."""
        return json.dumps(value, separators=(",", ":"))

    @staticmethod
    def loads(value: str, **_options: Any) -> Any:
        """Read JSON.

        Raises:
            ValueError: it is none, or nested beyond reason.
        """
        try:
            return read_json(value)
        except RecursionError:
            raise ValueError("The JSON is nested too deeply") from None


class TextPacket(socketio.packet.Packet):  # type: ignore[misc] # the library has no types
    """A packet whose content is JSON: nothing searches every event for bytes."""

    uses_binary_events = False


class SocketServer(socketio.AsyncServer):  # type: ignore[misc] # the library has no types
    """The library's server with its open ends closed."""

    def __init__(self, *, metrics: Metrics, **options: Any) -> None:
        self._metrics = metrics
        self._wires: dict[str, Wire] = {}
        super().__init__(**options)

    async def shutdown(self) -> None:
        """Stop what runs in the background, and let go of the other workers."""
        await super().shutdown()
        listening = getattr(self.manager, "thread", None)
        if listening is not None:
            listening.cancel()
            await asyncio.gather(listening, return_exceptions=True)
        for name in ("pubsub", "redis"):
            connection = getattr(self.manager, name, None)
            if connection is not None:
                await connection.aclose()

    async def handle_request(self, scope: Scope, receive: Receive, send: Send) -> Any:
        """Serve one connection; what is no packet ends a WebSocket."""
        if scope["type"] == "websocket":
            receive = self._only_packets(receive)
        return await super().handle_request(scope, receive, send)

    def _only_packets(self, receive: Receive) -> Receive:
        """Return ``receive`` without what would fall through the library and leave a socket open.

        Nothing here speaks binary, so that a client cannot make the server collect attachments.
        """

        async def receive_packet() -> Message:
            message = await receive()
            if message["type"] == "websocket.receive":
                text = message.get("text")
                if text == CLOSE_PACKET:  # the library would wait for the connection to close
                    return {"type": "websocket.disconnect", "code": NORMAL_CLOSURE}
                if not text or text[0] not in ENGINE_PACKETS:
                    self._metrics.sockets_cut.labels("malformed").inc()
                    return {"type": "websocket.disconnect", "code": PROTOCOL_ERROR}
            return message

        return receive_packet

    async def _handle_eio_message(self, eio_sid: str, data: Any) -> None:
        """Dispatch one packet; one that cannot be read, or that no client may send, ends it all."""
        if eio_sid not in self.environ:
            return  # it came behind a disconnection
        try:
            packet = self.packet_class(encoded_packet=data)
        except (ValueError, TypeError, KeyError, IndexError):
            packet = None
        kind = None if packet is None else packet.packet_type
        if kind == socketio.packet.CONNECT:
            await self._handle_connect(eio_sid, packet.namespace, packet.data)
        elif kind == socketio.packet.DISCONNECT:
            reason = self.reason.CLIENT_DISCONNECT
            await self._handle_disconnect(eio_sid, packet.namespace, reason)
        elif kind == EVENT_PACKET:
            await self._handle_event(eio_sid, packet.namespace, packet.id, packet.data)
        elif kind != socketio.packet.ACK:  # nobody is asked to acknowledge
            self._metrics.sockets_cut.labels("malformed").inc()
            self.start_background_task(self._end, eio_sid)

    async def _handle_event(
        self,
        eio_sid: str,
        namespace: str,
        id: int | None,  # noqa: A002 the library's name
        data: Any,
    ) -> None:
        if not isinstance(data, list) or not data or not isinstance(data[0], str):
            return
        if data[0] in LIFECYCLE_EVENTS:
            return
        await super()._handle_event(eio_sid, namespace, id, data)

    async def _handle_eio_connect(self, eio_sid: str, environ: dict[str, Any]) -> None:
        await super()._handle_eio_connect(eio_sid, environ)
        wire = shorten(self.eio.sockets[eio_sid], environ)
        if wire is not None:
            self._wires[eio_sid] = wire

    async def _handle_eio_disconnect(self, eio_sid: str, reason: str) -> None:
        socket = self.eio.sockets.get(eio_sid)
        if reason == self.reason.CLIENT_DISCONNECT and socket is not None and not socket.upgraded:
            socket.queue.put_nowait(None)  # else its open poll hangs for half a minute
        self._wires.pop(eio_sid, None)
        await super()._handle_eio_disconnect(eio_sid, reason)

    async def send_here(self, sids: Iterable[str], namespace: str, event: str, data: Any) -> None:
        """Emit to sockets of this worker alone; the packet is encoded once for all of them."""
        found = (self.manager.eio_sid_from_sid(sid, namespace) for sid in sids)
        packet = self.packet_class(EVENT_PACKET, namespace=namespace, data=[event, data])
        await self.deliver([eio_sid for eio_sid in found if eio_sid is not None], packet)

    async def deliver(self, eio_sids: Iterable[str], packet: Any) -> None:
        """Send one packet to connections of this worker: encoded once and framed once."""
        message = engineio.packet.Packet(engineio.packet.MESSAGE, packet.encode())
        frame = text_frame(message.encode())
        wires = self._wires
        for eio_sid in eio_sids:
            wire = wires.get(eio_sid)
            if wire is None or not wire.write_frame(frame):
                await self._send_eio_packet(eio_sid, message)

    async def _handle_connect(self, eio_sid: str, namespace: str | None, data: Any) -> None:
        await super()._handle_connect(eio_sid, namespace, data)
        handler = self.namespace_handlers.get(namespace)
        sid = self.manager.sid_from_eio_sid(eio_sid, namespace)
        if isinstance(handler, MemberNamespace) and sid is not None:
            await handler.welcome(sid)

    async def _send_eio_packet(self, eio_sid: str, eio_pkt: Any) -> None:
        socket = self.eio.sockets.get(eio_sid)
        if socket is not None and socket.queue.qsize() >= QUEUED_PACKETS_LIMIT:
            self._cut_off(eio_sid, socket)
            return
        await super()._send_eio_packet(eio_sid, eio_pkt)

    async def _end(self, eio_sid: str) -> None:
        """Disconnect a client, and do not wait for it to close the connection."""
        transport = self._transport(eio_sid)
        await self.eio.disconnect(eio_sid)
        if transport is not None:
            transport.close()

    def _transport(self, eio_sid: str) -> Any:
        """Return a WebSocket's transport, None where it is out of sight."""
        return getattr(self.environ.get(eio_sid, {}).get("asgi.send"), "transport", None)

    def _cut_off(self, eio_sid: str, socket: Any) -> None:
        """Drop a client that does not read: empty its queue, then break its connection."""
        if getattr(socket, "was_cut_off", False):
            return
        socket.was_cut_off = True
        self._metrics.sockets_cut.labels("slow_reader").inc()
        while not socket.queue.empty():
            socket.queue.get_nowait()
            socket.queue.task_done()
        # A stuck write only ends when its transport does.
        transport = self._transport(eio_sid)
        if transport is not None:
            transport.abort()
        self.start_background_task(socket.close, wait=False, abort=True)


class Rooms(socketio.AsyncManager):  # type: ignore[misc] # the library has no types
    """The library's rooms; an event for a room leaves as one packet instead of a task for each."""

    async def emit(
        self,
        event: str,
        data: Any,
        namespace: str,
        room: Any = None,
        skip_sid: Any = None,
        callback: Any = None,
        to: Any = None,
        **options: Any,
    ) -> None:
        """Send an event to a room's sockets on this worker."""
        room = to or room
        if callback or skip_sid or not isinstance(room, str) or not isinstance(data, dict):
            await super().emit(event, data, namespace, room, skip_sid, callback, **options)
            return
        members = self.rooms.get(namespace, {}).get(room)
        if members:
            packet = self.server.packet_class(EVENT_PACKET, namespace=namespace, data=[event, data])
            await self.server.deliver(list(members.values()), packet)


class SharedRooms(socketio.AsyncRedisManager, Rooms):  # type: ignore[misc] # no types
    """The same over all workers: an event is published, and each worker sends to its own."""


def create_socket_server(
    *, metrics: Metrics, allowed_origins: list[str], valkey_url: str | None
) -> SocketServer:
    """Return the one socket server; with ``valkey_url`` its emits reach every worker."""
    manager = SharedRooms(valkey_url) if valkey_url else Rooms()
    return SocketServer(
        metrics=metrics,
        async_mode="asgi",
        client_manager=manager,
        async_handlers=False,
        cors_allowed_origins=allowed_origins or None,
        max_http_buffer_size=BUFFER_BYTES_LIMIT,
        json=_Json,
        serializer=TextPacket,
        logger=False,
        engineio_logger=False,
    )


@dataclass
class TokenBucket:
    """Allows a burst, then a steady rate; counts what it refused."""

    per_second: float = EVENTS_PER_SECOND
    burst: float = BURST
    clock: Clock = time.monotonic
    dropped: int = 0
    _level: float = field(init=False)
    _filled_at: float = field(init=False)

    def __post_init__(self) -> None:
        self._level = self.burst
        self._filled_at = self.clock()

    def take(self) -> bool:
        """Take one token; False, and one more drop, when there is none."""
        moment = self.clock()
        self._level = min(self.burst, self._level + (moment - self._filled_at) * self.per_second)
        self._filled_at = moment
        if self._level < 1:
            self.dropped += 1
            return False
        self._level -= 1
        return True


@dataclass
class Connection:
    """One member's socket in one namespace."""

    member: Member
    bucket: TokenBucket
    expiry: asyncio.TimerHandle


class Acknowledgement(WireModel):
    """What every event is answered with; ``code`` is null on success."""

    status: int
    message: str
    data: Any = None
    code: str | None = None


@dataclass(frozen=True)
class EventHandler(Generic[PayloadT]):
    """One incoming event: its payload's model, and what answers it."""

    payload: type[PayloadT]
    answer: Callable[[Member, str, PayloadT], Awaitable[Acknowledgement]]


def member_room(user_id: UUID) -> str:
    """Return the room of all sockets of one member."""
    return f"member:{user_id}"


class MemberNamespace(socketio.AsyncNamespace):  # type: ignore[misc] # it has no types
    """A namespace for signed-in members only.

    The token comes in the handshake's ``auth``; a ``userId`` or ``clubId`` in the query must be
    the token's own. Every incoming event has an ``EventHandler``; others are refused.
    """

    def __init__(self, path: str, *, identity: Identity, metrics: Metrics) -> None:
        super().__init__(path)
        self._identity = identity
        self._metrics = metrics
        self._connections: dict[str, Connection] = {}
        self._handlers: dict[str, EventHandler[Any]] = {}

    def handle(self, event: str, handler: EventHandler[Any]) -> None:
        """Answer ``event`` with ``handler``."""
        self._handlers[event] = handler

    async def prepare(self, sid: str, member: Member) -> None:
        """Get ready for a member's socket, or refuse it.

        Raises:
            DomainError: this namespace is not for the member now.
        """

    async def joined(self, sid: str, member: Member) -> None:
        """Do what the namespace does for a member who has just connected."""

    async def left(self, sid: str, member: Member) -> None:
        """Do what the namespace does for a member who has just gone."""

    @override
    async def emit(self, event: str, data: Any = None, *, room: str, **options: Any) -> None:
        """Emit to one room; there is no emitting to everybody."""
        await super().emit(event, data, room=room, **options)

    async def push(self, event: str, payload: WireModel, *, room: str) -> None:
        """Emit one event to one room, on whichever worker its sockets are."""
        await self.emit(event, payload.model_dump(mode="json", by_alias=True), room=room)

    async def tell(self, sids: Iterable[str], event: str, payload: WireModel | Content) -> None:
        """Emit one event to sockets of this worker, without the detour over the others."""
        content = (
            payload.model_dump(mode="json", by_alias=True)
            if isinstance(payload, WireModel)
            else payload
        )
        await self.server.send_here(sids, self.namespace, event, content)

    async def close_session(self, event: SessionRevoked) -> None:
        """Disconnect the sockets that a revoked session opened on this worker."""
        for sid, connection in list(self._connections.items()):
            if connection.member.session_id == event.session_id:
                await self.disconnect(sid)

    async def welcome(self, sid: str) -> None:
        """Greet a socket that the library has told it is connected."""
        connection = self._connections.get(sid)
        if connection is not None:
            await self.joined(sid, connection.member)

    async def on_connect(self, sid: str, environ: dict[str, Any], auth: Any) -> None:
        """Admit a member, or refuse the handshake with a reason.

        Raises:
            ConnectionRefusedError: no good token, somebody else's id in the query, or the
                namespace is not for the member now.
        """
        try:
            member = await self._admit(environ, auth)
            self._require_room(member)
            await self.prepare(sid, member)
        except DomainError as refusal:
            raise socketio.exceptions.ConnectionRefusedError(
                refusal.sentence, {"code": refusal.code, "status": refusal.status}
            ) from None
        seconds_left = (member.expires_at - clock.now()).total_seconds()
        expiry = asyncio.get_running_loop().call_later(max(0.0, seconds_left), self._expire, sid)
        self._connections[sid] = Connection(member, TokenBucket(), expiry)
        self._metrics.sockets.labels(self.namespace).inc()
        await self.enter_room(sid, member_room(member.user_id))

    async def on_disconnect(self, sid: str, _reason: str | None = None) -> None:
        """Forget a socket that is gone."""
        connection = self._connections.pop(sid, None)
        if connection is None:
            return
        connection.expiry.cancel()
        self._metrics.sockets.labels(self.namespace).dec()
        await self.left(sid, connection.member)

    async def trigger_event(self, event: str, *args: Any) -> Any:
        """Route the library's lifecycle calls and the members' events."""
        if event in LIFECYCLE_EVENTS:
            return await super().trigger_event(event, *args)
        sid, payload = args[0], args[1] if len(args) > 1 else {}
        return (await self._answer(event, sid, payload)).model_dump(mode="json", by_alias=True)

    async def _admit(self, environ: dict[str, Any], auth: Any) -> Member:
        token = auth.get("token") if isinstance(auth, dict) else None
        if not isinstance(token, str) or not token:
            raise TokenMissingError
        member = await self._identity.member(token)
        query = parse_qs(environ.get("QUERY_STRING", ""))
        for user_id in query.get("userId", []):
            member.require_self(user_id)
        for club_id in query.get("clubId", []):
            if club_id != str(member.club_id):
                member.require_self(club_id)
        return member

    def _require_room(self, member: Member) -> None:
        """Refuse a member who holds as many sockets here as all their tabs could need."""
        rooms = self.server.manager.rooms.get(self.namespace, {})
        if len(rooms.get(member_room(member.user_id), ())) >= SOCKETS_PER_MEMBER:
            raise TooManyRequestsError("You are connected too many times. Close a tab.")

    async def _answer(self, event: str, sid: str, payload: Any) -> Acknowledgement:
        connection = self._connections.get(sid)
        handler = self._handlers.get(event)
        if connection is None or handler is None:
            return Acknowledgement(status=404, message="Unknown event.", code="not_found")
        if not connection.bucket.take():
            if connection.bucket.dropped >= DROPS_BEFORE_KICK:
                self._metrics.sockets_cut.labels("flood").inc()
                await self.disconnect(sid)
            return Acknowledgement(
                status=429, message="You are going too fast.", code="too_many_requests"
            )
        try:
            read = handler.payload.model_validate(payload if isinstance(payload, dict) else {})
        except ValidationError as error:
            sentence, _ = explain(error.errors(include_url=False, include_input=False))
            return Acknowledgement(status=422, message=sentence, code="validation_failed")
        return await self._run(handler, connection.member, sid, read)

    async def _run(
        self, handler: EventHandler[Any], member: Member, sid: str, payload: WireInput
    ) -> Acknowledgement:
        try:
            return await handler.answer(member, sid, payload)
        except DomainError as refusal:
            return Acknowledgement(
                status=refusal.status,
                message=refusal.sentence,
                data=refusal.content,
                code=refusal.code,
            )
        except Exception:
            log.exception("socket handler failed", namespace=self.namespace)
            return Acknowledgement(
                status=500, message=UnavailableError.message, code="internal_error"
            )

    def _expire(self, sid: str) -> None:
        self.server.start_background_task(self.disconnect, sid)
