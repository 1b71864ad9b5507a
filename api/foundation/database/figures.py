"""Database metrics: lanes, and values that cost a query."""

import asyncio
import math
from collections.abc import Awaitable, Callable, Sequence
from typing import Protocol

import asyncpg
from prometheus_client import Gauge

from api.foundation.core import clock
from api.foundation.core.errors import DatabaseUnavailableError
from api.foundation.core.metrics import Metrics
from api.foundation.database.database import Database
from api.foundation.database.lanes import Slots

FRESH_SECONDS = 3.0
TIMEOUT_SECONDS = 1.0  # per scrape; slower values appear in the next one
DEADLINE_SECONDS = 3.0  # of a refresh


class Reader(Protocol):
    """A metric that is read from the database."""

    async def refresh(self) -> None:
        """Read the current values. On failure the metric is empty and the error is raised."""


def watch_lanes(database: Database, metrics: Metrics) -> None:
    """Register metrics for the lanes of a database and its idle connections."""
    for lane, lane_slots in database.slots().items():
        waits = metrics.database_waits.labels(lane.value)
        for kind, slots in (("any", lane_slots.total), ("transaction", lane_slots.transactions)):
            slots.on_waited = waits.observe
            for state, gauge in _gauges(slots).items():
                metrics.database_places.labels(lane.value, kind, state).set_function(gauge)
    metrics.database_connections_idle.set_function(database.count_idle_connections)


def _gauges(slots: Slots) -> dict[str, Callable[[], float]]:
    return {
        "in_use": lambda: slots.in_use,
        "free": lambda: slots.size - slots.in_use,
        "waiting": lambda: slots.waiting,
    }


class ClockFigure:
    """How far our clock is ahead of the database's; negative if behind."""

    def __init__(self, database: Database, metrics: Metrics) -> None:
        self._database = database
        self._offset = Gauge(
            "clock_offset_seconds",
            "How far the clock of the process that was asked is ahead of the database's",
            registry=metrics.everybodys,
        )

    async def refresh(self) -> None:
        """Compare the clocks, assuming that the query was evaluated at half its round trip."""
        self._offset.set(math.nan)
        before = clock.now()
        theirs = await self._database.fetch_value("SELECT clock_timestamp()")
        after = clock.now()
        self._offset.set((before + (after - before) / 2 - theirs).total_seconds())


class DatabaseFigures:
    """Reads metrics that cost a query, at most every few seconds, without delaying a scrape.

    ``is_ready`` returns whether requests can be served.
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
        """Start a refresh if the values are stale, and wait briefly for it."""
        now = asyncio.get_running_loop().time()
        if self._reading is None or (self._reading.done() and now >= self._fresh_until):
            self._reading = asyncio.create_task(self._read())
        await asyncio.wait({self._reading}, timeout=TIMEOUT_SECONDS)
        if not self._reading.done():
            self._up.set(0)

    async def close(self) -> None:
        """Cancel a running refresh."""
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
