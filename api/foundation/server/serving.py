"""Configures and runs the server."""

import functools
import multiprocessing
import os
import signal
import socket
import sys
import tempfile
from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any

import structlog
import uvicorn
from uvicorn.importer import import_from_string

from api.foundation.core.config import Settings
from api.foundation.core.processes import die_with_parent
from api.foundation.metrics.line_buffer import LineBuffer
from api.foundation.metrics.multiprocess import FOLDER, WANTED
from api.foundation.server.deadlines import KEEP_ALIVE_SECONDS, DeadlineHttpProtocol
from api.foundation.server.gc_tuning import freeze
from api.foundation.server.process_settings import SettingsError, load_settings
from api.foundation.server.stopping import NoticeConfig, SingleServer, WorkerSupervisor

log = structlog.get_logger(__name__)

DRAIN_SECONDS = 10  # for requests in flight after SIGTERM
WORKER_ANSWER_SECONDS = 30  # for starting on a busy machine, and for responding to the parent
WEBSOCKET_MESSAGE_BYTES = 128 * 1024
BACKLOG = 4096  # capped by the system's limit, which is often the same


@dataclass(frozen=True, kw_only=True)
class Service:
    """The application and how to serve it.

    ``app`` is the import string of a factory that is called with ``settings``: all processes of a
    server use those that the parent read, whenever they start. ``trusted_proxies`` are the
    addresses whose ``X-Forwarded-*`` headers are trusted; empty means none. ``notice_seconds`` is
    how long a stopping server still answers, with readiness failing, before its port closes.
    """

    app: str
    settings: Settings | None = field(default=None, repr=False)
    host: str = "127.0.0.1"
    port: int = 8000
    workers: int = 1
    trusted_proxies: tuple[str, ...] = ()
    drain_seconds: int = DRAIN_SECONDS
    notice_seconds: float = 0.0

    def uvicorn_config(self) -> uvicorn.Config:
        """Return uvicorn's configuration; picklable, because workers are spawned."""
        config = NoticeConfig(
            functools.partial(tied_app, self.app, self.settings),
            factory=True,
            host=self.host,
            port=self.port,
            workers=self.workers,
            http=DeadlineHttpProtocol,
            ws="websockets-sansio",
            ws_max_size=WEBSOCKET_MESSAGE_BYTES,
            ws_ping_interval=None,  # Engine.IO sends its own pings
            ws_per_message_deflate=False,  # 42 kB per connection for messages of 200 bytes
            log_config=None,
            access_log=False,
            server_header=False,
            backlog=BACKLOG,
            proxy_headers=bool(self.trusted_proxies),
            forwarded_allow_ips=list(self.trusted_proxies),
            timeout_keep_alive=KEEP_ALIVE_SECONDS,
            timeout_graceful_shutdown=self.drain_seconds,
            timeout_worker_healthcheck=WORKER_ANSWER_SECONDS,
        )
        config.notice_seconds = self.notice_seconds
        return config


def tied_app(app: str, settings: Settings | None) -> Any:
    """Create the application; in a worker, also make it exit with its parent.

    Otherwise ``kill -9`` of the parent would leave workers that hold the port.
    """
    parent = multiprocessing.parent_process()
    if parent is not None and parent.pid is not None:
        die_with_parent(parent.pid, signal.SIGTERM)()
    if not isinstance(sys.stdout, LineBuffer):
        sys.stdout = LineBuffer(sys.stdout)
    application = import_from_string(app)(settings)
    freeze()
    return application


def service_of(settings: Settings) -> Service:
    """Return the service that the settings describe."""
    return Service(
        app="api.main:create_app",
        settings=settings,
        host=settings.host,
        port=settings.port,
        workers=settings.workers,
        trusted_proxies=settings.trusted_proxies,
        notice_seconds=settings.stop_notice_seconds,
    )


def reread() -> Service | None:
    """Read the settings again; log the errors and return None if they are invalid."""
    try:
        return service_of(load_settings(Settings))
    except SettingsError as refusal:
        log.warning("settings refused", reasons=refusal.sentences)
        return None


def serve(
    service: Service,
    listener: socket.socket,
    *,
    on_ready: Callable[[], None],
    reread: Callable[[], Service | None] = reread,
) -> None:
    """Serve until SIGTERM or SIGINT, then drain and return within ``LAST_RESORT_SECONDS``.

    ``on_ready`` is called once, when requests are served. ``reread`` is called on SIGHUP and
    returns the service of the replacement processes; None changes nothing. Call it from the main
    thread.
    """

    def renew() -> uvicorn.Config | None:
        renewed = reread()
        return None if renewed is None else renewed.uvicorn_config()

    config = service.uvicorn_config()
    if service.workers > 1:
        # Private to these processes, which get its path from their environment.
        with tempfile.TemporaryDirectory(
            prefix="king-of-fans-", ignore_cleanup_errors=True
        ) as folder:
            os.environ[FOLDER] = folder
            os.environ[WANTED] = str(service.workers)
            WorkerSupervisor(config, [listener], on_ready, renew).run()
    else:
        SingleServer(config, on_ready).run([listener])
