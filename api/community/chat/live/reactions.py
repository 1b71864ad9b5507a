"""Outgoing reaction counts, emitted at most once a second per message."""

import asyncio
from collections.abc import Awaitable, Callable, Mapping, Sequence
from uuid import UUID

from api.community.chat.enums import ReactionKey
from api.community.chat.live.pace import ALIVE_SECONDS
from api.community.chat.repository import reactions
from api.community.chat.rules import MAX_MESSAGES_ON_SCREEN
from api.foundation.core.supervisor import Job
from api.foundation.database.database import Database
from api.foundation.database.lanes import Priority

EMIT_INTERVAL_SECONDS = 1.0  # per message: contract F-29

Emit = Callable[[UUID, UUID, Mapping[ReactionKey, int]], Awaitable[None]]


class ReactionEmitter:
    """Emits changed counts to this worker's sockets, whichever worker changed them.

    However many members react, a message is counted and emitted once a second: the changes of that
    second share one count, and the messages changed meanwhile share one statement.
    """

    def __init__(self, database: Database, emit: Emit) -> None:
        self._database = database.lane(Priority.BACKGROUND)
        self._emit = emit
        self._changed: dict[UUID, UUID] = {}
        self._in_progress: dict[UUID, UUID] = {}
        self._wake = asyncio.Event()

    def job(self) -> Job:
        """Return the job that emits changed counts."""
        return Job(
            name="chat_reactions",
            step=self.show,
            every_seconds=ALIVE_SECONDS,
            rest_seconds=EMIT_INTERVAL_SECONDS,
            wake=self._wake,
        )

    async def on_announcement(self, payload: str) -> None:
        """Handle an announcement: the room and id of a message whose counts have changed."""
        room_id, message_id = (UUID(word) for word in payload.split())
        self._changed[message_id] = room_id
        self._wake.set()

    def discard(self, message_id: UUID) -> None:
        """Stop emitting counts of a message that is hidden, even if they are already read."""
        self._changed.pop(message_id, None)
        self._in_progress.pop(message_id, None)

    async def recheck(self, room_ids: Sequence[UUID]) -> None:
        """Recount the newest messages of rooms whose changes were missed.

        A removed reaction leaves no row, so the counts of all these messages are emitted.

        Raises:
            DatabaseUnavailableError: nothing was counted.
        """
        shown = await reactions.list_reactable(self._database, room_ids, MAX_MESSAGES_ON_SCREEN)
        self._changed = shown | self._changed
        self._wake.set()

    async def show(self) -> None:
        """Emit the current counts of the messages changed since the last call.

        Raises:
            DatabaseUnavailableError: they are emitted by the next call.
        """
        changed, self._changed = self._changed, {}
        if not changed:
            return
        self._in_progress = changed
        try:
            counts = await reactions.count_shown_reactions(self._database, list(changed))
        except BaseException:
            self._changed = changed | self._changed
            raise
        for message_id, shown in counts.items():
            room_id = changed.pop(message_id, None)
            if room_id is not None:
                await self._emit(room_id, message_id, shown)
