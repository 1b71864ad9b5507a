"""The figures of the server's processes on one machine, in a folder that only they read.

Each process writes what it has counted down again and again, and once more at its end. What a
scrape has shown is in a file then, so a process that dies takes nothing away that anybody saw.
"""

import asyncio
import fcntl
import json
import os
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from api.core import clock
from api.core.logs import report_unavailable
from api.core.metrics import Metrics
from api.core.supervisor import Job
from api.figures.snapshots import Family, Snapshot, add_up, take_snapshot

FOLDER = "KING_OF_FANS_FIGURES"  # the variable by which a server tells its processes the folder
WANTED = "KING_OF_FANS_PROCESSES"  # and how many of them there should be
WRITE_SECONDS = 2.0
KEPT_ENDED = 8  # more files of ended processes than that are added up into one


class MultiprocessMetrics:
    """Writes this process's figures and reads those of the others."""

    def __init__(self, folder: Path, metrics: Metrics) -> None:
        self._folder = folder
        self._metrics = metrics
        self._name = f"{os.getpid()}-{clock.now().timestamp():.6f}.json"
        self._writing = threading.Lock()
        self._taken = self._written = 0  # numbers of our snapshots

    def job(self) -> Job:
        """Return what writes again and again."""
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
        """Replace our own file, unless a later snapshot is in it: scrapes write beside the job."""
        with self._writing:
            if number > self._written:
                self._write(self._name, snapshot)
                self._written = number

    async def read(self) -> list[Snapshot]:
        """Write our own figures, then return those of the others, dead ones included.

        Without room on the disk there are only our own.
        """
        try:
            await self._write_again()
            return await asyncio.to_thread(self._read)
        except OSError as error:
            report_unavailable("figures of other processes", error)
            return []

    def _write(self, name: str, snapshot: Snapshot, added: tuple[str, ...] = ()) -> None:
        """Replace one file; ``added`` names those whose figures it holds."""
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
        """Keep many ends from becoming many files."""
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
        """Let one process read at a time: reading may put files together."""
        with (self._folder / "lock").open("w") as lock:
            fcntl.flock(lock, fcntl.LOCK_EX)
            yield


def metrics_of_processes(metrics: Metrics) -> MultiprocessMetrics | None:
    """Return what shares figures with the server's other processes; None for one that is alone."""
    folder = os.environ.get(FOLDER)
    return MultiprocessMetrics(Path(folder), metrics) if folder else None


def processes_wanted() -> int:
    """Return how many processes the server should have."""
    return int(os.environ.get(WANTED, "1"))


def _lives(process: str) -> bool:
    """Say whether a process is there; the pid 0 stands for ended ones that were added up."""
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
