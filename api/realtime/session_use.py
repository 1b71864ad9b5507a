"""Use of sessions over sockets: an event counts like a call, and what lies unused ends.

The database knows when a session was used last, over whatever worker and however. What is kept
here only spares asking it: of a session that was used on a socket lately nobody needs to ask.
"""

from collections import Counter
from collections.abc import Callable
from datetime import datetime, timedelta
from uuid import UUID

from api.core import clock
from api.core.errors import TokenError
from api.security.members import Member, ReadSession


class SessionUse:
    """When the sessions that have sockets on this worker were last used, as far as it knows.

    ``look`` reads a live session without counting as a use of it; ``notice`` has a use written
    down, and is told at most once ``every`` so long per session.
    """

    def __init__(
        self,
        look: ReadSession,
        notice: Callable[[UUID], None],
        *,
        idle: timedelta,
        every: timedelta,
    ) -> None:
        self._look = look
        self._notice = notice
        self._idle = idle
        self._every = every
        self._sockets: Counter[UUID] = Counter()
        self._used_at: dict[UUID, datetime] = {}

    def enter(self, session_id: UUID) -> None:
        """Note a socket; its handshake was a use, noticed where the token was read."""
        self._sockets[session_id] += 1
        self._used_at[session_id] = clock.now()

    def leave(self, session_id: UUID) -> None:
        """Forget a socket."""
        self._sockets[session_id] -= 1
        if not self._sockets[session_id]:
            del self._sockets[session_id], self._used_at[session_id]

    def may_have_ended(self, session_id: UUID) -> bool:
        """Say whether this worker saw no use for so long that only the database can tell."""
        return clock.now() - self._used_at[session_id] >= self._idle

    async def is_still(self, member: Member) -> bool:
        """Say whether the member's session lives, and the member is who they were.

        Raises:
            DatabaseUnavailableError: it is not known.
        """
        record = await self._look(member.session_id)
        return record is not None and record.describes(member)

    async def count(self, member: Member) -> None:
        """Count an event that a member sends.

        Raises:
            TokenError: the session had ended unused; nothing wakes it.
            DatabaseUnavailableError: it is not known whether it had.
        """
        session_id = member.session_id
        if self.may_have_ended(session_id) and not await self.is_still(member):
            raise TokenError
        now = clock.now()
        if session_id in self._used_at and now - self._used_at[session_id] >= self._every:
            self._used_at[session_id] = now
            self._notice(session_id)
