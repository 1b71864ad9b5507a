"""``python -m bench.battle_load``: many players of the Battle Zone, each with a real WebSocket.

Reads a plan as JSON from the first line of standard input. Lines control a burst: on ``question``
everyone requests the next question, on ``answer`` everyone answers at once. On ``play`` everyone
answers after a random delay and continues immediately, for the plan's seconds. Each line is
answered by a line of JSON.
"""

import asyncio
import json
import random
import sys
import time
from dataclasses import asdict

import picows
import uvloop
from typing_extensions import override

from bench.battle_plan import BattlePlan, Played
from bench.load import summarise

NAMESPACE = "/battle-ground"
SEED = 20_261_121
CONNECTING_AT_ONCE = 50
TIMEOUT_SECONDS = 60.0
KEYS = "ABCD"


class Player(picows.WSListener):
    """A member's socket: speaks a minimum of the protocol and stores the current question."""

    def __init__(self, token: str) -> None:
        super().__init__()
        self.token = token
        self.transport: picows.WSTransport | None = None
        self.connected = asyncio.get_running_loop().create_future()
        self.question_id = ""
        self.asked = asyncio.Event()
        self.answered = asyncio.Event()
        self.sent_at = 0.0
        self.latencies_ms: list[float] = []
        self.frames = 0
        self.ticks = 0

    @override
    def on_ws_connected(self, transport: picows.WSTransport) -> None:
        self.transport = transport

    @override
    def on_ws_disconnected(self, transport: picows.WSTransport) -> None:
        if not self.connected.done():
            self.connected.set_exception(ConnectionError("the server closed the connection"))

    @override
    def on_ws_frame(self, transport: picows.WSTransport, frame: picows.WSFrame) -> None:
        if frame.msg_type != picows.WSMsgType.TEXT:
            return
        text = frame.get_payload_as_utf8_text()
        if text.startswith("42"):
            self.frames += 1
            self.on_event(text)
        elif text == "2":
            self.write("3")
        elif text.startswith("0"):
            self.write(f"40{NAMESPACE},{json.dumps({'token': self.token})}")
        elif text.startswith("40"):
            self.connected.set_result(None)

    def on_event(self, text: str) -> None:
        """Handle one event."""
        if text.startswith('["answer_result"', len(NAMESPACE) + 3):
            if self.sent_at:
                self.latencies_ms.append((time.perf_counter() - self.sent_at) * 1000)
                self.sent_at = 0.0
            self.answered.set()
        elif text.startswith('["new_question"', len(NAMESPACE) + 3):
            _, payload = json.loads(text[text.index(",") + 1 :])
            self.question_id = payload["question"]["id"]
            self.asked.set()
        elif text.startswith('["time_update"', len(NAMESPACE) + 3):
            self.ticks += 1

    def write(self, text: str) -> None:
        """Send one frame."""
        if self.transport is not None:
            self.transport.send(picows.WSMsgType.TEXT, text.encode())

    def emit(self, event: str, payload: dict[str, object]) -> None:
        """Send one event without requesting an acknowledgement."""
        self.write(f"42{NAMESPACE},{json.dumps([event, payload])}")

    def answer(self, key: str) -> None:
        """Answer the question and start the timer."""
        self.answered.clear()
        self.sent_at = time.perf_counter()
        self.emit("answer_question", {"questionId": self.question_id, "answer": key})

    async def request_question(self, event: str) -> None:
        """Request a question and wait for it."""
        self.asked.clear()
        self.emit(event, {})
        await asyncio.wait_for(self.asked.wait(), TIMEOUT_SECONDS)


class Crowd:
    """All players of a load."""

    def __init__(self, plan: BattlePlan) -> None:
        self.plan = plan
        self.players = [Player(token) for token in plan.tokens]
        self.entered = False

    async def connect(self) -> None:
        """Connect everyone, a few at a time."""
        url = f"ws://127.0.0.1:{self.plan.port}/socket.io/?EIO=4&transport=websocket"
        turns = asyncio.Semaphore(CONNECTING_AT_ONCE)

        async def connect_one(player: Player) -> None:
            async with turns:
                await picows.ws_connect(lambda: player, url)
                await asyncio.wait_for(player.connected, TIMEOUT_SECONDS)

        await asyncio.gather(*(connect_one(player) for player in self.players))

    async def question(self) -> None:
        """Have everyone request the next question."""
        event = "next_question" if self.entered else "enter_battle_zone"
        self.entered = True
        turns = asyncio.Semaphore(CONNECTING_AT_ONCE)

        async def fetch(player: Player) -> None:
            async with turns:
                await player.request_question(event)

        await asyncio.gather(*(fetch(player) for player in self.players))

    async def answer(self) -> Played:
        """Have everyone answer at once, and wait for every result."""
        self._reset()
        started = time.perf_counter()
        for number, player in enumerate(self.players):
            player.answer(KEYS[number % len(KEYS)])
        await asyncio.wait_for(
            asyncio.gather(*(player.answered.wait() for player in self.players)), TIMEOUT_SECONDS
        )
        return self._played(time.perf_counter() - started)

    async def play(self) -> Played:
        """Have everyone play at their own pace for the plan's seconds, after a first question."""
        self._reset()
        dice = random.Random(SEED)  # noqa: S311 - the same delays in every run
        started = time.perf_counter()
        until = started + self.plan.seconds

        async def play_on(player: Player) -> None:
            while True:
                pause = dice.random() * self.plan.limit_seconds
                if time.perf_counter() + pause >= until:
                    return
                await asyncio.sleep(pause)
                player.answer(dice.choice(KEYS))
                await asyncio.wait_for(player.answered.wait(), TIMEOUT_SECONDS)
                await player.request_question("next_question")

        await asyncio.gather(*(play_on(player) for player in self.players))
        await asyncio.sleep(max(0.0, until - time.perf_counter()))
        return self._played(time.perf_counter() - started)

    def _reset(self) -> None:
        for player in self.players:
            player.latencies_ms.clear()
            player.frames = player.ticks = 0

    def _played(self, seconds: float) -> Played:
        latencies = [one for player in self.players for one in player.latencies_ms]
        return Played(
            summarise(latencies, seconds),
            sum(player.frames for player in self.players),
            sum(player.ticks for player in self.players),
        )


async def serve() -> None:
    """Process each line of standard input."""
    reader = asyncio.StreamReader(limit=2**24)
    await asyncio.get_running_loop().connect_read_pipe(
        lambda: asyncio.StreamReaderProtocol(reader), sys.stdin
    )
    crowd = Crowd(BattlePlan(**json.loads(await reader.readline())))
    await crowd.connect()
    say({"connected": len(crowd.players)})
    while line := (await reader.readline()).decode().strip():
        if line == "question":
            await crowd.question()
            say({"asked": len(crowd.players)})
        elif line == "answer":
            say(asdict(await crowd.answer()))
        elif line == "play":
            say(asdict(await crowd.play()))


def say(content: dict[str, object]) -> None:
    """Print a line of JSON."""
    print(json.dumps(content), flush=True)


if __name__ == "__main__":
    uvloop.run(serve())
