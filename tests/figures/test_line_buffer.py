"""A log's reader that stalls stops nobody: lines are kept for a while, then counted and dropped."""

import json
import os
import subprocess
import sys
import time

from api.figures.line_buffer import LineBuffer

PATIENCE_SECONDS = 10.0
LINES = 20_000
WRITER = """
import sys, time
from api.figures.line_buffer import LineBuffer
dropped = 0
def count():
    global dropped
    dropped += 1
buffer = LineBuffer(sys.stdout, most_characters=300_000)
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
        longest, dropped = process.stderr.readline().split()  # nothing of its output was read yet
        lines = [json.loads(line) for line in process.stdout.read().splitlines()]

    assert float(longest) < 0.5
    written = [line["number"] for line in lines if line["event"] == "request"]
    told = sum(line["count"] for line in lines if line["event"] == "log lines dropped")
    assert written == sorted(written)
    assert int(dropped) > 0
    assert told == int(dropped)
    assert len(written) + told == LINES


def test_lines_are_whole_and_soon_there() -> None:
    out, into = os.pipe()
    buffer = LineBuffer(os.fdopen(into, "w"))

    began = time.monotonic()
    buffer.write("one\n")
    buffer.write("two\n")

    assert os.read(out, 100) == b"one\ntwo\n"
    assert time.monotonic() - began < PATIENCE_SECONDS
    os.close(out)
