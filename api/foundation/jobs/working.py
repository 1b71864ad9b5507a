"""Processing of stored jobs: a handler per kind, retries, dead letters, a shutdown without loss."""

import asyncio
import functools
import traceback
from collections.abc import AsyncIterator, Callable, Sequence
from contextlib import asynccontextmanager
from datetime import timedelta
from typing import Any, Literal

import asyncpg
import structlog
from pgqueuer import AsyncpgDriver, QueueManager, RetryRequested
from pgqueuer.models import Job as StoredJob
from pgqueuer.models import JobId
from pgqueuer.queries import Queries
from pgqueuer.types import QueueExecutionMode

from api.foundation.core import clock
from api.foundation.core.errors import DatabaseUnavailableError, DomainError
from api.foundation.core.ids import new_id
from api.foundation.core.supervisor import Job, Sleep
from api.foundation.database.connections import CLOSE_SECONDS
from api.foundation.database.database import Database
from api.foundation.database.errors import translated_errors
from api.foundation.jobs.figures import (
    Vitals,
    record_beat,
    record_failure,
    record_success,
    record_worker,
)
from api.foundation.jobs.kinds import Handler, ObsoleteError, PermanentFailureError
from api.foundation.jobs.queue import CHANNEL, JobQueue, queries

log = structlog.get_logger(__name__)

AT_ONCE = 10  # concurrent jobs of a worker, which fetches at most twice as many
POLL = timedelta(seconds=5)  # in case a notification was missed
RETRY_POLL_INTERVAL = timedelta(seconds=1)  # for ``drain``, which waits for retries
# A worker without a heartbeat for that long is dead, and other workers take over its jobs.
SILENCE = timedelta(seconds=10)
BEAT_SECONDS = 10.0
STOPPED = Sleep(86_400.0)


class JobFailedError(Exception):
    """A handler failed. Only the error's type is passed on: its message may name people."""


class Worker:
    """Processes stored jobs until it is stopped.

    The jobs of a killed worker are taken over after ``silence``. A job is deleted from the queue by
    the statement right after its handler, so it is repeated only if its worker dies in between.
    """

    def __init__(
        self,
        database: Database,
        queue: JobQueue,
        handlers: Sequence[Handler[Any]],
        *,
        silence: timedelta = SILENCE,
        on_ready: Callable[[], None] = lambda: None,
        vitals: Callable[[], Vitals] = Vitals,
    ) -> None:
        self._database = database
        self._queue = queue
        self._handlers = handlers
        self._silence = silence
        self._on_ready = on_ready
        self._vitals = vitals
        self._id, self._started_at = new_id(), clock.now()
        self._manager: QueueManager | None = None
        self._stops = False
        self._has_ended = asyncio.Event()
        self._limits: set[asyncio.Timeout] = set()
        self._done: set[JobId] = set()  # not yet deleted, because the database was unavailable

    def jobs(self) -> list[Job]:
        """Return the periodic jobs."""
        return [
            Job(
                name="worker",
                step=self.work,
                every_seconds=0,
                begins_at_once=True,
                limit_seconds=None,
            ),
            Job(
                name="worker_beat", step=self.beat, every_seconds=BEAT_SECONDS, begins_at_once=True
            ),
        ]

    async def beat(self) -> None:
        """Record which kinds of work this worker handles, and its state."""
        await record_beat(self._database, [handler.kind.name for handler in self._handlers])
        await record_worker(self._database, self._id, self._started_at, self._vitals())

    async def work(self) -> Sleep | None:
        """Process jobs until the connection is lost or ``stop`` is called."""
        if not self._stops:
            async with self._open_manager() as manager:
                self._on_ready()
                await manager.run(
                    dequeue_timeout=POLL,
                    batch_size=AT_ONCE,
                    max_concurrent_tasks=2 * AT_ONCE,
                    heartbeat_timeout=self._silence,
                    shutdown_on_listener_failure=True,
                    log_aggregation_interval=timedelta(0),
                )
        if not self._stops:
            raise DatabaseUnavailableError
        self._has_ended.set()
        return STOPPED

    async def drain(self) -> None:
        """Process jobs in place until none is left, including those waiting for a retry."""
        async with self._open_manager() as manager:
            await manager.run(
                mode=QueueExecutionMode.drain,
                dequeue_timeout=RETRY_POLL_INTERVAL,
                batch_size=AT_ONCE,
                heartbeat_timeout=self._silence,
                log_aggregation_interval=timedelta(0),
            )

    async def stop(self, seconds: float) -> None:
        """Fetch no more jobs and finish running ones; unfinished ones are left to other workers."""
        self._stops = True
        until = asyncio.get_running_loop().time() + seconds
        for limit in self._limits:
            limit.reschedule(min(until, limit.when() or until))
        if self._manager is not None:
            self._manager.shutdown.set()
            await self._has_ended.wait()

    @asynccontextmanager
    async def _open_manager(self) -> AsyncIterator[QueueManager]:
        """Yield a manager on its own connection, which is closed with it."""
        with translated_errors():
            connection = await self._database.connect_alone()
            try:
                manager = self._make_manager(connection)
                connection.add_termination_listener(lambda _: manager.shutdown.set())
                self._manager = manager
                if self._stops:
                    manager.shutdown.set()
                yield manager
            finally:
                self._manager = None
                await _close(connection)

    def _make_manager(self, connection: asyncpg.Connection) -> QueueManager:
        stored = queries(AsyncpgDriver(connection))
        manager = QueueManager(stored, CHANNEL)
        for handler in self._handlers:
            manager.entrypoint(handler.kind.name, on_failure="hold")(
                functools.partial(self._run, stored, handler)
            )
        return manager

    async def _run(self, stored: Queries, handler: Handler[Any], job: StoredJob) -> None:
        """Run a job and delete it from the queue.

        Raises:
            JobFailedError: it failed or timed out for the last time.
            RetryRequested: it is to be retried, or was interrupted because this worker stops.
        """
        if job.id in self._done:
            self._done.discard(job.id)
            return
        try:
            async with asyncio.timeout(handler.kind.limit.total_seconds()) as limit:
                self._limits.add(limit)
                try:
                    await handler.run(self._queue.open(handler.kind, job.payload))
                finally:
                    self._limits.discard(limit)
        except ObsoleteError:
            log.warning("stored job came too late", kind=handler.kind.name, job=job.id)
            await self._strike(stored, handler, job, "canceled")
            return
        except asyncio.CancelledError:  # the library would consider the job done
            is_cut_off, is_permanent, failure, frames = True, False, "cancelled", None
        except Exception as error:  # any error of the handler
            is_cut_off = self._stops and isinstance(error, TimeoutError)
            is_permanent = isinstance(error, PermanentFailureError)
            failure, frames = _name(error), error.__traceback__
        else:
            await self._strike(stored, handler, job, "successful")
            return
        if is_cut_off:
            raise RetryRequested(reason="its worker stopped")
        await record_failure(self._database, handler.kind.name)
        pause = None if is_permanent else handler.kind.retries.pause_after(job.attempts + 1)
        log.warning(
            "stored job failed",
            kind=handler.kind.name,
            job=job.id,
            error_type=failure,
            pause_seconds=pause and pause.total_seconds(),
            frames="".join(traceback.format_tb(frames)),
        )
        if pause is None:
            await self._give_up(handler, job)
            raise JobFailedError(failure).with_traceback(frames)
        raise RetryRequested(delay=pause, reason=failure).with_traceback(frames)

    async def _give_up(self, handler: Handler[Any], job: StoredJob) -> None:
        if handler.give_up is None:
            return
        try:
            await handler.give_up(self._queue.open(handler.kind, job.payload))
        except Exception as error:  # an unsealable payload, or the database is unavailable
            log.warning("job not given up", kind=handler.kind.name, error_type=_name(error))

    async def _strike(
        self,
        stored: Queries,
        handler: Handler[Any],
        job: StoredJob,
        outcome: Literal["successful", "canceled"],
    ) -> None:
        """Delete a finished job from the queue; on failure remember here that it is done."""
        self._done.add(job.id)
        try:
            with translated_errors():
                await stored.log_jobs([(job, outcome, None)])
        except (DomainError, asyncpg.PostgresError) as error:
            log.warning("done job is still queued", job=job.id, error_type=_name(error))
            return
        self._done.discard(job.id)
        if outcome != "successful":
            return
        try:
            await record_success(self._database, handler.kind.name)
        except (DomainError, asyncpg.PostgresError) as error:
            log.warning("success not noted", kind=handler.kind.name, error_type=_name(error))


def _name(error: BaseException) -> str:
    """Return the type of an error and of its cause."""
    cause = error.__cause__
    return type(error).__name__ + (f" ({type(cause).__name__})" if cause is not None else "")


async def _close(connection: asyncpg.Connection) -> None:
    try:
        await connection.close(timeout=CLOSE_SECONDS)
    except Exception:
        connection.terminate()
