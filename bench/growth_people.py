"""The members whose calls ``bench growth`` times, and their sockets."""

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
    """A member with a session; ``known`` are values from earlier responses."""

    user_id: str
    token: str
    club_id: str
    club: str
    known: dict[str, Any] = field(default_factory=dict)


class Line:
    """A socket of one namespace: sends an event and waits for the reply."""

    def __init__(self, namespace: str, token: str) -> None:
        self._namespace, self._token = namespace, token
        self._socket: ClientConnection | None = None

    async def open(self, port: int) -> "Line":
        """Connect, and return when the namespace has accepted us."""
        url = f"ws://127.0.0.1:{port}/socket.io/?EIO=4&transport=websocket"
        self._socket = await connect(url, compression=None, ping_interval=None)
        await self._receive("0")
        await self._write(f"40{self._namespace},{json.dumps({'token': self._token})}")
        await self._receive(f"40{self._namespace},")
        return self

    async def ask(self, event: str, content: dict[str, Any], answer: str) -> tuple[float, Any]:
        """Send an event; return the milliseconds until ``answer`` arrived, and its content.

        ``answer`` is the name of an event, or "" for the acknowledgement.
        """
        number = "" if answer else "7"
        awaited = f'42{self._namespace},["{answer}"' if answer else f"43{self._namespace},7["
        started = time.perf_counter()
        await self._write(f"42{self._namespace},{number}{json.dumps([event, content])}")
        text = await self._receive(awaited)
        took = (time.perf_counter() - started) * 1000
        return took, json.loads(text[text.index("[") :])[-1]

    async def close(self) -> None:
        """Close the connection."""
        if self._socket is not None:
            await self._socket.close()

    async def _receive(self, awaited: str) -> str:
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
    """Have members enter the Battle Zone and answer a question; return each step's latencies."""
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
    """Have each member write a message to their club; return the times to acknowledgement."""
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
    """Run ``one`` for everyone, a few at a time."""
    turns = asyncio.Semaphore(CONNECTING_AT_ONCE)

    async def in_turn(person: Person) -> None:
        async with turns:
            await one(person)

    await asyncio.gather(*(in_turn(person) for person in people))
