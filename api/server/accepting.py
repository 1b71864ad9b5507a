"""Taking connections off the system's queue, many in one turn of the event loop.

The loop's own server takes one a turn. When turns are long, because there is much to do, callers
who had connected waited for seconds before anybody read what they had sent, health checks too.
"""

import asyncio
import socket
from collections.abc import Callable
from contextlib import suppress

import structlog

log = structlog.get_logger(__name__)

ACCEPTS_AT_ONCE = 32
WITHOUT_DESCRIPTORS_SECONDS = 1.0  # until it is tried again


class Acceptor:
    """Accepts connections on a bound socket between ``start`` and ``close``.

    It has of ``asyncio.Server`` what uvicorn asks of one. ``make_protocol`` is called once for each
    connection. The socket may be other processes', too: what one does not take another will.
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
        """Listen, and accept from now on."""
        self._listener.setblocking(False)
        self._listener.listen(backlog)
        self._watch()

    def close(self) -> None:
        """Accept no more; who waits in the queue is left to whoever else has the socket."""
        if self._again is not None:
            self._again.cancel()
        if self._listener.fileno() >= 0:
            self._loop.remove_reader(self._listener.fileno())

    async def wait_closed(self) -> None:
        """Return when what was accepted has been handed over."""
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
                # The system has no descriptor left: asked again at once it would say so again.
                log.warning("connections cannot be accepted", error_type=type(error).__name__)
                self._loop.remove_reader(self._listener.fileno())
                self._again = self._loop.call_later(WITHOUT_DESCRIPTORS_SECONDS, self._watch)
                return
            task = self._loop.create_task(self._take(connection))
            self._tasks.add(task)
            task.add_done_callback(self._tasks.discard)

    async def _take(self, connection: socket.socket) -> None:
        connection.setblocking(False)
        with suppress(OSError):  # it is gone already
            connection.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
            await self._loop.connect_accepted_socket(self._make_protocol, connection)
            return
        connection.close()
