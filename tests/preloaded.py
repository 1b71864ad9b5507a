"""Processes of the product that start in milliseconds: forked from one that has loaded it.

Starting ``python -m api.foundation.server`` loads two thousand modules: seconds of CPU time.
``PreloadedPopen`` and ``start`` create the same process, with its own id, arguments, environment,
folder, files and signals; only the imports were done before. A server started in this way forks its
workers, too. Each program has one test that starts it from a shell.
"""

import asyncio
import atexit
import functools
import json
import os
import signal
import socket
import struct
import subprocess
import sys
import threading
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import IO, Any

ROOT = Path(__file__).resolve().parents[1]
STATUS = struct.Struct("i")
POLL_SECONDS = 0.005


class Loader:
    """The process that has loaded the product and forks on request."""

    def __init__(self) -> None:
        self._one_request = threading.Lock()
        self._requests, theirs = socket.socketpair()
        with theirs:
            self._process = subprocess.Popen(
                [sys.executable, "-m", "tests.preloading", str(theirs.fileno())],
                cwd=ROOT,
                stdin=subprocess.DEVNULL,
                pass_fds=[theirs.fileno()],
            )
        atexit.register(self.stop)

    def fork(self, wish: dict[str, Any], files: Sequence[int]) -> int:
        """Fork a process and return its id.

        ``files`` are its stdin, stdout and stderr, and the pipe for its wait status.
        """
        text = json.dumps(wish).encode()
        with self._one_request:
            socket.send_fds(self._requests, [STATUS.pack(len(text))], files)
            self._requests.sendall(text)
            answer = self._requests.recv(STATUS.size)
        if not answer:
            raise AssertionError("the loader has ended")
        pid: int = STATUS.unpack(answer)[0]
        return pid

    def stop(self) -> None:
        """Stop the loader and its processes."""
        self._requests.close()
        self._process.wait()


_one_loader = threading.Lock()


def loader() -> Loader:
    """Return the loader of this process, started at the first call of any thread."""
    with _one_loader:
        return _start_loader()


@functools.cache
def _start_loader() -> Loader:
    return Loader()


class PreloadedPopen(subprocess.Popen[Any]):
    """A ``Popen`` of ``[python, "-m", MODULE, ...]`` or ``[python, "-c", CODE, ...]``."""

    _status_file = -1

    def _execute_child(self, *given: Any) -> None:
        """Request the process from the loader instead of starting a program."""
        args, _, preexec_fn, _, pass_fds, cwd, env, _, _, shell, *pipes_and_others = given
        if preexec_fn is not None or pass_fds or shell or str(args[0]) != sys.executable:
            raise ValueError(f"{args} cannot be forked: start it with subprocess")
        pipes = pipes_and_others[:6]  # of stdin, stdout and stderr: both ends, or -1 for ours
        theirs_of = (pipes[0], pipes[3], pipes[5])
        files = [file if file != -1 else own for own, file in enumerate(theirs_of)]
        wish = {
            "arguments": [os.fspath(one) for one in args[1:]],
            "environment": dict(os.environ if env is None else env),
            "folder": os.fspath(cwd or os.getcwd()),
            "session": bool(pipes_and_others[11]),  # start_new_session
        }
        self._status_file, theirs = os.pipe()
        try:
            self.pid = loader().fork(wish, [*files, theirs])
            self._child_created = True
        finally:
            os.close(theirs)
            self._close_pipe_fds(*pipes)  # type: ignore[attr-defined] # not in typeshed

    def _try_wait(self, wait_flags: int) -> tuple[int, int]:
        """Return the id and the wait status; the id is 0 while it runs."""
        os.set_blocking(self._status_file, not wait_flags)
        try:
            status = os.read(self._status_file, STATUS.size)
        except BlockingIOError:
            return 0, 0
        os.close(self._status_file)
        return self.pid, STATUS.unpack(status)[0] if status else signal.SIGKILL

    def _internal_poll(self, *_: object, **__: object) -> int | None:
        if self.returncode is None and self._waitpid_lock.acquire(blocking=False):  # type: ignore[attr-defined]
            try:
                pid, status = self._try_wait(os.WNOHANG)
                if pid == self.pid:
                    self._handle_exitstatus(status)  # type: ignore[attr-defined]
            finally:
                self._waitpid_lock.release()  # type: ignore[attr-defined]
        return self.returncode


class PreloadedProcess:
    """An ``asyncio.subprocess.Process`` for a preloaded process."""

    def __init__(self, popen: PreloadedPopen, stdout: asyncio.StreamReader | None) -> None:
        self._popen = popen
        self.stdout = stdout

    @property
    def pid(self) -> int:
        return self._popen.pid

    @property
    def returncode(self) -> int | None:
        code: int | None = self._popen.poll()
        return code

    def send_signal(self, number: int) -> None:
        self._popen.send_signal(number)

    def terminate(self) -> None:
        self.send_signal(signal.SIGTERM)

    def kill(self) -> None:
        self.send_signal(signal.SIGKILL)

    async def wait(self) -> int:
        while self.returncode is None:  # noqa: ASYNC110 the standard library polls, too
            await asyncio.sleep(POLL_SECONDS)
        return int(self._popen.returncode)

    async def communicate(self) -> tuple[bytes, None]:
        assert self.stdout is not None
        printed = await self.stdout.read()
        await self.wait()
        return printed, None


async def start(
    *arguments: str | Path,
    env: Mapping[str, str] | None = None,
    cwd: Path | None = None,
    stdout: int | None = None,
    stderr: int | None = None,
) -> PreloadedProcess:
    """Start ``python *arguments``; ``stdout`` and ``stderr`` are as for ``subprocess``."""
    command = [sys.executable, *arguments]
    popen = await asyncio.to_thread(
        PreloadedPopen, command, env=env, cwd=cwd, stdout=stdout, stderr=stderr
    )
    reader = await _reader_of(popen.stdout) if popen.stdout is not None else None
    return PreloadedProcess(popen, reader)


async def _reader_of(pipe: IO[bytes]) -> asyncio.StreamReader:
    reader = asyncio.StreamReader()
    protocol = asyncio.StreamReaderProtocol(reader)
    await asyncio.get_running_loop().connect_read_pipe(lambda: protocol, pipe)
    return reader


def run(
    command: Sequence[str | Path], *, timeout: float, **options: Any
) -> "subprocess.CompletedProcess[str]":
    """Equivalent of ``subprocess.run``, with its output as text."""
    with PreloadedPopen(
        command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, **options
    ) as process:
        try:
            stdout, stderr = process.communicate(timeout=timeout)
        except BaseException:
            process.kill()
            raise
    return subprocess.CompletedProcess(command, process.returncode, stdout, stderr)


def workers_of(server: int) -> list[int]:
    """Return the ids of a server's worker processes, whether it spawned or forked them."""
    children = Path(f"/proc/{server}/task/{server}/children").read_text().split()
    return [int(child) for child in children if _is_worker(child)]


def _is_worker(pid: str) -> bool:
    try:
        command = Path(f"/proc/{pid}/cmdline").read_bytes()
    except (FileNotFoundError, ProcessLookupError):  # it has ended since it was listed
        return False
    # A spawning process also has Python's resource tracker.
    return command != b"" and b"resource_tracker" not in command
