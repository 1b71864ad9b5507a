"""The socket engine: one server for every namespace, with the library's gaps closed.

``connections`` has the limits of a connection, and ``realtime`` the events of namespaces. This
module handles packets: no lifecycle event from a client reaches a handler, nothing is binary, and
an unreadable packet or a client that stops reading ends the connection.
"""

import asyncio
from collections.abc import Iterable
from contextlib import suppress
from typing import Any

import engineio.packet
import socketio
import socketio.packet
from starlette.types import Receive, Scope, Send
from typing_extensions import override

from api.foundation.core.errors import UnavailableError
from api.foundation.core.metrics import Metrics
from api.foundation.http.refusals import SENTENCES, STATUS_CODES
from api.foundation.realtime.connections import Connection, Connections, CutReason
from api.foundation.realtime.direct import DirectSocket, install_fast_path, text_frame
from api.foundation.realtime.joining import JoinQueue
from api.foundation.realtime.packets import BUFFER_BYTES_LIMIT, Engine, SocketJson, TextPacket
from api.foundation.realtime.rooms import Rooms, SharedRooms
from api.foundation.realtime.session_use import SessionUse
from api.foundation.realtime.transports import Transports, address_of, transport_of
from api.foundation.security.events import SecurityLog

LIFECYCLE_EVENTS = frozenset({"connect", "disconnect", "connect_error", "__disconnect_final"})
QUEUED_PACKETS_LIMIT = 256
FAREWELL_SECONDS = 1.0  # for queued packets to reach an ended client before its transport is closed

EVENT_PACKET = socketio.packet.EVENT


class SocketServer(socketio.AsyncServer):  # type: ignore[misc] # the library has no types
    """The library's server; every packet passes through ``connections`` first."""

    def __init__(
        self,
        *,
        metrics: Metrics,
        security: SecurityLog,
        network_key: str,
        max_anonymous: int,
        use: SessionUse,
        **options: Any,
    ) -> None:
        self.use = use
        self.connections = Connections(
            metrics=metrics,
            security=security,
            network_key=network_key,
            max_anonymous=max_anonymous,
            end=self._begin_end,
        )
        self._joins = JoinQueue()
        self._wires: dict[str, DirectSocket] = {}
        self._transports = Transports(self.connections, super().handle_request)
        super().__init__(**options)

    @override
    def _engineio_server_class(self) -> type[Engine]:
        return Engine

    async def shutdown(self) -> None:
        """Stop background tasks, and disconnect from the other workers."""
        await super().shutdown()
        await self.manager.aclose()

    async def handle_request(self, scope: Scope, receive: Receive, send: Send) -> Any:
        """Serve one WebSocket, or one request of a polling client."""
        await self._transports.serve(scope, receive, send)

    async def _handle_eio_message(self, eio_sid: str, data: Any) -> None:
        """Dispatch one packet; an unreadable or forbidden one ends the connection."""
        connection = self.connections.get(eio_sid)
        if connection is None or connection.is_ending:
            return  # it arrived after the disconnection
        packet = self._read_packet(data)
        if packet is None:
            self.connections.cut(connection, CutReason.MALFORMED)
        elif not self.connections.take(connection):
            await self._refuse_pace(connection, packet)
        elif packet.packet_type == socketio.packet.CONNECT:
            await self._handle_connect(eio_sid, packet.namespace, packet.data)
        elif packet.packet_type == socketio.packet.DISCONNECT:
            reason = self.reason.CLIENT_DISCONNECT
            await self._handle_disconnect(eio_sid, packet.namespace, reason)
        elif packet.packet_type == EVENT_PACKET:
            await self._handle_event(eio_sid, packet.namespace, packet.id, packet.data)

    def _read_packet(self, data: Any) -> Any:
        """Return a packet that a client may send, or None; clients never acknowledge events."""
        allowed = {
            socketio.packet.CONNECT,
            socketio.packet.DISCONNECT,
            socketio.packet.ACK,
            EVENT_PACKET,
        }
        try:
            packet = self.packet_class(encoded_packet=data)
        except (ValueError, TypeError, KeyError, IndexError, AttributeError):
            return None
        return packet if packet.packet_type in allowed else None

    async def _refuse_pace(self, connection: Connection, packet: Any) -> None:
        """Answer a packet that exceeds the rate, if its sender waits for an answer."""
        eio_sid, namespace = connection.eio_sid, packet.namespace or "/"
        handler = self.namespace_handlers.get(namespace)
        if connection.is_ending or handler is None:
            return
        if packet.packet_type == socketio.packet.CONNECT:
            await self._refuse_join(eio_sid, namespace, handler.too_fast)
        elif packet.packet_type == EVENT_PACKET and packet.id is not None:
            answer = self.packet_class(
                socketio.packet.ACK, namespace=namespace, id=packet.id, data=[handler.too_fast]
            )
            await self._send_packet(eio_sid, answer)

    async def _refuse_join(self, eio_sid: str, namespace: str, refusal: dict[str, Any]) -> None:
        data = {
            "message": refusal["message"],
            "data": {"code": refusal["code"], "status": refusal["status"]},
        }
        await self._send_packet(
            eio_sid,
            self.packet_class(socketio.packet.CONNECT_ERROR, namespace=namespace, data=data),
        )

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
        scope, socket = environ["asgi.scope"], self.eio.sockets[eio_sid]
        is_websocket = scope["type"] == "websocket"
        transport = transport_of(environ["asgi.send"]) if is_websocket else None
        connection = self.connections.open(socket, address_of(scope), transport, scope["type"])
        self._count_packets(connection)
        if is_websocket:
            environ["asgi.receive"].connection = connection
        else:
            self.connections.polled(connection)
        wire = install_fast_path(socket, environ)
        if wire is not None:
            self._wires[eio_sid] = wire

    def _count_packets(self, connection: Connection) -> None:
        """Count the engine's own packets; one with a message is counted when it is read."""
        by_library = connection.socket.receive

        async def receive(packet: Any) -> None:
            is_message = packet.packet_type == engineio.packet.MESSAGE
            if is_message or self.connections.take(connection):
                await by_library(packet)

        connection.socket.receive = receive

    async def _handle_eio_disconnect(self, eio_sid: str, reason: str) -> None:
        socket = self.eio.sockets.get(eio_sid)
        if reason == self.reason.CLIENT_DISCONNECT and socket is not None and not socket.upgraded:
            socket.queue.put_nowait(None)  # otherwise its open poll hangs for half a minute
        self._wires.pop(eio_sid, None)
        self.connections.close(eio_sid)  # before its member leaves it anonymous
        await super()._handle_eio_disconnect(eio_sid, reason)

    def count_unsent(self) -> tuple[int, int]:
        """Return the bytes not yet read by clients, and the packets queued for a writer."""
        unsent = waiting = 0
        for wire in self._wires.values():
            waiting += wire.waiting
            if wire.transport is not None:
                unsent += wire.transport.get_write_buffer_size()
        return unsent, waiting

    async def send_here(self, sids: Iterable[str], namespace: str, event: str, data: Any) -> None:
        """Emit to sockets of this worker only; the packet is encoded once for all of them."""
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
        namespace = namespace or "/"
        handler = self.namespace_handlers.get(namespace)
        if handler is None:
            unknown = {"message": SENTENCES[404], "code": STATUS_CODES[404], "status": 404}
            await self._refuse_join(eio_sid, namespace, unknown)
            return
        try:
            async with self._joins.turn():
                await self._join(eio_sid, namespace, data, handler)
        except UnavailableError as busy:
            refusal = {"message": busy.sentence, "code": busy.code, "status": busy.status}
            await self._refuse_join(eio_sid, namespace, refusal)

    async def _join(self, eio_sid: str, namespace: str, data: Any, handler: Any) -> None:
        if self.manager.sid_from_eio_sid(eio_sid, namespace) is not None:
            return  # joining again changes nothing
        connection = self.connections.get(eio_sid)
        if connection is None or connection.has_hung_up():
            return
        await super()._handle_connect(eio_sid, namespace, data)
        sid = self.manager.sid_from_eio_sid(eio_sid, namespace)
        if sid is None:
            return
        if self.connections.get(eio_sid) is None:  # it disconnected while it was joining
            await self._handle_disconnect(eio_sid, namespace, self.reason.TRANSPORT_CLOSE)
        else:
            await handler.welcome(sid)

    async def _send_packet(self, eio_sid: str, pkt: Any) -> None:
        message = engineio.packet.Packet(engineio.packet.MESSAGE, pkt.encode())
        await self._send_eio_packet(eio_sid, message)

    async def _send_eio_packet(self, eio_sid: str, eio_pkt: Any) -> None:
        socket = self.eio.sockets.get(eio_sid)
        if socket is not None and socket.queue.qsize() >= QUEUED_PACKETS_LIMIT:
            connection = self.connections.get(eio_sid)
            if connection is not None:
                self.connections.cut(connection, CutReason.SLOW_READER)
            return
        await super()._send_eio_packet(eio_sid, eio_pkt)

    def _begin_end(self, connection: Connection, at_once: bool) -> None:
        self.start_background_task(self._end, connection, at_once)

    async def _end(self, connection: Connection, at_once: bool) -> None:
        """End a connection without waiting for the client to close it."""
        queue, transport = connection.socket.queue, connection.transport
        if at_once:
            while not queue.empty():
                queue.get_nowait()
                queue.task_done()
            if transport is not None:  # a stuck write only ends with its transport
                transport.abort()
        await self.eio.disconnect(connection.eio_sid)
        queue.put_nowait(None)  # ends the writer, or an open poll, after the queued packets
        if transport is not None and not at_once:
            with suppress(TimeoutError):
                await asyncio.wait_for(queue.join(), FAREWELL_SECONDS)
            transport.close()
            asyncio.get_running_loop().call_later(FAREWELL_SECONDS, transport.abort)


def create_socket_server(
    *,
    metrics: Metrics,
    security: SecurityLog,
    use: SessionUse,
    network_key: str,
    max_anonymous: int,
    allowed_origins: list[str],
    valkey_url: str | None,
) -> SocketServer:
    """Return the socket server; with ``valkey_url`` its emits reach every worker.

    ``network_key`` pseudonymizes the addresses of cut connections in the log.
    """
    manager = SharedRooms(valkey_url) if valkey_url else Rooms()
    return SocketServer(
        metrics=metrics,
        security=security,
        use=use,
        network_key=network_key,
        max_anonymous=max_anonymous,
        async_mode="asgi",
        client_manager=manager,
        async_handlers=False,
        cors_allowed_origins=allowed_origins or None,
        max_http_buffer_size=BUFFER_BYTES_LIMIT,
        json=SocketJson,
        serializer=TextPacket,
        logger=False,
        engineio_logger=False,
    )
