"""The figures of several processes are one: added up, and never fewer than were shown."""

import asyncio
import json
import os
import signal
import subprocess
import sys
from pathlib import Path

import pytest
from api.foundation.core.metrics import Metrics
from api.foundation.metrics import multiprocess
from api.foundation.metrics.multiprocess import (
    KEPT_ENDED,
    MultiprocessMetrics,
    metrics_of_processes,
)
from api.foundation.metrics.snapshots import render, take_snapshot

OTHER_PROCESS = """
import asyncio, os, signal, sys
from pathlib import Path
from api.foundation.core.metrics import Metrics
from api.foundation.metrics.multiprocess import MultiprocessMetrics

metrics = Metrics()
for _ in range(int(sys.argv[2])):
    metrics.count_request("/api/v1/clubs", 200, 0.02)
metrics.sockets.labels("/chat").set(7)
ours = MultiprocessMetrics(Path(sys.argv[1]), metrics)
asyncio.run(ours._write_again())
if sys.argv[3] == "killed":
    os.kill(os.getpid(), signal.SIGKILL)
if sys.argv[3] == "ended":
    ours.close()
print("written", flush=True)
sys.stdin.read()
"""
REQUESTS = 'http_requests_total{route="/api/v1/clubs",status="200"}'


def other_process(folder: Path, count: int, fate: str) -> subprocess.Popen[bytes]:
    process = subprocess.Popen(
        [sys.executable, "-c", OTHER_PROCESS, str(folder), str(count), fate],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
    )
    assert process.stdout is not None
    process.stdout.readline()
    return process


def files(folder: Path) -> list[Path]:
    return list(folder.glob("*.json"))


def end(process: subprocess.Popen[bytes]) -> int:
    process.communicate(b"")
    return process.returncode


async def shown(metrics: Metrics, ours: MultiprocessMetrics) -> dict[str, float]:
    lines = render(metrics, await ours.read()).decode().splitlines()
    pairs = (line.rsplit(" ", 1) for line in lines if not line.startswith("#"))
    return {name: float(value) for name, value in pairs}


async def test_a_scrape_adds_up_counters_and_says_whose_a_gauge_is(tmp_path: Path) -> None:
    other = other_process(tmp_path, 3, "alive")
    metrics = Metrics()
    ours = MultiprocessMetrics(tmp_path, metrics)
    metrics.count_request("/api/v1/clubs", 200, 0.3)
    metrics.sockets.labels("/chat").set(2)

    figures = await shown(metrics, ours)
    end(other)

    assert figures[REQUESTS] == 4
    bucket = 'http_request_seconds_bucket{{le="{}",route="/api/v1/clubs"}}'
    assert [figures[bucket.format(le)] for le in ("0.01", "0.025", "0.5", "+Inf")] == [0, 3, 4, 4]
    assert figures[f'sockets_open{{namespace="/chat",process="{other.pid}"}}'] == 7
    assert figures[f'sockets_open{{namespace="/chat",process="{os.getpid()}"}}'] == 2
    assert figures["server_processes"] == 2
    assert 0 <= figures[f'server_process_silent_seconds{{process="{other.pid}"}}'] < 10
    assert figures["server_process_starts_total"] == 2
    assert len({line for line in figures if line.startswith("process_open_fds{")}) == 2


@pytest.mark.parametrize("fate", ["killed", "ended"])
async def test_what_a_process_counted_stays_when_it_is_gone(tmp_path: Path, fate: str) -> None:
    process = other_process(tmp_path, 5, fate)
    assert end(process) == (-signal.SIGKILL if fate == "killed" else 0)
    metrics = Metrics()

    figures = await shown(metrics, MultiprocessMetrics(tmp_path, metrics))

    assert figures[REQUESTS] == 5
    assert figures["server_processes"] == 1
    assert not any("/chat" in line for line in figures)


async def test_many_ends_become_one_file_and_count_once(tmp_path: Path) -> None:
    metrics = Metrics()
    ours = MultiprocessMetrics(tmp_path, metrics)
    gone = other_process(tmp_path, 2, "ended")
    end(gone)
    (file,) = files(tmp_path)
    for number in range(KEPT_ENDED + 3):
        (tmp_path / f"{gone.pid}-{number}.json").write_bytes(file.read_bytes())
    expected = 2.0 * (KEPT_ENDED + 4)

    assert (await shown(metrics, ours))[REQUESTS] == expected
    assert len(files(tmp_path)) == 2, "ours, and what all the others were"
    assert (await shown(metrics, ours))[REQUESTS] == expected


async def test_a_file_that_was_added_up_is_not_counted_again(tmp_path: Path) -> None:
    metrics = Metrics()
    ours = MultiprocessMetrics(tmp_path, metrics)
    gone = other_process(tmp_path, 2, "ended")
    end(gone)
    (file,) = files(tmp_path)
    content = json.loads(file.read_text())
    content[1], content[2] = [file.name], "0"
    (tmp_path / "ended-1.json").write_text(json.dumps(content))  # killed before it removed the old

    assert (await shown(metrics, ours))[REQUESTS] == 2
    assert not file.exists()


def test_a_process_that_is_alone_shares_nothing(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv(multiprocess.FOLDER, raising=False)
    assert metrics_of_processes(Metrics()) is None


async def test_scrapes_that_come_together_write_one_after_the_other(tmp_path: Path) -> None:
    ours = MultiprocessMetrics(tmp_path, Metrics())

    await asyncio.gather(*(ours.read() for _ in range(100)))

    left = await asyncio.to_thread(lambda: sorted(path.suffix for path in tmp_path.iterdir()))
    assert left == ["", ".json"]


def test_an_earlier_look_that_is_late_does_not_undo_the_last(tmp_path: Path) -> None:
    metrics = Metrics()
    ours = MultiprocessMetrics(tmp_path, metrics)
    early = take_snapshot(metrics.registry)
    ours.close()
    ours._write_own(0, early)

    [left] = tmp_path.glob("*.json")
    assert json.loads(left.read_text())[4] is True, "it has ended"


async def test_without_room_on_the_disk_our_own_figures_are_shown(tmp_path: Path) -> None:
    other = other_process(tmp_path, 3, "alive")
    metrics = Metrics()
    metrics.count_request("/api/v1/clubs", 200, 0.3)
    ours = MultiprocessMetrics(tmp_path, metrics)
    full = tmp_path / f"{ours._name}.new"
    full.symlink_to("/dev/full")

    without_room = await shown(metrics, ours)
    full.unlink()
    with_room = await shown(metrics, ours)
    end(other)

    assert without_room[REQUESTS] == 1
    assert with_room[REQUESTS] == 4
