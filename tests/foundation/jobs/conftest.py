"""A queue, jobs that record what they did, and workers for it."""

from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import asynccontextmanager
from dataclasses import dataclass, field
from datetime import timedelta

import pytest
from api.app.factories import make_sealer
from api.foundation.core.config import Settings
from api.foundation.core.metrics import Metrics
from api.foundation.core.supervisor import Supervisor
from api.foundation.database.database import Database
from api.foundation.jobs.kinds import Handler, JobKind, Retries
from api.foundation.jobs.queue import JobQueue
from api.foundation.jobs.working import Worker
from pydantic import BaseModel


class Note(BaseModel):
    """The payload of the tests' jobs."""

    words: str


QUICK = Retries(
    attempts=3,
    first_pause=timedelta(milliseconds=200),
    max_retry_delay=timedelta(milliseconds=300),
)
NOTING = JobKind(name="noting", payload=Note)
FAILING = JobKind(name="failing", payload=Note, retries=QUICK)


@dataclass
class Bench:
    """A queue over the tests' database, and the record of its workers."""

    database: Database
    queue: JobQueue
    metrics: Metrics = field(default_factory=Metrics)
    recorded: list[str] = field(default_factory=list)
    failed: list[str] = field(default_factory=list)
    given_up: list[str] = field(default_factory=list)

    async def add(
        self, words: str, *, kind: JobKind[Note] = NOTING, key: str | None = None
    ) -> None:
        """Store a job in a separate transaction."""
        async with self.database.transaction() as tx:
            await self.queue.enqueue(tx, kind, Note(words=words), key=key or words)

    async def note(self, note: Note) -> None:
        self.recorded.append(note.words)

    async def fail(self, note: Note) -> None:
        self.failed.append(note.words)
        raise ValueError(f"no good: {note.words}")

    async def give_up(self, note: Note) -> None:
        self.given_up.append(note.words)

    def worker(
        self,
        *,
        note: Callable[[Note], Awaitable[None]] | None = None,
        silence: timedelta = timedelta(seconds=10),
    ) -> Worker:
        handlers = [
            Handler(NOTING, note or self.note),
            Handler(FAILING, self.fail, self.give_up),
        ]
        return Worker(self.database, self.queue, handlers, silence=silence)

    async def states(self) -> list[str]:
        """Return the state of each job in the queue."""
        rows = await self.database.fetch_rows("SELECT status::text FROM pgqueuer ORDER BY id")
        return [row["status"] for row in rows]

    @asynccontextmanager
    async def working(self, *workers: Worker, drain_seconds: float = 0.1) -> AsyncIterator[None]:
        """Run workers during the block, as their processes would."""
        supervisors = [Supervisor(Metrics()) for _ in workers]
        for supervisor, worker in zip(supervisors, workers, strict=True):
            for job in worker.jobs():
                supervisor.add(job)
            supervisor.start()
        try:
            yield
        finally:
            for supervisor, worker in zip(supervisors, workers, strict=True):
                await worker.stop(drain_seconds)
                await supervisor.stop()


@pytest.fixture
async def bench(settings: Settings, _empty_tables: None) -> AsyncIterator[Bench]:
    database = Database(
        settings.database_url, runtime_role=settings.database_runtime_role, pool_size=4
    )
    yield Bench(database, JobQueue(make_sealer(settings)))
    await database.close()
