"""A deadline for whoever asks for a long answer and reads nothing of it.

What the caller's side has confirmed counts: the system takes megabytes off the server's buffer
at once, so that buffer stands still for minutes while a phone on bad mobile data reads on.
"""

import asyncio
import socket
import struct
import sys

UNREAD_SECONDS = 60.0  # a buffering proxy beside us confirms in steps of about 100 kB
TCP_INFO_BYTES = 128
FORGET = struct.pack("ii", 1, 0)  # linger for no second
BYTES_ACKED = 120  # where Linux' struct tcp_info has tcpi_bytes_acked


class UnreadWatch:
    """Aborts a connection of whose waiting answer nothing was taken between two looks.

    Elsewhere than on Linux it does nothing.
    """

    def __init__(self, loop: asyncio.AbstractEventLoop, transport: asyncio.Transport) -> None:
        self._loop = loop
        self._transport = transport
        self._taken_bytes: int | None = None  # at the last look, if anything was waiting
        self._timer: asyncio.TimerHandle | None = None
        if sys.platform == "linux":
            self._timer = loop.call_later(UNREAD_SECONDS, self._look)

    def stop(self) -> None:
        """Look no more; the connection has ended, or is another protocol's."""
        if self._timer is not None:
            self._timer.cancel()

    def _look(self) -> None:
        before, self._taken_bytes = self._taken_bytes, None
        if self._transport.get_write_buffer_size() > 0:
            self._taken_bytes = _bytes_taken(self._transport)
            if self._taken_bytes == before:
                self._cut_off()
                return
        self._timer = self._loop.call_later(UNREAD_SECONDS, self._look)

    def _cut_off(self) -> None:
        """Reset the connection: closing would wait until all is read, and so would the system."""
        connection = self._transport.get_extra_info("socket")
        connection.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, FORGET)
        self._transport.abort()


def _bytes_taken(transport: asyncio.Transport) -> int:
    """Return how much the other side has confirmed since the connection began."""
    connection = transport.get_extra_info("socket")
    told = connection.getsockopt(socket.IPPROTO_TCP, socket.TCP_INFO, TCP_INFO_BYTES)
    (taken,) = struct.unpack_from("=Q", told, BYTES_ACKED)
    return int(taken)
