"""Accepts many connections per turn of the event loop.

asyncio's server accepts one per turn. When turns are long under load, connected callers would wait
for seconds before their requests are read, including health checks.
"""

import asyncio
import socket
from collections.abc import Callable
from contextlib import suppress

import structlog

log = structlog.get_logger(__name__)

ACCEPTS_AT_ONCE = 32
WITHOUT_DESCRIPTORS_SECONDS = 1.0  # before the next attempt


class Acceptor:
    """Accepts connections on a bound socket between ``start`` and ``close``.

    It provides the part of ``asyncio.Server`` that uvicorn uses. ``make_protocol`` is called once
    per connection. The socket may be shared with other processes.
    """

    def __init__(
        self, listener: socket.socket, make_protocol: Callable[[], asyncio.Protocol]
    ) -> None:
        self._listener = listener
        self._make_protocol = make_protocol
        self._loop = asyncio.get_running_loop()
        self._tasks: set[asyncio.Task[None]] = set()
        self._again: asyncio.TimerHandle | None = None

    def start(self, backlog: int) -> None:
        """Listen and start accepting."""
        self._listener.setblocking(False)
        self._listener.listen(backlog)
        self._watch()

    def close(self) -> None:
        """Stop accepting; pending connections are left to other processes that share the socket."""
        if self._again is not None:
            self._again.cancel()
        if self._listener.fileno() >= 0:
            self._loop.remove_reader(self._listener.fileno())

    async def wait_closed(self) -> None:
        """Return when all accepted connections have been handed over."""
        if self._tasks:
            await asyncio.wait(self._tasks)

    def _watch(self) -> None:
        self._again = None
        self._loop.add_reader(self._listener.fileno(), self._accept)

    def _accept(self) -> None:
        for _ in range(ACCEPTS_AT_ONCE):
            try:
                connection, _address = self._listener.accept()
            except (BlockingIOError, InterruptedError, ConnectionAbortedError):
                return
            except OSError as error:
                # No file descriptors are left: retrying immediately would fail again.
                log.warning("connections cannot be accepted", error_type=type(error).__name__)
                self._loop.remove_reader(self._listener.fileno())
                self._again = self._loop.call_later(WITHOUT_DESCRIPTORS_SECONDS, self._watch)
                return
            task = self._loop.create_task(self._hand_over(connection))
            self._tasks.add(task)
            task.add_done_callback(self._tasks.discard)

    async def _hand_over(self, connection: socket.socket) -> None:
        connection.setblocking(False)
        with suppress(OSError):  # already closed
            connection.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
            await self._loop.connect_accepted_socket(self._make_protocol, connection)
            return
        connection.close()
