"""Work that an operator requests and another process runs, such as a backup."""

from datetime import datetime, timedelta

from api.foundation.core import clock
from api.foundation.database.database import Database, Runner

ALIVE = timedelta(minutes=1)  # a process without a heartbeat for that long is gone
ASK = """
UPDATE job_kind SET asked_at = coalesce(asked_at, $2) WHERE name = $1 AND beat_at > $3
RETURNING asked_at
"""
READ = "SELECT asked_at FROM job_kind WHERE name = $1"
NOTE_DONE = "UPDATE job_kind SET asked_at = NULL WHERE name = $1 AND asked_at = $2"


async def ask(runner: Runner, kind: str) -> datetime | None:
    """Request work of a kind, once even if repeated; return None if no process handles it."""
    now = clock.now()
    asked_at: datetime | None = await runner.fetch_value(ASK, kind, now, now - ALIVE)
    return asked_at


async def read_asked(database: Database, kind: str) -> datetime | None:
    """Return when work of a kind was requested; None if it was not, or is done."""
    asked_at: datetime | None = await database.fetch_value(READ, kind)
    return asked_at


async def record_done(database: Database, kind: str, asked_at: datetime) -> None:
    """Record that the request of ``asked_at`` is done, whatever its result."""
    await database.execute(NOTE_DONE, kind, asked_at)
