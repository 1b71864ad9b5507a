"""Messages on their way out: stored before they are told, and told in their room's order."""

import asyncio
from collections import deque
from collections.abc import Awaitable, Callable, Sequence
from uuid import UUID

from api.chat import service
from api.chat.live.pace import ALIVE_SECONDS
from api.chat.rules import OutgoingMessage, Posted, Stored
from api.chat.schemas import ChatMessage
from api.core.supervisor import Job
from api.database.batch import Batcher
from api.database.database import Database


class MessageDispatcher:
    """Stores messages that come together at once, then tells each room in order.

    ``tell`` sends one message to everybody in its room. A message is answered after it was told, so
    that a sender who heard nothing, and tries again, has it told again: screens know messages by
    their id.
    """

    def __init__(
        self, database: Database, tell: Callable[[UUID, ChatMessage], Awaitable[None]]
    ) -> None:
        self._database = database
        self._tell = tell
        self._batcher: Batcher[OutgoingMessage, tuple[Posted, asyncio.Future[None]]] = Batcher(
            self._post
        )
        self._outgoing: deque[tuple[OutgoingMessage, Stored, asyncio.Future[None]]] = deque()
        self._stored = asyncio.Event()

    async def submit(self, message: OutgoingMessage) -> Posted:
        """Store and tell a message; return what became of it.

        Raises:
            DatabaseUnavailableError: it may be stored or not; sending it again is safe.
        """
        posted, told = await self._batcher.submit(message)
        await told
        return posted

    def job(self) -> Job:
        """Return what has to be done for as long as there are messages.

        One that could not be told is stored, and read back; the next ones do not wait for it.
        """
        return Job(
            name="chat_post",
            step=self.deliver,
            every_seconds=ALIVE_SECONDS,
            wake=self._stored,
            max_backoff_seconds=0,
        )

    async def deliver(self) -> None:
        """Tell what is stored by now, one after the other."""
        for _ in range(len(self._outgoing)):
            message, stored, told = self._outgoing.popleft()
            try:
                await self._tell(message.room_id, service.as_message(message, stored))
            finally:
                if not told.done():
                    told.set_result(None)
                if self._outgoing:
                    self._stored.set()

    async def _post(
        self, messages: Sequence[OutgoingMessage]
    ) -> Sequence[tuple[Posted, asyncio.Future[None]]]:
        loop = asyncio.get_running_loop()
        outcome: list[tuple[Posted, asyncio.Future[None]]] = []
        for message, posted in zip(
            messages, await service.post_all(self._database, messages), strict=True
        ):
            told: asyncio.Future[None] = loop.create_future()
            outcome.append((posted, told))
            if isinstance(posted, Stored) and posted.is_due:
                self._outgoing.append((message, posted, told))
                self._stored.set()
            else:
                told.set_result(None)
        return outcome
