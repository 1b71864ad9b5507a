"""SQL of what is done by the clock: how it went."""

from collections.abc import Sequence

from api.database.database import Database
from api.database.statements import Row

LIST = """
SELECT name, succeeded_at, successes, failures FROM job_kind WHERE name = ANY($1) ORDER BY name
"""


async def list_jobs(database: Database, names: Sequence[str]) -> Sequence[Row]:
    """Return how these jobs went; those that have run."""
    return await database.fetch_rows(LIST, names)
