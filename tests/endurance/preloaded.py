"""Processes of a deployment that start in a tenth of a second: forked with everything imported.

What runs in them is what a container runs: ``python -m api.server`` and ``python -m api.worker``.
"""

import os
import signal
import subprocess
import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path

SERVER, WORKER = "server", "worker"
END_SECONDS = 10.0

ZYGOTE = """
import os, signal, sys
answers = os.fdopen(os.dup(1), "w")
os.dup2(2, 1)  # whatever else is printed is no answer
import api.main
from api.core.processes import die_with_parent
from api.server.__main__ import main as serve
from api.worker import main as work
signal.signal(signal.SIGCHLD, signal.SIG_IGN)  # nobody waits for the children
tie = die_with_parent(os.getpid(), signal.SIGKILL)
for line in sys.stdin:
    child = os.fork()
    if child == 0:
        tie()
        signal.signal(signal.SIGCHLD, signal.SIG_DFL)
        os._exit(serve() if line.strip() == "server" else work([]))
    print(child, file=answers, flush=True)
"""


class Processes:
    """A server and a worker, which can be killed and started again."""

    def __init__(self, zygote: "subprocess.Popen[str]") -> None:
        self._zygote = zygote
        self.pids: dict[str, int] = {}
        self.kills = {SERVER: 0, WORKER: 0}

    def start(self, name: str) -> None:
        """Start one of them."""
        assert self._zygote.stdin is not None
        assert self._zygote.stdout is not None
        self._zygote.stdin.write(f"{name}\n")
        self._zygote.stdin.flush()
        self.pids[name] = int(self._zygote.stdout.readline())

    def kill(self, name: str) -> None:
        """End one of them with SIGKILL, and return when it is gone."""
        pid = self.pids.pop(name)
        os.kill(pid, signal.SIGKILL)
        deadline = time.monotonic() + END_SECONDS
        with suppress(ProcessLookupError):
            while time.monotonic() < deadline:
                os.kill(pid, 0)
                time.sleep(0.005)
            raise AssertionError(f"the {name} does not end")

    def kill_and_start(self, name: str) -> None:
        """Do both, and count it."""
        self.kill(name)
        self.kills[name] += 1
        self.start(name)


@contextmanager
def preloaded(environment: dict[str, str], log: Path) -> Iterator[Processes]:
    """Run a server and a worker with these settings, for as long as the block; they write a log."""
    with (
        log.open("w") as lines,
        subprocess.Popen(
            [sys.executable, "-c", ZYGOTE],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=lines,
            text=True,
            env=environment,
        ) as zygote,
    ):
        processes = Processes(zygote)
        try:
            processes.start(SERVER)
            processes.start(WORKER)
            yield processes
        finally:
            for name in list(processes.pids):
                with suppress(ProcessLookupError):
                    processes.kill(name)
            zygote.kill()
