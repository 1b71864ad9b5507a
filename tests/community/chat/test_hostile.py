"""Ten thousand hostile frames: no handler crashes, other members get none, and none is believed."""

import asyncio
import json
import random
from collections import Counter
from contextlib import suppress
from typing import Any
from uuid import uuid4

import pytest
import websockets
from structlog.testing import capture_logs

from tests.community.chat.conftest import PUBLIC, history, join, phone, say
from tests.community.chat.test_namespace import club_of
from tests.conftest import CLUB_A, CLUB_B, RunningApp, SignedIn
from tests.waiting import DEADLINE_SECONDS

FRAMES = 10_000
PER_CONNECTION = 150  # the bucket cuts a flooder off after 200 refusals
ATTACKERS = 8
SEED = 20261121
PROBE = 424242
MARK = "hostile"
# The phones' library runs in this process, too: it reports what it had to wait for.
LOGGER_OF_PHONES = "engineio.client"


class Forger:
    """Generates frames that the chat should refuse or treat as ordinary text."""

    def __init__(self, chance: random.Random, victim: SignedIn) -> None:
        self._chance = chance
        self._victim = victim

    def frame(self) -> str:
        """Return the next frame that does not end its connection."""
        makers = (
            self._lifecycle,
            self._packet,
            self._forged_message,
            self._odd_message,
            self._odd_read,
            self._unknown_event,
        )
        return self._chance.choice(makers)()

    def last_frame(self) -> str | bytes:
        """Return a frame that ends its connection."""
        return self._chance.choice((self._random_text, self._binary, self._broken))()

    def _random_text(self) -> str | bytes:
        size = self._chance.randint(1, 60)
        if self._chance.random() < 0.5:
            return self._chance.randbytes(size)
        letters = (0, 34, 47, 91, 93, 98, 178, 8238, 128512)
        return "".join(chr(self._chance.choice(letters)) for _ in range(size))

    def _broken(self) -> str:
        return self._chance.choice(
            (
                "",
                "7",
                "44/chat,{}",
                "42/chat,[",
                "4²",
                "42/chat,99999999999999999999" + "9" * 100 + '["message",{}]',
                "42/chat," + "[" * 15_000,
                "4" + "x" * 20_000,
                "1",
            )
        )

    def _lifecycle(self) -> str:
        name = self._chance.choice(("connect", "disconnect", "connect_error", "__disconnect_final"))
        forged: list[Any] = [name, {"REMOTE_ADDR": "x"}, {"token": "admin"}]
        return f"42/chat,{json.dumps(forged[: self._chance.randint(1, 3)])}"

    def _binary(self) -> str:
        count = self._chance.choice(("1", "0", "99", "999999999", "-1", "x"))
        return f'45{count}-/chat,["message",{{"_placeholder":true,"num":0}}]'

    def _packet(self) -> str:
        return self._chance.choice(
            (
                "2probe",
                "3",
                "5",
                "6",
                "0" + "[" * 15_000,
                "40/battle-ground,{}",
                '40/chat,{"token":"admin"}',
                '42/payment,["message",{}]',
                "42/chat",
                "42/chat,",
                "42/chat,[]",
                "42/chat,{}",
                '42/chat,[1,{"chat_message":"x"}]',
                "42/chat,[null]",
                '43/chat,1[{"status":200}]',
                '42/chat,99999999999999999999["message",{}]',
                '42/chat?token=x,["message",{}]',
                "42/chat," + "[" * 400 + "]" * 400,
            )
        )

    def _forged_message(self) -> str:
        club = self._chance.choice(
            (PUBLIC, str(CLUB_A), str(CLUB_B), "Arsenal", "Enyimba", f"club:{CLUB_B}", "*")
        )
        content = {
            "user_id": str(self._victim.id),
            "lastname": "Musa",
            "firstname": "Bello",
            "time": self._chance.choice((0, -1, 2**60, "now")),
            "id": str(uuid4()),
            "seq": 10**9,
            "club": club,
            "chat_message": f"{MARK} {self._chance.random()}",
            "client_id": str(uuid4()),
            "room": f"member:{self._victim.id}",
        }
        return self._event("message", content)

    def _odd_message(self) -> str:
        odd: tuple[Any, ...] = (
            None,
            True,
            5,
            1e300,
            [],
            {},
            "",
            " ",
            "\x00",
            "x" * 5000,
            "\u202e",
            ["a"] * 50,
        )
        content = {
            "club": self._chance.choice((*odd, PUBLIC)),
            "chat_message": self._chance.choice(odd),
            "client_id": self._chance.choice((*odd, str(uuid4()))),
        }
        raw = self._event("message", content)
        if self._chance.random() < 0.2:
            return raw.replace('"club"', '"__proto__":{"club":"x"},"club"').replace("5", "1e999")
        return raw.replace("null", self._chance.choice(("null", "NaN", "-Infinity", '"\\ud800"')))

    def _odd_read(self) -> str:
        seq: Any = self._chance.choice((-1, 0, 2**64, 1.5, "1", None, [], True))
        club = self._chance.choice((PUBLIC, "Arsenal", None, 7))
        return self._event("read", {"club": club, "seq": seq})

    def _unknown_event(self) -> str:
        name = self._chance.choice(("userList", "message_hidden", "join", "", "emit", "on_connect"))
        return self._event(name, {"club": PUBLIC, "id": str(uuid4())})

    def _event(self, name: str, content: Any) -> str:
        acknowledged = self._chance.choice(("", "1", "7"))
        return f"42/chat,{acknowledged}{json.dumps([name, content])}"


async def attack(
    live_server: RunningApp, attacker: SignedIn, forger: Forger, frames: int
) -> Counter[str]:
    """Send so many frames, all of them read by the server; count the answers."""
    seen: Counter[str] = Counter()
    address = live_server.base_url.replace("http", "ws") + "/socket.io/?EIO=4&transport=websocket"
    while seen["read"] < frames:
        async with websockets.connect(address, max_size=2**22) as socket:
            await socket.recv()
            await socket.send("40/chat," + json.dumps({"token": attacker.token}))
            assert str(await socket.recv()).startswith("40/chat,{")
            for _ in range(PER_CONNECTION):
                await socket.send(forger.frame())
            await socket.send(f'42/chat,{PROBE}["are you there"]')
            # Frames of one socket are handled in order: this answer comes after all others.
            while not (answer := str(await socket.recv())).startswith(f"43/chat,{PROBE}["):
                count_answer(answer, seen)
            await socket.send(forger.last_frame())
            with suppress(websockets.ConnectionClosed):
                while True:
                    count_answer(str(await socket.recv()), seen)
            seen["read"] += PER_CONNECTION + 1
    return seen


def count_answer(frame: str, seen: Counter[str]) -> None:
    """Count one frame that the server sent to an attacker."""
    if frame.startswith("43/chat,"):
        [acknowledgement] = json.loads(frame[frame.index("[") :])
        seen[f"status {acknowledgement['status']}"] += 1


async def test_ten_thousand_hostile_frames_change_nothing_for_anybody_else(
    live_server: RunningApp, caplog: pytest.LogCaptureFixture
) -> None:
    bello = await live_server.member("bello", club_id=CLUB_B)
    watcher = await live_server.member("watcher")
    attackers = [await live_server.member(f"ada{number}") for number in range(ATTACKERS)]
    for member in (bello, watcher, *attackers):
        await join(live_server, member)
    forgers = [Forger(random.Random(SEED + number), bello) for number in range(ATTACKERS)]  # noqa: S311 replayable
    with capture_logs() as logs:
        async with phone(live_server, bello) as his, phone(live_server, watcher) as hers:
            results = await asyncio.gather(
                *(
                    attack(live_server, attacker, forger, FRAMES // ATTACKERS)
                    for attacker, forger in zip(attackers, forgers, strict=True)
                )
            )
            assert (await say(his, "still here"))["status"] == 200
            assert (await say(hers, "so am I", tab=str(CLUB_A)))["status"] == 200
            async with asyncio.timeout(DEADLINE_SECONDS):
                while (await hers.next("message"))["chat_message"] != "so am I":
                    pass
            # Lists are emitted every two seconds at most: the attack may end before the first one.
            async with asyncio.timeout(DEADLINE_SECONDS):
                while (await his.next("userList"))["counts"][PUBLIC] != len((bello, watcher)):
                    pass
            received = his.payloads("message")
            lists = his.payloads("userList")
    seen = sum(results, Counter[str]())
    assert seen["read"] >= FRAMES
    assert min(seen["status 200"], seen["status 404"], seen["status 422"], seen["status 429"]) > 0
    assert seen["status 500"] == 0
    assert [line["event"] for line in logs if line["log_level"] in {"error", "critical"}] == []
    errors = [record for record in caplog.records if record.levelname == "ERROR"]
    assert [record.message for record in errors if record.name != LOGGER_OF_PHONES] == []
    assert {message["club"] for message in received} == {PUBLIC}
    by_bello = [one["chat_message"] for one in received if one["user_id"] == str(bello.id)]
    assert by_bello == ["still here"]
    forged = [one for one in received if one["chat_message"].startswith(MARK)]
    assert forged
    assert {one["lastname"] for one in forged} == {"Obi"}
    assert {one["user_id"] for one in forged} <= {str(attacker.id) for attacker in attackers}
    stored = await history(live_server, bello, limit=100)
    assert [one["seq"] for one in stored] == sorted({one["seq"] for one in stored})
    assert await history(live_server, bello, str(CLUB_B)) == []
    assert max(users["counts"][PUBLIC] for users in lists) <= ATTACKERS + 2
    assert all(len(users[club_of(users)]) == 1 for users in lists)
