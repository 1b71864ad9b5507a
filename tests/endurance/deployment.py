"""Server processes as a deployment runs them, and a balancer in front of two of them."""

import asyncio
import os
import signal
import subprocess
import sys
import time
from collections.abc import Coroutine, Iterator, Sequence
from contextlib import contextmanager, suppress
from dataclasses import dataclass, field
from pathlib import Path
from typing import IO, Any

import httpx
from api.dev.postgres.embedded import EmbeddedPostgres

from tests.conftest import free_port
from tests.preloaded import PreloadedPopen, workers_of

SERVER, WORKER = "server", "worker"
PROGRAMS = {SERVER: "api.foundation.server", WORKER: "api.app.worker"}
START_SECONDS = 60.0
END_SECONDS = 60.0
PROBE_SECONDS = 0.2  # how often the balancer checks readiness
CHUNK_BYTES = 64 * 1024


class ServerProcess:
    """``python -m api.foundation.server`` on a free port; a stopped one can be restarted."""

    def __init__(self, environment: dict[str, str], port: int | None = None) -> None:
        self.port = port or free_port()
        self._environment = {**environment, "PORT": str(self.port)}
        self._process: PreloadedPopen | None = None

    @property
    def base(self) -> str:
        return f"http://127.0.0.1:{self.port}"

    @property
    def pid(self) -> int:
        """The started process; with several workers, their parent."""
        assert self._process is not None
        return self._process.pid

    def start(self) -> None:
        """Start it without waiting; see ``wait_until_ready``."""
        self._process = PreloadedPopen(
            [sys.executable, "-m", "api.foundation.server"],
            env=self._environment,
            stdin=subprocess.DEVNULL,
        )

    async def wait_until_ready(self) -> None:
        """Wait until ``/readyz`` returns 200.

        Raises:
            AssertionError: it exited, or took longer than a minute.
        """
        async with httpx.AsyncClient(base_url=self.base, timeout=2) as client:
            deadline = time.monotonic() + START_SECONDS
            while time.monotonic() < deadline:
                assert self._process is not None
                assert self._process.poll() is None, "the server ended at its start"
                with suppress(httpx.TransportError):
                    if (await client.get("/readyz")).status_code == 200:
                        return
                await asyncio.sleep(0.05)
        raise AssertionError("the server did not become ready")

    def signal(self, number: signal.Signals) -> None:
        """Send a signal to the started process."""
        os.kill(self.pid, number)

    async def wait_until_ended(self) -> float:
        """Wait for the exit; return the seconds it took.

        Raises:
            AssertionError: it took longer than a minute.
        """
        began = time.monotonic()
        assert self._process is not None
        while self._process.poll() is None:
            assert time.monotonic() - began < END_SECONDS, "the server does not end"
            await asyncio.sleep(0.02)
        return time.monotonic() - began

    def workers(self) -> list[int]:
        """Return the ids of the worker processes of the started one."""
        return workers_of(self.pid)

    def end(self) -> None:
        """Kill it."""
        if self._process is not None and self._process.poll() is None:
            self._process.terminate()
            try:
                self._process.wait(END_SECONDS)
            except subprocess.TimeoutExpired:
                self._process.kill()


def server_environment(
    postgres: EmbeddedPostgres, folder: Path, *, valkey_url: str = "", workers: int = 1
) -> dict[str, str]:
    """Return the environment of a server with the limits of tests and the sandbox."""
    environment = {
        **os.environ,
        "DATABASE_URL": postgres.url(),
        "VAR_DIR": str(folder / "var"),
        "APP_ENV": "test",
        "LOG_LEVEL": "ERROR",
        "WORKERS": str(workers),
    }
    return {**environment, "VALKEY_URL": valkey_url} if valkey_url else environment


@contextmanager
def ended_afterwards(servers: Sequence[ServerProcess]) -> Iterator[None]:
    """Stop the servers at the end of the block."""
    try:
        yield
    finally:
        for server in servers:
            server.end()


@dataclass
class Backend:
    """A server as the balancer sees it, and what it observed."""

    port: int
    is_ready: bool = False
    unready_at: float | None = None  # the first failing probe since it was ready
    refused_at: float | None = None  # the first refused connection since it was ready


@dataclass
class Balancer:
    """Passes connections to ready servers, in turn.

    A connection refused by one goes to the next; if none accepts it, it is closed without a
    response. ``early_refusals`` counts servers that refused before they reported that they are
    stopping.
    """

    backends: list[Backend]
    early_refusals: int = 0
    turned_away: int = 0
    port: int = 0
    _turn: int = 0
    _tasks: set["asyncio.Task[None]"] = field(default_factory=set)

    async def serve(self) -> asyncio.Server:
        """Start listening on ``port``."""
        server = await asyncio.start_server(self._take, "127.0.0.1", 0)
        self.port = server.sockets[0].getsockname()[1]
        for backend in self.backends:
            self._keep(self._probe(backend))
        return server

    def close(self) -> None:
        """Stop probing and forwarding."""
        for task in self._tasks:
            task.cancel()

    def _keep(self, work: Coroutine[Any, Any, None]) -> None:
        task = asyncio.create_task(work)
        self._tasks.add(task)
        task.add_done_callback(self._tasks.discard)

    async def _probe(self, backend: Backend) -> None:
        async with httpx.AsyncClient(timeout=1) as client:
            while True:
                is_ready = False
                with suppress(httpx.TransportError):
                    answer = await client.get(f"http://127.0.0.1:{backend.port}/readyz")
                    is_ready = answer.status_code == 200
                    if not is_ready and backend.unready_at is None:
                        backend.unready_at = time.monotonic()
                if is_ready and not backend.is_ready:
                    backend.unready_at = backend.refused_at = None
                backend.is_ready = is_ready
                await asyncio.sleep(PROBE_SECONDS)

    async def _take(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        for _ in self.backends:
            self._turn += 1
            backend = self.backends[self._turn % len(self.backends)]
            if not backend.is_ready:
                continue
            try:
                there, onwards = await asyncio.open_connection("127.0.0.1", backend.port)
            except OSError:
                if backend.refused_at is None:
                    backend.refused_at = time.monotonic()
                    self.early_refusals += backend.unready_at is None
                continue
            self._keep(_pass_on(reader, onwards))
            self._keep(_pass_on(there, writer))
            return
        self.turned_away += 1
        writer.close()


async def _pass_on(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
    with suppress(OSError):
        while chunk := await reader.read(CHUNK_BYTES):
            writer.write(chunk)
            await writer.drain()
    writer.close()


class Processes:
    """A server and a worker, which can be killed and restarted; they share one log."""

    def __init__(self, environment: dict[str, str], log: IO[bytes]) -> None:
        self._environment = environment
        self._log = log
        self._running: dict[str, PreloadedPopen] = {}
        self.kills = {SERVER: 0, WORKER: 0}

    @property
    def pids(self) -> dict[str, int]:
        """The ids of the running ones."""
        return {name: process.pid for name, process in self._running.items()}

    def start(self, name: str) -> None:
        """Start one of them."""
        self._running[name] = PreloadedPopen(
            [sys.executable, "-m", PROGRAMS[name]],
            env=self._environment,
            stdout=self._log,
            stderr=self._log,
        )

    def kill(self, name: str) -> None:
        """Kill one of them with SIGKILL, and wait until it has exited."""
        process = self._running.pop(name)
        process.kill()
        process.wait(END_SECONDS)

    def kill_and_start(self, name: str) -> None:
        """Kill and restart one, and count it."""
        self.kill(name)
        self.kills[name] += 1
        self.start(name)


@contextmanager
def preloaded_processes(environment: dict[str, str], log: Path) -> Iterator[Processes]:
    """Run a server and a worker with these settings during the block."""
    with log.open("wb") as lines:
        processes = Processes(environment, lines)
        try:
            processes.start(SERVER)
            processes.start(WORKER)
            yield processes
        finally:
            for name in processes.pids:
                processes.kill(name)
