"""Fast path of a socket: a packet is written immediately when nothing is queued before it.

The library puts every packet into a queue, wakes a writer task, and starts a timer and a task more
per packet; the server then frames it separately for every recipient. Here a packet for connections
that began as WebSockets is framed once, however many there are, and written to their transports.

This relies on internals of two libraries, so it checks them first. Where the server's protocol
object is not as expected, its ASGI ``send`` frames; where that is not accessible, or the client
polls, upgrades, reads slowly, or has packets queued, the library sends as usual, and in order.
"""

from collections.abc import Awaitable, Callable, MutableMapping
from contextlib import suppress
from typing import Any

NEARLY_EMPTY_BYTES = 16 * 1024  # a quarter of what makes the server pause a sender
PING_PACKET = 2  # of the engine's protocol
TEXT_FRAME = 0x81  # a whole text message in one frame (RFC 6455, section 5.2)
SHORT_BYTES, LONG_BYTES = 126, 1 << 16  # from here the length takes two more bytes, and eight

Message = MutableMapping[str, Any]
AsgiSend = Callable[[Message], Awaitable[None]]


def text_frame(text: str) -> bytes:
    """Return ``text`` as a server's unmasked WebSocket frame."""
    payload = text.encode()
    size = len(payload)
    if size < SHORT_BYTES:
        head = bytes((TEXT_FRAME, size))
    elif size < LONG_BYTES:
        head = bytes((TEXT_FRAME, 126)) + size.to_bytes(2, "big")
    else:
        head = bytes((TEXT_FRAME, 127)) + size.to_bytes(8, "big")
    return head + payload


class DirectSocket:
    """The sending side of one WebSocket; ``waiting`` counts the packets in its writer's queue."""

    __slots__ = ("_protocol", "_send", "_socket", "transport", "waiting")

    def __init__(self, send: AsgiSend, socket: Any) -> None:
        self._send = send
        self._socket = socket
        self.waiting: int = socket.queue.qsize()
        # Only the server's protocol object knows how much is still unsent.
        protocol = getattr(send, "__self__", None)
        self.transport: Any = getattr(protocol, "transport", None)
        # Compression, or any other extension, would need a separate frame for each connection.
        extensions = getattr(getattr(protocol, "conn", None), "extensions", None)
        is_known = extensions == [] and getattr(protocol, "close_sent", None) is False
        self._protocol: Any = protocol if is_known else None

    async def __call__(self, message: Message) -> None:
        """Send for the library's writer task."""
        await self._send(message)
        if message["type"] == "websocket.send":
            self.waiting -= 1

    def is_clear(self) -> bool:
        """Return whether a packet can be written now without waiting or overtaking."""
        return (
            self.waiting == 0
            and self.transport is not None
            and not self.transport.is_closing()
            and self.transport.get_write_buffer_size() <= NEARLY_EMPTY_BYTES
            and self._socket.connected
            and not self._socket.closed
        )

    def write_frame(self, frame: bytes) -> bool:
        """Write a whole frame if it can be done now; return whether it was.

        Runs for every socket of a room, so it inlines the checks.
        """
        transport = self.transport
        if (
            self.waiting
            or self._protocol is None
            or self._protocol.close_sent
            or self._socket.closed
            or transport.is_closing()
            or transport.get_write_buffer_size() > NEARLY_EMPTY_BYTES
        ):
            return False
        transport.write(frame)
        return True

    async def write(self, text: str) -> None:
        """Write one text message; a connection that has just closed is not an error."""
        if not self.write_frame(text_frame(text)):
            with suppress(Exception):  # the reader of this socket notices, and cleans up
                await self._send({"type": "websocket.send", "text": text})


def install_fast_path(socket: Any, environ: dict[str, Any]) -> DirectSocket | None:
    """Install the fast path on a connection that began as a WebSocket, and return it.

    ``socket`` is the library's own object, which is untyped: its ``send`` is replaced.
    """
    if environ["asgi.scope"]["type"] != "websocket":
        return None
    wire = DirectSocket(environ["asgi.send"], socket)
    environ["asgi.send"] = wire
    by_queue = socket.send

    async def send(packet: Any) -> None:
        # The library's writer disconnects when its queue was empty for a ping interval plus the
        # timeout, so pings still go through it.
        if packet.packet_type != PING_PACKET and wire.is_clear():
            frame = packet.encode()
            if isinstance(frame, str):
                if await socket.check_ping_timeout():
                    await wire.write(frame)
                return
        wire.waiting += 1
        await by_queue(packet)

    socket.send = send
    return wire
