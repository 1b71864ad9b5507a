"""Metrics and listings of stored jobs for operators, without payloads."""

import math
from collections.abc import Sequence
from contextlib import suppress
from dataclasses import dataclass
from datetime import datetime, timedelta
from uuid import UUID

import asyncpg
from prometheus_client import Counter, Gauge

from api.foundation.core import clock
from api.foundation.core.errors import DatabaseUnavailableError
from api.foundation.core.metrics import Metrics
from api.foundation.database.database import Database
from api.foundation.database.statements import Query

STATES = {"queued": "waiting", "picked": "running", "failed": "failed"}
BEAT = """
INSERT INTO job_kind (name, beat_at) SELECT unnest($1::text[]), $2
ON CONFLICT (name) DO UPDATE SET beat_at = EXCLUDED.beat_at
"""
SUCCESS = """
INSERT INTO job_kind AS kind (name, beat_at, succeeded_at, successes, due_at)
VALUES ($1, $2, $2, 1, $3)
ON CONFLICT (name) DO UPDATE SET beat_at = $2, succeeded_at = $2, successes = kind.successes + 1,
  due_at = $3, runs_until = NULL
"""
FAILURE = """
INSERT INTO job_kind AS kind (name, beat_at, failed_at, failures, due_at)
VALUES ($1, $2, $2, 1, $3)
ON CONFLICT (name) DO UPDATE SET beat_at = $2, failed_at = $2, failures = kind.failures + 1,
  due_at = $3, runs_until = NULL
"""
WORKER_BEAT = """
INSERT INTO job_worker (id, started_at, beat_at, resident_bytes, open_files, loop_lag_ms)
VALUES ($1, $2, $3, $4, $5, $6)
ON CONFLICT (id) DO UPDATE SET beat_at = EXCLUDED.beat_at,
  resident_bytes = EXCLUDED.resident_bytes, open_files = EXCLUDED.open_files,
  loop_lag_ms = EXCLUDED.loop_lag_ms
"""
SHOWN_FOR = timedelta(minutes=1)  # a worker without a heartbeat for that long is gone


@dataclass(frozen=True)
class KindFigures:
    """The runs of a kind of work, and its jobs in the queue by state."""

    kind: str
    beat_at: datetime | None
    succeeded_at: datetime | None
    successes: int | None
    failures: int | None
    waiting: int
    running: int
    failed: int
    oldest: datetime | None


@dataclass(frozen=True)
class QueuedJob:
    """A job in the queue, as stored, with its last error."""

    id: int
    kind: str
    state: str
    created: datetime
    attempts: int
    error: str | None


@dataclass(frozen=True)
class WorkerRow:
    """A worker process's last heartbeat."""

    id: UUID
    started_at: datetime
    beat_at: datetime
    resident_bytes: int
    open_files: int
    loop_lag_ms: int


# The library's 'picked' is running; finished jobs are deleted, and only dead letters stay 'failed'.
COUNTS = Query(
    """
SELECT coalesce(k.name, q.entrypoint) AS kind, k.beat_at, k.succeeded_at, k.successes, k.failures,
       count(*) FILTER (WHERE q.status = 'queued') AS waiting,
       count(*) FILTER (WHERE q.status = 'picked') AS running,
       count(*) FILTER (WHERE q.status = 'failed') AS failed,
       min(q.created) FILTER (WHERE q.status = 'queued') AS oldest
  FROM job_kind k FULL JOIN pgqueuer q ON q.entrypoint = k.name
 GROUP BY 1, 2, 3, 4, 5 ORDER BY 1
""",
    KindFigures,
)
LISTED = Query(
    """
SELECT q.id, q.entrypoint AS kind, q.status::text AS state, q.created, q.attempts, last.error
  FROM pgqueuer q
  LEFT JOIN LATERAL (
    SELECT l.traceback ->> 'exception_message' AS error FROM pgqueuer_log l
     WHERE l.job_id = q.id AND l.traceback IS NOT NULL ORDER BY l.created DESC, l.id DESC LIMIT 1
  ) last ON true
 ORDER BY q.created, q.id LIMIT $1
""",
    QueuedJob,
)
WORKERS = Query(
    """
SELECT id, started_at, beat_at, resident_bytes, open_files, loop_lag_ms
  FROM job_worker WHERE beat_at > $1 ORDER BY started_at DESC LIMIT 50
""",
    WorkerRow,
)


@dataclass(frozen=True)
class Vitals:
    """The state of a worker process."""

    resident_bytes: int = 0
    open_files: int = 0
    loop_lag_ms: int = 0


@dataclass(frozen=True)
class ListedJob:
    """A job in the queue. ``state`` is waiting, running or failed; ``error`` is the last one."""

    id: int
    kind: str
    state: str
    age: timedelta
    tries: int
    error: str | None


class StoredJobFigures:
    """Metrics of the queue and of its workers."""

    def __init__(self, database: Database, metrics: Metrics) -> None:
        self._database = database
        self._registry = metrics.everybodys
        self._jobs = self._gauge(
            "stored_jobs", "Stored jobs that wait, run, or have failed for good", "kind", "state"
        )
        self._oldest = self._gauge(
            "stored_job_oldest_waiting_seconds", "Age of the oldest stored job that waits", "kind"
        )
        self._successes = self._gauge(
            "stored_job_last_success_seconds",
            "When a kind of work last succeeded in a worker, in seconds since 1970",
            "kind",
        )
        self._beats = self._gauge(
            "stored_job_last_beat_seconds",
            "Time of the last heartbeat of a worker for a kind of work, in seconds since 1970",
            "kind",
        )
        self._runs = Counter(
            "stored_job_runs",
            "Times that a kind of work succeeded or failed in a worker",
            ["kind", "outcome"],
            registry=self._registry,
        )
        self._workers = self._gauge("job_workers", "Worker processes that live")
        self._worker = {
            column: self._gauge(f"job_worker_{name}", sentence, "worker")
            for column, name, sentence in (
                ("started_at", "start_seconds", "When a worker began, in seconds since 1970"),
                ("resident_bytes", "resident_bytes", "Memory of a worker"),
                ("open_files", "open_fds", "Open files of a worker"),
                ("loop_lag_ms", "loop_lag_seconds", "Its event loop's longest lag in 10 s"),
            )
        }

    def _gauge(self, name: str, sentence: str, *labels: str) -> Gauge:
        return Gauge(name, sentence, labels, registry=self._registry)

    async def refresh(self) -> None:
        """Read the queue; while the database is unavailable the metrics are empty."""
        now = clock.now()
        rows: Sequence[KindFigures] = ()
        workers: Sequence[WorkerRow] | None = None
        try:
            rows = await self._database.fetch_rows(COUNTS)
            workers = await self._database.fetch_rows(WORKERS, now - SHOWN_FOR)
        finally:
            self._show_kinds(rows, now)
            self._show_workers(workers)

    def _show_kinds(self, rows: Sequence[KindFigures], now: datetime) -> None:
        for gauge in (self._jobs, self._oldest, self._successes, self._beats, self._runs):
            gauge.clear()
        for row in rows:
            kind, oldest = row.kind, row.oldest
            self._jobs.labels(kind, "waiting").set(row.waiting)
            self._jobs.labels(kind, "running").set(row.running)
            self._jobs.labels(kind, "failed").set(row.failed)
            self._runs.labels(kind, "success").inc(row.successes or 0)
            self._runs.labels(kind, "failure").inc(row.failures or 0)
            self._oldest.labels(kind).set((now - oldest).total_seconds() if oldest else 0)
            _set_instant(self._successes, kind, row.succeeded_at)
            _set_instant(self._beats, kind, row.beat_at)

    def _show_workers(self, rows: Sequence[WorkerRow] | None) -> None:
        self._workers.set(math.nan if rows is None else len(rows))
        for gauge in self._worker.values():
            gauge.clear()
        for row in rows or ():
            values = {
                "started_at": row.started_at.timestamp(),
                "resident_bytes": row.resident_bytes,
                "open_files": row.open_files,
                "loop_lag_ms": row.loop_lag_ms / 1000,
            }
            for column, gauge in self._worker.items():
                gauge.labels(str(row.id)).set(values[column])


def _set_instant(gauge: Gauge, kind: str, instant: datetime | None) -> None:
    if instant is not None:
        gauge.labels(kind).set(instant.timestamp())


async def list_jobs(database: Database, limit: int) -> list[ListedJob]:
    """Return the jobs in the queue, oldest first."""
    now = clock.now()
    return [
        ListedJob(
            id=row.id,
            kind=row.kind,
            state=STATES[row.state],
            age=now - row.created,
            tries=row.attempts + (row.state != "queued"),
            error=row.error,
        )
        for row in await database.fetch_rows(LISTED, limit)
    ]


async def record_beat(database: Database, kinds: Sequence[str]) -> None:
    """Record that a worker handles these kinds of work."""
    await database.execute(BEAT, list(kinds), clock.now())


async def record_worker(
    database: Database, worker_id: UUID, started_at: datetime, vitals: Vitals
) -> None:
    """Record a worker's heartbeat and state."""
    await database.execute(
        WORKER_BEAT,
        worker_id,
        started_at,
        clock.now(),
        vitals.resident_bytes,
        vitals.open_files,
        vitals.loop_lag_ms,
    )


async def record_failure(database: Database, kind: str, due_at: datetime | None = None) -> None:
    """Record a failed run of a kind; ignored if the database is unavailable.

    ``due_at`` is the next scheduled run.
    """
    with suppress(DatabaseUnavailableError, asyncpg.PostgresError):
        await database.execute(FAILURE, kind, clock.now(), due_at)


async def record_success(database: Database, kind: str, due_at: datetime | None = None) -> None:
    """Record a successful run of a kind, and its next scheduled run."""
    await database.execute(SUCCESS, kind, clock.now(), due_at)
