"""The state folder of an embedded PostgreSQL: its lock and its contents."""

import os
import secrets
import shutil
import subprocess
import sys
import tempfile
from pathlib import Path
from typing import IO

from api.dev.postgres.install import (
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

MAX_SOCKET_FOLDER_BYTES = 85  # macOS allows 103 for the whole path, with "/.s.PGSQL.5432.lock"


class PostgresBusyError(PostgresError):
    """Another supervisor runs on the same state folder."""


class StateFolder:
    """Persistent state, locked by one supervisor from ``acquire`` to ``release``.

    It contains the lock, the superuser's random password (0600) and, in ``server/``, the data, the
    socket and the log. Under root the server runs as an existing unprivileged account; if that
    account cannot enter the folder, ``server/`` is elsewhere and ``place`` contains its path.
    """

    def __init__(self, path: Path, *, throwaway: bool, template: Path | None = None) -> None:
        self.path = path.absolute()
        self.template = template
        self.account = Account(0, 0)
        self.server_dir = self.path / "server"
        self.bin_dir = Path()
        self.socket_dir = Path()
        self.password = ""
        self._throwaway = throwaway
        self._lock: IO[str] | None = None

    @property
    def data_dir(self) -> Path:
        """The server's data folder."""
        return self.server_dir / "data"

    @property
    def has_data(self) -> bool:
        """Whether the data was created by an earlier start."""
        return (self.data_dir / "PG_VERSION").is_file()

    @property
    def log_path(self) -> Path:
        """The server's log file."""
        return self.server_dir / "log"

    def acquire(self) -> None:
        """Create the folder and acquire its lock, which the kernel releases if we die.

        Raises:
            PostgresBusyError: another supervisor holds it.
            PostgresError: it belongs to another user.
        """
        if self._lock is not None:
            raise PostgresBusyError("This embedded PostgreSQL is started already.")
        try:
            make_passable(self.path)
            lock = (self.path / "lock").open("a+", encoding="ascii")
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
                f"{self.path} is in use by process {holder}: stop that one first, "
                "or set VAR_DIR to another folder."
            ) from None
        lock.truncate(0)
        lock.write(str(os.getpid()))
        lock.flush()
        self._lock = lock

    def release(self) -> None:
        """Release the lock and remove temporary contents; idempotent."""
        if self._lock is None:
            return
        if self._throwaway:
            shutil.rmtree(self.server_dir, ignore_errors=True)
            (self.path / "place").unlink(missing_ok=True)
        if self.socket_dir not in (self.server_dir / "run", Path()):
            shutil.rmtree(self.socket_dir, ignore_errors=True)
            (self.path / "socket").unlink(missing_ok=True)
        self._lock.close()
        self._lock = None

    def is_held(self) -> bool:
        """Return whether the lock that we acquired is still the folder's lock."""
        if self._lock is None:
            return False
        try:
            found = (self.path / "lock").stat()
        except FileNotFoundError:
            return False
        return os.path.samestat(found, os.fstat(self._lock.fileno()))

    def is_taken(self) -> bool:
        """Return whether another supervisor holds the folder; creates and locks nothing."""
        try:
            with (self.path / "lock").open("rb") as lock:
                fcntl.flock(lock, fcntl.LOCK_SH | fcntl.LOCK_NB)
        except FileNotFoundError:
            return False
        except BlockingIOError:
            return True
        return False

    def load(self) -> None:
        """Read socket and password of a folder that another supervisor holds.

        Raises:
            FileNotFoundError: it is not complete yet.
        """
        self.server_dir = self._recorded("place") or self.path / "server"
        self.socket_dir = self._recorded("socket") or self.server_dir / "run"
        self.password = (self.path / "password").read_text(encoding="ascii").strip()

    def prepare(self) -> None:
        """Choose account, folders, programs and password; starts nothing."""
        self.server_dir = self._recorded("place") or self.path / "server"
        if self._throwaway:
            shutil.rmtree(self.server_dir, ignore_errors=True)
        self.account = choose_account(self.server_dir if self.server_dir.is_dir() else None)
        if not self.server_dir.is_dir():
            self.server_dir = self._make_server_dir()
        self.bin_dir = reachable_install(find_install(), self.account) / "bin"
        self.password = self._keep_password()
        self.socket_dir = self._make_socket_dir()

    def _make_server_dir(self) -> Path:
        """Create ``server/`` here, or elsewhere if the account cannot enter the state folder."""
        place = self.path / "server"
        if not self.account.can_enter(self.path):
            root = Path(tempfile.gettempdir()) if self._is_temporary() else private_root()
            place = root / f"{PRIVATE_ROOT_NAME}-{secrets.token_hex(8)}"
            write_private(self.path / "place", str(place))
        place.mkdir(mode=0o700)
        self.account.own(place)
        return place

    def _is_temporary(self) -> bool:
        """Return whether the data is temporary and belongs among temporary files."""
        temporary = Path(tempfile.gettempdir()).resolve()
        return self._throwaway or self.path.resolve().is_relative_to(temporary)

    def _make_socket_dir(self) -> Path:
        """Return an existing folder whose socket path is short enough for the kernel."""
        folder = self.server_dir / "run"
        if len(os.fsencode(folder)) > MAX_SOCKET_FOLDER_BYTES:
            kept = self._recorded("socket")
            if kept and is_own_folder(kept, self.account.uid):
                return kept
            folder = Path(tempfile.mkdtemp(prefix="king-of-fans-", dir="/tmp"))
            write_private(self.path / "socket", str(folder))
        folder.mkdir(exist_ok=True)
        self.account.own(folder)
        return folder

    def _recorded(self, name: str) -> Path | None:
        """Return the path stored in ``state_dir/name``, or None."""
        try:
            text = (self.path / name).read_text(encoding="utf-8").strip()
        except FileNotFoundError:
            return None
        return Path(text) if text else None

    def _keep_password(self) -> str:
        """Return the superuser's password, created once, before any data exists."""
        path = self.path / "password"
        if path.is_file():
            return path.read_text(encoding="ascii").strip()
        if self.has_data:
            raise PostgresError(
                f"{path} is missing, so the data in {self.data_dir} cannot be opened: "
                "put the file back, or move the data away to begin anew."
            )
        if self.template is not None:
            password = (self.template / "password").read_text(encoding="ascii")
        else:
            password = secrets.token_urlsafe(24)
        write_private(path, password)
        return password

    def save_as_template(self, template: Path) -> None:
        """Copy password and data of a stopped server to a folder that others can start from."""
        template.mkdir(mode=0o700, parents=True)
        write_private(template / "password", self.password)
        copy_with_owners(self.data_dir, template / "data")


def make_passable(folder: Path) -> None:
    """Create ``folder`` and its missing parents so that other accounts may pass, but not list.

    Existing folders keep their mode: a private parent is intentional.
    """
    missing = [path for path in (folder, *folder.parents) if not path.exists()]
    for path in reversed(missing):
        path.mkdir(exist_ok=True)
        path.chmod(0o711)


def copy_with_owners(source: Path, target: Path) -> None:
    """Copy a folder whose files may belong to another account.

    Raises:
        PostgresError: the copy is incomplete.
    """
    copying = ["/bin/cp", "-a", str(source), str(target)]
    copied = subprocess.run(copying, capture_output=True, text=True, check=False)
    if copied.returncode != 0:
        raise PostgresError(f"{source} cannot be copied: {copied.stderr.strip()}")


def is_own_folder(path: Path, uid: int) -> bool:
    """Return whether ``path`` is a real folder of ``uid``: anyone can create links in /tmp."""
    return path.is_dir() and not path.is_symlink() and path.stat().st_uid == uid


def write_private(path: Path, text: str) -> None:
    """Write ``text`` atomically, readable only by its owner."""
    unfinished = path.with_name(f"{path.name}.new")
    unfinished.unlink(missing_ok=True)
    descriptor = os.open(unfinished, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600)
    with os.fdopen(descriptor, "w", encoding="utf-8") as file:
        file.write(text)
        file.flush()
        os.fsync(file.fileno())
    unfinished.replace(path)
