"""Outgoing messages: stored first, then emitted in their room's order."""

import asyncio
from collections import deque
from collections.abc import Awaitable, Callable, Sequence
from uuid import UUID

from api.community.chat.live.pace import ALIVE_SECONDS
from api.community.chat.rules import Limits, OutgoingMessage, PostResult, StoredPost
from api.community.chat.schemas import ChatMessage
from api.community.chat.service import messages as messages_service
from api.foundation.core.supervisor import Job
from api.foundation.database.batch import Batcher
from api.foundation.database.database import Database


class MessageDispatcher:
    """Stores concurrent messages in one batch, then emits them in each room's order.

    ``emit`` sends one message to everybody in its room. A message is acknowledged after it was
    emitted, so a sender that got no acknowledgement and retries has it emitted again: clients
    deduplicate messages by id.
    """

    def __init__(
        self,
        database: Database,
        emit: Callable[[UUID, ChatMessage], Awaitable[None]],
        limits: Limits,
    ) -> None:
        self._database = database
        self._limits = limits
        self._emit = emit
        self._batcher: Batcher[OutgoingMessage, tuple[PostResult, asyncio.Future[None]]] = Batcher(
            self._post
        )
        self._outgoing: deque[tuple[OutgoingMessage, StoredPost, asyncio.Future[None]]] = deque()
        self._stored = asyncio.Event()

    async def submit(self, message: OutgoingMessage) -> PostResult:
        """Store and emit a message; return the outcome.

        Raises:
            DatabaseUnavailableError: it is unknown whether the message was stored; sending it again
                is safe.
        """
        posted, emitted = await self._batcher.submit(message)
        await emitted
        return posted

    def job(self) -> Job:
        """Return the job that emits messages.

        A message that could not be emitted is stored, so clients read it back; the next ones do not
        wait for it.
        """
        return Job(
            name="chat_post",
            step=self.deliver,
            every_seconds=ALIVE_SECONDS,
            wake=self._stored,
            max_backoff_seconds=0,
        )

    async def deliver(self) -> None:
        """Emit the messages stored so far, one after the other."""
        for _ in range(len(self._outgoing)):
            message, stored, emitted = self._outgoing.popleft()
            try:
                await self._emit(message.room_id, messages_service.as_message(message, stored))
            finally:
                if not emitted.done():
                    emitted.set_result(None)
                if self._outgoing:
                    self._stored.set()

    async def _post(
        self, messages: Sequence[OutgoingMessage]
    ) -> Sequence[tuple[PostResult, asyncio.Future[None]]]:
        loop = asyncio.get_running_loop()
        outcome: list[tuple[PostResult, asyncio.Future[None]]] = []
        results = await messages_service.post_all(self._database, messages, self._limits)
        for message, posted in zip(messages, results, strict=True):
            emitted: asyncio.Future[None] = loop.create_future()
            outcome.append((posted, emitted))
            if isinstance(posted, StoredPost) and posted.is_due:
                self._outgoing.append((message, posted, emitted))
                self._stored.set()
            else:
                emitted.set_result(None)
        return outcome
