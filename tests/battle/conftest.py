"""Members who may play, and phones that play over a real socket."""

import asyncio
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from dataclasses import dataclass, field
from typing import Any
from uuid import UUID

import socketio

from tests.conftest import House, SignedIn

PATH = "/battle-ground"
EVENTS = (
    "new_question",
    "time_update",
    "time_up",
    "answer_result",
    "attempted_all_question",
    "no_more_questions",
    "empty_question",
    "challengers_list",
    "session_taken_over",
)


@dataclass
class Phone:
    """One socket in the Battle Zone, with everything it was told, in order."""

    client: socketio.AsyncClient
    heard: list[tuple[str, Any]] = field(default_factory=list)
    _news: asyncio.Event = field(default_factory=asyncio.Event)
    _read: int = 0

    def hear(self, event: str, payload: Any) -> None:
        self.heard.append((event, payload))
        self._news.set()

    async def send(self, event: str, payload: Any = None) -> Any:
        """Send an event and return its acknowledgement."""
        return await self.client.call(event, payload or {}, namespace=PATH, timeout=10)

    async def next(self, *events: str, seconds: float = 8) -> Any:
        """Wait for the next of ``events`` that was not read yet; return its payload."""
        async with asyncio.timeout(seconds):
            while True:
                while self._read < len(self.heard):
                    event, payload = self.heard[self._read]
                    self._read += 1
                    if event in events:
                        return payload
                self._news.clear()
                await self._news.wait()

    def count(self, event: str) -> int:
        return sum(name == event for name, _ in self.heard)


@asynccontextmanager
async def phone(house: House, member: SignedIn, *, base_url: str = "") -> AsyncIterator[Phone]:
    """Connect a member's phone to the Battle Zone."""
    client = socketio.AsyncClient(reconnection=False)
    held = Phone(client)

    def listen(event: str) -> None:
        async def hear(payload: Any) -> None:
            held.hear(event, payload)

        client.on(event, hear, namespace=PATH)

    for event in EVENTS:
        listen(event)
    await client.connect(
        f"{base_url or house.base_url}?userId={member.id}&clubId={member.club_id}",
        auth={"token": member.token},
        namespaces=[PATH],
        transports=["websocket"],
        wait_timeout=5,
    )
    try:
        yield held
    finally:
        await client.disconnect()


async def right_key(house: House, member: SignedIn, question_id: str) -> str:
    """Return the key under which this member sees the right option: read where players cannot."""
    row = await house.database.fetch_row(
        "SELECT array_position(a.shown, q.right_option) AS place FROM battle_attempt a "
        "JOIN question q ON q.id = a.question_id WHERE a.user_id = $1 AND a.question_id = $2 "
        "ORDER BY a.day DESC LIMIT 1",
        member.id,
        UUID(question_id),
    )
    assert row is not None
    return "ABCD"[row["place"] - 1]


def another_key(key: str) -> str:
    return "B" if key == "A" else "A"
