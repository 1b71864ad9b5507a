"""The chat over a real socket: who receives what, in which order, and how often."""

import asyncio
import json
from datetime import timedelta
from typing import Any
from urllib.parse import urlencode
from uuid import UUID, uuid4

import httpx
import pytest
import socketio
import websockets
from api.community.chat import rules
from api.community.chat.live.presence import HEARTBEAT_SECONDS
from api.community.chat.schemas import SendMessage
from api.community.chat.service import messages as messages_service
from api.community.chat.service import rooms as rooms_service
from api.foundation.core import clock
from api.foundation.realtime.direct import DirectSocket
from api.foundation.security.rights import Role
from socketio.exceptions import ConnectionError as RefusedError
from sqlalchemy import text
from sqlalchemy.ext.asyncio import AsyncEngine

from tests.back_office import operator_client_of
from tests.community.chat.conftest import (
    PATH,
    PUBLIC,
    history,
    join,
    other_device,
    phone,
    say,
)
from tests.conftest import CLUB_A, CLUB_B, RunningApp, SignedIn
from tests.waiting import DEADLINE_SECONDS


async def test_public_reaches_everybody_and_a_club_only_its_own(
    live_server: RunningApp, ada: SignedIn, bello: SignedIn
) -> None:
    async with phone(live_server, ada) as hers, phone(live_server, bello) as his:
        assert (await say(hers, "for my club", tab=str(CLUB_A)))["status"] == 200
        assert (await say(hers, "for all"))["status"] == 200
        assert (await hers.next("message"))["chat_message"] == "for my club"
        assert (await hers.next("message"))["chat_message"] == "for all"
        received = await his.next("message")
        assert (received["chat_message"], received["club"]) == ("for all", PUBLIC)
        assert his.count("message") == 1


async def test_the_server_says_who_wrote_what_and_when(
    live_server: RunningApp, ada: SignedIn, bello: SignedIn
) -> None:
    async with phone(live_server, ada) as hers:
        before = int(clock.now().timestamp() * 1000)
        forged = {
            "user_id": str(bello.id),
            "lastname": "Musa",
            "firstname": "Bello",
            "time": 1,
            "seq": 999,
            "id": str(uuid4()),
            "club": PUBLIC,
            "chat_message": "  it was not me  ",
        }
        acknowledged = await hers.send("message", forged)
        received = await hers.next("message")
    assert received["user_id"] == str(ada.id)
    assert (received["firstname"], received["lastname"], received["seq"]) == ("Ada", "Obi", 1)
    assert received["chat_message"] == "it was not me"
    assert before <= received["time"] <= int(clock.now().timestamp() * 1000)
    expected = {"id": received["id"], "seq": 1, "time": received["time"], "mentions": []}
    assert acknowledged["data"] == expected
    assert await history(live_server, ada) == [{**received, "mine": None}]


@pytest.mark.parametrize("tab", ["Arsenal", str(CLUB_B), "public", "club:x", ""])
async def test_a_tab_of_others_is_refused(live_server: RunningApp, ada: SignedIn, tab: str) -> None:
    async with phone(live_server, ada) as hers:
        answer = await say(hers, "let me in", tab=tab)
        assert (answer["status"], answer["code"]) == (404, "not_found")
    assert await live_server.database.fetch_row("SELECT 1 FROM chat_message") is None


@pytest.mark.parametrize(
    "words", ["", "   ", "\n\t", "\u200b\u200d", "x" * 1001, "\x00", "a\x1bb", None, 5, ["a"]]
)
async def test_what_is_no_message_is_refused(
    live_server: RunningApp, ada: SignedIn, words: Any
) -> None:
    async with phone(live_server, ada) as hers:
        answer = await say(hers, words)
        assert (answer["status"], answer["code"]) == (422, "validation_failed")
        assert answer["message"]
    assert await live_server.database.fetch_row("SELECT 1 FROM chat_message") is None


async def test_a_thousand_characters_pass_and_blank_lines_do_not_pile_up(
    live_server: RunningApp, ada: SignedIn
) -> None:
    async with phone(live_server, ada) as hers:
        assert (await say(hers, "ß" * 1000))["status"] == 200
        assert (await say(hers, "a\r\n\r\n\r\n\r\nb"))["status"] == 200
        assert (await say(hers, "👨‍👩‍👧 🏆"))["status"] == 200
    texts = [message["chat_message"] for message in await history(live_server, ada)]
    assert texts == ["ß" * 1000, "a\n\nb", "👨‍👩‍👧 🏆"]


async def test_a_retry_never_doubles(
    live_server: RunningApp, ada: SignedIn, bello: SignedIn
) -> None:
    client_id = uuid4()
    async with phone(live_server, ada) as hers:
        first = await say(hers, "once", client_id=client_id)
    async with phone(live_server, ada) as again:
        retries = await asyncio.gather(*(say(again, "once", client_id=client_id) for _ in range(5)))
        assert [retry["data"] for retry in retries] == [first["data"]] * 5
        elsewhere = await say(again, "once", tab=str(CLUB_A), client_id=client_id)
        assert elsewhere["status"] == 422
    async with phone(live_server, bello) as his:
        own = await say(his, "mine", client_id=client_id)
        assert own["data"]["id"] != first["data"]["id"]
    messages = await history(live_server, ada)
    assert [message["chat_message"] for message in messages] == ["once", "mine"]


async def test_a_clients_id_says_the_same_words_or_nothing(
    live_server: RunningApp, ada: SignedIn, bello: SignedIn
) -> None:
    client_id = uuid4()
    async with phone(live_server, ada) as hers, phone(live_server, bello) as his:
        await say(hers, "what was said", client_id=client_id)
        forged = await say(hers, "what was never said", client_id=client_id)
        assert (forged["status"], forged["code"]) == (422, "validation_failed")
        await say(hers, "the end")
        await his.until("message", 2)
    assert [one["chat_message"] for one in his.payloads("message")] == ["what was said", "the end"]


async def test_a_retry_brings_back_nothing_that_was_hidden(
    live_server: RunningApp, ada: SignedIn, bello: SignedIn
) -> None:
    operator = await operator_client_of(live_server, bello, Role.MODERATOR)
    client_id = uuid4()
    async with phone(live_server, ada) as hers, phone(live_server, bello) as his:
        first = await say(hers, "ugly", client_id=client_id)
        await operator.post(f"/api/v1/admin/chat/messages/{first['data']['id']}/hide")
        again = await say(hers, "ugly", client_id=client_id)
        assert again["data"] == first["data"]
        await say(hers, "the end")
        await his.until("message", 2)
    assert [one["chat_message"] for one in his.payloads("message")] == ["ugly", "the end"]


async def test_messages_of_many_arrive_in_one_order_everywhere(live_server: RunningApp) -> None:
    live_server.asgi.state.services.chat.public_limit._per_second = 0
    members = [await live_server.member(f"ada{number}") for number in range(6)]
    for member in members:
        await join(live_server, member)
    phones = [phone(live_server, member) for member in members]
    opened = [await one.__aenter__() for one in phones]
    try:
        await asyncio.gather(
            *(
                say(held, f"{number} of {place}")
                for place, held in enumerate(opened)
                for number in range(5)
            )
        )
        for held in opened:
            await held.until("message", 30)
            assert [one["seq"] for one in held.payloads("message")] == list(range(1, 31))
    finally:
        for one in phones:
            await one.__aexit__(None, None, None)
    assert [one["seq"] for one in await history(live_server, members[0])] == list(range(1, 31))


async def test_the_sixth_message_in_five_seconds_waits(
    live_server: RunningApp, ada: SignedIn
) -> None:
    async with phone(live_server, ada) as hers:
        for number in range(5):
            assert (await say(hers, f"goal {number}"))["status"] == 200
        refused = await say(hers, "goal 5", tab=str(CLUB_A))
        assert (refused["status"], refused["code"]) == (429, "too_many_messages")
        wait = refused["data"]["retryAfter"]
        assert 0 < wait <= 5
        await asyncio.sleep(wait + 0.05)
        assert (await say(hers, "goal 5"))["status"] == 200


async def test_the_same_words_twice_in_ten_seconds_are_refused(
    live_server: RunningApp, ada: SignedIn
) -> None:
    async with phone(live_server, ada) as hers:
        await say(hers, "goal!")
        refused = await say(hers, " goal! ")
        assert (refused["status"], refused["code"]) == (409, "repeated_message")
        assert (await say(hers, "goal!", tab=str(CLUB_A)))["status"] == 200
    assert len(await history(live_server, ada)) == 1


async def test_limits_hold_for_a_member_and_not_for_a_socket(
    live_server: RunningApp, ada: SignedIn
) -> None:
    async with phone(live_server, ada) as one, phone(live_server, ada) as two:
        answers = await asyncio.gather(
            *(say(held, f"{number}") for number, held in enumerate([one, two] * 5))
        )
    assert sorted(answer["status"] for answer in answers) == [200] * 5 + [429] * 5


async def test_only_who_joined_may_connect(live_server: RunningApp) -> None:
    outsider = await live_server.member("ada")
    with pytest.raises(RefusedError):
        async with phone(live_server, outsider):
            pass
    client = socketio.AsyncClient(reconnection=False)
    refusals: asyncio.Queue[Any] = asyncio.Queue()
    client.on("connect_error", refusals.put_nowait, namespace=PATH)
    await client.connect(
        live_server.base_url,
        auth={"token": outsider.token},
        namespaces=[PATH],
        transports=["websocket"],
        wait=False,
    )
    async with asyncio.timeout(DEADLINE_SECONDS):
        refusal = await refusals.get()
    await client.disconnect()
    assert refusal["data"]["code"] == "not_joined"


async def test_nobody_connects_under_another_name(
    live_server: RunningApp, ada: SignedIn, bello: SignedIn
) -> None:
    client = socketio.AsyncClient(reconnection=False)
    with pytest.raises(RefusedError):
        await client.connect(
            f"{live_server.base_url}?userId={bello.id}",
            auth={"token": ada.token},
            namespaces=[PATH],
            transports=["websocket"],
            wait_timeout=DEADLINE_SECONDS,
        )
    await client.disconnect()


async def test_counts_are_of_members_and_not_of_tabs(
    live_server: RunningApp, ada: SignedIn, bello: SignedIn
) -> None:
    tablet = await other_device(live_server, ada)
    async with phone(live_server, ada) as hers, phone(live_server, tablet) as hers_too:
        async with phone(live_server, bello):
            users = await until_counts(hers, {"public": 2, "club": 1})
            assert {name for name in users if name not in {"counts", "last", "slow"}} == {
                club_of(users),
                PUBLIC,
            }
            assert [user["id"] for user in users[club_of(users)]] == [str(ada.id)]
            assert {user["id"] for user in users[PUBLIC]} == {str(ada.id), str(bello.id)}
            assert set(users[PUBLIC][0]) == {"id", "firstName", "lastName", "avatar"}
            await until_counts(hers_too, {"public": 2, "club": 1})
        await until_counts(hers, {"public": 1, "club": 1})
    assert hers.count("userList") <= 5


async def test_a_list_of_who_is_online_is_no_longer_than_its_limit_and_counts_all(
    live_server: RunningApp, ada: SignedIn, bello: SignedIn, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(rules, "MAX_LISTED_USERS", 1)
    async with phone(live_server, bello) as his, phone(live_server, ada):
        users = await until_counts(his, {"public": 2, "club": 1})
    assert len(users[PUBLIC]) == 1


async def test_no_list_names_anybody_of_another_club(
    live_server: RunningApp, ada: SignedIn, bello: SignedIn
) -> None:
    async with phone(live_server, bello) as his, phone(live_server, ada):
        users = await until_counts(his, {"public": 2, "club": 1})
    assert [user["id"] for user in users[club_of(users)]] == [str(bello.id)]


async def test_a_quiet_room_names_its_newest_message(
    live_server: RunningApp, ada: SignedIn
) -> None:
    presence = live_server.asgi.state.services.chat.presence
    async with phone(live_server, ada) as hers:
        assert (await hers.next("userList"))["last"][PUBLIC] == 0
        await say(hers, "one")
        await presence.show()
        assert hers.count("userList") == 1
        await presence.show()
        assert (await hers.next("userList"))["last"][PUBLIC] == 1
        await presence.show()
        assert hers.count("userList") == 2


async def test_reading_moves_forward_only(
    live_server: RunningApp, ada: SignedIn, bello: SignedIn
) -> None:
    async with phone(live_server, ada) as hers, phone(live_server, bello) as his:
        for number in range(3):
            await say(hers, f"{number}")
        answers = [await his.send("read", {"club": PUBLIC, "seq": seq}) for seq in (2, 1, 2**40)]
        assert [answer["data"]["seq"] for answer in answers] == [2, 2, 3]
        assert (await his.send("read", {"club": "Enyimba", "seq": 1}))["status"] == 404
        assert (await his.send("read", {"club": PUBLIC, "seq": -1}))["status"] == 422


async def test_unread_counts_what_others_wrote_since(
    live_server: RunningApp, ada: SignedIn, bello: SignedIn
) -> None:
    async with phone(live_server, ada) as hers, phone(live_server, bello) as his:
        for number in range(3):
            await say(hers, f"{number}")
        await say(his, "mine")
        await his.send("read", {"club": PUBLIC, "seq": 1})
    rooms = (await bello.get("/api/v1/chat-unread")).json()["data"]["rooms"]
    assert [(room["unread"], room["lastReadSeq"]) for room in rooms] == [(0, 0), (2, 1)]


async def test_a_muted_member_reads_and_does_not_write(
    live_server: RunningApp, ada: SignedIn, bello: SignedIn
) -> None:
    operator = await operator_client_of(live_server, bello, Role.MODERATOR)
    async with phone(live_server, ada) as hers, phone(live_server, bello) as his:
        muted = await operator.post(
            "/api/v1/admin/chat/mutes", {"userId": str(ada.id), "minutes": 5, "reason": "abuse"}
        )
        assert muted.status_code == 200
        rows = (await ada.get("/api/v1/notifications")).json()["data"]["rows"]
        until = {"until": muted.json()["data"]["until"]}
        assert [(row["kind"], row["data"]) for row in rows] == [("chat_muted", until)]
        refused = await say(hers, "and yet")
        assert (refused["status"], refused["code"]) == (409, "muted")
        assert refused["data"]["until"] > (clock.now() + timedelta(minutes=4)).isoformat()
        await say(his, "peace")
        assert (await hers.next("message"))["chat_message"] == "peace"
        await live_server.client.delete(
            f"/api/v1/admin/chat/mutes/{ada.id}", headers=operator.headers
        )
        assert (await say(hers, "thank you"))["status"] == 200


async def test_a_hidden_message_leaves_the_screens_that_show_it(
    live_server: RunningApp, ada: SignedIn, bello: SignedIn
) -> None:
    operator = await operator_client_of(live_server, bello, Role.MODERATOR)
    async with phone(live_server, ada) as hers, phone(live_server, bello) as his:
        message_id = (await say(hers, "ugly", tab=str(CLUB_A)))["data"]["id"]
        await operator.post(f"/api/v1/admin/chat/messages/{message_id}/hide")
        hidden = await hers.next("message_hidden")
        assert hidden["id"] == message_id
        open_to_all = (await say(hers, "ugly too"))["data"]["id"]
        await operator.post(f"/api/v1/admin/chat/messages/{open_to_all}/hide")
        assert (await his.next("message_hidden")) == {"id": open_to_all, "club": PUBLIC}
        assert his.count("message_hidden") == 1


async def test_a_phone_that_comes_back_hears_what_was_hidden_meanwhile(
    live_server: RunningApp, ada: SignedIn, bello: SignedIn
) -> None:
    operator = await operator_client_of(live_server, bello, Role.MODERATOR)
    async with phone(live_server, ada) as hers:
        in_club = (await say(hers, "ugly", tab=str(CLUB_A)))["data"]["id"]
        in_public = (await say(hers, "ugly too"))["data"]["id"]
    for message_id in (in_club, in_public):
        await operator.post(f"/api/v1/admin/chat/messages/{message_id}/hide")
    async with phone(live_server, ada) as hers, phone(live_server, bello) as his:
        await hers.until("message_hidden", 2)
        assert {one["id"] for one in hers.payloads("message_hidden")} == {in_club, in_public}
        assert await his.next("message_hidden") == {"id": in_public, "club": PUBLIC}
        assert his.count("message_hidden") == 1


async def test_what_was_announced_while_the_worker_heard_nothing_reaches_its_phones(
    live_server: RunningApp, ada: SignedIn, bello: SignedIn, owner: AsyncEngine
) -> None:
    async with phone(live_server, ada) as hers:
        message_id = (await say(hers, "ugly"))["data"]["id"]
        await until_counts(hers, {"public": 1, "club": 1})
        async with owner.begin() as connection:
            for statement in (
                "UPDATE chat_message SET hidden_at = now()",
                "INSERT INTO chat_worker VALUES (gen_random_uuid(), now())",
                "INSERT INTO chat_presence (worker_id, user_id, club_id) SELECT w.id, u.id, "
                f"u.club_id FROM chat_worker w, user_account u WHERE u.id = '{bello.id}'",
                "SELECT pg_terminate_backend(pid) FROM pg_stat_activity "
                "WHERE datname = current_database() AND (query LIKE 'LISTEN%' "
                "OR query LIKE 'SELECT pg_postmaster_start_time%')",
            ):
                await connection.execute(text(statement))
        assert await hers.next("message_hidden") == {"id": message_id, "club": PUBLIC}
        async with asyncio.timeout(HEARTBEAT_SECONDS / 2):
            await until_counts(hers, {"public": 2, "club": 1})


async def test_erasing_a_member_empties_their_messages(
    live_server: RunningApp, ada: SignedIn, bello: SignedIn
) -> None:
    async with phone(live_server, ada) as hers, phone(live_server, bello) as his:
        await say(hers, "my secret")
        await say(his, "hello")
    answer = await live_server.client.request(
        "DELETE",
        f"/api/v1/users/{ada.id}",
        json={"password": "Terrace-2026"},
        headers=ada.headers,
    )
    assert answer.status_code == 200
    assert [one["chat_message"] for one in await history(live_server, bello)] == ["hello"]
    row = await live_server.database.fetch_row(
        "SELECT count(*) AS kept FROM chat_message WHERE content = 'my secret'"
    )
    assert row is not None
    assert row["kept"] == 0


async def test_a_revoked_session_hears_nothing_more(live_server: RunningApp, ada: SignedIn) -> None:
    tablet = await other_device(live_server, ada)
    async with phone(live_server, ada) as hers, phone(live_server, tablet) as other:
        await tablet.post("/api/v1/sign-out")
        await other.until_gone()
        await say(hers, "alone now")
        assert other.count("message") == 0


class PollingPhone:
    """A phone behind a proxy without WebSockets: it polls."""

    def __init__(self, http: httpx.AsyncClient) -> None:
        self._http = http
        self._address = {"EIO": "4", "transport": "polling"}
        self.received: list[Any] = []

    async def open(self, token: str) -> None:
        [opened] = await self._poll()
        self._address["sid"] = json.loads(opened[1:])["sid"]
        await self.send(f"40{PATH},{json.dumps({'token': token})}")
        while not any(packet.startswith(f"40{PATH},") for packet in await self._poll()):
            pass

    async def send(self, packet: str) -> None:
        answer = await self._http.post("/socket.io/", params=self._address, content=packet)
        assert (answer.status_code, answer.text) == (200, "OK")

    async def until(self, count: int) -> None:
        """Poll until so many messages were received."""
        while len(self.received) < count:
            for packet in await self._poll():
                self._receive(packet)

    async def upgrade(self, base_url: str, count: int) -> None:
        """Upgrade to a WebSocket, and listen there until so many messages were received."""
        address = str(httpx.URL(base_url, path="/socket.io/")).replace("http", "ws", 1)
        query = urlencode({**self._address, "transport": "websocket"})
        async with websockets.connect(f"{address}?{query}") as wire:
            await wire.send("2probe")
            assert await wire.recv() == "3probe"
            await wire.send("5")
            while len(self.received) < count:
                self._receive(str(await wire.recv()))

    async def until_refused(self) -> None:
        """Poll until the server does not know this phone any more."""
        while (await self._http.get("/socket.io/", params=self._address)).status_code == 200:
            pass

    def _receive(self, packet: str) -> None:
        if packet.startswith(f'42{PATH},["message"'):
            self.received.append(json.loads(packet.partition(",")[2])[1])

    async def _poll(self) -> list[str]:
        answer = await self._http.get("/socket.io/", params=self._address)
        assert answer.status_code == 200
        return answer.text.split("\x1e")


async def test_phones_that_poll_or_upgrade_hear_the_same_in_the_same_order(
    live_server: RunningApp, ada: SignedIn, bello: SignedIn
) -> None:
    polling, upgrading = PollingPhone(live_server.client), PollingPhone(live_server.client)
    await polling.open(bello.token)
    await upgrading.open(bello.token)
    async with phone(live_server, ada) as hers:
        for number in range(3):
            await say(hers, f"{number}")
        await upgrading.until(2)
        upgraded = asyncio.create_task(upgrading.upgrade(live_server.base_url, 6))
        for number in range(3, 5):
            await say(hers, f"{number}")
        content = {"club": PUBLIC, "chat_message": "by polling"}
        await polling.send(f"42{PATH},{json.dumps(['message', content])}")
        await polling.until(6)
        assert [one["seq"] for one in polling.received] == [1, 2, 3, 4, 5, 6]
        await asyncio.wait_for(upgraded, DEADLINE_SECONDS)
        assert upgrading.received == polling.received
        await hers.until("message", 6)
        assert hers.payloads("message") == polling.received


async def test_an_open_poll_ends_when_its_client_leaves(
    live_server: RunningApp, ada: SignedIn
) -> None:
    polling = PollingPhone(live_server.client)
    await polling.open(ada.token)
    waiting = asyncio.create_task(polling.until_refused())
    await asyncio.sleep(0.3)
    assert not waiting.done()
    await polling.send("1")
    await asyncio.wait_for(waiting, DEADLINE_SECONDS)


@pytest.mark.parametrize("way", ["framed once", "framed by the server", "by the library"])
async def test_every_way_out_tells_the_same_in_the_same_order(
    live_server: RunningApp,
    ada: SignedIn,
    bello: SignedIn,
    way: str,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    framed = 0

    def watch(original: Any) -> Any:
        def write_frame(wire: Any, frame: bytes) -> bool:
            nonlocal framed
            written: bool = way == "framed once" and original(wire, frame)
            framed += written
            return written

        return write_frame

    monkeypatch.setattr(DirectSocket, "write_frame", watch(DirectSocket.write_frame))
    if way == "by the library":
        monkeypatch.setattr(DirectSocket, "is_clear", lambda _: False)
    async with phone(live_server, ada) as hers, phone(live_server, bello) as his:
        for number in range(5):
            await say(hers, f"{number}")
        for held in (hers, his):
            await held.until("message", 5)
            assert [one["seq"] for one in held.payloads("message")] == [1, 2, 3, 4, 5]
    assert (framed > 0) == (way == "framed once")


def club_of(users: dict[str, Any]) -> str:
    """Return the name of the club in a user list."""
    [name] = set(users) - {PUBLIC, "counts", "last", "slow"}
    return name


async def until_counts(held: Any, wanted: dict[str, int]) -> dict[str, Any]:
    """Wait for a user list with these counts."""
    while True:
        users: dict[str, Any] = await held.next("userList")
        counts = users["counts"]
        if (counts[PUBLIC], counts[club_of(users)]) == (wanted["public"], wanted["club"]):
            return users


def test_the_public_room_is_no_clubs() -> None:
    assert UUID(int=0) not in {CLUB_A, CLUB_B}


async def test_forty_resends_at_once_are_told_once_more_and_answered(
    live_server: RunningApp, ada: SignedIn, bello: SignedIn
) -> None:
    client_id = uuid4()
    async with (
        phone(live_server, bello) as his,
        phone(live_server, ada) as one,
        phone(live_server, ada) as two,
    ):
        answers = await asyncio.gather(
            *(say(held, "once", client_id=client_id) for held in [one, two] * 20)
        )
        await say(his, "the end")
        await his.until("message", 3)
        await asyncio.sleep(0.1)
        texts = [one["chat_message"] for one in his.payloads("message")]
    assert texts == ["once", "once", "the end"]
    assert {answer["status"] for answer in answers} <= {200, 429}
    assert len({answer["data"]["id"] for answer in answers if answer["status"] == 200}) == 1


async def test_resends_over_time_are_told_every_ten_seconds_and_count_for_the_pace(
    live_server: RunningApp, ada: SignedIn
) -> None:
    database = live_server.database
    member = await live_server.asgi.state.services.identity.member(ada.token)
    seat = await rooms_service.take_seat(database, member, clock.now())
    began = clock.now()

    async def send(seconds: float, words: str = "once", client_id: UUID | None = None) -> Any:
        message = SendMessage(club=PUBLIC, chat_message=words, client_id=client_id)
        at = began + timedelta(seconds=seconds)
        [posted] = await messages_service.post_all(
            database, [messages_service.outgoing_message(seat, message, at)]
        )
        return posted

    client_id = uuid4()
    outcomes = [await send(number * 0.5, client_id=client_id) for number in range(90)]

    emitted_at = [number * 0.5 for number, posted in enumerate(outcomes) if posted.is_due]
    assert emitted_at == [0, 0.5, 10.5, 20.5, 30.5, 40.5]
    assert len({posted.id for posted in outcomes}) == 1
    # The message was last emitted at 40.5, so it is one of five in five seconds.
    assert [type(await send(44, f"words {number}")).__name__ for number in range(5)] == [
        "StoredPost",
        "StoredPost",
        "StoredPost",
        "StoredPost",
        "RefusedPost",
    ]


async def test_a_retry_that_may_not_be_written_now_is_answered_and_not_told(
    live_server: RunningApp, ada: SignedIn, bello: SignedIn
) -> None:
    operator = await operator_client_of(live_server, bello, Role.MODERATOR)
    client_id = uuid4()
    async with phone(live_server, ada) as hers, phone(live_server, bello) as his:
        first = await say(hers, "before", client_id=client_id)
        mute = {"userId": str(ada.id), "minutes": 5, "reason": "spam"}
        assert (await operator.post("/api/v1/admin/chat/mutes", mute)).status_code == 200
        again = await say(hers, "before", client_id=client_id)
        assert again["data"] == first["data"]
        await say(his, "the end")
        await his.until("message", 2)
    assert [one["chat_message"] for one in his.payloads("message")] == ["before", "the end"]
