"""Incoming packets of a socket: JSON of a bounded size only."""

import json
from typing import Any

import engineio
import engineio.payload
import socketio.packet
from starlette.types import Message, Receive, Scope
from typing_extensions import override

from api.foundation.core.strict_json import read_json
from api.foundation.http.answers import refuse_handshake
from api.foundation.realtime.connections import Connection, Connections, CutReason

BUFFER_BYTES_LIMIT = 16 * 1024
ENGINE_PACKETS = "0123456"  # the first character is the packet's type
CLOSE_PACKET = "1"
NORMAL_CLOSURE, PROTOCOL_ERROR = 1000, 1002  # RFC 6455, section 7.4.1


class SocketJson:
    """JSON of the sockets: parsed like HTTP requests, written compactly."""

    @staticmethod
    def dumps(value: Any, **_options: Any) -> str:
        """Return ``value`` as JSON."""
        return json.dumps(value, separators=(",", ":"))

    @staticmethod
    def loads(value: str, **_options: Any) -> Any:
        """Parse JSON.

        Raises:
            ValueError: it is invalid, or nested too deeply.
        """
        try:
            return read_json(value)
        except RecursionError:
            raise ValueError("The JSON is nested too deeply") from None


class TextPacket(socketio.packet.Packet):  # type: ignore[misc] # the library has no types
    """A packet whose content is JSON: events are not searched for bytes."""

    uses_binary_events = False


class Engine(engineio.AsyncServer):  # type: ignore[misc] # the library has no types
    """The library's transport server; closing a connection never waits for the client."""

    @override
    async def disconnect(self, sid: str) -> None:
        """Close one connection, even if the client never polls again."""
        socket = self.sockets.pop(sid, None)
        if socket is not None:
            await socket.close(wait=False, reason=self.reason.SERVER_DISCONNECT)

    @override
    async def _make_response(self, response_dict: dict[str, Any], environ: dict[str, Any]) -> Any:
        """Return a response; a refused handshake is not the 403 that the library makes of it."""
        receive = environ["asgi.receive"]
        if not isinstance(receive, PacketReader) or receive.connection is not None:
            return await super()._make_response(response_dict, environ)
        await refuse_handshake(environ["asgi.scope"], receive, environ["asgi.send"], 400)
        return None


class PacketReader:
    """Reads a WebSocket, and rejects messages that would crash the library and leave it open.

    No binary messages: clients cannot make the server collect attachments.
    """

    def __init__(self, receive: Receive, connections: Connections) -> None:
        self.connection: Connection | None = None
        self._receive = receive
        self._connections = connections

    async def __call__(self) -> Message:
        """Return the next message, or the end of the connection."""
        message = await self._receive()
        if message["type"] != "websocket.receive":
            return message
        text = message.get("text")
        if text == CLOSE_PACKET:  # otherwise the library waits for the connection to close
            return {"type": "websocket.disconnect", "code": NORMAL_CLOSURE}
        if not text or text[0] not in ENGINE_PACKETS:
            return self._cut(CutReason.MALFORMED)
        return self._cut(CutReason.TOO_LARGE) if len(text) > BUFFER_BYTES_LIMIT else message

    def _cut(self, reason: CutReason) -> Message:
        if self.connection is not None:
            self._connections.cut(self.connection, reason)
        return {"type": "websocket.disconnect", "code": PROTOCOL_ERROR}


async def read_body(receive: Receive) -> bytes | None:
    """Return a request's body, None when it exceeds the maximum size of a packet."""
    body = bytearray()
    while True:
        message = await receive()
        if message["type"] != "http.request":
            return bytes(body)
        body += message.get("body", b"")
        if len(body) > BUFFER_BYTES_LIMIT:
            return None
        if not message.get("more_body"):
            return bytes(body)


def is_payload(body: bytes) -> bool:
    """Return whether a polling client's body is packets that the library can parse."""
    try:
        engineio.payload.Payload(encoded_payload=body.decode())
    except Exception:  # the library's parsers raise many kinds of errors
        return False
    return True


def announced(scope: Scope, size_bytes: int) -> Scope:
    """Return ``scope`` with the length of the body."""
    headers = [header for header in scope["headers"] if header[0] != b"content-length"]
    return {**scope, "headers": [*headers, (b"content-length", str(size_bytes).encode())]}


def replay(body: bytes) -> Receive:
    """Return a ``receive`` that yields an already read body."""

    async def receive() -> Message:
        return {"type": "http.request", "body": body, "more_body": False}

    return receive
