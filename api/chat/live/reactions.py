"""Reactions on their way out: counts of a message, told at most once a second."""

import asyncio
from collections.abc import Awaitable, Callable, Mapping, Sequence
from uuid import UUID

from api.chat import repository
from api.chat.enums import ReactionKey
from api.chat.live.pace import ALIVE_SECONDS
from api.chat.rules import MAX_MESSAGES_ON_SCREEN
from api.core.supervisor import Job
from api.database.database import Database
from api.database.lanes import Lane

EMIT_INTERVAL_SECONDS = 1.0  # how often the counts of one message may be told: contract F-29

Tell = Callable[[UUID, UUID, Mapping[ReactionKey, int]], Awaitable[None]]


class ReactionTeller:
    """Tells this worker's screens the counts that changed, whichever worker changed them.

    However many react, a message is counted and told once a second: the changes of that second
    share one count, and messages that changed meanwhile share one statement.
    """

    def __init__(self, database: Database, tell: Tell) -> None:
        self._database = database.lane(Lane.BACKGROUND)
        self._tell = tell
        self._changed: dict[UUID, UUID] = {}
        self._telling: dict[UUID, UUID] = {}
        self._wake = asyncio.Event()

    def job(self) -> Job:
        """Return what has to be done as long as members react."""
        return Job(
            name="chat_reactions",
            step=self.show,
            every_seconds=ALIVE_SECONDS,
            rest_seconds=EMIT_INTERVAL_SECONDS,
            wake=self._wake,
        )

    async def hear(self, payload: str) -> None:
        """Take notice that a message's counts have changed: its room, and its id."""
        room_id, message_id = (UUID(word) for word in payload.split())
        self._changed[message_id] = room_id
        self._wake.set()

    def forget(self, message_id: UUID) -> None:
        """Tell no more of a message that is hidden now, also if it was counted already."""
        self._changed.pop(message_id, None)
        self._telling.pop(message_id, None)

    async def recheck(self, room_ids: Sequence[UUID]) -> None:
        """Count the newest messages of rooms anew, whose changes were not heard.

        What was taken back has left no trace, so that all of them are told.

        Raises:
            DatabaseUnavailableError: nothing was counted.
        """
        shown = await repository.list_reactable(self._database, room_ids, MAX_MESSAGES_ON_SCREEN)
        self._changed = shown | self._changed
        self._wake.set()

    async def show(self) -> None:
        """Tell what has changed since the last time, as it is now.

        Raises:
            DatabaseUnavailableError: it is told the next time.
        """
        changed, self._changed = self._changed, {}
        if not changed:
            return
        self._telling = changed
        try:
            counts = await repository.count_shown_reactions(self._database, list(changed))
        except BaseException:
            self._changed = changed | self._changed
            raise
        for message_id, shown in counts.items():
            room_id = changed.pop(message_id, None)
            if room_id is not None:
                await self._tell(room_id, message_id, shown)
