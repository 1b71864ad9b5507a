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
    before any gets its second, and a party's turns go round among its members in the same way.
    Where no place is left, the last of the longest crowd gives way.
    """

    def __init__(self, at_once: int, waiting: int) -> None:
        self._free = at_once
        self._places = waiting
        # Parties and their members, each in the order of their next turns.
        self._parties: dict[str, dict[str, Waiters]] = {}

    @asynccontextmanager
    async def turn(self, party: str, member: str = "") -> AsyncIterator[None]:
        """Wait for a turn of a party's member and hold it for as long as the block runs.

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
        if sum(map(_size, self._parties.values())) >= self._places:
            self._make_place_for(party, member)
        turn: asyncio.Future[None] = asyncio.get_running_loop().create_future()
        self._parties.setdefault(party, {}).setdefault(member, deque()).append(turn)
        try:
            await turn
        except asyncio.CancelledError:
            self._leave(party, member, turn)
            if not turn.cancelled() and turn.exception() is None:  # its turn had just come
                self._pass_on()
            raise

    def _make_place_for(self, party: str, member: str) -> None:
        """Refuse the last of the longest crowd, or the one who came if theirs is as long.

        Parties are compared first, then the members of the longest one.
        """
        mine = self._parties.get(party, {})
        longest = max(self._parties, key=lambda name: _size(self._parties[name]), default=party)
        if longest == party or _size(self._parties[longest]) <= _size(mine) + 1:
            longest = party
        members = self._parties.get(longest, {})
        crowd = max(members, key=lambda name: len(members[name]), default=member)
        waiting = len(members.get(crowd, ()))
        if longest == party and waiting <= len(mine.get(member, ())) + 1:
            raise UnavailableError(retry_after_seconds=BUSY_RETRY_SECONDS)
        refused = members[crowd][-1]
        self._leave(longest, crowd, refused)
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
        """Give a turn that has ended to the next party's next member."""
        while self._parties:
            party = next(iter(self._parties))
            members = self._parties.pop(party)
            member = next(iter(members))
            waiters = members.pop(member)
            turn = waiters.popleft()
            if waiters:
                members[member] = waiters  # behind everybody else
            if members:
                self._parties[party] = members
            if not turn.done():  # whoever was cancelled a moment ago still stands here
                turn.set_result(None)
                return
        self._free += 1


def _size(members: dict[str, Waiters]) -> int:
    return sum(map(len, members.values()))
