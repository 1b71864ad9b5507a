"""Limits on sign-in attempts of members and operators, per account and network.

A network is known for an account that signed in from it within 30 days. Wrong attempts from other
networks do not affect a known one, and correct credentials from it are always accepted.
"""

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from dataclasses import replace
from datetime import timedelta

from api.foundation.core.errors import TooManyRequestsError
from api.foundation.database.database import Database
from api.foundation.database.rate_limit import Limit, RateLimiter, WrongGuessError
from api.foundation.database.sign_in_guard import Guard, guarded
from api.foundation.security.events import SecurityEvent, SecurityLog

PER_NETWORK = Guard(
    memory=timedelta(minutes=15),
    free_attempts=5,
    first_delay=timedelta(seconds=60),
    max_delay=timedelta(seconds=60),
)
# After more than 50 failures from unknown networks, these have no free attempt left.
MAX_UNKNOWN_ATTEMPTS, UNKNOWN_WINDOW = 51, timedelta(hours=1)
KNOWN_NETWORK_TTL = timedelta(days=30)


class SignInDelayedError(TooManyRequestsError):
    """Too many attempts failed; the next one is accepted within a minute."""

    code = "sign_in_delayed"


class SignInGate:
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
        origin, guard = self._limiter.origin(address), self.guard
        async with self._counted_if_unknown(account, is_known=is_known) as is_flooded:
            if is_flooded:
                guard = replace(guard, free_attempts=0)
                self._security.record(self._flooded, limit=self._unknown.name, origin=origin)
            digest = self._limiter.digest(self._name, account, origin)
            async with guarded(
                self._database,
                digest,
                guard,
                error=SignInDelayedError,
                is_always_checked=is_known,
            ):
                yield

    @asynccontextmanager
    async def _counted_if_unknown(self, account: str, *, is_known: bool) -> AsyncIterator[bool]:
        """Count a failure from an unknown network; yield whether there were too many."""
        if is_known:
            yield False
            return
        seconds = await self._limiter.count_account(self._unknown, account)
        try:
            yield seconds is not None
        except WrongGuessError:
            raise
        except BaseException:
            await self._limiter.give_back_account(self._unknown, account)
            raise
        await self._limiter.give_back_account(self._unknown, account)
