"""Kinds of jobs, the schemas of their payloads, and their handlers."""

from collections.abc import Awaitable, Callable
from dataclasses import dataclass
from datetime import timedelta
from typing import Generic, TypeVar

from pydantic import BaseModel

PayloadT = TypeVar("PayloadT", bound=BaseModel)


class ObsoleteError(Exception):
    """The job is no longer useful: it is deleted without recording a success."""


class PermanentFailureError(Exception):
    """Retrying the job would fail, too: it becomes a dead letter immediately."""


@dataclass(frozen=True, kw_only=True)
class Retries:
    """The number of attempts, and the pauses between them, which double up to a maximum."""

    attempts: int = 12
    first_pause: timedelta = timedelta(seconds=1)
    max_retry_delay: timedelta = timedelta(minutes=5)

    def __post_init__(self) -> None:
        if not 1 <= self.attempts <= 30:
            raise ValueError("A job is tried 1 to 30 times")

    def pause_after(self, tries: int) -> timedelta | None:
        """Return the pause after that many failed attempts, or None if there are no more."""
        if tries >= self.attempts:
            return None
        return min(self.first_pause * 2.0 ** (tries - 1), self.max_retry_delay)


@dataclass(frozen=True)
class FixedRetries:
    """One retry after each of these pauses."""

    pauses: tuple[timedelta, ...]

    def pause_after(self, tries: int) -> timedelta | None:
        """Return the pause after that many failed attempts, or None if there are no more."""
        return self.pauses[tries - 1] if tries <= len(self.pauses) else None


@dataclass(frozen=True, kw_only=True)
class JobKind(Generic[PayloadT]):
    """A kind of job. ``name`` is stored in the database: renaming it strands waiting jobs."""

    name: str
    payload: type[PayloadT]
    retries: Retries | FixedRetries = Retries()
    limit: timedelta = timedelta(seconds=60)  # a longer run has failed


@dataclass(frozen=True)
class Handler(Generic[PayloadT]):
    """Handles a kind of job. ``run`` may be called again for work that is already done.

    Its errors are retried, except ``ObsoleteError`` and ``PermanentFailureError``. ``give_up`` is
    called before a job becomes a dead letter.
    """

    kind: JobKind[PayloadT]
    run: Callable[[PayloadT], Awaitable[None]]
    give_up: Callable[[PayloadT], Awaitable[None]] | None = None
