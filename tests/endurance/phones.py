"""Many members' chat sockets in one process, each reconnecting as the web app does."""

import asyncio
import json
import random
import time
from collections.abc import Sequence
from dataclasses import dataclass, field
from uuid import UUID

import httpx
import websockets

FIRST_PAUSE_SECONDS = (0.5, 1.5)  # the web app's delay after a drop: a second, give or take half
MAX_RETRY_DELAY_SECONDS = 5.0
JOIN_SECONDS = 20.0
NAMESPACE = "/chat"
AT_ONCE = 50


@dataclass
class Phones:
    """The sockets of many members; ``rejoins`` are the seconds from each drop to the next join."""

    base: str
    tokens: Sequence[str]
    rejoins: list[float] = field(default_factory=list)
    refusals: int = 0
    joined: int = 0
    _tasks: list["asyncio.Task[None]"] = field(default_factory=list)

    async def join_rooms(self, members: Sequence[UUID]) -> None:
        """Join the chat with every member, as on the first visit."""
        limit = asyncio.Semaphore(AT_ONCE)
        async with httpx.AsyncClient(base_url=self.base, timeout=30) as client:

            async def join(member: UUID, token: str) -> None:
                async with limit:
                    answer = await client.post(
                        "/api/v1/join-chat",
                        json={"clubName": "Public", "id": str(member)},
                        headers={"Authorization": f"Bearer {token}"},
                    )
                assert answer.status_code == 200, answer.text

            await asyncio.gather(
                *(join(member, token) for member, token in zip(members, self.tokens, strict=True))
            )

    async def connect(self) -> None:
        """Connect all members and wait until they have joined."""
        self._tasks = [asyncio.create_task(self._live(token)) for token in self.tokens]
        await self.wait_until_all_joined()

    async def wait_until_all_joined(self) -> None:
        """Wait until all members have joined.

        Raises:
            TimeoutError: one had not after two minutes.
        """
        async with asyncio.timeout(120):
            while self.joined < len(self.tokens):  # noqa: ASYNC110 polled
                await asyncio.sleep(0.05)

    async def close(self) -> None:
        """Disconnect."""
        for task in self._tasks:
            task.cancel()
        await asyncio.gather(*self._tasks, return_exceptions=True)

    async def _live(self, token: str) -> None:
        address = self.base.replace("http", "ws", 1) + "/socket.io/?EIO=4&transport=websocket"
        dropped_at: float | None = None
        pause = 0.0
        while True:
            await asyncio.sleep(pause)
            was_let_in = False
            try:
                async with websockets.connect(
                    address, open_timeout=JOIN_SECONDS, ping_interval=None, compression=None
                ) as line:
                    async with asyncio.timeout(JOIN_SECONDS):
                        await self._join(line, token)
                    was_let_in = True
                    self.joined += 1
                    if dropped_at is not None:
                        self.rejoins.append(time.monotonic() - dropped_at)
                        dropped_at = None
                    await _answer_pings(line)
            except (OSError, TimeoutError, websockets.WebSocketException):
                pass
            if was_let_in:
                self.joined -= 1
                dropped_at, pause = time.monotonic(), random.uniform(*FIRST_PAUSE_SECONDS)  # noqa: S311 a phone's pause
            else:
                self.refusals += 1
                pause = min(MAX_RETRY_DELAY_SECONDS, max(pause, 1.0) * random.uniform(1, 3))  # noqa: S311 a phone's pause

    async def _join(self, line: websockets.ClientConnection, token: str) -> None:
        await line.recv()
        await line.send(f"40{NAMESPACE}," + json.dumps({"token": token}))
        while not (answer := str(await line.recv())).startswith(f"40{NAMESPACE}"):
            if answer.startswith("44"):
                raise ConnectionError(answer)


async def _answer_pings(line: websockets.ClientConnection) -> None:
    async for message in line:
        if message == "2":
            await line.send("3")
