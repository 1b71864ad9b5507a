"""A chat whose server is killed while members write and phones connect and disconnect.

``python -m tests.endurance.chat [--cycles N] [--kills K]``

Writers send each message until it is acknowledged. Readers repeatedly connect, request what they
missed, listen for a moment and disconnect. At the end every reader has received every acknowledged
message once, in the order of the room, and the room has no other messages.
"""

import argparse
import asyncio
import random
import sys
import time
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager, suppress
from dataclasses import dataclass, field
from typing import Any
from uuid import UUID, uuid4

import httpx
import socketio
from api.foundation.core.config import Settings
from api.foundation.core.ids import new_id
from api.foundation.database.database import Database
from socketio.exceptions import SocketIOError

from tests.conftest import client_of
from tests.endurance.crash import Shop, preloaded_server
from tests.endurance.place import add_members, durable_postgres, open_sessions

PATH = "/chat"
TAB = "Public"
WRITERS = 6
READERS = 4
PAGE = 100
PAUSE_SECONDS = 1.02  # five messages in five seconds are allowed
ANSWER_SECONDS = 3.0
LEAST_MESSAGES_PER_KILL = 3
AWAY = (httpx.TransportError, SocketIOError, TimeoutError, OSError)


@dataclass
class Caller:
    """A member's connection to the server, which may be down at any moment."""

    base: str
    member: UUID
    token: str

    @property
    def headers(self) -> dict[str, str]:
        return {"Authorization": f"Bearer {self.token}"}

    async def join(self) -> None:
        """Join the chat, however long the server is down."""
        body = {"clubName": TAB, "id": str(self.member)}
        while True:
            with suppress(*AWAY):
                async with client_of(self.base, timeout=5) as http:
                    answer = await http.post("/api/v1/join-chat", json=body, headers=self.headers)
                    if answer.status_code == 200:
                        return
            await asyncio.sleep(0.05)

    @asynccontextmanager
    async def socket(self, on_message: Any = None) -> AsyncIterator[socketio.AsyncClient]:
        """Connect for a moment; every second disconnect is abrupt.

        Raises:
            SocketIOError: the server is down.
        """
        client = socketio.AsyncClient(reconnection=False)
        if on_message is not None:
            client.on("message", on_message, namespace=PATH)
        try:
            await client.connect(
                self.base,
                auth={"token": self.token},
                namespaces=[PATH],
                transports=["websocket"],
                wait_timeout=3,
            )
            yield client
        finally:
            with suppress(*AWAY):
                if client.eio.http is not None and new_id().int % 2:
                    await client.eio.http.close()
                await client.disconnect()


@dataclass
class Tally:
    """What the writers were sent, by the id of each message."""

    acknowledged: dict[str, str] = field(default_factory=dict)
    retries: int = 0
    cycles: int = 0
    stop: bool = False


async def write(caller: Caller, tally: Tally, name: int) -> None:
    """Write message after message, each until it is acknowledged."""
    number = 0
    pending: tuple[str, str] | None = None
    while not tally.stop or pending is not None:
        with suppress(*AWAY):
            async with caller.socket() as client:
                while not tally.stop or pending is not None:
                    if pending is None:
                        number += 1
                        pending = (str(uuid4()), f"{name}: {number}")
                    content = {
                        "club": TAB,
                        "client_id": pending[0],
                        "chat_message": pending[1],
                    }
                    answer = await client.call(
                        "message", content, namespace=PATH, timeout=ANSWER_SECONDS
                    )
                    if answer["status"] == 200:
                        tally.acknowledged[answer["data"]["id"]] = pending[1]
                        pending = None
                        await asyncio.sleep(PAUSE_SECONDS)
                    else:
                        tally.retries += 1
                        await asyncio.sleep(0.2)
        tally.retries += 1
        await asyncio.sleep(0.05)


class Reader:
    """A phone that keeps one list of messages through all its connections."""

    def __init__(self, caller: Caller, seed: int) -> None:
        self._caller = caller
        self._chance = random.Random(seed)  # noqa: S311 a workload must be replayable
        self.seen: list[dict[str, Any]] = []
        self._gap = False

    async def read(self, tally: Tally) -> None:
        """Connect and disconnect until stopped."""
        while not tally.stop:
            with suppress(*AWAY):
                async with self._caller.socket(self._on_message) as client:
                    await self.catch_up()
                    until = time.monotonic() + self._chance.uniform(0.02, 0.3)
                    while client.connected and time.monotonic() < until:
                        await asyncio.sleep(0.02)
                        if self._gap:
                            await self.catch_up()
                    tally.cycles += 1
            await asyncio.sleep(self._chance.uniform(0, 0.05))

    async def catch_up(self) -> None:
        """Request everything after the last message seen."""
        async with client_of(self._caller.base, timeout=5) as http:
            while True:
                marks = {"limit": str(PAGE)} | ({"after": self.seen[-1]["id"]} if self.seen else {})
                answer = await http.get(
                    f"/api/v1/chat-messages/{TAB}", params=marks, headers=self._caller.headers
                )
                page = answer.json()["data"] if answer.status_code == 200 else []
                for message in page:
                    self._take(message)
                if len(page) < PAGE or not self.seen:
                    self._gap = False
                    return

    async def _on_message(self, message: dict[str, Any]) -> None:
        last = self.seen[-1]["seq"] if self.seen else 0
        if message["seq"] > last + 1:
            self._gap = True
        else:
            self._take(message)

    def _take(self, message: dict[str, Any]) -> None:
        if not self.seen or message["seq"] > self.seen[-1]["seq"]:
            self.seen.append(message)


async def kill_again_and_again(shop: Shop, cycles: int, kills: int, tally: Tally) -> None:
    """Kill the server ``kills`` times, spread over ``cycles`` of the readers."""
    chance = random.Random(2026)  # noqa: S311 a workload must be replayable
    for number in range(1, kills + 1):
        had = len(tally.acknowledged)
        async with asyncio.timeout(60):
            while (  # noqa: ASYNC110 polled
                tally.cycles < cycles * number // (kills + 1)
                or len(tally.acknowledged) < had + LEAST_MESSAGES_PER_KILL
            ):
                await asyncio.sleep(0.01)
        await asyncio.sleep(chance.uniform(0, 0.2))
        shop.kill()
        shop.start()
    async with asyncio.timeout(60):
        while tally.cycles < cycles:  # noqa: ASYNC110 polled
            await asyncio.sleep(0.01)


async def prove(url: str, shop: Shop, cycles: int, kills: int) -> Tally:
    """Run writers, readers and killer; compare every reader with the room.

    Raises:
        AssertionError: a message was lost, doubled or out of order, or too little happened.
    """
    base = f"http://127.0.0.1:{shop.port}"
    database = Database(url, runtime_role=Settings().database_runtime_role, pool_size=2)
    members = await add_members(database, WRITERS + READERS)
    tokens = await open_sessions(database, members)
    callers = [Caller(base, *one) for one in zip(members, tokens, strict=True)]
    for caller in callers:
        await caller.join()
    tally = Tally()
    readers = [Reader(caller, seed) for seed, caller in enumerate(callers[WRITERS:])]
    tasks = [
        asyncio.create_task(write(caller, tally, name))
        for name, caller in enumerate(callers[:WRITERS])
    ] + [asyncio.create_task(reader.read(tally)) for reader in readers]
    await kill_again_and_again(shop, cycles, kills, tally)
    tally.stop = True
    await asyncio.gather(*tasks)
    rows = await database.fetch_rows(
        "SELECT id, seq, content FROM chat_message WHERE room_id = $1 ORDER BY seq", UUID(int=0)
    )
    await database.close()
    room = [(str(row["id"]), row["seq"], row["content"]) for row in rows]
    assert [seq for _, seq, _ in room] == list(range(1, len(room) + 1)), "the order has gaps"
    assert {key: content for key, _, content in room} == tally.acknowledged, "lost or untold"
    assert len({content for _, _, content in room}) == len(room), "a retry was stored twice"
    for reader in readers:
        await reader.catch_up()
        seen = [(one["id"], one["seq"], one["chat_message"]) for one in reader.seen]
        assert seen == room, "a reader missed, doubled or reordered messages"
    assert len(room) >= LEAST_MESSAGES_PER_KILL * kills, "too few messages to prove anything"
    assert tally.retries >= kills, "too few interrupted messages to prove anything"
    return tally


def run(cycles: int, kills: int) -> Tally:
    """Set up the environment, run the test, and return what was observed."""
    with (
        durable_postgres() as (postgres, folder),
        preloaded_server(postgres.url(), folder) as shop,
    ):
        return asyncio.run(prove(postgres.url(), shop, cycles, kills))


def main() -> int:
    """Run the test from the command line."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--cycles", type=int, default=200)
    parser.add_argument("--kills", type=int, default=10)
    chosen = parser.parse_args()
    began = time.monotonic()
    tally = run(chosen.cycles, chosen.kills)
    print(
        f"{tally.cycles} connections of {READERS} readers, {chosen.kills} kills, "
        f"{len(tally.acknowledged)} messages acknowledged, {tally.retries} retries, "
        f"{time.monotonic() - began:.0f} s: every message once and in order at every reader"
    )
    return 0


if __name__ == "__main__":
    sys.exit(main())
