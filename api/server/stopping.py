"""The server's processes, and their end: announced first, bounded in time."""

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

from api.core.processes import STOPPING
from api.server.accepting import Acceptor

log = structlog.get_logger(__name__)

STOP_SIGNALS = frozenset({signal.SIGTERM, signal.SIGINT})
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

    signals: ClassVar[list[int]] = []
    """What its parent was asked and has not done yet; the workers themselves need it not."""

    @override
    def is_alive(self, timeout: float = 5) -> bool:
        """Say whether it answers; one that hangs does not hold up what its parent is asked."""
        if not self.process.is_alive():
            return False
        return self._healthcheck(timeout, unless=self.signals) is not None

    @override
    def _healthcheck(self, timeout: float, unless: Sequence[int] = ()) -> bool | None:
        """Ask whether the server has started; a worker that has ended is not waited for.

        The pipe tells nothing of that: its other end is open in the parent, too. Nor is anybody
        waited for when there is something in ``unless``: that worker is asked again later.
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
        """Ask the process to end; one that has not in time is killed, whoever asked."""
        notice_seconds: float = getattr(self.config, "notice_seconds", 0.0)
        later(LAST_RESORT_SECONDS + notice_seconds, self.process.kill)
        super().terminate()


class StopAsked(threading.Event):
    """Set as soon as a signal to stop has come, also while the one before is being handled."""

    def __init__(self, signals: list[int]) -> None:
        super().__init__()
        self._signals = signals

    @override
    def is_set(self) -> bool:
        return super().is_set() or not STOP_SIGNALS.isdisjoint(self._signals)


class SingleServer(NoticeServer):
    """One process: the server in it, and a last resort against a shutdown that hangs."""

    def __init__(self, config: uvicorn.Config, on_ready: Callable[[], None]) -> None:
        super().__init__(config)
        self._on_ready = on_ready

    @override
    async def startup(self, sockets: list[socket.socket] | None = None) -> None:
        # Left to the system, the signal ends the process where it stands.
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
    """Say that a SIGHUP replaces nothing here."""
    log.warning("roll refused", reason="WORKERS is 1: nobody would answer meanwhile")


class WorkerSupervisor(Multiprocess):
    """Several workers on one socket: replaced when they die, killed when they do not stop.

    At a SIGHUP ``renew`` says with what they are replaced one by one; None refuses it. What it
    says holds from then on; when a worker does not become ready with it, those that were replaced
    before go back to what held.
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
        except BaseException:  # nobody would look after those that go on
            self.terminate_all()
            self.join_all()
            raise
        # One worker alone leaves with this code by itself; here only the parent is seen.
        if any(worker.exitcode == STARTUP_FAILURE for worker in self.processes):
            sys.exit(STARTUP_FAILURE)

    @override
    def handle_hup(self) -> None:
        while signal.SIGHUP in self.signal_queue:  # asked for again before it was begun
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
        """Replace each worker that has another configuration; return False when one failed."""
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
