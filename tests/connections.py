"""Connections that outlive the application that opened them.

A new session has read no catalogue and compiled no function: it costs 10 ms of CPU time, and the
first calls of each test three times what they cost in a warm session. Tests leave nothing behind in
a session, as members do not: a pool shares its connections among all of them.
"""

import asyncio
import copy
from collections import defaultdict

import asyncpg
import pytest
from api.database.connections import ConnectionPool

MAX_IDLE = 12  # of one address, as many as a pool has


class StandingConnection(asyncpg.Connection):  # type: ignore[misc] # the library leaves it untyped
    """A listener's session: closing it leaves it, without what it listened to, to the next one."""

    kept: "list[StandingConnection]"

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
    """What pools that closed in this loop have left, by address."""

    def __init__(self) -> None:
        self._loop = asyncio.get_running_loop()
        self._left: dict[str, list[asyncpg.Connection]] = defaultdict(list)
        self._standing: dict[str, list[StandingConnection]] = defaultdict(list)

    def end(self) -> None:
        """Close what is left, for whoever counts connections."""
        for kept in (*self._left.values(), *self._standing.values()):
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
                while pool._idle and len(kept) < MAX_IDLE:
                    kept.append(pool._idle.pop())
            await close(pool)

        patch.setattr(ConnectionPool, "take", take_what_is_left)
        patch.setattr(ConnectionPool, "close", leave)

    def patch_standing(self, patch: pytest.MonkeyPatch) -> None:
        """Let a listener that closes leave its session to the next one of its address."""
        open_alone = ConnectionPool.open_alone

        async def open_standing(pool: ConnectionPool) -> asyncpg.Connection:
            if asyncio.get_running_loop() is not self._loop:
                return await open_alone(pool)
            kept = self._standing[repr(pool._direct)]
            while kept:
                connection = kept.pop()
                if not connection.is_closed():
                    return connection
            standing = copy.copy(pool)
            standing._direct = pool._direct | {"connection_class": StandingConnection}
            connection = await open_alone(standing)
            connection.kept = kept
            return connection

        patch.setattr(ConnectionPool, "open_alone", open_standing)


def _address_of(pool: ConnectionPool) -> str:
    return repr(pool._usual)
