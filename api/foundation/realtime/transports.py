"""Transports of a connection: a WebSocket, polls, or polls that become a WebSocket.

A polling client makes one request per method at a time, and a body larger than a packet may be is
refused unread.
"""

import asyncio
from collections.abc import Awaitable, Callable
from typing import Any
from urllib.parse import parse_qs

from starlette.requests import HTTPConnection
from starlette.types import Receive, Scope, Send

from api.foundation.http.answers import refuse, refuse_handshake
from api.foundation.http.refusals import SENTENCES, STATUS_CODES
from api.foundation.realtime.connections import JOIN_SECONDS, Connection, Connections, CutReason
from api.foundation.realtime.packets import PacketReader, announced, is_payload, read_body, replay

Serve = Callable[[Scope, Receive, Send], Awaitable[Any]]


class Transports:
    """Wraps the library's request handler, ``serve``."""

    def __init__(self, connections: Connections, serve: Serve) -> None:
        self._connections = connections
        self._serve = serve

    async def serve(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Serve one WebSocket, or one request of a polling client."""
        query = parse_qs(scope["query_string"].decode("latin-1"))
        connection = self._connections.get(query["sid"][0]) if "sid" in query else None
        if scope["type"] == "websocket":
            reader = PacketReader(receive, self._connections)
            if connection is None:
                await self._serve(scope, reader, send)
            else:
                await self._upgrade(connection, scope, reader, send)
        elif connection is None:
            await self._serve(scope, receive, send)
        else:
            await self._serve_poller(connection, scope, receive, send)

    async def _serve_poller(
        self, connection: Connection, scope: Scope, receive: Receive, send: Send
    ) -> None:
        """Serve one request of a session; the protocol allows one per method at a time."""
        method = scope["method"]
        if method in connection.busy:
            self._connections.cut(connection, CutReason.MALFORMED)
            await _refuse(400, scope, receive, send)
            return
        connection.busy.add(method)
        try:
            if method == "POST":
                await self._post(connection, scope, receive, send)
            else:
                await self._poll(connection, scope, receive, send)
        finally:
            connection.busy.discard(method)

    async def _post(
        self, connection: Connection, scope: Scope, receive: Receive, send: Send
    ) -> None:
        body = await read_body(receive)
        if body is not None and is_payload(body):
            await self._serve(announced(scope, len(body)), replay(body), send)
        else:
            reason, status = (
                (CutReason.TOO_LARGE, 413) if body is None else (CutReason.MALFORMED, 400)
            )
            self._connections.cut(connection, reason)
            await _refuse(status, scope, receive, send)

    async def _poll(
        self, connection: Connection, scope: Scope, receive: Receive, send: Send
    ) -> None:
        self._connections.polling(connection)
        try:
            await self._serve(scope, receive, send)
        finally:
            self._connections.polled(connection)

    async def _upgrade(
        self, connection: Connection, scope: Scope, reader: PacketReader, send: Send
    ) -> None:
        """Upgrade a polling client to a WebSocket, with a deadline."""
        if not connection.is_polling() or connection.transport is not None:
            await reader()
            await refuse_handshake(scope, reader, send, 400)
            return
        reader.connection = connection
        connection.transport = transport_of(send)
        deadline = asyncio.get_running_loop().call_later(
            JOIN_SECONDS, self._require_upgraded, connection
        )
        try:
            await self._serve(scope, reader, send)
        finally:
            deadline.cancel()
            connection.transport = None

    def _require_upgraded(self, connection: Connection) -> None:
        if not connection.socket.upgraded:
            self._connections.cut(connection, CutReason.NOT_JOINED)


def address_of(scope: Scope) -> str | None:
    """Return the client's address, None where the server does not know it."""
    client = scope.get("client")
    return client[0] if client else None


def transport_of(send: Any) -> Any:
    """Return the transport behind a WebSocket's ``send``, None where it is not accessible."""
    return getattr(getattr(send, "__self__", None), "transport", None)


async def _refuse(status: int, scope: Scope, receive: Receive, send: Send) -> None:
    answer = refuse(HTTPConnection(scope), status, STATUS_CODES[status], SENTENCES[status])
    await answer(scope, receive, send)
