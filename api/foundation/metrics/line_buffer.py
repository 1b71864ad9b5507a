"""Non-blocking standard output: lines are buffered, and written by a thread.

If a log reader stalls, its full pipe blocks the writer. Here it blocks only the thread; lines are
buffered up to a limit, and lines beyond it are counted and dropped.
"""

import atexit
import io
import json
import threading
import time
from collections.abc import Callable
from typing import TextIO

from typing_extensions import override

from api.foundation.core import clock

PAUSE_SECONDS = 0.05  # lines that arrive meanwhile share one write
MAX_CHARACTERS = 4 * 1024 * 1024
AGAIN_SECONDS = 1.0  # before retrying a failed write
LAST_SECONDS = 2.0  # for the last write when the process ends


class LineBuffer(io.TextIOBase):
    """Buffers whole lines for ``stream``. ``on_dropped`` is called for each dropped line.

    A killed process loses the output of its last ``PAUSE_SECONDS``.
    """

    def __init__(self, stream: TextIO, *, max_characters: int = MAX_CHARACTERS) -> None:
        super().__init__()
        self._stream = stream
        self._most = max_characters
        self._lines: list[str] = []
        self._characters = 0
        self._dropped = 0
        self._lock = threading.Lock()
        self._has_lines = threading.Event()
        self._is_written = threading.Event()
        self._is_written.set()
        self.on_dropped: Callable[[], None] = lambda: None
        threading.Thread(target=self._write_on, name="log", daemon=True).start()
        atexit.register(self._is_written.wait, LAST_SECONDS)

    @override
    def writable(self) -> bool:
        return True

    @override
    def fileno(self) -> int:
        return self._stream.fileno()

    @override
    def write(self, text: str) -> int:
        """Buffer one line, or drop it if the buffer is full."""
        with self._lock:
            is_kept = self._characters <= self._most
            if is_kept:
                self._lines.append(text)
                self._characters += len(text)
            else:
                self._dropped += 1
            if not self._has_lines.is_set():
                self._is_written.clear()
                self._has_lines.set()
        if not is_kept:
            self.on_dropped()
        return len(text)

    def _write_on(self) -> None:
        while True:
            self._has_lines.wait()
            time.sleep(PAUSE_SECONDS)
            with self._lock:
                self._has_lines.clear()
                text, self._lines = "".join(self._lines), []
                dropped, self._dropped = self._dropped, 0
            try:
                self._stream.write(text + _sum_of(dropped))
                self._stream.flush()
            except (BrokenPipeError, ValueError):  # the reader is gone, so it cannot be reported
                self._is_written.set()
                return
            except OSError:  # a disk that is full may be emptied
                with self._lock:
                    self._dropped += dropped + text.count("\n")
                self.on_dropped()
                time.sleep(AGAIN_SECONDS)
            with self._lock:
                self._characters -= len(text)
                if not self._lines:
                    self._is_written.set()


def _sum_of(dropped: int) -> str:
    """Return the line that reports how many were dropped, or ""."""
    if not dropped:
        return ""
    line = {
        "event": "log lines dropped",
        "count": dropped,
        "level": "warning",
        "timestamp": f"{clock.now().isoformat()[:26]}Z",
    }
    return json.dumps(line) + "\n"
