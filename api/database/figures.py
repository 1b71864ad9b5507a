"""What operators watch of the database: lanes, and figures that cost a query."""

import asyncio
import math
from collections.abc import Awaitable, Callable, Sequence
from typing import Protocol

import asyncpg
from prometheus_client import Gauge

from api.core import clock
from api.core.errors import DatabaseUnavailableError
from api.core.metrics import Metrics
from api.database.database import Database
from api.database.lanes import Gate

FRESH_SECONDS = 3.0
TIMEOUT_SECONDS = 1.0  # of whoever asks; what is not read by then is there the next time
DEADLINE_SECONDS = 3.0  # of the reading


class Reader(Protocol):
    """Figures that are in the database."""

    async def refresh(self) -> None:
        """Read them. When that fails there are none, and the error is raised."""


def watch_lanes(database: Database, metrics: Metrics) -> None:
    """Show the lanes of a database, and its idle connections."""
    for lane, gates in database.gates().items():
        waits = metrics.database_waits.labels(lane.value)
        for kind, gate in (("any", gates.places), ("transaction", gates.transactions)):
            gate.on_waited = waits.observe
            for state, look in _looks(gate).items():
                metrics.database_places.labels(lane.value, kind, state).set_function(look)
    metrics.database_connections_idle.set_function(database.count_idle_connections)


def _looks(gate: Gate) -> dict[str, Callable[[], float]]:
    return {
        "in_use": lambda: gate.in_use,
        "free": lambda: gate.places - gate.in_use,
        "waiting": lambda: gate.waiting,
    }


class ClockFigure:
    """Shows how far our clock is ahead of the database's; below 0 it is behind."""

    def __init__(self, database: Database, metrics: Metrics) -> None:
        self._database = database
        self._offset = Gauge(
            "clock_offset_seconds",
            "How far the clock of the process that was asked is ahead of the database's",
            registry=metrics.everybodys,
        )

    async def refresh(self) -> None:
        """Compare the clocks; the question counts as asked in the middle of its way."""
        self._offset.set(math.nan)
        before = clock.now()
        theirs = await self._database.fetch_value("SELECT clock_timestamp()")
        after = clock.now()
        self._offset.set((before + (after - before) / 2 - theirs).total_seconds())


class DatabaseFigures:
    """Reads what costs a query at most every few seconds, and keeps no scrape waiting for it.

    ``is_ready`` says whether requests can be served.
    """

    def __init__(
        self,
        metrics: Metrics,
        readers: Sequence[Reader],
        is_ready: Callable[[], Awaitable[bool]],
    ) -> None:
        self._readers = readers
        self._is_ready = is_ready
        self._reading: asyncio.Task[None] | None = None
        self._fresh_until = 0.0
        self._read_at = clock.now()
        registry = metrics.everybodys
        self._ready = Gauge(
            "ready", "Whether the process that was asked can serve: 1 or 0", registry=registry
        )
        self._up = Gauge(
            "database_figures_up",
            "Whether the figures that are in the database could be read: 1 or 0",
            registry=registry,
        )
        Gauge(
            "database_figures_age_seconds",
            "Time since they were read, or since the start",
            registry=registry,
        ).set_function(self._age_seconds)

    def _age_seconds(self) -> float:
        return (clock.now() - self._read_at).total_seconds()

    async def refresh(self) -> None:
        """Let the figures be read unless they are fresh, and wait a moment for it."""
        now = asyncio.get_running_loop().time()
        if self._reading is None or (self._reading.done() and now >= self._fresh_until):
            self._reading = asyncio.create_task(self._read())
        await asyncio.wait({self._reading}, timeout=TIMEOUT_SECONDS)
        if not self._reading.done():
            self._up.set(0)

    async def close(self) -> None:
        """End what is being read."""
        if self._reading is not None:
            self._reading.cancel()
            await asyncio.wait({self._reading})

    async def _read(self) -> None:
        outcomes = await asyncio.gather(*(self._read_one(reader) for reader in self._readers))
        self._up.set(all(outcomes))
        if all(outcomes):
            self._read_at = clock.now()
        self._ready.set(await self._is_ready())
        self._fresh_until = asyncio.get_running_loop().time() + FRESH_SECONDS

    async def _read_one(self, reader: Reader) -> bool:
        try:
            async with asyncio.timeout(DEADLINE_SECONDS):
                await reader.refresh()
        except (DatabaseUnavailableError, asyncpg.PostgresError, TimeoutError):
            return False
        return True
