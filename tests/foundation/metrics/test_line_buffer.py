"""A stalled log reader does not block: lines are buffered for a while, then counted and dropped."""

import errno
import io
import json
import os
import subprocess
import sys
import time

import pytest
from api.foundation.metrics import line_buffer
from api.foundation.metrics.line_buffer import LineBuffer
from typing_extensions import override

from tests.waiting import DEADLINE_SECONDS

LINES = 20_000
WRITER = """
import sys, time
from api.foundation.metrics.line_buffer import LineBuffer
dropped = 0
def count():
    global dropped
    dropped += 1
buffer = LineBuffer(sys.stdout, max_characters=300_000)
buffer.on_dropped = count
longest = 0.0
for number in range(20_000):
    began = time.perf_counter()
    buffer.write('{"event": "request", "number": %d}\\n' % number)
    longest = max(longest, time.perf_counter() - began)
    if number % 100 == 0:
        time.sleep(0.001)
print(longest, dropped, file=sys.stderr, flush=True)
"""


def test_a_reader_that_stalls_keeps_nobody_waiting_and_hears_what_it_missed() -> None:
    with subprocess.Popen(
        [sys.executable, "-c", WRITER], stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True
    ) as process:
        assert process.stdout is not None
        assert process.stderr is not None
        slowest, dropped = process.stderr.readline().split()  # its output has not been read yet
        lines = [json.loads(line) for line in process.stdout.read().splitlines()]

    assert float(slowest) < 0.5
    written = [line["number"] for line in lines if line["event"] == "request"]
    reported = sum(line["count"] for line in lines if line["event"] == "log lines dropped")
    assert written == sorted(written)
    assert int(dropped) > 0
    assert reported == int(dropped)
    assert len(written) + reported == LINES


def test_lines_are_whole_and_soon_there() -> None:
    out, into = os.pipe()
    buffer = LineBuffer(os.fdopen(into, "w"))

    buffer.write("one\n")
    buffer.write("two\n")

    assert os.read(out, 100) == b"one\ntwo\n"
    os.close(out)


class FullOnce(io.StringIO):
    """A file on a disk that is full at the first write."""

    has_room = False

    @override
    def write(self, text: str) -> int:
        if not self.has_room:
            self.has_room = True
            raise OSError(errno.ENOSPC, "No space left on device")
        return super().write(text)


def test_after_a_disk_was_full_lines_are_written_again_and_the_lost_ones_told(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(line_buffer, "AGAIN_SECONDS", 0.01)
    file = FullOnce()
    buffer = LineBuffer(file)
    lost: list[None] = []
    buffer.on_dropped = lambda: lost.append(None)
    deadline = time.monotonic() + DEADLINE_SECONDS

    buffer.write("lost\n")
    while not lost:
        assert time.monotonic() < deadline, "nothing was tried"
        time.sleep(0.01)
    buffer.write("kept\n")
    while not file.getvalue().endswith("}\n"):
        assert time.monotonic() < deadline, "nothing is written any more"
        time.sleep(0.01)

    kept, reported = file.getvalue().splitlines()
    assert kept == "kept"
    assert json.loads(reported)["count"] == 1
