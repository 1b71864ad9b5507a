"""The server's processes, and their end: announced first, bounded in time."""

import asyncio
import os
import socket
import sys
import threading
import time
from collections.abc import Callable
from types import FrameType

import uvicorn
from typing_extensions import override
from uvicorn.config import STARTUP_FAILURE
from uvicorn.supervisors import Multiprocess, multiprocess

from api.core.processes import STOPPING
from api.server.accepting import Acceptor

ALIVE_SECONDS = 0.2  # how often it is looked whether a worker that is asked still lives
LAST_RESORT_SECONDS = 15.0  # a shutdown that still runs then is cut off


class NoticeConfig(uvicorn.Config):
    """uvicorn's configuration, and for how long a stop is announced before the port closes."""

    notice_seconds: float = 0.0


class NoticeServer(uvicorn.Server):
    """A server that first says that it stops, and goes on answering everybody meanwhile.

    The state of every request holds the event that says so: readiness fails before the port
    closes, and balancers stop sending what would be refused.
    """

    def __init__(self, config: uvicorn.Config) -> None:
        super().__init__(config)
        self._stopping = threading.Event()
        self._notice_seconds: float = getattr(config, "notice_seconds", 0.0)
        self._stops_at = 0.0

    @override
    async def startup(self, sockets: list[socket.socket] | None = None) -> None:
        self.lifespan.state[STOPPING] = self._stopping
        await super().startup([])
        for listener in sockets or []:
            acceptor = Acceptor(listener, self._make_protocol)
            acceptor.start(self.config.backlog)
            self.servers.append(acceptor)  # type: ignore[arg-type] # it has what is asked of one

    def _make_protocol(self) -> asyncio.Protocol:
        protocol: asyncio.Protocol = self.config.http_protocol_class(  # type: ignore[call-arg]
            config=self.config, server_state=self.server_state, app_state=self.lifespan.state
        )
        return protocol

    @override
    async def on_tick(self, counter: int) -> bool:
        if not await super().on_tick(counter):
            return False
        if not self._stopping.is_set():
            self._stopping.set()
            self._stops_at = time.monotonic() + self._notice_seconds
        return self.force_exit or time.monotonic() >= self._stops_at


class NoticeWorker(multiprocess.Process):
    """A worker process with a server of that kind in it."""

    @override
    def _healthcheck(self, timeout: float) -> bool | None:
        """Ask whether the server has started; a worker that has ended is not waited for.

        The pipe tells nothing of that: its other end is open in the parent, too.
        """
        deadline = time.monotonic() + timeout
        try:
            self.parent_conn.send(b"ping")
            while not self.parent_conn.poll(ALIVE_SECONDS):
                if not self.process.is_alive() or time.monotonic() >= deadline:
                    return None
            return bool(self.parent_conn.recv())
        except (OSError, EOFError):
            return None

    @property
    @override
    def server(self) -> uvicorn.Server:
        if self._server is None:
            self._server = NoticeServer(self.config)
        return self._server


class SingleServer(NoticeServer):
    """One process: the server in it, and a last resort against a shutdown that hangs."""

    def __init__(self, config: uvicorn.Config, on_ready: Callable[[], None]) -> None:
        super().__init__(config)
        self._on_ready = on_ready

    @override
    async def startup(self, sockets: list[socket.socket] | None = None) -> None:
        await super().startup(sockets)
        if self.started:
            self._on_ready()

    @override
    def handle_exit(self, sig: int, frame: FrameType | None) -> None:
        if not self.should_exit:
            later(LAST_RESORT_SECONDS + self._notice_seconds, lambda: os._exit(128 + sig))
        super().handle_exit(sig, frame)


class WorkerSupervisor(Multiprocess):
    """Several workers on one socket: replaced when they die, killed when they do not stop.

    At a SIGHUP ``renew`` says with what they are replaced one by one; None refuses it. What it
    says holds from then on, unless a worker does not become ready with it.
    """

    def __init__(
        self,
        config: uvicorn.Config,
        sockets: list[socket.socket],
        on_ready: Callable[[], None],
        renew: Callable[[], uvicorn.Config | None],
    ) -> None:
        # The supervisor makes its workers by this name alone, and has no other way to say which.
        multiprocess.Process = NoticeWorker  # type: ignore[misc]
        super().__init__(config, sockets)
        self._on_ready = on_ready
        self._renew = renew

    @override
    def init_processes(self) -> None:
        super().init_processes()
        for worker in self.processes:
            while not worker.is_ready(timeout=1):
                if self.signal_queue or not worker.process.is_alive():
                    return
                time.sleep(0.05)
        self._on_ready()

    @override
    def run(self) -> None:
        super().run()
        # One worker alone leaves with this code by itself; here only the parent is seen.
        if any(worker.exitcode == STARTUP_FAILURE for worker in self.processes):
            sys.exit(STARTUP_FAILURE)

    @override
    def handle_hup(self) -> None:
        before, renewed = self.config, self._renew()
        if renewed is None:
            return
        self.config = renewed
        super().handle_hup()
        if any(worker.config is not renewed for worker in self.processes):
            self.config = before

    @override
    def terminate_all(self) -> None:
        notice_seconds: float = getattr(self.config, "notice_seconds", 0.0)
        for worker in self.processes:
            later(LAST_RESORT_SECONDS + notice_seconds, worker.process.kill)
        super().terminate_all()
        # As long as anybody holds the socket, the system accepts callers whom nobody will answer.
        later(notice_seconds, self._close_sockets)

    def _close_sockets(self) -> None:
        for listener in self.sockets:
            listener.close()


def later(seconds: float, action: Callable[[], object]) -> None:
    """Run ``action`` after ``seconds`` in a thread that does not keep the process alive."""
    timer = threading.Timer(seconds, action)
    timer.daemon = True
    timer.start()
