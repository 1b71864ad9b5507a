"""SQL of the state of jobs."""

from collections.abc import Sequence
from datetime import datetime

from api.foundation.database.database import Database
from api.foundation.database.statements import Row

LIST = """
SELECT name, succeeded_at, failed_at, successes, failures, due_at,
       coalesce(runs_until > $1, false) AS running
  FROM job_kind ORDER BY name
"""


async def list_jobs(database: Database, now: datetime) -> Sequence[Row]:
    """Return the state of every kind of job, by name; there are only a few."""
    return await database.fetch_rows(LIST, now)
