"""Runs of work whose every outcome is kept, such as backups."""

from collections.abc import Sequence
from dataclasses import astuple, dataclass
from datetime import datetime

from api.database.database import Database

NOTE = """
INSERT INTO job_run (kind, subject, started_at, seconds, size_bytes, succeeded, outcome)
VALUES ($1, $2, $3, $4, $5, $6, $7)
"""
LIST = """
SELECT kind, subject, started_at, seconds, size_bytes, succeeded, outcome FROM job_run
 WHERE kind = ANY($1) AND (succeeded OR NOT $2) ORDER BY started_at DESC, id DESC LIMIT $3
"""


@dataclass(frozen=True, kw_only=True)
class Run:
    """How one run of work ended. ``subject`` is what it was about, ``outcome`` a sentence."""

    kind: str
    subject: str
    started_at: datetime
    seconds: float
    size_bytes: int
    succeeded: bool
    outcome: str


async def note_run(database: Database, run: Run) -> None:
    """Write down how a run ended."""
    await database.execute(NOTE, *astuple(run))


async def list_runs(
    database: Database, kinds: Sequence[str], most: int, *, only_successes: bool = False
) -> list[Run]:
    """Return the last runs of these kinds, newest first."""
    rows = await database.fetch_rows(LIST, list(kinds), only_successes, most)
    return [Run(**dict(row)) for row in rows]


async def last_run(database: Database, kind: str) -> Run | None:
    """Return the last run of a kind, however it ended."""
    return next(iter(await list_runs(database, [kind], 1)), None)


async def last_success(database: Database, kind: str) -> Run | None:
    """Return the last run of a kind that succeeded."""
    return next(iter(await list_runs(database, [kind], 1, only_successes=True)), None)
