"""Connections that outlive the house that opened them.

A session that begins knows no table and has compiled no function: the first calls of each test cost
PostgreSQL three times what they cost a server that runs. Nothing of a test stays in a session, as
nothing of a member does: whatever the pool keeps is shared by everybody.
"""

import asyncio
from collections import defaultdict

import asyncpg
import pytest
from api.database.connections import ConnectionPool

MOST_KEPT = 12  # of one address, as many as a pool has


class WarmConnections:
    """What pools that closed in this loop have left, by address."""

    def __init__(self) -> None:
        self._loop = asyncio.get_running_loop()
        self._left: dict[str, list[asyncpg.Connection]] = defaultdict(list)

    def end(self) -> None:
        """Close what is left, for whoever counts connections."""
        for kept in self._left.values():
            while kept:
                kept.pop().terminate()

    def patch(self, patch: pytest.MonkeyPatch) -> None:
        """Let a pool that closes leave its connections to the next one of its address."""
        take, close = ConnectionPool.take, ConnectionPool.close

        async def take_what_is_left(pool: ConnectionPool) -> asyncpg.Connection:
            if pool.count_idle() == 0 and asyncio.get_running_loop() is self._loop:
                kept = self._left.pop(_address_of(pool), [])
                pool._idle.extend(one for one in kept if not one.is_closed())
            return await take(pool)

        async def leave(pool: ConnectionPool) -> None:
            if asyncio.get_running_loop() is self._loop:
                kept = self._left[_address_of(pool)]
                while pool._idle and len(kept) < MOST_KEPT:
                    kept.append(pool._idle.pop())
            await close(pool)

        patch.setattr(ConnectionPool, "take", take_what_is_left)
        patch.setattr(ConnectionPool, "close", leave)


def _address_of(pool: ConnectionPool) -> str:
    return repr(pool._usual)
