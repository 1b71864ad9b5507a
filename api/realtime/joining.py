"""Sockets join a few at a time: after a restart everybody comes back in the same seconds."""

import asyncio
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager

from api.core.errors import UnavailableError

# A join asks the database several times. So many at once keep it busy, and leave half of the places
# in front of it to calls.
JOINS_AT_ONCE = 2
MAX_WAIT_SECONDS = 5.0  # whoever waits longer is sent away and calls again


class JoinQueue:
    """First come, first served, a few at once, and nobody waits for long."""

    def __init__(
        self, *, at_once: int = JOINS_AT_ONCE, max_wait_seconds: float = MAX_WAIT_SECONDS
    ) -> None:
        self._places = asyncio.Semaphore(at_once)
        self._longest_wait_seconds = max_wait_seconds

    @asynccontextmanager
    async def turn(self) -> AsyncIterator[None]:
        """Wait for a turn and hold it for the block.

        Raises:
            UnavailableError: it did not come in time.
        """
        try:
            async with asyncio.timeout(self._longest_wait_seconds):
                await self._places.acquire()
        except TimeoutError:
            raise UnavailableError from None
        try:
            yield
        finally:
            self._places.release()
