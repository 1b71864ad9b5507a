"""``python -m tests.preloading FD``: loads the product once, then forks it on request.

Requests come from ``tests/preloaded.py``. A child becomes ``python -m MODULE`` or ``python -c
CODE`` and leaves this loop permanently, so that it ends like any program. All forked processes end
with this process, and this process with its parent.
"""

import gc
import importlib
import importlib.util
import json
import multiprocessing
import os
import runpy
import selectors
import signal
import socket
import struct
import sys
import time
from contextlib import suppress
from typing import Any

import uvicorn._subprocess
from api.foundation.core.processes import die_with_parent

LOADED = (
    *(
        "api.foundation.server.__main__",
        "api.app.worker",
        "api.console.__main__",
        "api.app.backup.__main__",
    ),
    "api.dev.__main__",
)
STATUS = struct.Struct("i")


class Forker:
    """Forks on request, and writes each child's wait status to the requested file."""

    def __init__(self, requests: socket.socket) -> None:
        self._requests = requests
        self._status_of: dict[int, int] = {}
        self._ended, self._tell_ended = os.pipe2(os.O_NONBLOCK | os.O_CLOEXEC)
        self._tie = die_with_parent(os.getpid(), signal.SIGKILL)

    def run(self) -> dict[str, Any] | None:
        """Serve requests; return one in each child, and None here when there are no more."""
        signal.signal(signal.SIGCHLD, lambda *_: None)
        signal.set_wakeup_fd(self._tell_ended, warn_on_full_buffer=False)
        with selectors.DefaultSelector() as waiting:
            waiting.register(self._requests, selectors.EVENT_READ)
            waiting.register(self._ended, selectors.EVENT_READ)
            while True:
                for key, _ in waiting.select():
                    if key.fileobj is not self._requests:
                        self._report_ended()
                        continue
                    received = receive(self._requests)
                    if received is None:
                        return None
                    wish, files = received
                    if self._fork(files):
                        return wish

    def _fork(self, files: list[int]) -> bool:
        """Fork and return whether this is the child."""
        *first_three, status = files
        pid = os.fork()
        if pid != 0:
            self._status_of[pid] = status
            for file in first_three:
                os.close(file)
            self._requests.sendall(STATUS.pack(pid))
            return False
        self._tie()
        signal.set_wakeup_fd(-1)
        signal.signal(signal.SIGCHLD, signal.SIG_DFL)
        # Like programs started by a terminal: a shell makes background programs ignore SIGINT.
        signal.signal(signal.SIGINT, signal.default_int_handler)
        for number, file in enumerate(first_three):
            os.dup2(file, number)
        for file in (*files, *self._status_of.values(), self._ended, self._tell_ended):
            os.close(file)
        self._requests.close()
        return True

    def _report_ended(self) -> None:
        os.read(self._ended, 65536)
        while self._status_of:
            pid, status = os.waitpid(-1, os.WNOHANG)
            if pid == 0:
                return
            file = self._status_of.pop(pid)
            with suppress(BrokenPipeError):  # the requester has closed its end
                os.write(file, STATUS.pack(status))
            os.close(file)


def receive(requests: socket.socket) -> tuple[dict[str, Any], list[int]] | None:
    """Return the next request with its files, or None if there are no more."""
    header, files, _, _ = socket.recv_fds(requests, STATUS.size, 4)
    if not header:
        return None
    (length,) = STATUS.unpack(header)
    text = b""
    while len(text) < length:
        part = requests.recv(length - len(text))
        if not part:  # the requester has ended
            return None
        text += part
    return json.loads(text), files


def become(wish: dict[str, Any]) -> None:
    """Become the requested program, as if the interpreter had just started."""
    if wish["session"]:
        os.setsid()
    os.environ.clear()
    os.environ.update(wish["environment"])
    time.tzset()
    os.chdir(wish["folder"])
    is_unbuffered = bool(os.environ.get("PYTHONUNBUFFERED"))
    sys.stdin = sys.__stdin__ = open(0, closefd=False)  # type: ignore[misc] # noqa: SIM115
    sys.stdout = sys.__stdout__ = open(1, "w", closefd=False)  # type: ignore[misc] # noqa: SIM115
    sys.stderr = sys.__stderr__ = open(  # type: ignore[misc] # noqa: SIM115
        2, "w", buffering=1, errors="backslashreplace", closefd=False
    )
    if is_unbuffered:
        sys.stdout.reconfigure(write_through=True)
    added = [one for one in os.environ.get("PYTHONPATH", "").split(os.pathsep) if one]
    sys.path[0:1] = [wish["folder"], *added]
    importlib.invalidate_caches()
    if added and importlib.util.find_spec("sitecustomize") is not None:
        importlib.import_module("sitecustomize")
    kind, program, *arguments = wish["arguments"]
    if kind == "-m":
        sys.argv = [program, *arguments]
        is_package = hasattr(sys.modules.get(program), "__path__")
        sys.modules.pop(f"{program}.__main__" if is_package else program, None)  # run, not imported
        runpy.run_module(program, run_name="__main__", alter_sys=True)
    else:
        sys.argv = ["-c", *arguments]
        main = sys.modules["__main__"]
        vars(main).update(__spec__=None)
        vars(main).pop("__file__", None)
        exec(compile(program, "<string>", "exec"), vars(main))  # noqa: S102 a test's own text


if __name__ == "__main__":
    for name in LOADED:
        importlib.import_module(name)
    # A server's workers would otherwise import everything again.
    uvicorn._subprocess.spawn = multiprocessing.get_context("fork")  # type: ignore[assignment]
    gc.collect()
    gc.freeze()
    wanted = Forker(socket.socket(fileno=int(sys.argv[1]))).run()
    if wanted is not None:
        become(wanted)
