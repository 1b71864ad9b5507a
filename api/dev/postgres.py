"""A real PostgreSQL of our own: on a unix socket, started again when it dies, stopped with us."""

import contextlib
import os
import re
import secrets
import shutil
import signal
import subprocess
import sys
import tempfile
import threading
import time
from pathlib import Path
from types import TracebackType
from typing import IO, Self
from urllib.parse import quote

import structlog

from api.core.processes import die_with_parent
from api.dev.postgres_install import (
    PRIVATE_ROOT_NAME,
    Account,
    PostgresError,
    choose_account,
    find_install,
    private_root,
    reachable_install,
)

if sys.platform != "win32":
    import fcntl

log = structlog.get_logger(__name__)

__all__ = ["EmbeddedPostgres", "PostgresBusyError", "PostgresError"]

SUPERUSER = "postgres"
PORT = 5432  # names the socket file; nothing listens on TCP
MAX_SOCKET_FOLDER_BYTES = 85  # macOS allows 103 for the whole path, with "/.s.PGSQL.5432.lock"
MAX_LOG_BYTES = 5_000_000
START_SECONDS = 60.0
STOP_SECONDS = 20.0
POLL_SECONDS = 0.01
FIRST_RESTART_PAUSE_SECONDS = 0.2
LONGEST_RESTART_PAUSE_SECONDS = 5.0
FIRST_VERSION_WITH_BUILTIN_LOCALE = 17
BUILTIN_LOCALE = ("--locale=C", "--locale-provider=builtin", "--builtin-locale=C.UTF-8")
OLD_LOCALE = ("--locale=C",)

SERVER_SETTINGS = {
    "listen_addresses": "",
    "port": str(PORT),
    "unix_socket_permissions": "0700",
    "password_encryption": "scram-sha-256",
    "max_connections": "200",
    "timezone": "UTC",
    "log_timezone": "UTC",
    "lc_messages": "C",
}
THROWAWAY_SETTINGS = {
    "fsync": "off",
    "synchronous_commit": "off",
    "full_page_writes": "off",
    "autovacuum": "off",
    "wal_level": "minimal",
    "max_wal_senders": "0",
}


class PostgresBusyError(PostgresError):
    """Another supervisor runs on the same state folder."""


class EmbeddedPostgres:
    """One PostgreSQL server over ``state_dir``, running between ``start`` and ``stop``.

    A killed one is started again at the same address, with the same data.

    ``state_dir`` holds the lock, the superuser's random password (0600) and, in ``server/``, the
    data, the socket and the log. As root the server runs as an existing unprivileged account; when
    that account cannot enter ``state_dir``, ``server/`` moves out and ``state_dir/place`` says
    where.

    With ``throwaway`` nothing is flushed to disk and the data is removed by ``stop``: for tests.
    """

    def __init__(self, state_dir: Path, *, throwaway: bool = False) -> None:
        self._state_dir = state_dir.absolute()
        self._throwaway = throwaway
        self._lock: IO[str] | None = None
        self._process: subprocess.Popen[bytes] | None = None
        self._stopping = threading.Event()
        self._launched = threading.Event()
        self._refusal: BaseException | None = None
        self._keeper: threading.Thread | None = None
        self._account = Account(0, 0)
        self._server_dir = self._state_dir / "server"
        self._bin = Path()
        self._socket_dir = Path()
        self._password = ""

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
        return self._running().pid

    @property
    def bin_dir(self) -> Path:
        """Folder of the client programs (psql, pg_dump, pgbench) that match the server."""
        return self._bin

    @property
    def log_path(self) -> Path:
        """The server's log."""
        return self._server_dir / "log"

    def is_alive(self) -> bool:
        """Return whether the server process runs."""
        return self._process is not None and self._process.poll() is None

    def url(self, database: str = "fans") -> str:
        """Return the SQLAlchemy URL of ``database`` for the asyncpg driver, password included."""
        self._running()
        return (
            f"postgresql+asyncpg://{SUPERUSER}:{self._password}@/{quote(database, safe='')}"
            f"?host={quote(str(self._socket_dir), safe='/')}&port={PORT}"
        )

    def start(self) -> None:
        """Start the server and return when it accepts connections.

        Makes the data folder at the first start, stops an orphan of a killed supervisor, and
        replays the log of a killed server.

        Raises:
            PostgresBusyError: another supervisor holds ``state_dir``.
            PostgresError: it cannot run here; the message says why.
        """
        if sys.platform == "win32":
            raise PostgresError(
                "The embedded PostgreSQL needs Linux or macOS: use WSL, or set DATABASE_URL."
            )
        self._take_lock()
        try:
            self._settle_in()
            self._stop_orphan()
            if not (self._data_dir / "PG_VERSION").is_file():
                self._initialise()
            self._keep_running()
        except BaseException:
            self.stop()
            raise

    def stop(self) -> None:
        """Stop the server and everything it started; calling it again does nothing."""
        self._stopping.set()
        while self._keeper is not None and self._keeper.is_alive():  # it may be about to start one
            if self._process is not None:
                stop_process(self._process, immediately=self._throwaway)
            self._keeper.join(POLL_SECONDS)
        self._keeper = None
        self._process = None
        if self._lock is None:
            return
        if self._throwaway:
            shutil.rmtree(self._server_dir, ignore_errors=True)
            (self._state_dir / "place").unlink(missing_ok=True)
        if self._socket_dir not in (self._server_dir / "run", Path()):
            shutil.rmtree(self._socket_dir, ignore_errors=True)
            (self._state_dir / "socket").unlink(missing_ok=True)
        self._lock.close()
        self._lock = None

    def ensure_database(self, name: str) -> None:
        """Create the database ``name`` unless it exists.

        Raises:
            PostgresError: the server refused.
        """
        literal = name.replace("'", "''")
        if self.run_sql(f"SELECT 1 FROM pg_database WHERE datname = '{literal}'").strip():  # noqa: S608 - quoted above
            return
        identifier = name.replace('"', '""')
        self.run_sql(f'CREATE DATABASE "{identifier}"')

    def run_sql(self, statement: str, database: str = "postgres") -> str:
        """Run one statement through psql and return its rows as unaligned text.

        Raises:
            PostgresError: the server refused.
        """
        self._running()
        result = subprocess.run(
            [
                *(str(self._bin / "psql"), "-X", "-q", "-A", "-t", "-v", "ON_ERROR_STOP=1"),
                *("-h", str(self._socket_dir), "-p", str(PORT), "-U", SUPERUSER, "-d", database),
                *("-c", statement),
            ],
            env={**os.environ, "PGPASSWORD": self._password},
            stdin=subprocess.DEVNULL,
            capture_output=True,
            text=True,
            check=False,
        )
        if result.returncode != 0:
            raise PostgresError(f"PostgreSQL refused: {result.stderr.strip()}")
        return result.stdout

    @property
    def _data_dir(self) -> Path:
        return self._server_dir / "data"

    def _running(self) -> "subprocess.Popen[bytes]":
        if self._process is None:
            raise PostgresError("The embedded PostgreSQL is not started.")
        return self._process

    def _take_lock(self) -> None:
        """Make the state folder and hold its lock, which the kernel frees when we die."""
        if self._lock is not None:
            raise PostgresBusyError("This embedded PostgreSQL is started already.")
        try:
            make_passable(self._state_dir)
            lock = (self._state_dir / "lock").open("a+", encoding="ascii")
        except PermissionError as error:
            raise PostgresError(
                f"{error.filename} belongs to somebody else: remove it, start as its owner, "
                "or set VAR_DIR or DATABASE_URL."
            ) from error
        try:
            fcntl.flock(lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            lock.seek(0)
            holder = lock.read().strip() or "unknown"
            lock.close()
            raise PostgresBusyError(
                f"{self._state_dir} is in use by process {holder}: stop that one first, "
                "or set VAR_DIR to another folder."
            ) from None
        lock.truncate(0)
        lock.write(str(os.getpid()))
        lock.flush()
        self._lock = lock

    def _settle_in(self) -> None:
        """Choose account, folders, programs and password; nothing is started."""
        self._server_dir = self._recorded("place") or self._state_dir / "server"
        if self._throwaway:
            shutil.rmtree(self._server_dir, ignore_errors=True)
        self._account = choose_account(self._server_dir if self._server_dir.is_dir() else None)
        if not self._server_dir.is_dir():
            self._server_dir = self._make_server_dir()
        self._bin = reachable_install(find_install(), self._account) / "bin"
        self._password = self._keep_password()
        self._socket_dir = self._make_socket_dir()

    def _make_server_dir(self) -> Path:
        """Make ``server/`` here, or outside when the account cannot enter the state folder."""
        place = self._state_dir / "server"
        if not self._account.can_enter(self._state_dir):
            root = Path(tempfile.gettempdir()) if self._is_temporary() else private_root()
            place = root / f"{PRIVATE_ROOT_NAME}-{secrets.token_hex(8)}"
            write_private(self._state_dir / "place", str(place))
        place.mkdir(mode=0o700)
        self._account.give(place)
        return place

    def _is_temporary(self) -> bool:
        """Return whether what we write may vanish, so that it belongs among temporary files."""
        temporary = Path(tempfile.gettempdir()).resolve()
        return self._throwaway or self._state_dir.resolve().is_relative_to(temporary)

    def _make_socket_dir(self) -> Path:
        """Return an existing folder for the socket whose path the kernel accepts."""
        folder = self._server_dir / "run"
        if len(os.fsencode(folder)) > MAX_SOCKET_FOLDER_BYTES:
            kept = self._recorded("socket")
            if kept and is_own_folder(kept, self._account.uid):
                return kept
            folder = Path(tempfile.mkdtemp(prefix="king-of-fans-", dir="/tmp"))
            write_private(self._state_dir / "socket", str(folder))
        folder.mkdir(exist_ok=True)
        self._account.give(folder)
        return folder

    def _recorded(self, name: str) -> Path | None:
        """Return the path written in ``state_dir/name``, or None."""
        try:
            text = (self._state_dir / name).read_text(encoding="utf-8").strip()
        except FileNotFoundError:
            return None
        return Path(text) if text else None

    def _keep_password(self) -> str:
        """Return the superuser's password, made once, before any data exists."""
        path = self._state_dir / "password"
        if path.is_file():
            return path.read_text(encoding="ascii").strip()
        if (self._data_dir / "PG_VERSION").is_file():
            raise PostgresError(
                f"{path} is missing, so the data in {self._data_dir} cannot be opened: "
                "put the file back, or move the data away to begin anew."
            )
        password = secrets.token_urlsafe(24)
        write_private(path, password)
        return password

    def _initialise(self) -> None:
        """Make the data folder under another name first: initdb killed half-way looks complete."""
        unfinished = self._server_dir / "data.new"
        password_copy = self._server_dir / "initial-password"
        shutil.rmtree(unfinished, ignore_errors=True)
        shutil.rmtree(self._data_dir, ignore_errors=True)
        write_private(password_copy, self._password)
        self._account.give(password_copy)
        result = self._account.run(
            [
                *(str(self._bin / "initdb"), "-D", str(unfinished), "-U", SUPERUSER, "-E", "UTF8"),
                *("--auth=scram-sha-256", f"--pwfile={password_copy}"),
                *self._locale_options(),
                *(("--no-sync",) if self._throwaway else ()),
            ]
        )
        password_copy.unlink()
        if result.returncode != 0:
            raise PostgresError(f"initdb failed: {result.stderr.strip() or result.stdout.strip()}")
        unfinished.rename(self._data_dir)

    def _locale_options(self) -> tuple[str, ...]:
        version = re.search(
            r"\d+", self._account.run([str(self._bin / "postgres"), "--version"]).stdout
        )
        major = int(version.group()) if version else 0
        return BUILTIN_LOCALE if major >= FIRST_VERSION_WITH_BUILTIN_LOCALE else OLD_LOCALE

    def _stop_orphan(self) -> None:
        """Stop a server that outlived its supervisor, and remove the marks a dead one left.

        We hold the lock, so whoever runs on our data is an orphan. A zombie still answers signal
        0, so only a command line that names our data counts as alive.
        """
        pid_file = self._data_dir / "postmaster.pid"
        pid = first_number(pid_file)
        if pid is not None and self._is_our_server(pid):
            os.kill(pid, signal.SIGINT)
            deadline = time.monotonic() + STOP_SECONDS
            while self._is_our_server(pid):
                if time.monotonic() > deadline:
                    os.kill(pid, signal.SIGQUIT)
                    deadline += STOP_SECONDS
                time.sleep(POLL_SECONDS)
        pid_file.unlink(missing_ok=True)
        for leftover in self._socket_dir.glob(".s.PGSQL.*"):
            leftover.unlink(missing_ok=True)

    def _is_our_server(self, pid: int) -> bool:
        return str(self._data_dir) in command_line(pid)

    def _keep_running(self) -> None:
        """Start the server from a thread that watches it, and return when it is ready.

        The server is tied to the thread that starts it: that one lives as long as we do.
        """
        self._stopping.clear()
        self._launched.clear()
        self._refusal = None
        self._keeper = threading.Thread(target=self._keep, name="postgres", daemon=True)
        self._keeper.start()
        self._launched.wait()
        if self._refusal is not None:
            raise self._refusal

    def _keep(self) -> None:
        try:
            self._launch()
        except BaseException as error:  # it is raised where somebody waits for the start
            self._refusal = error
        self._launched.set()
        while self._refusal is None and not self._stopping.is_set():
            code = self._running().wait()
            if self._stopping.is_set():
                return
            if not self._holds_lock():  # whoever has the folder now has ended our server
                log.error("embedded database lost its folder", folder=str(self._state_dir))
                return
            log.warning("embedded database ended", code=code)
            self._launch_again()

    def _holds_lock(self) -> bool:
        """Return whether the lock that we took is still the folder's lock."""
        if self._lock is None:
            return False
        try:
            found = (self._state_dir / "lock").stat()
        except FileNotFoundError:
            return False
        return os.path.samestat(found, os.fstat(self._lock.fileno()))

    def _launch_again(self) -> None:
        """Start the server until it is up, or is not wanted any more."""
        pause = FIRST_RESTART_PAUSE_SECONDS
        while not self._stopping.wait(pause):
            try:
                self._stop_orphan()
                self._launch()
            except (PostgresError, OSError) as error:
                log.warning("embedded database does not start", reason=str(error))
                pause = min(2 * pause, LONGEST_RESTART_PAUSE_SECONDS)
            else:
                log.warning("embedded database is back", pid=self._running().pid)
                return

    def _launch(self) -> None:
        """Start the server, again when children of a killed one still hold its shared memory."""
        deadline = time.monotonic() + START_SECONDS
        while True:
            log_start = self._spawn()
            if self._wait_until_ready(deadline):
                return
            complaint = self._read_log(log_start)
            if "shared memory block" not in complaint or time.monotonic() > deadline:
                raise PostgresError(f"PostgreSQL did not start: {summary(complaint)}")
            time.sleep(0.2)

    def _spawn(self) -> int:
        """Start the server process and return the log's size before."""
        settings = SERVER_SETTINGS | {"unix_socket_directories": str(self._socket_dir)}
        if self._throwaway:
            settings |= THROWAWAY_SETTINGS
        if self.log_path.is_file() and self.log_path.stat().st_size > MAX_LOG_BYTES:
            self.log_path.rename(self.log_path.with_suffix(".old"))
        environment = {key: value for key, value in os.environ.items() if not key.startswith("PG")}
        with self.log_path.open("ab") as log:
            log_start = log.tell()
            self._process = subprocess.Popen(
                [
                    *(str(self._bin / "postgres"), "-D", str(self._data_dir)),
                    *(part for key, value in settings.items() for part in ("-c", f"{key}={value}")),
                ],
                stdin=subprocess.DEVNULL,
                stdout=log,
                stderr=log,
                cwd="/",
                env=environment,
                start_new_session=True,  # Ctrl-C reaches us alone; we stop the server last
                preexec_fn=die_with_parent(os.getpid(), signal.SIGINT),
                user=self._account.user,
                group=self._account.group,
                extra_groups=self._account.extra_groups,
            )
        return log_start

    def _wait_until_ready(self, deadline: float) -> bool:
        """Return True when the server says ready, False when it exited or is too late."""
        process = self._running()
        pid_file = self._data_dir / "postmaster.pid"
        while process.poll() is None and time.monotonic() < deadline:
            with contextlib.suppress(OSError):
                lines = pid_file.read_text(encoding="utf-8", errors="replace").splitlines()
                if len(lines) > 7 and lines[0] == str(process.pid) and lines[7].strip() == "ready":
                    return True
            time.sleep(POLL_SECONDS)
        if process.poll() is None:
            stop_process(process, immediately=True)
        return False

    def _read_log(self, start: int) -> str:
        with self.log_path.open("rb") as log:
            log.seek(start)
            return log.read().decode("utf-8", errors="replace")


def make_passable(folder: Path) -> None:
    """Make ``folder`` and its missing parents so that another account may pass, but not list.

    Folders that exist keep their mode: a private parent is somebody's decision.
    """
    missing = [path for path in (folder, *folder.parents) if not path.exists()]
    for path in reversed(missing):
        path.mkdir(exist_ok=True)
        path.chmod(0o711)


def is_own_folder(path: Path, uid: int) -> bool:
    """Return whether ``path`` is a real folder of ``uid``: /tmp is open to everybody's links."""
    return path.is_dir() and not path.is_symlink() and path.stat().st_uid == uid


def write_private(path: Path, text: str) -> None:
    """Write ``text`` so that only the owner may read it and a crash leaves all or nothing."""
    unfinished = path.with_name(f"{path.name}.new")
    unfinished.unlink(missing_ok=True)
    descriptor = os.open(unfinished, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600)
    with os.fdopen(descriptor, "w", encoding="utf-8") as file:
        file.write(text)
        file.flush()
        os.fsync(file.fileno())
    unfinished.replace(path)


def first_number(path: Path) -> int | None:
    """Return the number on the first line of ``path``, or None when there is no such."""
    try:
        return int(path.read_text(encoding="utf-8", errors="replace").splitlines()[0])
    except (FileNotFoundError, IndexError, ValueError):
        return None


def command_line(pid: int) -> str:
    """Return the command line of a process; empty for a zombie or when there is none."""
    if not Path("/proc/self/cmdline").exists():  # macOS
        listing = ["/bin/ps", "-o", "command=", "-p", str(pid)]
        return subprocess.run(listing, capture_output=True, text=True, check=False).stdout
    try:
        words = Path(f"/proc/{pid}/cmdline").read_bytes().split(b"\0")
    except OSError:
        return ""
    return os.fsdecode(b" ".join(words))


def stop_process(process: "subprocess.Popen[bytes]", *, immediately: bool) -> None:
    """Stop the server: fast shutdown, then immediate, then by force."""
    for stop_signal in (signal.SIGQUIT if immediately else signal.SIGINT, signal.SIGQUIT):
        if process.poll() is None:
            process.send_signal(stop_signal)
        with contextlib.suppress(subprocess.TimeoutExpired):
            process.wait(STOP_SECONDS)
            return
    process.kill()
    process.wait()


def summary(log: str) -> str:
    """Return the telling lines of a server's log in one line."""
    lines = [line for line in log.splitlines() if re.search(r"FATAL|PANIC|ERROR|HINT|DETAIL", line)]
    return " | ".join(lines or log.splitlines()[-3:]) or "it printed nothing."
