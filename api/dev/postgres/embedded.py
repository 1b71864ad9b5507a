"""An embedded PostgreSQL server on a unix socket; it is restarted if it dies, and stops with us."""

import os
import subprocess
import sys
import threading
from pathlib import Path
from types import TracebackType
from typing import Self
from urllib.parse import quote

import structlog

from api.dev.postgres.install import PostgresError
from api.dev.postgres.place import StateFolder
from api.dev.postgres.server import POLL_SECONDS, PORT, SUPERUSER, ServerProcess

log = structlog.get_logger(__name__)

FIRST_RESTART_PAUSE_SECONDS = 0.2
MAX_RESTART_DELAY_SECONDS = 5.0


def running_url(state_dir: Path, database: str = "fans") -> str | None:
    """Return the URL of a server that another process runs on ``state_dir``, or None."""
    place = StateFolder(state_dir, throwaway=False)
    if not place.is_taken():
        return None
    place.load()
    return url_of(place, database)


def url_of(place: StateFolder, database: str) -> str:
    """Return the SQLAlchemy URL of ``database`` for the asyncpg driver, password included."""
    return (
        f"postgresql+asyncpg://{SUPERUSER}:{place.password}@/{quote(database, safe='')}"
        f"?host={quote(str(place.socket_dir), safe='/')}&port={PORT}"
    )


class EmbeddedPostgres:
    """A PostgreSQL server over ``state_dir``, running between ``start`` and ``stop``.

    If it dies it is restarted at the same address, with the same data.

    With ``throwaway`` nothing is flushed to disk and ``stop`` removes the data: for tests. The
    first start copies ``template``, a folder of ``save_as_template``, instead of running initdb.
    """

    def __init__(
        self, state_dir: Path, *, throwaway: bool = False, template: Path | None = None
    ) -> None:
        self._place = StateFolder(state_dir, throwaway=throwaway, template=template)
        self._server = ServerProcess(self._place, throwaway=throwaway)
        self._stopping = threading.Event()
        self._launched = threading.Event()
        self._refusal: BaseException | None = None
        self._monitor_thread: threading.Thread | None = None

    def __enter__(self) -> Self:
        self.start()
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        self.stop()

    @property
    def pid(self) -> int:
        """Process id of the running server."""
        return self._server.running().pid

    @property
    def bin_dir(self) -> Path:
        """The folder of the client programs (psql, pg_dump, pgbench) that match the server."""
        return self._place.bin_dir

    @property
    def log_path(self) -> Path:
        """The server's log file."""
        return self._place.log_path

    def is_alive(self) -> bool:
        """Return whether the server process runs."""
        process = self._server.process
        return process is not None and process.poll() is None

    def url(self, database: str = "fans") -> str:
        """Return the SQLAlchemy URL of ``database`` for the asyncpg driver, password included."""
        self._server.running()
        return url_of(self._place, database)

    def start(self) -> None:
        """Start the server and return when it accepts connections.

        Creates the data folder at the first start, stops an orphan of a killed supervisor, and
        replays the log of a killed server.

        Raises:
            PostgresBusyError: another supervisor holds ``state_dir``.
            PostgresError: it cannot run here; the message says why.
        """
        if sys.platform == "win32":
            raise PostgresError(
                "The embedded PostgreSQL needs Linux or macOS: use WSL, or set DATABASE_URL."
            )
        self._place.acquire()
        try:
            self._place.prepare()
            self._server.stop_orphan()
            if not self._place.has_data:
                self._server.initialise()
            self._start_monitored()
        except BaseException:
            self.stop()
            raise

    def stop(self) -> None:
        """Stop the server and all its processes; idempotent."""
        self._stopping.set()
        # It may be starting one.
        while self._monitor_thread is not None and self._monitor_thread.is_alive():
            self._server.stop()
            self._monitor_thread.join(POLL_SECONDS)
        self._monitor_thread = None
        self._server.process = None
        self._place.release()

    def save_as_template(self, template: Path) -> None:
        """Stop the server and copy its data to a folder that other servers can start from.

        Raises:
            PostgresError: the copy failed.
        """
        self.stop()
        self._place.save_as_template(template)

    def ensure_database(self, name: str) -> None:
        """Create the database ``name`` unless it exists.

        Raises:
            PostgresError: the server rejected it.
        """
        literal = name.replace("'", "''")
        if self.run_sql(f"SELECT 1 FROM pg_database WHERE datname = '{literal}'").strip():  # noqa: S608 - quoted above
            return
        identifier = name.replace('"', '""')
        self.run_sql(f'CREATE DATABASE "{identifier}"')

    def run_sql(self, statement: str, database: str = "postgres") -> str:
        """Run one statement through psql and return its rows as unaligned text.

        Raises:
            PostgresError: the server rejected it.
        """
        self._server.running()
        place = self._place
        result = subprocess.run(
            [
                *(str(place.bin_dir / "psql"), "-X", "-q", "-A", "-t", "-v", "ON_ERROR_STOP=1"),
                *("-h", str(place.socket_dir), "-p", str(PORT), "-U", SUPERUSER, "-d", database),
                *("-c", statement),
            ],
            env={**os.environ, "PGPASSWORD": place.password},
            stdin=subprocess.DEVNULL,
            capture_output=True,
            text=True,
            check=False,
        )
        if result.returncode != 0:
            raise PostgresError(f"PostgreSQL refused: {result.stderr.strip()}")
        return result.stdout

    def _start_monitored(self) -> None:
        """Start the server from a thread that monitors it, and return when it is ready.

        The server is tied to the thread that starts it, so that thread lives as long as we do.
        """
        self._stopping.clear()
        self._launched.clear()
        self._refusal = None
        self._monitor_thread = threading.Thread(target=self._monitor, name="postgres", daemon=True)
        self._monitor_thread.start()
        self._launched.wait()
        if self._refusal is not None:
            raise self._refusal

    def _monitor(self) -> None:
        try:
            self._server.launch()
        except BaseException as error:  # raised again in ``start``
            self._refusal = error
        self._launched.set()
        while self._refusal is None and not self._stopping.is_set():
            code = self._server.running().wait()
            if self._stopping.is_set():
                return
            if not self._place.is_held():  # its new holder has stopped our server
                log.error("embedded database lost its folder", folder=str(self._place.path))
                return
            log.warning("embedded database ended", code=code)
            self._launch_again()

    def _launch_again(self) -> None:
        """Restart the server until it is up, or ``stop`` is called."""
        pause = FIRST_RESTART_PAUSE_SECONDS
        while not self._stopping.wait(pause):
            try:
                self._server.stop_orphan()
                self._server.launch()
            except (PostgresError, OSError) as error:
                log.warning("embedded database does not start", reason=str(error))
                pause = min(2 * pause, MAX_RESTART_DELAY_SECONDS)
            else:
                log.warning("embedded database is back", pid=self._server.running().pid)
                return
