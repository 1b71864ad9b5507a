"""A timeout for callers that do not read a long response.

It counts the bytes that the peer has acknowledged: the system takes megabytes from the server's
buffer at once, so that buffer does not move for minutes while a phone on slow mobile data reads.
"""

import asyncio
import socket
import struct
import sys

UNREAD_SECONDS = 60.0  # a local buffering proxy acknowledges in steps of about 100 kB
TCP_INFO_BYTES = 128
FORGET = struct.pack("ii", 1, 0)  # linger for 0 seconds
BYTES_ACKED = 120  # where Linux' struct tcp_info has tcpi_bytes_acked


class UnreadWatch:
    """Aborts a connection if pending data stays unacknowledged between two checks.

    Does nothing outside Linux.
    """

    def __init__(self, loop: asyncio.AbstractEventLoop, transport: asyncio.Transport) -> None:
        self._loop = loop
        self._transport = transport
        self._taken_bytes: int | None = None  # at the last check, if data was pending
        self._timer: asyncio.TimerHandle | None = None
        if sys.platform == "linux":
            self._timer = loop.call_later(UNREAD_SECONDS, self._check)

    def stop(self) -> None:
        """Stop checking; the connection has ended or was upgraded."""
        if self._timer is not None:
            self._timer.cancel()

    def _check(self) -> None:
        before, self._taken_bytes = self._taken_bytes, None
        if self._transport.get_write_buffer_size() > 0:
            self._taken_bytes = _bytes_taken(self._transport)
            if self._taken_bytes == before:
                self._cut_off()
                return
        self._timer = self._loop.call_later(UNREAD_SECONDS, self._check)

    def _cut_off(self) -> None:
        """Reset the connection: closing would wait until everything is read."""
        connection = self._transport.get_extra_info("socket")
        connection.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, FORGET)
        self._transport.abort()


def _bytes_taken(transport: asyncio.Transport) -> int:
    """Return the number of bytes that the peer has acknowledged."""
    connection = transport.get_extra_info("socket")
    info = connection.getsockopt(socket.IPPROTO_TCP, socket.TCP_INFO, TCP_INFO_BYTES)
    (taken,) = struct.unpack_from("=Q", info, BYTES_ACKED)
    return int(taken)
