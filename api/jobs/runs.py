"""Runs of work whose every outcome is kept, such as backups."""

from dataclasses import asdict, dataclass
from datetime import datetime

from sqlalchemy import ColumnElement, insert, select

from api.database.database import Database
from api.database.statements import CoreStatement
from api.jobs.models import JobRun

COLUMNS = [
    JobRun.kind,
    JobRun.subject,
    JobRun.started_at,
    JobRun.seconds,
    JobRun.size_bytes,
    JobRun.succeeded,
    JobRun.outcome,
]
NEWEST = (JobRun.started_at.desc(), JobRun.id.desc())


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
    await database.execute(insert(JobRun).values(**asdict(run)))


async def list_runs(database: Database, kinds: list[str], most: int) -> list[Run]:
    """Return the last runs of these kinds, newest first."""
    statement = select(*COLUMNS).where(JobRun.kind.in_(kinds)).order_by(*NEWEST).limit(most)
    return [Run(**dict(row)) for row in await database.fetch_rows(statement)]


async def last_run(database: Database, kind: str) -> Run | None:
    """Return the last run of a kind, however it ended."""
    row = await database.fetch_row(_newest(JobRun.kind == kind))
    return None if row is None else Run(**dict(row))


async def last_success(database: Database, kind: str) -> Run | None:
    """Return the last run of a kind that succeeded."""
    row = await database.fetch_row(_newest(JobRun.kind == kind, JobRun.succeeded.is_(True)))
    return None if row is None else Run(**dict(row))


def _newest(*conditions: ColumnElement[bool]) -> CoreStatement:
    return select(*COLUMNS).where(*conditions).order_by(*NEWEST).limit(1)
