"""Work that an operator asks for and another process does, such as a backup."""

from datetime import datetime, timedelta

from api.core import clock
from api.database.database import Database, Runner

ALIVE = timedelta(minutes=1)  # a process that said nothing for so long does nothing
ASK = """
UPDATE job_kind SET asked_at = coalesce(asked_at, $2) WHERE name = $1 AND beat_at > $3
RETURNING asked_at
"""
READ = "SELECT asked_at FROM job_kind WHERE name = $1"
NOTE_DONE = "UPDATE job_kind SET asked_at = NULL WHERE name = $1 AND asked_at = $2"


async def ask(runner: Runner, kind: str) -> datetime | None:
    """Ask for work of a kind, once however often; None when no process does it."""
    now = clock.now()
    asked_at: datetime | None = await runner.fetch_value(ASK, kind, now, now - ALIVE)
    return asked_at


async def read_asked(database: Database, kind: str) -> datetime | None:
    """Return when work of a kind was asked for; None when it was not, or is done."""
    asked_at: datetime | None = await database.fetch_value(READ, kind)
    return asked_at


async def note_done(database: Database, kind: str, asked_at: datetime) -> None:
    """Write down that what was asked for then was done, however it ended."""
    await database.execute(NOTE_DONE, kind, asked_at)
