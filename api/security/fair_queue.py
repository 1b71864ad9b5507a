"""A bounded queue whose turns go round among those who wait.

Whoever sends a crowd waits behind their own crowd, and nobody else does.
"""

import asyncio
from collections import deque
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager

from api.core.errors import UnavailableError

BUSY_RETRY_SECONDS = 5

Waiters = deque[asyncio.Future[None]]


class FairQueue:
    """Lets ``at_once`` blocks run at a time, and at most ``waiting`` more wait for their turn.

    A party is whoever turns are shared among, such as a network. Each that waits gets one turn
    before any gets its second. Where no place is left, the last of the longest crowd gives way.
    """

    def __init__(self, at_once: int, waiting: int) -> None:
        self._free = at_once
        self._places = waiting
        self._parties: dict[str, Waiters] = {}  # in the order of their next turns

    @asynccontextmanager
    async def turn(self, party: str) -> AsyncIterator[None]:
        """Wait for a turn of ``party`` and hold it for as long as the block runs.

        Raises:
            UnavailableError: too many wait.
        """
        if self._free > 0:
            self._free -= 1
        else:
            await self._wait(party)
        try:
            yield
        finally:
            self._pass_on()

    async def _wait(self, party: str) -> None:
        if sum(map(len, self._parties.values())) >= self._places:
            self._make_place_for(party)
        turn: asyncio.Future[None] = asyncio.get_running_loop().create_future()
        self._parties.setdefault(party, deque()).append(turn)
        try:
            await turn
        except asyncio.CancelledError:
            self._leave(party, turn)
            if not turn.cancelled() and turn.exception() is None:  # its turn had just come
                self._pass_on()
            raise

    def _make_place_for(self, party: str) -> None:
        """Refuse the last of the longest crowd, or the one who came if theirs is as long."""
        longest = max(self._parties, key=lambda name: len(self._parties[name]), default=party)
        mine = len(self._parties.get(party, ()))
        if longest == party or len(self._parties[longest]) <= mine + 1:
            raise UnavailableError(retry_after_seconds=BUSY_RETRY_SECONDS)
        refused = self._parties[longest][-1]
        self._leave(longest, refused)
        refused.set_exception(UnavailableError(retry_after_seconds=BUSY_RETRY_SECONDS))

    def _leave(self, party: str, turn: asyncio.Future[None]) -> None:
        waiters = self._parties.get(party)
        if waiters is not None and turn in waiters:
            waiters.remove(turn)
            if not waiters:
                del self._parties[party]

    def _pass_on(self) -> None:
        """Give a turn that has ended to the party whose next it is."""
        while self._parties:
            party = next(iter(self._parties))
            waiters = self._parties.pop(party)
            turn = waiters.popleft()
            if waiters:
                self._parties[party] = waiters  # behind everybody else
            if not turn.done():  # whoever was cancelled a moment ago still stands here
                turn.set_result(None)
                return
        self._free += 1
