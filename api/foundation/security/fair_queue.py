"""A bounded queue that serves waiting parties in round-robin order.

A party with many waiters delays only itself.
"""

import asyncio
from collections import deque
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager

from api.foundation.core.errors import UnavailableError

BUSY_RETRY_SECONDS = 5

Waiters = deque[asyncio.Future[None]]


class FairQueue:
    """Lets ``at_once`` blocks run at a time, and at most ``waiting`` more wait.

    Turns are shared among parties, such as networks. Each waiting party gets one turn before any
    gets its second, and a party's turns alternate among its members in the same way. When the queue
    is full, the last waiter of the largest group is rejected.
    """

    def __init__(self, at_once: int, waiting: int) -> None:
        self._free = at_once
        self._max_waiting = waiting
        # Parties and their members, each in the order of their next turns.
        self._parties: dict[str, dict[str, Waiters]] = {}

    @asynccontextmanager
    async def turn(self, party: str, member: str = "") -> AsyncIterator[None]:
        """Hold a turn for the duration of the block, after waiting for it.

        Raises:
            UnavailableError: too many wait.
        """
        if self._free > 0:
            self._free -= 1
        else:
            await self._wait(party, member)
        try:
            yield
        finally:
            self._pass_on()

    async def _wait(self, party: str, member: str) -> None:
        if sum(map(_size, self._parties.values())) >= self._max_waiting:
            self._make_room_for(party, member)
        turn: asyncio.Future[None] = asyncio.get_running_loop().create_future()
        self._parties.setdefault(party, {}).setdefault(member, deque()).append(turn)
        try:
            await turn
        except asyncio.CancelledError:
            self._leave(party, member, turn)
            if not turn.cancelled() and turn.exception() is None:  # it had just been granted
                self._pass_on()
            raise

    def _make_room_for(self, party: str, member: str) -> None:
        """Reject the last waiter of the largest group, or the new one if its group is as large.

        Parties are compared first, then the members of the largest one.
        """
        mine = self._parties.get(party, {})
        largest = max(self._parties, key=lambda name: _size(self._parties[name]), default=party)
        if largest == party or _size(self._parties[largest]) <= _size(mine) + 1:
            largest = party
        members = self._parties.get(largest, {})
        crowd = max(members, key=lambda name: len(members[name]), default=member)
        waiting = len(members.get(crowd, ()))
        if largest == party and waiting <= len(mine.get(member, ())) + 1:
            raise UnavailableError(retry_after_seconds=BUSY_RETRY_SECONDS)
        refused = members[crowd][-1]
        self._leave(largest, crowd, refused)
        refused.set_exception(UnavailableError(retry_after_seconds=BUSY_RETRY_SECONDS))

    def _leave(self, party: str, member: str, turn: asyncio.Future[None]) -> None:
        members = self._parties.get(party, {})
        waiters = members.get(member)
        if waiters is not None and turn in waiters:
            waiters.remove(turn)
            if not waiters:
                del members[member]
            if not members:
                del self._parties[party]

    def _pass_on(self) -> None:
        """Grant a released turn to the next party's next member."""
        while self._parties:
            party = next(iter(self._parties))
            members = self._parties.pop(party)
            member = next(iter(members))
            waiters = members.pop(member)
            turn = waiters.popleft()
            if waiters:
                members[member] = waiters  # at the end of the order
            if members:
                self._parties[party] = members
            if not turn.done():  # may have been cancelled just now
                turn.set_result(None)
                return
        self._free += 1


def _size(members: dict[str, Waiters]) -> int:
    return sum(map(len, members.values()))
