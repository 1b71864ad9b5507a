from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime

from api.foundation.database.database import Database
from api.foundation.database.statements import Query


@dataclass(frozen=True)
class JobKindRow:
    name: str
    succeeded_at: datetime | None
    failed_at: datetime | None
    successes: int
    failures: int
    due_at: datetime | None
    running: bool


LIST = Query(
    """
SELECT name, succeeded_at, failed_at, successes, failures, due_at,
       coalesce(runs_until > $1, false) AS running
  FROM job_kind ORDER BY name
""",
    JobKindRow,
)


async def list_jobs(database: Database, now: datetime) -> Sequence[JobKindRow]:
    """Return the state of every kind of job, by name; there are only a few."""
    return await database.fetch_rows(LIST, now)
