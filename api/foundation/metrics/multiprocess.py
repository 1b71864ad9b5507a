"""Metrics of all server processes on one machine, shared through a private folder.

Each process writes its metrics periodically, and once more when it ends. What a scrape has shown is
in a file by then, so counters never go back when a process dies.
"""

import asyncio
import fcntl
import json
import os
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from api.foundation.core import clock
from api.foundation.core.logs import report_unavailable
from api.foundation.core.metrics import Metrics
from api.foundation.core.supervisor import Job
from api.foundation.metrics.snapshots import Family, Snapshot, add_up, take_snapshot

FOLDER = "KING_OF_FANS_FIGURES"  # environment variable with the folder
WANTED = "KING_OF_FANS_PROCESSES"  # environment variable with the number of processes
WRITE_SECONDS = 2.0
KEPT_ENDED = 8  # more files of ended processes than that are merged


class MultiprocessMetrics:
    """Writes this process's metrics and reads those of the others."""

    def __init__(self, folder: Path, metrics: Metrics) -> None:
        self._folder = folder
        self._metrics = metrics
        self._name = f"{os.getpid()}-{clock.now().timestamp():.6f}.json"
        self._writing = threading.Lock()
        self._taken = self._written = 0  # sequence numbers of our snapshots

    def job(self) -> Job:
        """Return the job that writes periodically."""
        return Job(
            name="figures", step=self._write_again, every_seconds=WRITE_SECONDS, begins_at_once=True
        )

    async def _write_again(self) -> None:
        snapshot = take_snapshot(self._metrics.registry)
        self._taken += 1
        await asyncio.to_thread(self._write_own, self._taken, snapshot)

    def close(self) -> None:
        """Write for the last time."""
        snapshot = take_snapshot(self._metrics.registry)._replace(has_ended=True)
        self._write_own(self._taken + 1, snapshot)

    def _write_own(self, number: int, snapshot: Snapshot) -> None:
        """Replace our own file unless it has a later snapshot, since scrapes write concurrently."""
        with self._writing:
            if number > self._written:
                self._write(self._name, snapshot)
                self._written = number

    async def read(self) -> list[Snapshot]:
        """Write our own metrics, and return those of the other processes, including ended ones.

        If the disk is full, only our own are available.
        """
        try:
            await self._write_again()
            return await asyncio.to_thread(self._read)
        except OSError as error:
            report_unavailable("figures of other processes", error)
            return []

    def _write(self, name: str, snapshot: Snapshot, added: tuple[str, ...] = ()) -> None:
        """Replace one file; ``added`` are the files that it merges."""
        unfinished = self._folder / f"{name}.new"
        content = [clock.now().timestamp(), added, *snapshot]
        unfinished.write_text(json.dumps(content, separators=(",", ":")), encoding="utf-8")
        unfinished.replace(self._folder / name)

    def _read(self) -> list[Snapshot]:
        with self._locked():
            found: dict[str, Snapshot] = {}
            added: set[str] = set()
            for path in self._folder.glob("*.json"):
                written_at, names, process, families, has_ended, _ = json.loads(path.read_text())
                found[path.name] = Snapshot(
                    process,
                    [Family(*family) for family in families],
                    has_ended or not _lives(process),
                    clock.now().timestamp() - written_at,
                )
                added.update(names)
            for name in added & found.keys():
                del found[name]
                (self._folder / name).unlink(missing_ok=True)
            self._add_up_ended(found)
        found.pop(self._name, None)
        return list(found.values())

    def _add_up_ended(self, found: dict[str, Snapshot]) -> None:
        ended = [name for name, snapshot in found.items() if not _lives(snapshot.process)]
        if len(ended) <= KEPT_ENDED:
            return
        together = Snapshot("0", add_up([found[name] for name in ended]), has_ended=True)
        name = f"ended-{clock.now().timestamp():.6f}.json"
        self._write(name, together, tuple(ended))
        for gone in ended:
            del found[gone]
            (self._folder / gone).unlink(missing_ok=True)
        found[name] = together

    @contextmanager
    def _locked(self) -> Iterator[None]:
        """Hold the lock of readers, which may merge files."""
        with (self._folder / "lock").open("w") as lock:
            fcntl.flock(lock, fcntl.LOCK_EX)
            yield


def metrics_of_processes(metrics: Metrics) -> MultiprocessMetrics | None:
    """Return the shared metrics of a server with several processes; None for a single one."""
    folder = os.environ.get(FOLDER)
    return MultiprocessMetrics(Path(folder), metrics) if folder else None


def processes_wanted() -> int:
    """Return the configured number of processes."""
    return int(os.environ.get(WANTED, "1"))


def _lives(process: str) -> bool:
    """Return whether a process is running; pid 0 stands for merged ended ones."""
    pid = int(process)
    if pid == 0:
        return False
    try:
        os.kill(pid, 0)
    except ProcessLookupError:
        return False
    except PermissionError:
        return True
    return True
