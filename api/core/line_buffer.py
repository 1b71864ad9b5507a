"""Standard output that nobody waits for: lines are kept, and written by a thread.

A log's reader that stalls stops whoever writes to its full pipe. Here it stops the thread alone;
lines are kept up to a limit, and what comes beyond it is counted and dropped.
"""

import atexit
import io
import json
import threading
import time
from collections.abc import Callable
from typing import TextIO

from typing_extensions import override

from api.core import clock

PAUSE_SECONDS = 0.05  # in which lines gather: one write for all of them
MOST_CHARACTERS = 4 * 1024 * 1024
LAST_SECONDS = 2.0  # at the end of the process


class LineBuffer(io.TextIOBase):
    """Takes whole lines for ``stream``. ``on_dropped`` is called for each that is dropped.

    A process that is killed loses what it wrote in the last ``PAUSE_SECONDS``.
    """

    def __init__(self, stream: TextIO, *, most_characters: int = MOST_CHARACTERS) -> None:
        super().__init__()
        self._stream = stream
        self._most = most_characters
        self._lines: list[str] = []
        self._characters = 0
        self._dropped = 0
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
        """Keep one line, or drop it when too much is waiting."""
        if self._characters > self._most:
            self._dropped += 1
            self.on_dropped()
            return len(text)
        self._lines.append(text)
        self._characters += len(text)
        if not self._has_lines.is_set():
            self._is_written.clear()
            self._has_lines.set()
        return len(text)

    def _write_on(self) -> None:
        while True:
            self._has_lines.wait()
            time.sleep(PAUSE_SECONDS)
            self._has_lines.clear()
            lines, self._lines = self._lines, []
            try:
                self._stream.write("".join(lines))
                self._stream.flush()
            except (OSError, ValueError):  # nobody reads any more: there is nobody to tell
                return
            self._characters -= sum(map(len, lines))
            if self._dropped:
                self._tell_dropped()
            if not self._has_lines.is_set():
                self._is_written.set()

    def _tell_dropped(self) -> None:
        count, self._dropped = self._dropped, 0
        line = {
            "event": "log lines dropped",
            "count": count,
            "level": "warning",
            "timestamp": clock.now().isoformat().replace("+00:00", "Z"),
        }
        self.write(json.dumps(line) + "\n")
