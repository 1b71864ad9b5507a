"""The members whose calls ``bench growth`` times, and the sockets they hold."""

import asyncio
import json
import time
from collections.abc import Awaitable, Callable, Sequence
from dataclasses import dataclass, field
from typing import Any

from websockets.asyncio.client import ClientConnection, connect

from bench.harness import BenchError

CONNECTING_AT_ONCE = 8
TIMEOUT_SECONDS = 15.0


@dataclass
class Person:
    """A member with a session; ``known`` is what earlier answers have said."""

    user_id: str
    token: str
    club_id: str
    club: str
    known: dict[str, Any] = field(default_factory=dict)


class Line:
    """One socket of one namespace: sends an event, waits for what answers it."""

    def __init__(self, namespace: str, token: str) -> None:
        self._namespace, self._token = namespace, token
        self._socket: ClientConnection | None = None

    async def open(self, port: int) -> "Line":
        """Connect, and return when the namespace has let us in."""
        url = f"ws://127.0.0.1:{port}/socket.io/?EIO=4&transport=websocket"
        self._socket = await connect(url, compression=None, ping_interval=None)
        await self._hear("0")
        await self._write(f"40{self._namespace},{json.dumps({'token': self._token})}")
        await self._hear(f"40{self._namespace},")
        return self

    async def ask(self, event: str, content: dict[str, Any], answer: str) -> tuple[float, Any]:
        """Send an event; return the milliseconds until ``answer`` came, and what it holds.

        ``answer`` is the name of an event, or "" for the acknowledgement.
        """
        number = "" if answer else "7"
        awaited = f'42{self._namespace},["{answer}"' if answer else f"43{self._namespace},7["
        begun = time.perf_counter()
        await self._write(f"42{self._namespace},{number}{json.dumps([event, content])}")
        text = await self._hear(awaited)
        took = (time.perf_counter() - begun) * 1000
        return took, json.loads(text[text.index("[") :])[-1]

    async def close(self) -> None:
        """End the connection."""
        if self._socket is not None:
            await self._socket.close()

    async def _hear(self, awaited: str) -> str:
        async with asyncio.timeout(TIMEOUT_SECONDS):
            while self._socket is not None:
                text = str(await self._socket.recv())
                if text == "2":
                    await self._write("3")
                elif text.startswith(awaited):
                    return text
        raise BenchError("a line was asked before it was open")

    async def _write(self, text: str) -> None:
        if self._socket is not None:
            await self._socket.send(text)


async def play(port: int, people: Sequence[Person]) -> dict[str, list[float]]:
    """Have members enter the Battle Zone and answer a question; return what each step took."""
    taken: dict[str, list[float]] = {"battle enter": [], "battle answer": []}

    async def one(person: Person) -> None:
        line = await Line("/battle-ground", person.token).open(port)
        took, asked = await line.ask("enter_battle_zone", {}, "new_question")
        taken["battle enter"].append(took)
        given = {"questionId": asked["question"]["id"], "answer": "A"}
        took, _ = await line.ask("answer_question", given, "answer_result")
        taken["battle answer"].append(took)
        await line.close()

    await few_at_once(one, people)
    return taken


async def talk(port: int, people: Sequence[Person]) -> dict[str, list[float]]:
    """Have members write a message each, to their club; return what it took to be acknowledged."""
    taken: dict[str, list[float]] = {"chat message": []}

    async def one(person: Person) -> None:
        line = await Line("/chat", person.token).open(port)
        content = {"club": person.club, "chat_message": f"Good evening from {person.user_id}"}
        took, acknowledged = await line.ask("message", content, "")
        if acknowledged.get("status") != 200:
            raise BenchError(f"a message was refused: {acknowledged}")
        taken["chat message"].append(took)
        await line.close()

    await few_at_once(one, people)
    return taken


async def few_at_once(one: Callable[[Person], Awaitable[None]], people: Sequence[Person]) -> None:
    """Do ``one`` for everybody, a few at a time."""
    turns = asyncio.Semaphore(CONNECTING_AT_ONCE)

    async def in_turn(person: Person) -> None:
        async with turns:
            await one(person)

    await asyncio.gather(*(in_turn(person) for person in people))
