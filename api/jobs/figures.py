"""What is known of stored jobs: for operators' metrics and command line, never a payload."""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta

import asyncpg
from prometheus_client import Gauge

from api.core import clock
from api.core.errors import DatabaseUnavailableError
from api.core.metrics import Metrics
from api.database.database import Database

# The library's 'picked' is running; what is done is struck, and only dead letters stay 'failed'.
COUNTS = """
SELECT coalesce(k.name, q.entrypoint) AS kind, k.beat_at, k.succeeded_at,
       count(*) FILTER (WHERE q.status = 'queued') AS waiting,
       count(*) FILTER (WHERE q.status = 'picked') AS running,
       count(*) FILTER (WHERE q.status = 'failed') AS failed,
       min(q.created) FILTER (WHERE q.status = 'queued') AS oldest
  FROM job_kind k FULL JOIN pgqueuer q ON q.entrypoint = k.name
 GROUP BY 1, 2, 3 ORDER BY 1
"""
STATES = {"queued": "waiting", "picked": "running", "failed": "failed"}
LISTED = """
SELECT q.id, q.entrypoint AS kind, q.status::text AS state, q.created, q.attempts, last.error
  FROM pgqueuer q
  LEFT JOIN LATERAL (
    SELECT l.traceback ->> 'exception_message' AS error FROM pgqueuer_log l
     WHERE l.job_id = q.id AND l.traceback IS NOT NULL ORDER BY l.created DESC, l.id DESC LIMIT 1
  ) last ON true
 ORDER BY q.created, q.id LIMIT $1
"""
BEAT = """
INSERT INTO job_kind (name, beat_at) SELECT unnest($1::text[]), $2
ON CONFLICT (name) DO UPDATE SET beat_at = EXCLUDED.beat_at
"""
SUCCESS = """
INSERT INTO job_kind (name, beat_at, succeeded_at) VALUES ($1, $2, $2)
ON CONFLICT (name) DO UPDATE SET beat_at = $2, succeeded_at = $2
"""


@dataclass(frozen=True)
class ListedJob:
    """A job in the queue. ``state`` is waiting, running or failed; ``error`` is the last one's."""

    id: int
    kind: str
    state: str
    age: timedelta
    tries: int
    error: str | None


class StoredJobFigures:
    """The figures of the queue among those of this process, as they are when they are read."""

    def __init__(self, database: Database, metrics: Metrics) -> None:
        self._database = database
        self._jobs = Gauge(
            "stored_jobs",
            "Stored jobs that wait, run, or have failed for good",
            ["kind", "state"],
            registry=metrics.registry,
        )
        self._oldest = Gauge(
            "stored_job_oldest_waiting_seconds",
            "Age of the oldest stored job that waits",
            ["kind"],
            registry=metrics.registry,
        )
        self._successes = Gauge(
            "stored_job_last_success_seconds",
            "When a kind of work last succeeded in a worker, in seconds since 1970",
            ["kind"],
            registry=metrics.registry,
        )
        self._beats = Gauge(
            "stored_job_last_beat_seconds",
            "When a worker last said that it does a kind of work, in seconds since 1970",
            ["kind"],
            registry=metrics.registry,
        )

    async def refresh(self) -> None:
        """Ask the queue; while the database is away there are no figures of it."""
        try:
            rows = await self._database.fetch_rows(COUNTS)
        except (DatabaseUnavailableError, asyncpg.PostgresError):
            rows = []
        for gauge in (self._jobs, self._oldest, self._successes, self._beats):
            gauge.clear()
        now = clock.now()
        for row in rows:
            kind = row["kind"]
            for state in STATES.values():
                self._jobs.labels(kind, state).set(row[state])
            oldest = row["oldest"]
            self._oldest.labels(kind).set((now - oldest).total_seconds() if oldest else 0)
            _set_instant(self._successes, kind, row["succeeded_at"])
            _set_instant(self._beats, kind, row["beat_at"])


def _set_instant(gauge: Gauge, kind: str, instant: datetime | None) -> None:
    if instant is not None:
        gauge.labels(kind).set(instant.timestamp())


async def list_jobs(database: Database, most: int) -> list[ListedJob]:
    """Return what is in the queue, oldest first."""
    now = clock.now()
    return [
        ListedJob(
            id=row["id"],
            kind=row["kind"],
            state=STATES[row["state"]],
            age=now - row["created"],
            tries=row["attempts"] + (row["state"] != "queued"),
            error=row["error"],
        )
        for row in await database.fetch_rows(LISTED, most)
    ]


async def note_beat(database: Database, kinds: Sequence[str]) -> None:
    """Write down that a worker does these kinds of work."""
    await database.execute(BEAT, list(kinds), clock.now())


async def note_success(database: Database, kind: str) -> None:
    """Write down that work of a kind succeeded."""
    await database.execute(SUCCESS, kind, clock.now())
