"""Process helpers: children that exit with their parent, threads with lower priority."""

import ctypes
import os
import signal
import sys
import threading
from collections.abc import Callable
from types import FrameType

PR_SET_PDEATHSIG = 1  # prctl(2)
STOPPING = "stopping"  # key in requests' state of the event that the server sets on shutdown


def die_with_parent(parent_pid: int, stop_signal: signal.Signals) -> Callable[[], None]:
    """Return a function that, run inside a child, ties it to the thread that started it.

    The kernel sends ``stop_signal`` to the child when that *thread* ends, so start children from a
    thread that lives as long as the program. Changing the user clears the request: call the
    function after the change. It does nothing outside Linux, where the next start has to find
    orphans.
    """
    if sys.platform != "linux":
        return lambda: None
    libc = ctypes.CDLL(None)  # loaded before the fork: dlopen is not safe after it

    def tie() -> None:
        libc.prctl(PR_SET_PDEATHSIG, int(stop_signal))
        if os.getppid() != parent_pid:  # the parent died before the request was made
            os.kill(os.getpid(), stop_signal)

    return tie


def exit_on_sigterm() -> None:
    """Turn SIGTERM into ``SystemExit(143)``, so that ``finally`` blocks and ``with`` run.

    After its own shutdown uvicorn re-raises the signal that stopped it; with the default handler
    that second signal would end the process immediately.
    """

    def leave(number: int, _frame: FrameType | None) -> None:
        sys.exit(128 + number)

    signal.signal(signal.SIGTERM, leave)


def lower_priority(niceness: int = 10) -> None:
    """Lower this thread's scheduling priority; on Linux niceness is per thread."""
    if sys.platform == "linux":
        os.setpriority(os.PRIO_PROCESS, threading.get_native_id(), niceness)
