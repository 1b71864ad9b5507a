"""Runs the background worker beside the server, and restarts it when it ends."""

import os
import signal
import subprocess
import sys
import threading
from pathlib import Path
from typing import Self

from api.foundation.core.processes import die_with_parent

READY_SECONDS = 20.0
STOP_SECONDS = 15.0  # longer than the worker's own drain
PAUSE_SECONDS = 1.0  # before a restart
POLL_SECONDS = 0.05


class WorkerProcess:
    """Runs ``python -m api.app.worker`` with this process's environment during the block.

    It stores backups that operators request in ``backups``.
    """

    def __init__(self, var_dir: Path, backups: Path) -> None:
        self._ready_file = var_dir.absolute() / "worker-ready"
        self._backups = backups.absolute()
        self._stopping = threading.Event()
        self._process: subprocess.Popen[bytes] | None = None
        # The worker is tied to the thread that starts it, so that thread lives as long as we do.
        self._monitor_thread = threading.Thread(target=self._monitor, name="worker", daemon=True)

    def __enter__(self) -> Self:
        self._ready_file.unlink(missing_ok=True)
        self._monitor_thread.start()
        return self

    def __exit__(self, *_: object) -> None:
        self._stopping.set()
        if self._process is not None:
            self._process.send_signal(signal.SIGTERM)
        self._monitor_thread.join(STOP_SECONDS)
        if self._process is not None and self._process.poll() is None:
            self._process.kill()
        self._ready_file.unlink(missing_ok=True)

    def wait_until_ready(self) -> None:
        """Return when the worker is ready, or after ``READY_SECONDS``."""
        for _ in range(int(READY_SECONDS / POLL_SECONDS)):
            if self._ready_file.exists() or self._stopping.wait(POLL_SECONDS):
                return

    def _monitor(self) -> None:
        while not self._stopping.is_set():
            self._process = subprocess.Popen(
                [
                    *(sys.executable, "-m", "api.app.worker"),
                    *("--ready-file", str(self._ready_file), "--backups", str(self._backups)),
                ],
                stdin=subprocess.DEVNULL,
                start_new_session=True,  # Ctrl-C reaches only us; we stop it after the server
                preexec_fn=die_with_parent(os.getpid(), signal.SIGKILL),
            )
            if self._stopping.is_set():
                self._process.send_signal(signal.SIGTERM)
            self._process.wait()
            self._stopping.wait(PAUSE_SECONDS)
