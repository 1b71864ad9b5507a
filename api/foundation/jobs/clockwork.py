"""Scheduled jobs of a worker, with their state recorded for operators."""

import asyncio
from collections.abc import AsyncIterator, Sequence
from contextlib import asynccontextmanager, suppress
from dataclasses import replace
from datetime import timedelta

import asyncpg

from api.foundation.core import clock
from api.foundation.core.errors import DatabaseUnavailableError
from api.foundation.core.supervisor import Job, Skipped, Sleep
from api.foundation.database.database import Database
from api.foundation.jobs.figures import record_failure, record_success

SEEN_AFTER_SECONDS = 1.0  # shorter runs are never shown as running
DEFAULT_TIME_LIMIT = timedelta(hours=6)  # assumed for jobs without their own limit
PLAN = """
INSERT INTO job_kind (name, beat_at, due_at) SELECT * FROM unnest($1::text[], $2::timestamptz[],
  $3::timestamptz[]) ON CONFLICT (name) DO NOTHING
"""
NOTE_RUNNING = """
INSERT INTO job_kind (name, beat_at, runs_until) VALUES ($1, $2, $3)
ON CONFLICT (name) DO UPDATE SET beat_at = EXCLUDED.beat_at, runs_until = EXCLUDED.runs_until
"""


def recorded(database: Database, job: Job) -> Job:
    """Return the job so that its runs are recorded like those of stored jobs."""
    every = timedelta(seconds=job.every_seconds)
    limit = (
        DEFAULT_TIME_LIMIT if job.limit_seconds is None else timedelta(seconds=job.limit_seconds)
    )

    async def step() -> Sleep | Skipped | None:
        try:
            async with shown_running(database, job.name, limit):
                outcome = await job.step()
        except Exception:
            await record_failure(database, job.name, clock.now())
            raise
        if not isinstance(outcome, Skipped):
            rest = outcome.seconds if isinstance(outcome, Sleep) else 0.0
            pause = max(every, timedelta(seconds=rest))
            await record_success(database, job.name, clock.now() + pause)
        return outcome

    return replace(job, step=step)


async def record_plan(database: Database, jobs: Sequence[Job]) -> None:
    """Record that these jobs exist; existing records stay."""
    now = clock.now()
    dues = [now + timedelta(seconds=job.every_seconds) for job in jobs]
    await database.execute(PLAN, [job.name for job in jobs], [now] * len(jobs), dues)


@asynccontextmanager
async def shown_running(database: Database, name: str, limit: timedelta) -> AsyncIterator[None]:
    """Show a job as running during the block; recording its result ends that."""
    showing = asyncio.create_task(_show_running(database, name, limit))
    try:
        yield
    finally:
        showing.cancel()
        with suppress(asyncio.CancelledError):
            await showing


async def _show_running(database: Database, name: str, limit: timedelta) -> None:
    began_at = clock.now()
    await asyncio.sleep(SEEN_AFTER_SECONDS)
    # Not awaited: if the database is unavailable, nothing is shown either.
    with suppress(DatabaseUnavailableError, asyncpg.PostgresError):
        await database.execute(NOTE_RUNNING, name, clock.now(), began_at + limit)
