"""The server's processes, and their graceful and bounded shutdown."""

import asyncio
import os
import signal
import socket
import sys
import threading
import time
from collections.abc import Callable, Sequence
from types import FrameType
from typing import ClassVar

import structlog
import uvicorn
from typing_extensions import override
from uvicorn.config import STARTUP_FAILURE
from uvicorn.supervisors import Multiprocess, multiprocess

from api.foundation.core.processes import STOPPING
from api.foundation.server.accepting import Acceptor

log = structlog.get_logger(__name__)

STOP_SIGNALS = frozenset({signal.SIGTERM, signal.SIGINT})
ALIVE_SECONDS = 0.2  # interval of liveness checks while waiting for a worker
LAST_RESORT_SECONDS = 15.0  # then the process is killed


class NoticeConfig(uvicorn.Config):
    """uvicorn's configuration, and how long a stop is announced before the port closes."""

    notice_seconds: float = 0.0


class NoticeServer(uvicorn.Server):
    """A server that announces its stop and keeps serving during the notice period.

    The event that announces it is in the state of every request: readiness fails before the port
    closes, so that load balancers stop routing to it.
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
            self.servers.append(acceptor)  # type: ignore[arg-type] # it has the methods that are used

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
    """A worker process that runs a ``NoticeServer``."""

    signals: ClassVar[list[int]] = []
    """Signals that the parent has received and not handled yet; unused in the workers."""

    @override
    def is_alive(self, timeout: float = 5) -> bool:
        """Return whether it responds; a hanging worker does not block the parent."""
        if not self.process.is_alive():
            return False
        return self._healthcheck(timeout, unless=self.signals) is not None

    @override
    def _healthcheck(self, timeout: float, unless: Sequence[int] = ()) -> bool | None:
        """Wait for the server to start; do not wait for a worker that has exited.

        The pipe does not reveal the exit, because the parent holds its other end, too. Nor does it
        wait while ``unless`` is not empty: that worker is checked again later.
        """
        deadline = time.monotonic() + timeout
        try:
            self.parent_conn.send(b"ping")
            while not self.parent_conn.poll(ALIVE_SECONDS):
                if unless:
                    return False
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

    @override
    def terminate(self) -> None:
        """Ask the process to exit, and kill it if it does not in time."""
        notice_seconds: float = getattr(self.config, "notice_seconds", 0.0)
        later(LAST_RESORT_SECONDS + notice_seconds, self.process.kill)
        super().terminate()


class StopAsked(threading.Event):
    """Set as soon as a stop signal arrives, even while another is being handled."""

    def __init__(self, signals: list[int]) -> None:
        super().__init__()
        self._signals = signals

    @override
    def is_set(self) -> bool:
        return super().is_set() or not STOP_SIGNALS.isdisjoint(self._signals)


class SingleServer(NoticeServer):
    """A single process: runs the server, and kills it if its shutdown hangs."""

    def __init__(self, config: uvicorn.Config, on_ready: Callable[[], None]) -> None:
        super().__init__(config)
        self._on_ready = on_ready

    @override
    async def startup(self, sockets: list[socket.socket] | None = None) -> None:
        # By default the signal would end the process immediately.
        asyncio.get_running_loop().add_signal_handler(signal.SIGHUP, refuse_roll)
        await super().startup(sockets)
        if self.started:
            self._on_ready()

    @override
    def handle_exit(self, sig: int, frame: FrameType | None) -> None:
        if not self.should_exit:
            later(LAST_RESORT_SECONDS + self._notice_seconds, lambda: os._exit(128 + sig))
        super().handle_exit(sig, frame)


def refuse_roll() -> None:
    """Log that SIGHUP has no effect here."""
    log.warning("roll refused", reason="WORKERS is 1: nobody would answer meanwhile")


class WorkerSupervisor(Multiprocess):
    """Several workers on one socket: restarted when they die, killed when they do not stop.

    On SIGHUP ``renew`` returns the configuration with which they are replaced one by one; None
    rejects it. If a replacement does not become ready, those replaced before return to the previous
    configuration.
    """

    def __init__(
        self,
        config: uvicorn.Config,
        sockets: list[socket.socket],
        on_ready: Callable[[], None],
        renew: Callable[[], uvicorn.Config | None],
    ) -> None:
        # The supervisor creates workers by this name and offers no other hook.
        multiprocess.Process = NoticeWorker  # type: ignore[misc]
        super().__init__(config, sockets)
        NoticeWorker.signals = self.signal_queue
        self.should_exit = StopAsked(self.signal_queue)
        self._on_ready = on_ready
        self._renew = renew
        self._retired: list[multiprocess.Process] = []

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
        try:
            super().run()
        except BaseException:  # the remaining workers would be orphaned
            self.terminate_all()
            self.join_all()
            raise
        # A single worker exits with this code on its own; here only the parent's exit code is
        # visible.
        if any(worker.exitcode == STARTUP_FAILURE for worker in self.processes):
            sys.exit(STARTUP_FAILURE)

    @override
    def handle_hup(self) -> None:
        while signal.SIGHUP in self.signal_queue:  # repeated before it started
            self.signal_queue.remove(signal.SIGHUP)
        before, renewed = self.config, self._renew()
        if renewed is None:
            return
        self.config = renewed
        if not self._replace_all():
            self.config = before
            log.error("roll given up", workers=self.processes_num)
            self._replace_all()

    def _replace_all(self) -> bool:
        """Replace each worker with another configuration; return False if one failed."""
        for place, worker in enumerate(self.processes):
            if self.should_exit.is_set():
                return True
            if worker.config is self.config:
                continue
            new = NoticeWorker(self.config, self.sockets)
            new.start()
            if not new.wait_until_ready(self.config.timeout_worker_healthcheck, self.should_exit):
                new.kill()
                new.join()
                return self.should_exit.is_set()
            self.processes[place] = new
            self._retired = [one for one in self._retired if one.process.is_alive()] + [worker]
            worker.terminate()
            while worker.process.is_alive() and not self.should_exit.is_set():
                worker.process.join(ALIVE_SECONDS)
        return True

    @override
    def join_all(self) -> None:
        super().join_all()
        for worker in self._retired:
            worker.join()

    @override
    def terminate_all(self) -> None:
        notice_seconds: float = getattr(self.config, "notice_seconds", 0.0)
        super().terminate_all()
        # While any process holds the socket, the system accepts connections that would never be
        # served.
        later(notice_seconds, self._close_sockets)

    def _close_sockets(self) -> None:
        for listener in self.sockets:
            listener.close()


def later(seconds: float, action: Callable[[], object]) -> None:
    """Run ``action`` after ``seconds`` in a thread that does not keep the process alive."""
    timer = threading.Timer(seconds, action)
    timer.daemon = True
    timer.start()
