"""The short way out of a socket: a packet is written at once when nothing waits before it.

The library hands every packet to a queue, wakes a writer task, and starts a timer and a task more
per packet. Here a packet for a connection that began as a WebSocket goes straight to its ASGI
``send``, which writes without waiting as long as the transport's buffer is nearly empty. Whatever
does not meet the conditions (a polling client, an upgrade, packets still queued, a slow reader, a
server whose transport is out of sight) takes the library's own way, in order.
"""

from collections.abc import Awaitable, Callable, MutableMapping
from contextlib import suppress
from typing import Any

NEARLY_EMPTY_BYTES = 16 * 1024  # a quarter of where the server would make a sender wait

Message = MutableMapping[str, Any]
AsgiSend = Callable[[Message], Awaitable[None]]


class Wire:
    """One WebSocket's way out; ``waiting`` counts what its writer task has still to send."""

    def __init__(self, send: AsgiSend) -> None:
        self._send = send
        self.waiting = 0
        # Only the server's protocol object knows how much is still unsent.
        self.transport = getattr(getattr(send, "__self__", None), "transport", None)

    async def __call__(self, message: Message) -> None:
        """Send for the library's writer task."""
        await self._send(message)
        if message["type"] == "websocket.send":
            self.waiting -= 1

    def is_clear(self) -> bool:
        """Say whether a packet can be written now without waiting or overtaking."""
        return (
            self.waiting == 0
            and self.transport is not None
            and not self.transport.is_closing()
            and self.transport.get_write_buffer_size() <= NEARLY_EMPTY_BYTES
        )

    async def write(self, text: str) -> None:
        """Write one text frame; a connection that has just gone is not an error."""
        with suppress(Exception):  # the reader of this socket notices, and cleans up
            await self._send({"type": "websocket.send", "text": text})


def shorten(socket: Any, environ: dict[str, Any]) -> None:
    """Give a connection that began as a WebSocket the short way out.

    ``socket`` is the library's own object, which has no types: its ``send`` is replaced.
    """
    if environ["asgi.scope"]["type"] != "websocket":
        return
    wire = Wire(environ["asgi.send"])
    environ["asgi.send"] = wire
    wire.waiting = socket.queue.qsize()
    by_queue = socket.send

    async def send(packet: Any) -> None:
        if socket.connected and not socket.closed and wire.is_clear():
            frame = packet.encode()
            if isinstance(frame, str):
                if await socket.check_ping_timeout():
                    await wire.write(frame)
                return
        wire.waiting += 1
        await by_queue(packet)

    socket.send = send
