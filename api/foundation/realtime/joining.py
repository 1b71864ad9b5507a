"""Limits concurrent joins: after a restart all clients come back in the same seconds."""

import asyncio
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager

from api.foundation.core.errors import UnavailableError

# A join makes several database queries. So many at once keep it busy, and leave half of its
# connections to HTTP requests.
JOINS_AT_ONCE = 2
MAX_WAIT_SECONDS = 5.0  # a client that waits longer is refused and retries


class JoinQueue:
    """A first-come, first-served queue with a few places and a maximum wait."""

    def __init__(
        self, *, at_once: int = JOINS_AT_ONCE, max_wait_seconds: float = MAX_WAIT_SECONDS
    ) -> None:
        self._places = asyncio.Semaphore(at_once)
        self._max_wait_seconds = max_wait_seconds

    @asynccontextmanager
    async def turn(self) -> AsyncIterator[None]:
        """Acquire a place for the block.

        Raises:
            UnavailableError: none was free in time.
        """
        try:
            async with asyncio.timeout(self._max_wait_seconds):
                await self._places.acquire()
        except TimeoutError:
            raise UnavailableError from None
        try:
            yield
        finally:
            self._places.release()
