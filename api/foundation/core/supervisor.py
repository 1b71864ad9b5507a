"""Background jobs: each repeats a step, independently of the others' failures."""

import asyncio
from collections.abc import Awaitable, Callable
from dataclasses import dataclass, field

import structlog

from api.foundation.core import clock
from api.foundation.core.errors import DomainError
from api.foundation.core.metrics import Metrics

log = structlog.get_logger(__name__)

FIRST_BACKOFF_SECONDS = 0.1
MAX_BACKOFF_SECONDS = 5.0
LIMIT_SECONDS = 60.0
CANCEL_SECONDS = 2.0  # for a step's cleanup, before it is cancelled again


@dataclass(frozen=True)
class Sleep:
    """The minimum pause after a step."""

    seconds: float


@dataclass(frozen=True)
class Skipped:
    """Returned by a step that did nothing because another worker holds the lock."""


SKIPPED = Skipped()
Step = Callable[[], Awaitable[Sleep | Skipped | None]]


@dataclass(frozen=True, kw_only=True)
class Job:
    """A step to run, and its schedule.

    A step starts ``every_seconds`` after the last one, or earlier when ``wake`` is set, but never
    before ``rest_seconds`` have passed; a step may return another rest. The first step waits, too,
    unless the job ``begins_at_once``. A step that takes longer than ``limit_seconds`` has failed;
    None means no limit.
    """

    name: str
    step: Step
    every_seconds: float
    rest_seconds: float = 0.0
    begins_at_once: bool = False
    wake: asyncio.Event = field(default_factory=asyncio.Event)
    limit_seconds: float | None = LIMIT_SECONDS
    max_backoff_seconds: float = MAX_BACKOFF_SECONDS


class Supervisor:
    """Runs jobs from ``start`` to ``stop``.

    A failed step is logged once, counted, and retried after a pause that doubles up to the job's
    maximum. A step that another worker runs is retried in the same way, but neither logged nor
    counted. A success means that this worker found nothing left to do, so each worker's metric is
    valid on its own. Only ``stop`` ends a job.
    """

    def __init__(self, metrics: Metrics) -> None:
        self._metrics = metrics
        self._jobs: dict[str, Job] = {}
        self._tasks: list[asyncio.Task[None]] = []

    def add(self, job: Job) -> None:
        """Add a job; it runs from ``start``.

        Raises:
            ValueError: there is a job of that name.
        """
        if job.name in self._jobs:
            raise ValueError(f"Two jobs are named {job.name}")
        self._jobs[job.name] = job

    def start(self) -> None:
        """Start all jobs."""
        self._tasks = [
            asyncio.create_task(self._run(job), name=job.name) for job in self._jobs.values()
        ]

    def wake(self, name: str) -> None:
        """Run a job's next step immediately."""
        self._jobs[name].wake.set()

    async def stop(self) -> None:
        """Cancel all jobs and wait until they have ended."""
        await asyncio.gather(*(_end(task) for task in self._tasks))
        self._tasks.clear()

    async def _run(self, job: Job) -> None:
        figures = self._metrics.job(job.name)
        in_a_row = 0
        if not job.begins_at_once:
            await _pause(job)
        while True:
            job.wake.clear()
            try:
                async with asyncio.timeout(job.limit_seconds):
                    rest = await job.step()
            except BaseException as error:
                if _is_for_us(error):
                    raise
                in_a_row += 1
                figures.failures.inc()
                _report(job, error)
                await asyncio.sleep(_backoff_seconds(job, in_a_row))
                figures.restarts.inc()
                continue
            if isinstance(rest, Skipped):
                in_a_row += 1
                await asyncio.sleep(min(_backoff_seconds(job, in_a_row), job.every_seconds))
                continue
            in_a_row = 0
            figures.succeeded_at(clock.now().timestamp())
            await asyncio.sleep(job.rest_seconds if rest is None else rest.seconds)
            await _pause(job)


async def _end(task: asyncio.Task[None]) -> None:
    """Cancel a task until it has ended.

    A library with its own timeouts can mistake a cancellation for one of them and continue;
    awaiting it would then never return.
    """
    while not task.done():
        task.cancel()
        await asyncio.wait({task}, timeout=CANCEL_SECONDS)


async def _pause(job: Job) -> None:
    """Wait until the job's next step is due or it is woken."""
    if job.wake.is_set() or job.every_seconds <= 0:
        return
    try:
        async with asyncio.timeout(job.every_seconds):
            await job.wake.wait()
    except TimeoutError:
        return


def _is_for_us(error: BaseException) -> bool:
    """Return whether an error ends the job's task: a cancellation of it, not a stray one."""
    if isinstance(error, asyncio.CancelledError):
        task = asyncio.current_task()
        return task is not None and task.cancelling() > 0
    return not isinstance(error, Exception)


def _report(job: Job, error: BaseException) -> None:
    if isinstance(error, DomainError):
        cause = type(error.__cause__).__name__ if error.__cause__ else None
        log.warning("job failed", job=job.name, code=error.code, cause=cause)
    else:
        log.error("job failed", job=job.name, exc_info=error)


def _backoff_seconds(job: Job, in_a_row: int) -> float:
    doubled = FIRST_BACKOFF_SECONDS * 2.0 ** min(in_a_row - 1, 16)
    return min(doubled, job.max_backoff_seconds)
