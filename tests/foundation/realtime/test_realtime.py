"""Sockets: members only, their own rooms, no lifecycle forging, no flood, no unread backlog."""

import asyncio
import json
from collections.abc import AsyncIterator
from contextlib import AsyncExitStack, asynccontextmanager
from typing import Any

import pytest
import socketio
import websockets
from api.foundation.realtime.connections import BURST, TokenBucket
from api.foundation.realtime.engine import QUEUED_PACKETS_LIMIT
from api.foundation.realtime.namespaces import (
    SOCKETS_PER_MEMBER,
    EventHandler,
    MemberNamespace,
    member_room,
)
from api.foundation.security.members import Member
from api.foundation.wire.acknowledgements import Acknowledgement
from api.foundation.wire.schemas import ShortText, WireInput, WireModel
from socketio.exceptions import ConnectionError as RefusedError
from typing_extensions import override

from tests.conftest import RunningApp, SignedIn
from tests.waiting import DEADLINE_SECONDS, until

PATH = "/echo"


class Words(WireInput):
    text: ShortText


class Said(WireModel):
    text: str


class Echo(MemberNamespace):
    """A namespace that answers, records who came and went, and counts concurrent handlers."""

    def __init__(self, app: RunningApp) -> None:
        state = app.asgi.state.services
        super().__init__(PATH, identity=state.identity, metrics=state.metrics)
        self.came: list[Member] = []
        self.gone: list[Member] = []
        self.running = 0
        self.most_at_once = 0
        self.answered = 0
        self.handle("say", EventHandler(Words, self.say))

    async def say(self, member: Member, _sid: str, words: Words) -> Acknowledgement:
        self.running += 1
        self.most_at_once = max(self.most_at_once, self.running)
        await asyncio.sleep(0.001)
        self.running -= 1
        self.answered += 1
        if words.text == "crash":
            raise RuntimeError("the secret of the house")
        await self.push("said", Said(text=words.text), room=member_room(member.user_id))
        return Acknowledgement(status=200, message="OK", data={"user": str(member.user_id)})

    @override
    async def joined(self, sid: str, member: Member) -> None:
        self.came.append(member)

    @override
    async def left(self, sid: str, member: Member) -> None:
        self.gone.append(member)


@pytest.fixture
def echo(live_server: RunningApp) -> Echo:
    namespace = Echo(live_server)
    live_server.asgi.state.services.sockets.register_namespace(namespace)
    return namespace


@asynccontextmanager
async def screen(
    app: RunningApp, token: Any, query: str = ""
) -> AsyncIterator[tuple[socketio.AsyncClient, list[Any]]]:
    """Connect a socket as a browser does, and collect its events."""
    received: list[Any] = []
    client = socketio.AsyncClient(reconnection=False)
    client.on("said", received.append, namespace=PATH)
    await client.connect(
        f"{app.base_url}?{query}",
        auth=token,
        namespaces=[PATH],
        transports=["websocket"],
        wait_timeout=DEADLINE_SECONDS,
    )
    try:
        yield client, received
    finally:
        await client.disconnect()


async def say(client: socketio.AsyncClient, payload: Any, event: str = "say") -> Any:
    return await client.call(event, payload, namespace=PATH, timeout=DEADLINE_SECONDS)


@asynccontextmanager
async def raw_socket(app: RunningApp, member: SignedIn) -> AsyncIterator[Any]:
    """Write the frames by hand, as no honest client would."""
    address = app.base_url.replace("http", "ws") + "/socket.io/?EIO=4&transport=websocket"
    async with websockets.connect(address, max_queue=None) as wire:
        await wire.recv()
        await wire.send(f"40{PATH},{json.dumps({'token': member.token})}")
        assert str(await wire.recv()).startswith(f"40{PATH},")
        yield wire


async def test_a_member_is_admitted_answered_and_told_in_the_own_room_only(
    live_server: RunningApp, echo: Echo
) -> None:
    ada, bello = await live_server.member("ada"), await live_server.member("bello")
    async with (
        screen(live_server, {"token": ada.token}, f"userId={ada.id}") as (ada_screen, ada_received),
        screen(live_server, {"token": bello.token}) as (_, bello_received),
    ):
        answer = await say(ada_screen, {"text": " Up Enyimba "})

        assert answer == {
            "status": 200,
            "message": "OK",
            "data": {"user": str(ada.id)},
            "code": None,
        }
        await until(lambda: ada_received)
        assert (ada_received, bello_received) == ([{"text": "Up Enyimba"}], [])
        assert {member.user_id for member in echo.came} == {ada.id, bello.id}
    await until(lambda: len(echo.gone) == 2)


@pytest.mark.parametrize("auth", [None, {}, {"token": ""}, {"token": 7}, {"token": "a.b.c"}, "x"])
async def test_a_handshake_without_a_good_token_is_refused(
    live_server: RunningApp, echo: Echo, auth: Any
) -> None:
    with pytest.raises(RefusedError):
        async with screen(live_server, auth):
            pass
    assert echo.came == []


async def test_a_query_that_names_somebody_else_is_refused(
    live_server: RunningApp, echo: Echo
) -> None:
    ada, bello = await live_server.member("ada"), await live_server.member("bello")
    for query in (
        f"userId={bello.id}",
        f"clubId={bello.id}",
        "userId=x",
        f"userId={ada.id}&userId=2",
    ):
        with pytest.raises(RefusedError):
            async with screen(live_server, {"token": ada.token}, query):
                pass
    assert echo.came == []


async def test_payloads_that_do_not_fit_are_refused_in_the_acknowledgement(
    live_server: RunningApp, echo: Echo
) -> None:
    ada = await live_server.member()
    async with screen(live_server, {"token": ada.token}) as (client, received):
        for payload in ({}, {"text": 7}, {"text": "x" * 101}, {"text": "a", "more": 1}, "x", [1]):
            assert (await say(client, payload))["status"] == 422
        assert (await say(client, {}, "shout"))["code"] == "not_found"
        crashed = await say(client, {"text": "crash"})
        assert (crashed["status"], crashed["code"]) == (500, "internal_error")
        assert "secret" not in crashed["message"]
        assert received == []


async def test_lifecycle_frames_from_a_client_reach_no_handler(
    live_server: RunningApp, echo: Echo
) -> None:
    ada, bello = await live_server.member("ada"), await live_server.member("bello")
    async with raw_socket(live_server, ada) as wire:
        for frame in (
            ["disconnect", "x"],
            ["connect", {"REMOTE_ADDR": "x"}, {"token": bello.token}],
            ["connect_error"],
            ["__disconnect_final"],
            [7],
            [],
        ):
            await wire.send(f"42{PATH},{json.dumps(frame)}")
        await wire.send(f'42{PATH},1["say",{{"text":"still here"}}]')
        frames = [str(await wire.recv()) for _ in range(2)]

        assert any('"status":200' in frame for frame in frames)
        assert [member.user_id for member in echo.came] == [ada.id]
        assert echo.gone == []


async def test_a_flood_is_served_at_the_buckets_pace_one_at_a_time_and_then_cut_off(
    live_server: RunningApp, echo: Echo
) -> None:
    ada = await live_server.member()
    async with raw_socket(live_server, ada) as wire:
        for _ in range(5000):
            await wire.send(f'42{PATH},["say",{{"text":"x"}}]')

        await until(lambda: echo.gone)
    assert echo.most_at_once == 1
    assert 0.9 * BURST <= echo.answered < 2 * BURST


async def test_a_socket_that_does_not_read_is_cut_off_and_others_are_not(
    live_server: RunningApp, echo: Echo
) -> None:
    ada, bello = await live_server.member("ada"), await live_server.member("bello")
    address = live_server.base_url.removeprefix("http://").split(":")
    reader, writer = await asyncio.open_connection(address[0], int(address[1]))
    writer.write(
        b"GET /socket.io/?EIO=4&transport=websocket HTTP/1.1\r\nHost: x\r\nUpgrade: websocket\r\n"
        b"Connection: Upgrade\r\nSec-WebSocket-Version: 13\r\n"
        b"Sec-WebSocket-Key: AAAAAAAAAAAAAAAAAAAAAA==\r\n\r\n"
    )
    await reader.readuntil(b"\r\n\r\n")
    writer.write(masked(f"40{PATH},{json.dumps({'token': ada.token})}"))
    await until(lambda: echo.came)
    reader._transport.pause_reading()  # type: ignore[attr-defined]

    async with screen(live_server, {"token": bello.token}) as (_, received):
        for number in range(3000):
            for member in (ada, bello):
                await echo.push(
                    "said", Said(text=f"{number:05d}" * 400), room=member_room(member.id)
                )
            await asyncio.sleep(0)
            if echo.gone:
                break
        await until(lambda: echo.gone)
        assert [member.user_id for member in echo.gone] == [ada.id]
        sent = number + 1
        assert sent > QUEUED_PACKETS_LIMIT
        await until(lambda: len(received) == sent)
        assert [said["text"][:5] for said in received] == [f"{one:05d}" for one in range(sent)]
    writer.close()


def masked(text: str) -> bytes:
    """Return a client's text frame with an all-zero mask."""
    body = text.encode()
    assert 125 < len(body) < 65_536
    return b"\x81\xfe" + len(body).to_bytes(2, "big") + b"\0\0\0\0" + body


async def test_a_member_holds_no_more_sockets_than_tabs_could_need(
    live_server: RunningApp, echo: Echo
) -> None:
    ada, bello = await live_server.member("ada"), await live_server.member("bello")
    async with AsyncExitStack() as stack:
        for _ in range(SOCKETS_PER_MEMBER):
            await stack.enter_async_context(screen(live_server, {"token": ada.token}))
        with pytest.raises(RefusedError):
            await stack.enter_async_context(screen(live_server, {"token": ada.token}))
        await stack.enter_async_context(screen(live_server, {"token": bello.token}))


async def test_a_quiet_socket_stays_for_as_long_as_it_answers_pings(
    live_server: RunningApp, echo: Echo
) -> None:
    engine = live_server.asgi.state.services.sockets.eio
    engine.ping_interval, engine.ping_timeout = 0.2, 0.2
    ada = await live_server.member("ada")
    async with raw_socket(live_server, ada) as wire:
        for _ in range(6):  # three times as long as the library waits for something to send
            assert await wire.recv() == "2"
            await wire.send("3")
    assert len(echo.came) == 1


async def test_signing_out_closes_the_sessions_sockets(live_server: RunningApp, echo: Echo) -> None:
    ada = await live_server.member()
    async with screen(live_server, {"token": ada.token}) as (client, _):
        await ada.post("/api/v1/sign-out")

        await until(lambda: not client.connected)
        await until(lambda: echo.gone)


async def test_an_expired_session_loses_its_socket(live_server: RunningApp, echo: Echo) -> None:
    ada = await live_server.member()
    row = await live_server.database.fetch_row(
        "UPDATE session SET expires_at = now() + interval '1 second' RETURNING id"
    )
    assert row is not None
    live_server.disable_cache()
    async with screen(live_server, {"token": ada.token}) as (client, _):
        await until(lambda: not client.connected)


@pytest.mark.parametrize("origin", ["https://evil.example", "null", "http://127.0.0.1.evil"])
async def test_a_foreign_page_cannot_open_a_socket(live_server: RunningApp, origin: str) -> None:
    refused = await refused_handshake(
        live_server, "/socket.io/?EIO=4&transport=websocket", origin=origin
    )

    assert refused.status_code == 400
    assert json.loads(refused.body)["error"]["code"] == "bad_request"


@pytest.mark.parametrize(
    "query", ["EIO=3&transport=websocket", "EIO=4&transport=websocket&sid=gone", ""]
)
async def test_a_handshake_that_the_engine_cannot_read_is_a_bad_request(
    live_server: RunningApp, query: str
) -> None:
    refused = await refused_handshake(live_server, f"/socket.io/?{query}")

    assert refused.status_code == 400
    assert json.loads(refused.body)["error"]["code"] == "bad_request"


@pytest.mark.parametrize("path", ["/api/v1/clubs", "/", "/socket.io", "/sandbox/paystack/x"])
async def test_a_websocket_elsewhere_is_not_found(live_server: RunningApp, path: str) -> None:
    refused = await refused_handshake(live_server, path)

    error = json.loads(refused.body)
    assert refused.status_code == 404
    assert (error["status"], error["error"]["code"]) == (404, "not_found")
    assert error["error"]["requestId"] == refused.headers["X-Request-Id"]
    assert refused.headers["X-Content-Type-Options"] == "nosniff"


async def refused_handshake(
    app: RunningApp, path: str, *, origin: str | None = None
) -> websockets.Response:
    """Request a WebSocket that is refused, and return the response."""
    address = app.base_url.replace("http", "ws") + path
    with pytest.raises(websockets.InvalidStatus) as refusal:
        async with websockets.connect(address, origin=origin):  # type: ignore[arg-type] # any text
            pass
    return refusal.value.response


async def test_a_server_that_cannot_answer_a_handshake_closes_it(app: RunningApp) -> None:
    sent: list[Any] = []

    async def receive() -> dict[str, str]:
        return {"type": "websocket.connect"}

    async def send(message: Any) -> None:
        sent.append(message)

    scope = {"type": "websocket", "path": "/elsewhere", "headers": [], "query_string": b""}
    await app.asgi(scope, receive, send)

    assert [message["type"] for message in sent] == ["websocket.close"]


def test_a_token_bucket_allows_a_burst_and_then_its_rate() -> None:
    moment = 0.0
    bucket = TokenBucket(per_second=5, burst=20, clock=lambda: moment)

    assert [bucket.take() for _ in range(22)] == [True] * 20 + [False] * 2
    moment = 1.0
    assert [bucket.take() for _ in range(6)] == [True] * 5 + [False]
    assert bucket.dropped == 3


async def test_there_is_no_emitting_to_everybody(live_server: RunningApp, echo: Echo) -> None:
    with pytest.raises(TypeError):
        await echo.emit("said", {"text": "all of you"})  # type: ignore[call-arg] # that is the test
