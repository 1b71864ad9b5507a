"""Lag of the event loop, which delays all callers."""

import asyncio

from api.foundation.core.metrics import Metrics
from api.foundation.core.supervisor import Job

POLL_INTERVAL_SECONDS = 0.25


class LoopWatch:
    """Schedules wake-ups continuously and measures how late they are."""

    def __init__(self, metrics: Metrics) -> None:
        self._lag = metrics.loop_lag
        self._max_seconds = 0.0

    def job(self) -> Job:
        """Return the measuring job."""
        return Job(name="loop_watch", step=self.measure, every_seconds=0, begins_at_once=True)

    async def measure(self) -> None:
        """Measure once."""
        loop = asyncio.get_running_loop()
        due = loop.time() + POLL_INTERVAL_SECONDS
        await asyncio.sleep(POLL_INTERVAL_SECONDS)
        seconds = max(0.0, loop.time() - due)
        self._lag.observe(seconds)
        self._max_seconds = max(self._max_seconds, seconds)

    def pop_maximum(self) -> float:
        """Return the maximum lag in seconds since the last call."""
        maximum, self._max_seconds = self._max_seconds, 0.0
        return maximum
