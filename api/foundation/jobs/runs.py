"""Runs of work whose every result is stored, such as backups."""

from collections.abc import Sequence
from dataclasses import astuple, dataclass
from datetime import datetime, timedelta

from api.foundation.database.database import Database
from api.foundation.database.statements import Query

BACKUP = "backup"
RESTORE_PROOF = "restore_proof"
CLOCKS_DIFFER_BY = timedelta(minutes=5)
NOTE = """
INSERT INTO job_run (kind, subject, started_at, seconds, size_bytes, succeeded, outcome)
VALUES ($1, $2, $3, $4, $5, $6, $7)
"""


@dataclass(frozen=True, kw_only=True)
class Run:
    """The result of a run. ``subject`` is what it worked on, ``outcome`` a sentence."""

    kind: str
    subject: str
    started_at: datetime
    seconds: float
    size_bytes: int
    succeeded: bool
    outcome: str


@dataclass(frozen=True)
class BackupRun:
    """A backup, and the result of its last restore test, if it has one."""

    id: int
    subject: str
    started_at: datetime
    seconds: float
    size_bytes: int
    succeeded: bool
    outcome: str
    proven: bool | None
    proof_outcome: str | None


LIST = Query(
    """
SELECT kind, subject, started_at, seconds, size_bytes, succeeded, outcome FROM job_run
 WHERE kind = ANY($1) ORDER BY started_at DESC, id DESC LIMIT $2
""",
    Run,
)
# Each backup with its last restore test.
LIST_BACKUPS = Query(
    f"""
SELECT b.id, b.subject, b.started_at, b.seconds, b.size_bytes, b.succeeded, b.outcome,
       proof.succeeded AS proven, proof.outcome AS proof_outcome
  FROM job_run b LEFT JOIN LATERAL
       (SELECT p.succeeded, p.outcome FROM job_run p
         WHERE p.kind = '{RESTORE_PROOF}' AND p.subject = b.subject
           AND p.started_at >= b.started_at
         ORDER BY p.started_at DESC, p.id DESC LIMIT 1) proof ON true
 WHERE b.kind = '{BACKUP}' AND ($1::bigint IS NULL OR (b.started_at, b.id) <
       (SELECT started_at, id FROM job_run WHERE id = $1))
 ORDER BY b.started_at DESC, b.id DESC LIMIT $2
""",  # noqa: S608 our own words
    BackupRun,
)
LAST = Query(
    """
SELECT kind, subject, started_at, seconds, size_bytes, succeeded, outcome FROM job_run
 WHERE kind = $1 AND started_at <= $2 AND (succeeded OR NOT $3)
 ORDER BY started_at DESC, id DESC LIMIT 1
""",
    Run,
)


async def record_run(database: Database, run: Run) -> None:
    """Store a run's result."""
    await database.execute(NOTE, *astuple(run))


async def list_runs(database: Database, kinds: Sequence[str], limit: int) -> Sequence[Run]:
    """Return the last runs of these kinds, newest first."""
    return await database.fetch_rows(LIST, list(kinds), limit)


async def list_backups(database: Database, before: int | None, limit: int) -> Sequence[BackupRun]:
    """Return the last backups, newest first, each with the result of its last restore test."""
    return await database.fetch_rows(LIST_BACKUPS, before, limit)


async def last_run(database: Database, kind: str, now: datetime) -> Run | None:
    """Return the last run of a kind, whatever its result.

    Ignores runs from the future, recorded by a process with a fast clock.
    """
    return await _last(database, kind, now, only_successes=False)


async def last_success(database: Database, kind: str, now: datetime) -> Run | None:
    """Return the last successful run of a kind."""
    return await _last(database, kind, now, only_successes=True)


async def _last(
    database: Database, kind: str, now: datetime, *, only_successes: bool
) -> Run | None:
    return await database.fetch_row(LAST, kind, now + CLOCKS_DIFFER_BY, only_successes)
