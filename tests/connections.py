"""Connections that outlive the application that opened them.

A new session has no catalogue cache and no compiled functions: that costs 10 ms of CPU time, and
the first calls of each test cost three times as much as in a warm session. Like members, tests
leave no state in a session: a pool shares its connections among all of them.
"""

import asyncio
import copy
from collections import defaultdict

import asyncpg
import pytest
from api.foundation.database.connections import ConnectionPool

MAX_IDLE = 12  # per address, as many as a pool has


class ReusableConnection(asyncpg.Connection):  # type: ignore[misc] # the library leaves it untyped
    """A listener's session: closing it only removes its listeners and keeps it for reuse."""

    kept: "list[ReusableConnection]"

    async def close(self, *, timeout: float | None = None) -> None:  # noqa: ASYNC109 the driver's
        if self.is_closed() or len(self.kept) == MAX_IDLE:
            await super().close(timeout=timeout)
            return
        try:
            await self.reset(timeout=timeout)
        except BaseException:
            self.terminate()
            raise
        self._termination_listeners.clear()
        self.kept.append(self)


class WarmConnections:
    """The connections left by closed pools of this loop, by address."""

    def __init__(self) -> None:
        self._loop = asyncio.get_running_loop()
        self._left: dict[str, list[asyncpg.Connection]] = defaultdict(list)
        self._reusable: dict[str, list[ReusableConnection]] = defaultdict(list)

    def end(self) -> None:
        """Close the idle connections, for tests that count connections."""
        for kept in (*self._left.values(), *self._reusable.values()):
            while kept:
                kept.pop().terminate()

    def patch(self, patch: pytest.MonkeyPatch) -> None:
        """Make closing pools leave their connections to the next pool of the address."""
        acquire, close = ConnectionPool.acquire, ConnectionPool.close

        async def acquire_left(pool: ConnectionPool) -> asyncpg.Connection:
            if pool.count_idle() == 0 and asyncio.get_running_loop() is self._loop:
                kept = self._left.pop(_address_of(pool), [])
                pool._idle.extend(one for one in kept if not one.is_closed())
            return await acquire(pool)

        async def leave(pool: ConnectionPool) -> None:
            if asyncio.get_running_loop() is self._loop:
                kept = self._left[_address_of(pool)]
                while pool._idle and len(kept) < MAX_IDLE:
                    kept.append(pool._idle.pop())
            await close(pool)

        patch.setattr(ConnectionPool, "acquire", acquire_left)
        patch.setattr(ConnectionPool, "close", leave)

    def patch_listeners(self, patch: pytest.MonkeyPatch) -> None:
        """Make closing listeners leave their sessions to the next listener of the address."""
        open_alone = ConnectionPool.open_alone

        async def open_reusable(pool: ConnectionPool) -> asyncpg.Connection:
            if asyncio.get_running_loop() is not self._loop:
                return await open_alone(pool)
            kept = self._reusable[repr(pool._direct)]
            while kept:
                connection = kept.pop()
                if not connection.is_closed():
                    return connection
            reusable = copy.copy(pool)
            reusable._direct = pool._direct | {"connection_class": ReusableConnection}
            connection = await open_alone(reusable)
            connection.kept = kept
            return connection

        patch.setattr(ConnectionPool, "open_alone", open_reusable)


def _address_of(pool: ConnectionPool) -> str:
    return repr(pool._usual)
