"""Use of sessions over sockets: an event counts like an HTTP request, and idle sessions expire.

The database has the last use of a session across all workers. The times here only save queries: a
session recently used on a socket need not be looked up.
"""

from collections import Counter
from collections.abc import Callable
from datetime import datetime, timedelta
from uuid import UUID

from api.foundation.core import clock
from api.foundation.core.errors import TokenError
from api.foundation.security.members import Member, ReadSession


class SessionUse:
    """Tracks this worker's last known use of each session that has sockets here.

    ``read`` reads a live session without counting as a use; ``notice`` records a use and is called
    at most once per ``every`` for each session.
    """

    def __init__(
        self,
        read: ReadSession,
        notice: Callable[[UUID], None],
        *,
        idle: timedelta,
        every: timedelta,
    ) -> None:
        self._read = read
        self._notice = notice
        self._idle = idle
        self._every = every
        self._sockets: Counter[UUID] = Counter()
        self._used_at: dict[UUID, datetime] = {}

    def enter(self, session_id: UUID) -> None:
        """Add a socket; its handshake was a use, recorded where the token was read."""
        self._sockets[session_id] += 1
        self._used_at[session_id] = clock.now()

    def leave(self, session_id: UUID) -> None:
        """Remove a socket."""
        self._sockets[session_id] -= 1
        if not self._sockets[session_id]:
            del self._sockets[session_id], self._used_at[session_id]

    def may_have_ended(self, session_id: UUID) -> bool:
        """Return whether this worker saw no use for so long that the session may have expired."""
        return clock.now() - self._used_at[session_id] >= self._idle

    async def is_still(self, member: Member) -> bool:
        """Return whether the member's session is live and the member unchanged."""
        record = await self._read(member.session_id)
        return record is not None and record.describes(member)

    async def count(self, member: Member) -> None:
        """Count an event of a member.

        Raises:
            TokenError: the session had expired, and stays so.
            DatabaseUnavailableError: it is unknown whether it had.
        """
        session_id = member.session_id
        if self.may_have_ended(session_id) and not await self.is_still(member):
            raise TokenError
        now = clock.now()
        if session_id in self._used_at and now - self._used_at[session_id] >= self._every:
            self._used_at[session_id] = now
            self._notice(session_id)
