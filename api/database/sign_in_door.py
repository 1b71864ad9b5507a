"""Where members and operators sign in: wrong attempts delay the networks that they come from.

Attempts are counted by account and network. Who has signed in from a network within 30 days is
known there: wrong attempts elsewhere delay nobody there, and what is right is never refused.
"""

import math
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager, suppress
from dataclasses import dataclass, replace
from datetime import datetime, timedelta

from api.core import clock
from api.core.errors import DatabaseUnavailableError, TooManyRequestsError
from api.database.database import Database
from api.database.rate_limit import Limit, RateLimiter, WrongGuessError
from api.database.sign_in_guard import Guard, admit_attempt, clear_guard, give_back_attempt
from api.security.events import SecurityEvent, SecurityLog

PER_NETWORK = Guard(
    memory=timedelta(minutes=15),
    free_attempts=5,
    first_delay=timedelta(seconds=60),
    longest_delay=timedelta(seconds=60),
)
# After 50 wrong ones from networks where nobody is known, none is free there.
MOST_ELSEWHERE, ELSEWHERE_WINDOW = 51, timedelta(hours=1)
KNOWN_FOR = timedelta(days=30)


class SignInDelayedError(TooManyRequestsError):
    """Too many attempts were wrong: the next one waits, at most a minute."""

    code = "sign_in_delayed"


@dataclass(frozen=True)
class _Attempt:
    """An attempt that was counted; ``opens_at`` is when it would be due, None when it is."""

    account: str
    digest: str
    is_from_known: bool
    opens_at: datetime | None


class SignInDoor:
    """Counts attempts under ``name``; ``flooded`` is recorded when too many come from elsewhere."""

    guard = PER_NETWORK

    def __init__(
        self,
        name: str,
        database: Database,
        limiter: RateLimiter,
        security: SecurityLog,
        *,
        flooded: SecurityEvent,
    ) -> None:
        self._name = name
        self._database = database
        self._limiter = limiter
        self._security = security
        self._flooded = flooded
        self._elsewhere = Limit(f"{name}-elsewhere", MOST_ELSEWHERE, ELSEWHERE_WINDOW)

    @asynccontextmanager
    async def attempt(self, account: str, address: str, *, is_known: bool) -> AsyncIterator[None]:
        """Count an attempt at an account from a network, and let so many wrong ones through.

        ``account`` is its id, or the email where there is none. ``WrongGuessError`` says that it
        was wrong; what was not judged does not count.

        Raises:
            SignInDelayedError: the next attempt from this network has to wait.
        """
        attempt = await self._count(account, address, is_known=is_known)
        try:
            yield
        except WrongGuessError:
            if attempt.opens_at is not None:
                raise _delayed(attempt.opens_at) from None
            raise
        except BaseException:  # whatever else it was, nobody was judged wrong
            await self._give_back_elsewhere(attempt)
            if attempt.opens_at is None:
                with suppress(DatabaseUnavailableError):
                    await give_back_attempt(self._database, attempt.digest)
            raise
        await self._give_back_elsewhere(attempt)
        await clear_guard(self._database, attempt.digest)

    async def _count(self, account: str, address: str, *, is_known: bool) -> _Attempt:
        """Count an attempt before it is judged, so that a thousand at once are counted, too."""
        origin, guard = self._limiter.origin(address), self.guard
        if not is_known and await self._limiter.is_account_over(self._elsewhere, account):
            guard = replace(guard, free_attempts=0)
            self._security.record(self._flooded, limit=self._elsewhere.name, origin=origin)
        digest = self._limiter.digest(self._name, account, origin)
        opens_at = await admit_attempt(self._database, digest, guard, clock.now())
        attempt = _Attempt(account, digest, is_known, opens_at)
        if opens_at is not None and not is_known:
            await self._give_back_elsewhere(attempt)
            raise _delayed(opens_at)
        return attempt

    async def _give_back_elsewhere(self, attempt: _Attempt) -> None:
        if not attempt.is_from_known:
            await self._limiter.give_back_account(self._elsewhere, attempt.account)


def _delayed(opens_at: datetime) -> SignInDelayedError:
    seconds = math.ceil((opens_at - clock.now()).total_seconds())
    return SignInDelayedError(retry_after_seconds=max(1, seconds))
