"""What work there is: its kinds, the shapes of their payloads, and who does it."""

from collections.abc import Awaitable, Callable
from dataclasses import dataclass
from datetime import timedelta
from typing import Generic, TypeVar

from pydantic import BaseModel

PayloadT = TypeVar("PayloadT", bound=BaseModel)


class ObsoleteError(Exception):
    """A job came too late to be of use: it is struck, and no success is noted."""


class PermanentFailureError(Exception):
    """Another try of a job would fail, too: it is a dead letter at once."""


@dataclass(frozen=True, kw_only=True)
class Retries:
    """How often a job is tried, and the pauses between: each twice the one before, up to a cap."""

    attempts: int = 12
    first_pause: timedelta = timedelta(seconds=1)
    max_retry_delay: timedelta = timedelta(minutes=5)

    def __post_init__(self) -> None:
        if not 1 <= self.attempts <= 30:
            raise ValueError("A job is tried 1 to 30 times")

    def pause_after(self, tries: int) -> timedelta | None:
        """Return the pause after that many failed tries, or None when there is no further one."""
        if tries >= self.attempts:
            return None
        return min(self.first_pause * 2.0 ** (tries - 1), self.max_retry_delay)


@dataclass(frozen=True)
class FixedRetries:
    """A job is tried again after each of these pauses, and then no more."""

    pauses: tuple[timedelta, ...]

    def pause_after(self, tries: int) -> timedelta | None:
        """Return the pause after that many failed tries, or None when there is no further one."""
        return self.pauses[tries - 1] if tries <= len(self.pauses) else None


@dataclass(frozen=True, kw_only=True)
class JobKind(Generic[PayloadT]):
    """A sort of work. ``name`` is in the database: renaming it strands what waits under it."""

    name: str
    payload: type[PayloadT]
    retries: Retries | FixedRetries = Retries()
    limit: timedelta = timedelta(seconds=60)  # one that takes longer has failed


@dataclass(frozen=True)
class Handler(Generic[PayloadT]):
    """Who does a kind of work. ``run`` may be called again for work that was done already.

    What it raises is tried again, but for ``ObsoleteError`` and ``PermanentFailureError``.
    ``give_up`` is
    called before a job becomes a dead letter.
    """

    kind: JobKind[PayloadT]
    run: Callable[[PayloadT], Awaitable[None]]
    give_up: Callable[[PayloadT], Awaitable[None]] | None = None
