"""Requires a proof of work from busy networks: once the free hits are used, a solution for each.

Nobody is locked out: a client that solves its challenge passes, whatever others do behind the same
address.
"""

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager, suppress
from dataclasses import dataclass
from datetime import datetime

from sqlalchemy import Index
from sqlalchemy.orm import Mapped, mapped_column

from api.foundation.core import clock
from api.foundation.core.errors import (
    DatabaseUnavailableError,
    DomainError,
    TooManyRequestsError,
    UnavailableError,
)
from api.foundation.database.database import Database
from api.foundation.database.rate_limit import Limit, RateLimiter, WrongGuessError
from api.foundation.database.tables import Base
from api.foundation.security.challenges import MAX_LEVEL, Challenges

HITS_PER_LEVEL = 300  # the work doubles with every further 300 hits of a window
GIVE_BACK_SOLUTION = "DELETE FROM solved_challenge WHERE nonce = $1"


@dataclass(frozen=True)
class _Hit:
    """A counted hit; ``nonce`` is that of the solution it cost."""

    nonce: str | None = None


# Of two callers with one solution, the second waits for the first and finds it used.
USE_SOLUTION = (
    "INSERT INTO solved_challenge (nonce, expires_at) VALUES ($1, $2)"
    " ON CONFLICT DO NOTHING RETURNING nonce"
)


class SolvedChallenge(Base):
    """A challenge whose solution was used; it says nothing about who solved it."""

    __tablename__ = "solved_challenge"
    __table_args__ = (Index("ix_solved_challenge_expires_at", "expires_at"),)

    nonce: Mapped[str] = mapped_column(primary_key=True)
    expires_at: Mapped[datetime]


class ChallengeRequiredError(DomainError):
    """Repeat the request with a solution of ``data.challenge`` in ``X-Challenge``."""

    status = 428
    code = "challenge_required"
    message = "Your network is busy. Please wait while we check your connection."


def level_after(hits: int, free: int) -> int:
    """Return how hard a challenge is for a network with so many hits, ``free`` of them free."""
    doublings = max(0, hits - free) // HITS_PER_LEVEL
    return min(MAX_LEVEL, 1 << min(doublings, MAX_LEVEL))


class ChallengeGate:
    """Asks networks that used up the free hits of a limit for solved challenges.

    A solution is for one limit and a level, not for a network: a phone's next connection may have
    another of its carrier's addresses. It may be one level below the required one, which may have
    doubled while it was being solved.
    """

    def __init__(self, database: Database, limiter: RateLimiter, challenges: Challenges) -> None:
        self._database = database
        self._limiter = limiter
        self._challenges = challenges

    @asynccontextmanager
    async def counted(self, limit: Limit, address: str, payload: str) -> AsyncIterator[None]:
        """Count a hit, free or for a solution; both are undone by ``UnavailableError``.

        Raises:
            ChallengeRequiredError: no hit is free, and ``payload`` is no unused solution. Nothing
                is counted.
        """
        hit = await self._count(limit, address, payload)
        if hit is None:
            raise await self.refusal(limit, address)
        try:
            yield
        except UnavailableError:
            await self._undo(limit, address, hit)
            raise

    @asynccontextmanager
    async def failures(self, limit: Limit, address: str, payload: str) -> AsyncIterator[bool]:
        """Count an attempt unless it succeeds; yield whether it was free or had a solution.

        An attempt that had neither is not counted: the caller decides about it. A failure is a
        ``WrongGuessError`` or the ``TooManyRequestsError`` of an account. ``UnavailableError``
        gives the solution back.
        """
        hit = await self._count(limit, address, payload)
        try:
            yield hit is not None
        except (WrongGuessError, TooManyRequestsError):
            raise
        except UnavailableError:
            await self._undo(limit, address, hit)
            raise
        except BaseException:
            await self._undo_count(limit, address, hit)
            raise
        await self._undo_count(limit, address, hit)

    @asynccontextmanager
    async def required(self, limit: Limit, address: str, payload: str) -> AsyncIterator[None]:
        """Require a solution once no hit is free; counts nothing.

        Raises:
            ChallengeRequiredError: ``payload`` is no unused solution.
        """
        hit = _Hit()
        if await self._limiter.used(limit, address) >= self._limiter.max_hits(limit):
            hit = _Hit(await self._use(limit, address, payload))
            if hit.nonce is None:
                raise await self.refusal(limit, address)
        try:
            yield
        except UnavailableError:
            await self._give_back(hit.nonce)
            raise

    async def refusal(self, limit: Limit, address: str) -> ChallengeRequiredError:
        """Return the error with a new challenge, and record that the limit is reached."""
        self._limiter.record_reached(limit, address)
        level = await self._level(limit, address)
        challenge = self._challenges.create(limit.name, level, clock.now())
        return ChallengeRequiredError(content={"challenge": challenge})

    async def _count(self, limit: Limit, address: str, payload: str) -> _Hit | None:
        """Count a hit that is free or for a solution; return None if it is neither."""
        if await self._limiter.count_free(limit, address):
            return _Hit()
        nonce = await self._use(limit, address, payload)
        if nonce is None:
            return None
        await self._limiter.count_paid(limit, address)
        return _Hit(nonce)

    async def _undo(self, limit: Limit, address: str, hit: _Hit | None) -> None:
        await self._undo_count(limit, address, hit)
        await self._give_back(None if hit is None else hit.nonce)

    async def _undo_count(self, limit: Limit, address: str, hit: _Hit | None) -> None:
        if hit is not None:
            await self._limiter.give_back(limit, address)

    async def _use(self, limit: Limit, address: str, payload: str) -> str | None:
        """Use up a solution; return its nonce, or None if it is wrong, too easy or used."""
        solution = self._challenges.read(payload, limit.name)
        if solution is None or 2 * solution.level < await self._level(limit, address):
            return None
        used: str | None = await self._database.fetch_value(
            USE_SOLUTION, solution.nonce, solution.expires_at
        )
        return used

    async def _give_back(self, nonce: str | None) -> None:
        if nonce is not None:
            with suppress(DatabaseUnavailableError):
                await self._database.execute(GIVE_BACK_SOLUTION, nonce)

    async def _level(self, limit: Limit, address: str) -> int:
        used = await self._limiter.used(limit, address)
        return level_after(used, self._limiter.max_hits(limit))
