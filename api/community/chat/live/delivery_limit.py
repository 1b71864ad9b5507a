"""The number of messages of one room that a phone gets in a second."""

import asyncio
from collections.abc import Awaitable, Callable
from dataclasses import dataclass
from time import monotonic

import structlog

from api.community.chat.live.pace import ALIVE_SECONDS
from api.foundation.core.supervisor import Job

log = structlog.get_logger(__name__)

SECOND = 1.0


@dataclass(frozen=True, slots=True)
class SkippedRange:
    """Messages that were not delivered: ``count`` of those from seq ``first`` to ``last``."""

    count: int
    first: int
    last: int


class DeliveryLimit:
    """Decides which messages of a room are delivered to all sockets of this worker.

    A second begins with the first message after the previous one. Its first ``per_second`` messages
    are delivered; ``announce`` gets the range of the others when it has ended, and before a later
    message is delivered. It counts for the room, so it costs the same with any number of sockets.
    With 0 everything is delivered.
    """

    def __init__(
        self, per_second: int, announce: Callable[[SkippedRange], Awaitable[None]]
    ) -> None:
        self._per_second = per_second
        self._announce = announce
        self._ends_at = 0.0
        self._delivered = 0
        self._highest: int | None = None
        self._highest_before = 0  # when the second began
        self._seen: set[int] = set()  # newer ones, in this second
        self._skipped: set[int] = set()
        self._wake = asyncio.Event()

    def job(self) -> Job:
        """Return the job that announces skipped messages when no message follows them."""
        return Job(
            name="chat_skipped",
            step=self.announce_ended,
            every_seconds=ALIVE_SECONDS,
            wake=self._wake,
        )

    async def allows(self, seq: int) -> bool:
        """Count a message; return whether it is delivered to everybody.

        A message from before this second is a repeat, or was late on its way here: if it is not
        delivered it is not announced either, because the range would hide newer messages that have
        been lost. Clients notice from the gap that it is missing.
        """
        if self._per_second == 0:
            return True
        now, ended = monotonic(), None
        if now >= self._ends_at:
            ended = self._begin(now, seq)
        is_new = seq > self._highest_before and seq not in self._seen
        self._seen.add(seq)
        self._highest = max(self._highest or 0, seq)
        is_allowed = self._delivered < self._per_second
        if is_allowed:
            self._delivered += 1
        elif is_new:
            self._skipped.add(seq)
            self._wake.set()
        if ended is not None:
            await self._announce_or_log(ended)
        return is_allowed

    async def announce_ended(self) -> None:
        """Wait for the end of the second, and announce what was skipped in it."""
        if not self._skipped:
            return
        await asyncio.sleep(max(0.0, self._ends_at - monotonic()))
        if monotonic() < self._ends_at:  # another second has begun meanwhile
            self._wake.set()
            return
        ended = self._take_skipped()
        if ended is not None:
            await self._announce_or_log(ended)

    async def _announce_or_log(self, ended: SkippedRange) -> None:
        """Announce a range; clients find one that was not announced by its gap."""
        try:
            await self._announce(ended)
        except Exception:  # whatever it is, the message being delivered must not be lost with it
            log.exception("skipped messages could not be announced")

    def _begin(self, now: float, seq: int) -> SkippedRange | None:
        """Begin a second; return what was skipped in the previous one."""
        self._ends_at, self._delivered = now + SECOND, 0
        self._highest_before = seq - 1 if self._highest is None else self._highest
        self._seen.clear()
        return self._take_skipped()

    def _take_skipped(self) -> SkippedRange | None:
        skipped, self._skipped = self._skipped, set()
        if not skipped:
            return None
        return SkippedRange(len(skipped), min(skipped), max(skipped))
