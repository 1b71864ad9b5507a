"""The HTTP and socket server: uvicorn with deadlines for slow senders and a bounded shutdown."""

import asyncio
import functools
import gc
import multiprocessing
import os
import signal
import socket
import sys
import threading
import time
from collections.abc import Callable
from dataclasses import dataclass
from http import HTTPStatus
from types import FrameType
from typing import Any

import structlog
import uvicorn
from pydantic import ValidationError
from typing_extensions import override
from uvicorn.config import STARTUP_FAILURE
from uvicorn.importer import import_from_string
from uvicorn.protocols.http.httptools_impl import HttpToolsProtocol, RequestResponseCycle
from uvicorn.supervisors import Multiprocess, multiprocess

from api.core.config import Settings
from api.core.config_errors import describe_refusal
from api.core.logs import set_up_logs
from api.core.processes import STOPPING, die_with_parent, exit_on_sigterm
from api.http.refusals import unreadable

HEADER_SECONDS = 10.0  # from the first byte, or the connection, to the end of the headers
BODY_GRACE_SECONDS = 20.0  # a body may take this long,
SLOWEST_BODY_BYTES_PER_SECOND = 1_000  # and longer while it keeps coming at this pace
REFUSED_BODY_BYTES = 16 * 1024 * 1024  # read on after a refusal, so that its sender hears it
HEAD_BYTES = 64 * 1024  # of request line, headers and trailers
HEADER_OVERHEAD_BYTES = 32  # what a header costs beside its letters, so that empty ones count
LENGTH_DIGITS = 19
DRAIN_SECONDS = 10  # what requests in flight get after SIGTERM
LAST_RESORT_SECONDS = 15.0  # a shutdown that still runs then is cut off
KEEP_ALIVE_SECONDS = 15
WEBSOCKET_MESSAGE_BYTES = 128 * 1024
BACKLOG = 1024
WRONG_SETTINGS = 2  # exit code
GARBAGE_THRESHOLD = 10_000  # new objects before the collector looks at them


class DeadlineHttpProtocol(HttpToolsProtocol):
    """uvicorn's HTTP protocol, closing connections that send half a request and wait.

    uvicorn itself waits for ever for the rest of headers or body, so a few hundred idle sockets
    would take every file descriptor; and it keeps headers of any size. WebSockets leave this class
    with the upgrade.
    """

    _deadline: asyncio.TimerHandle | None = None
    _refusal = HTTPStatus.BAD_REQUEST
    _unfinished_bytes = 0  # received since something was read whole: the parser keeps them
    _has_progressed = False
    _fields = 0
    _body_began = 0.0
    _body_bytes = 0
    _refused_bytes = 0

    @override
    def connection_made(  # type: ignore[override] # narrowed by the parent class already
        self, transport: asyncio.Transport
    ) -> None:
        super().connection_made(transport)
        self._arm(HEADER_SECONDS, self._give_up)

    @override
    def connection_lost(self, exc: Exception | None) -> None:
        self._disarm()
        super().connection_lost(exc)

    @override
    def data_received(self, data: bytes) -> None:
        self._has_progressed = False
        super().data_received(data)
        self._unfinished_bytes = 0 if self._has_progressed else self._unfinished_bytes + len(data)
        if self._unfinished_bytes > HEAD_BYTES:
            self._refuse(HTTPStatus.REQUEST_HEADER_FIELDS_TOO_LARGE)

    @override
    def send_400_response(self, msg: str) -> None:
        self._refuse(self._refusal)

    @override
    def on_message_begin(self) -> None:
        super().on_message_begin()
        self._arm(HEADER_SECONDS, self._give_up)

    def on_chunk_complete(self) -> None:
        """Note that a part of a body was read whole; the parser calls this by its name."""
        self._has_progressed = True

    @override
    def on_headers_complete(self) -> None:
        self._require_sane_head()
        self._fields = len(self.headers)
        self._has_progressed = True
        super().on_headers_complete()
        self._body_began, self._body_bytes, self._refused_bytes = self.loop.time(), 0, 0
        self._arm(BODY_GRACE_SECONDS, self._weigh_body)

    @override
    def on_body(self, body: bytes) -> None:
        self._has_progressed = True
        self._body_bytes += len(body)
        if self.cycle.response_complete:
            self._refused_bytes += len(body)
            if self._refused_bytes > REFUSED_BODY_BYTES:
                self._give_up()
        super().on_body(body)

    @override
    def on_message_complete(self) -> None:
        if len(self.headers) > self._fields:  # trailers
            self._require_sane_head()
        self._has_progressed = True
        self._disarm()
        super().on_message_complete()

    @override
    def handle_websocket_upgrade(self) -> None:
        # What is no handshake would leave our deadlines and never get those of a WebSocket.
        names = {name for name, _ in self.headers}
        if self.parser.get_method() != b"GET" or names & {b"content-length", b"transfer-encoding"}:
            self.send_400_response("Invalid HTTP request received.")
            return
        self._disarm()
        super().handle_websocket_upgrade()

    def _require_sane_head(self) -> None:
        """Look at a whole head at once: one that grows without end is unfinished bytes.

        Raises:
            ValueError: it is too large, or says that the body is; the parser stops.
        """
        size_bytes = len(self.url)
        for name, value in self.headers:
            size_bytes += len(name) + len(value) + HEADER_OVERHEAD_BYTES
            if name == b"content-length" and len(value) > LENGTH_DIGITS:
                raise ValueError("no body is that long")
        if size_bytes > HEAD_BYTES:
            self._refusal = HTTPStatus.REQUEST_HEADER_FIELDS_TOO_LARGE
            raise ValueError("the head is too large")

    def _refuse(self, status: HTTPStatus) -> None:
        """Answer what cannot be read in the envelope, unless an answer is under way, and close."""
        if self.transport.is_closing():
            return
        cycle: RequestResponseCycle | None = self.cycle
        if cycle is None or cycle.response_complete:
            self.transport.write(unreadable(status))
        self.transport.close()

    def _weigh_body(self) -> None:
        """Close, unless so much of the body came that it deserves more time."""
        allowed = BODY_GRACE_SECONDS + self._body_bytes / SLOWEST_BODY_BYTES_PER_SECOND
        left = self._body_began + allowed - self.loop.time()
        if self.flow.read_paused:  # the handler is slow, not the sender
            left = BODY_GRACE_SECONDS
        if left > 0:
            self._arm(left, self._weigh_body)
        else:
            self._give_up()

    def _arm(self, seconds: float, action: Callable[[], None]) -> None:
        self._disarm()
        self._deadline = self.loop.call_later(seconds, action)

    def _disarm(self) -> None:
        if self._deadline is not None:
            self._deadline.cancel()
            self._deadline = None

    def _give_up(self) -> None:
        if not self.transport.is_closing():
            self.transport.close()


@dataclass(frozen=True, kw_only=True)
class Service:
    """What to serve and where.

    ``app`` is the import string of a factory. ``trusted_proxies`` are the addresses whose
    ``X-Forwarded-*`` headers are believed; empty means nobody's. ``notice_seconds`` is for how long
    a server that stops goes on answering, with readiness failing, before its port closes.
    """

    app: str
    host: str = "127.0.0.1"
    port: int = 8000
    workers: int = 1
    trusted_proxies: tuple[str, ...] = ()
    drain_seconds: int = DRAIN_SECONDS
    notice_seconds: float = 0.0

    def uvicorn_config(self) -> uvicorn.Config:
        """Return uvicorn's configuration; picklable, because workers are spawned."""
        config = NoticeConfig(
            functools.partial(tied_app, self.app),
            factory=True,
            host=self.host,
            port=self.port,
            workers=self.workers,
            http=DeadlineHttpProtocol,
            ws="websockets-sansio",
            ws_max_size=WEBSOCKET_MESSAGE_BYTES,
            ws_ping_interval=None,  # engine.io pings already
            ws_per_message_deflate=False,  # 42 kB a connection for messages of 200 bytes
            log_config=None,
            access_log=False,
            server_header=False,
            backlog=BACKLOG,
            proxy_headers=bool(self.trusted_proxies),
            forwarded_allow_ips=list(self.trusted_proxies),
            timeout_keep_alive=KEEP_ALIVE_SECONDS,
            timeout_graceful_shutdown=self.drain_seconds,
        )
        config.notice_seconds = self.notice_seconds
        return config


def tied_app(app: str) -> Any:  # noqa: ANN401 - what the factory returns is uvicorn's affair
    """Build the application; in a worker, also tie the worker's life to its parent's.

    Without it, ``kill -9`` of the parent leaves workers that hold the port.
    """
    parent = multiprocessing.parent_process()
    if parent is not None and parent.pid is not None:
        die_with_parent(parent.pid, signal.SIGTERM)()
    application = import_from_string(app)()
    # What is loaded now lives as long as the process. Left to the collector, every full
    # collection walks all of it and stops every request for about a tenth of a second.
    gc.collect()
    gc.freeze()
    # A thousand answers at once make a hundred thousand objects that die by themselves; looking
    # through them every seven hundred took a tenth of the processor.
    gc.set_threshold(GARBAGE_THRESHOLD, 10, 20)
    return application


def service_of(settings: Settings) -> Service:
    """Return what the settings say to serve."""
    return Service(
        app="api.main:create_app",
        host=settings.host,
        port=settings.port,
        workers=settings.workers,
        trusted_proxies=settings.trusted_proxies,
        notice_seconds=settings.stop_notice_seconds,
    )


def main() -> int:
    """``python -m api.server``: serve against services that exist, as a container does.

    Returns 1 when the port cannot be had, 2 when the settings do not fit. A start that fails, or a
    stop by a signal, raises SystemExit.
    """
    exit_on_sigterm()
    try:
        settings = Settings()
    except ValidationError as error:
        for sentence in describe_refusal(error):
            sys.stderr.write(f"king-of-fans: {sentence}\n")
        return WRONG_SETTINGS
    set_up_logs(settings.log_level)
    log = structlog.get_logger()
    try:
        listener = bind(settings.host, settings.port)
    except PortError as error:
        log.critical("port_refused", reason=str(error))
        return 1
    with listener:
        serve(service_of(settings), listener, on_ready=lambda: log.info("ready"))
    return 0


class PortError(RuntimeError):
    """The address cannot be listened on; the message says which and why."""


def bind(host: str, port: int) -> socket.socket:
    """Return a socket bound to the address, not yet listening: the port is ours from now on.

    Raises:
        PortError: somebody else has it, or it is not allowed.
    """
    family = socket.AF_INET6 if ":" in host else socket.AF_INET
    listener = socket.socket(family, socket.SOCK_STREAM)
    listener.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
    try:
        listener.bind((host, port))
    except OSError as error:
        listener.close()
        raise PortError(f"Cannot listen on {host} port {port}: {error.strerror}.") from error
    listener.set_inheritable(True)
    return listener


def serve(service: Service, listener: socket.socket, *, on_ready: Callable[[], None]) -> None:
    """Serve until SIGTERM or SIGINT, then drain and return within ``LAST_RESORT_SECONDS``.

    ``on_ready`` is called once, when requests are answered. Call it from the main thread.
    """
    config = service.uvicorn_config()
    if service.workers > 1:
        WorkerSupervisor(config, [listener], on_ready).run()
    else:
        SingleServer(config, on_ready).run([listener])


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
        await super().startup(sockets)

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
    """Several workers on one socket: replaced when they die, killed when they do not stop."""

    def __init__(
        self, config: uvicorn.Config, sockets: list[socket.socket], on_ready: Callable[[], None]
    ) -> None:
        # The supervisor makes its workers by this name alone, and has no other way to say which.
        multiprocess.Process = NoticeWorker  # type: ignore[misc]
        super().__init__(config, sockets)
        self._on_ready = on_ready

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


if __name__ == "__main__":
    sys.exit(main())
