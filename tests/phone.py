"""A member's phone: a real socket in one namespace that records all events in order."""

import asyncio
from collections.abc import AsyncIterator, Sequence
from contextlib import asynccontextmanager
from dataclasses import dataclass, field
from typing import Any

import socketio

from tests.conftest import RunningApp, SignedIn
from tests.waiting import DEADLINE_SECONDS


@dataclass
class Phone:
    """A socket; ``heard`` contains every event and its payload."""

    client: socketio.AsyncClient
    path: str
    received: list[tuple[str, Any]] = field(default_factory=list)
    _news: asyncio.Event = field(default_factory=asyncio.Event)
    _read: int = 0

    def record(self, event: str, payload: Any) -> None:
        self.received.append((event, payload))
        self._news.set()

    async def send(self, event: str, payload: Any = None) -> Any:
        """Send an event and return its acknowledgement."""
        return await self.client.call(
            event, payload or {}, namespace=self.path, timeout=DEADLINE_SECONDS
        )

    async def next(self, *events: str, seconds: float = DEADLINE_SECONDS) -> Any:
        """Wait for the next unread event of ``events``; return its payload."""
        async with asyncio.timeout(seconds):
            while True:
                while self._read < len(self.received):
                    event, payload = self.received[self._read]
                    self._read += 1
                    if event in events:
                        return payload
                self._news.clear()
                await self._news.wait()

    async def until(self, event: str, count: int, seconds: float = DEADLINE_SECONDS) -> None:
        """Wait until ``event`` was received ``count`` times."""
        async with asyncio.timeout(seconds):
            while self.count(event) < count:
                self._news.clear()
                await self._news.wait()

    async def until_gone(self, seconds: float = DEADLINE_SECONDS) -> None:
        """Wait until the server has closed the connection."""
        async with asyncio.timeout(seconds):
            while self.client.connected:  # noqa: ASYNC110 the client has no such event
                await asyncio.sleep(0.01)

    def count(self, event: str) -> int:
        return sum(name == event for name, _ in self.received)

    def payloads(self, event: str) -> list[Any]:
        """Return all payloads received for ``event``."""
        return [payload for name, payload in self.received if name == event]


@asynccontextmanager
async def connected(
    app: RunningApp,
    member: SignedIn,
    path: str,
    events: Sequence[str],
) -> AsyncIterator[Phone]:
    """Connect a member's phone to a namespace."""
    client = socketio.AsyncClient(reconnection=False)
    phone = Phone(client, path)

    def listen(event: str) -> None:
        async def record(payload: Any) -> None:
            phone.record(event, payload)

        client.on(event, record, namespace=path)

    for event in events:
        listen(event)
    await client.connect(
        f"{app.base_url}?userId={member.id}&clubId={member.club_id}",
        auth={"token": member.token},
        namespaces=[path],
        transports=["websocket"],
        wait_timeout=DEADLINE_SECONDS,
    )
    try:
        yield phone
    finally:
        await client.disconnect()
