"""How late the event loop is: what holds it up holds everybody up."""

import asyncio

from api.core.metrics import Metrics
from api.core.supervisor import Job

POLL_INTERVAL_SECONDS = 0.25


class LoopWatch:
    """Asks again and again to be woken, and notes how much later that was."""

    def __init__(self, metrics: Metrics) -> None:
        self._lag = metrics.loop_lag
        self._longest_seconds = 0.0

    def job(self) -> Job:
        """Return what watches."""
        return Job(name="loop_watch", step=self.look, every_seconds=0, begins_at_once=True)

    async def look(self) -> None:
        """Look once."""
        loop = asyncio.get_running_loop()
        due = loop.time() + POLL_INTERVAL_SECONDS
        await asyncio.sleep(POLL_INTERVAL_SECONDS)
        seconds = max(0.0, loop.time() - due)
        self._lag.observe(seconds)
        self._longest_seconds = max(self._longest_seconds, seconds)

    def take_maximum(self) -> float:
        """Return the longest lag since this was asked last, in seconds."""
        longest, self._longest_seconds = self._longest_seconds, 0.0
        return longest
