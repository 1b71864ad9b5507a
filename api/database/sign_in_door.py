"""Limits on sign-in attempts of members and operators, per account and network.

A network is known for an account that signed in from it within 30 days. Wrong attempts from other
networks do not affect a known one, and correct credentials from it are always accepted.
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
# After more than 50 failures from unknown networks, these have no free attempt left.
MAX_UNKNOWN_ATTEMPTS, UNKNOWN_WINDOW = 51, timedelta(hours=1)
KNOWN_NETWORK_TTL = timedelta(days=30)


class SignInDelayedError(TooManyRequestsError):
    """Too many attempts failed; the next one is accepted within a minute."""

    code = "sign_in_delayed"


@dataclass(frozen=True)
class _Attempt:
    """A counted attempt; ``opens_at`` is when the next one is accepted, None if this one was."""

    account: str
    digest: str
    is_from_known: bool
    opens_at: datetime | None


class SignInDoor:
    """Counts attempts under ``name``; records ``flooded`` above the limit on unknown networks."""

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
        self._unknown = Limit(f"{name}-unknown-networks", MAX_UNKNOWN_ATTEMPTS, UNKNOWN_WINDOW)

    @asynccontextmanager
    async def attempt(self, account: str, address: str, *, is_known: bool) -> AsyncIterator[None]:
        """Count an attempt from a network around the block that checks the credentials.

        ``account`` is the account's id, or the email if there is no account. Only a block that
        raises ``WrongGuessError`` counts as a failure; any other exception undoes the count.

        Raises:
            SignInDelayedError: the attempt is too early.
        """
        attempt = await self._count(account, address, is_known=is_known)
        try:
            yield
        except WrongGuessError:
            if attempt.opens_at is not None:
                raise _delayed(attempt.opens_at) from None
            raise
        except BaseException:  # cancelled or failed: the credentials were not checked
            await self._give_back_unknown(attempt)
            if attempt.opens_at is None:
                with suppress(DatabaseUnavailableError):
                    await give_back_attempt(self._database, attempt.digest)
            raise
        await self._give_back_unknown(attempt)
        await clear_guard(self._database, attempt.digest)

    async def _count(self, account: str, address: str, *, is_known: bool) -> _Attempt:
        """Count an attempt before it is checked, so that concurrent ones are all counted."""
        origin, guard = self._limiter.origin(address), self.guard
        if not is_known and await self._limiter.is_account_over(self._unknown, account):
            guard = replace(guard, free_attempts=0)
            self._security.record(self._flooded, limit=self._unknown.name, origin=origin)
        digest = self._limiter.digest(self._name, account, origin)
        opens_at = await admit_attempt(self._database, digest, guard, clock.now())
        attempt = _Attempt(account, digest, is_known, opens_at)
        if opens_at is not None and not is_known:
            await self._give_back_unknown(attempt)
            raise _delayed(opens_at)
        return attempt

    async def _give_back_unknown(self, attempt: _Attempt) -> None:
        if not attempt.is_from_known:
            await self._limiter.give_back_account(self._unknown, attempt.account)


def _delayed(opens_at: datetime) -> SignInDelayedError:
    seconds = math.ceil((opens_at - clock.now()).total_seconds())
    return SignInDelayedError(retry_after_seconds=max(1, seconds))
