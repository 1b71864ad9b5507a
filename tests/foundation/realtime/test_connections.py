"""Limits of a connection: joining and leaving namespaces, or not joining, does not reset them."""

import asyncio
import json
import sys
from collections.abc import AsyncIterator
from contextlib import AsyncExitStack, asynccontextmanager, suppress
from typing import Any

import httpx
import pytest
import websockets
from api.foundation.core.config import Settings
from api.foundation.database.rate_limit import Limit
from api.foundation.realtime import connections
from api.foundation.realtime.connections import (
    DROPS_BEFORE_CUT,
    JOIN_SECONDS,
)
from api.foundation.security.network import network_of

from tests.conftest import RunningApp, SignedIn
from tests.foundation.realtime.test_realtime import PATH, Echo, raw_socket, screen
from tests.waiting import DEADLINE_SECONDS, until

MAX_ANONYMOUS_PER_NETWORK: int = Settings.model_fields["limit_sockets"].default
PACKETS_TO_JOIN = 10  # three namespaces, what their screens ask first, and the engine's own
ENGINE = "/socket.io/?EIO=4"
MAX_PACKETS = DROPS_BEFORE_CUT + 100  # the burst, the refusals, and what the rate lets through


@pytest.fixture
def echo(live_server: RunningApp) -> Echo:
    namespace = Echo(live_server)
    live_server.asgi.state.services.sockets.register_namespace(namespace)
    return namespace


@pytest.fixture
def recorded(live_server: RunningApp, monkeypatch: pytest.MonkeyPatch) -> list[dict[str, Any]]:
    """The security log's entries about connections."""
    entries: list[dict[str, Any]] = []
    security = live_server.asgi.state.services.security
    record = security.record

    def listen(event: Any, **details: Any) -> None:
        entries.append({"event": event.value, **details})
        record(event, **details)

    monkeypatch.setattr(security, "record", listen)
    return entries


def cuts(app: RunningApp, reason: str) -> float:
    """Return how many connections were cut for ``reason``."""
    value: float = app.asgi.state.services.metrics.sockets_cut.labels(reason)._value.get()
    return value


def open_connections(app: RunningApp) -> int:
    return len(app.asgi.state.services.sockets.connections._open)


@asynccontextmanager
async def anonymous(app: RunningApp) -> AsyncIterator[Any]:
    """Open a WebSocket of the engine and send nothing."""
    address = app.base_url.replace("http", "ws") + ENGINE + "&transport=websocket"
    async with websockets.connect(address, max_queue=None) as wire:
        await wire.recv()
        yield wire


async def poll_session(client: httpx.AsyncClient) -> str:
    """Open a session of the engine by polling, and return its id."""
    answer = await client.get(ENGINE + "&transport=polling")
    sid: str = json.loads(answer.text[1:])["sid"]
    return sid


def polling(sid: str) -> str:
    return f"{ENGINE}&transport=polling&sid={sid}"


async def send_until_closed(wire: Any, frames: list[str], max_frames: int) -> int:
    """Send frames repeatedly; return how many were sent before the connection was closed."""
    sent = 0
    with suppress(websockets.ConnectionClosed):
        while sent < max_frames:
            await wire.send(frames[sent % len(frames)])
            sent += 1
            if sent % 50 == 0:
                await asyncio.sleep(0.001)
        await wire.wait_closed()
    return sent


def test_a_connection_may_send_what_the_limits_of_its_events_allow(live_server: RunningApp) -> None:
    sockets = live_server.asgi.state.services.sockets
    modules = {type(each).__module__ for each in sockets.namespace_handlers.values()}
    limits = [
        limit
        for module in modules
        for limit in vars(sys.modules[module]).values()
        if isinstance(limit, Limit)
    ]

    assert "chat-react" in {limit.name for limit in limits}
    for limit in limits:  # one event more runs into this limit, not another
        assert limit.hits + 1 + PACKETS_TO_JOIN <= connections.BURST, limit


async def test_joining_and_leaving_makes_no_new_bucket(live_server: RunningApp, echo: Echo) -> None:
    ada = await live_server.member()
    join = f"40{PATH},{json.dumps({'token': ada.token})}"
    events = [f'42{PATH},["say",{{"text":"x"}}]'] * 18
    async with anonymous(live_server) as wire:
        async with asyncio.timeout(DEADLINE_SECONDS):
            await send_until_closed(wire, [join, *events, f"41{PATH}"], 800)

    assert echo.answered < connections.BURST + 20  # and what the rate lets through
    assert cuts(live_server, "flood") == 1
    await until(lambda: len(echo.gone) == len(echo.came))


@pytest.mark.parametrize("namespace", ["/", PATH, "/nowhere"])
async def test_tens_of_thousands_of_joins_on_one_socket_end_it(
    live_server: RunningApp, echo: Echo, namespace: str
) -> None:
    async with anonymous(live_server) as wire:
        async with asyncio.timeout(DEADLINE_SECONDS):
            await send_until_closed(wire, [f'40{namespace},{{"token":"x"}}'], 41_100)

    assert cuts(live_server, "flood") == 1
    await until(lambda: open_connections(live_server) == 0)


async def test_nobody_joins_the_nameless_namespace_and_its_packets_count(
    live_server: RunningApp,
) -> None:
    async with anonymous(live_server) as wire:
        await wire.send('40{"token":"x"}')
        refusal = json.loads(str(await wire.recv())[2:])
        assert refusal["data"] == {"code": "not_found", "status": 404}
        async with asyncio.timeout(DEADLINE_SECONDS):
            await send_until_closed(wire, ['42["say",{}]'], 20_000)
    assert cuts(live_server, "flood") == 1


async def test_three_hundred_sockets_without_a_token_are_gone_when_their_time_is_up(
    live_server: RunningApp,
    echo: Echo,
    monkeypatch: pytest.MonkeyPatch,
    recorded: list[dict[str, Any]],
) -> None:
    assert (JOIN_SECONDS, MAX_ANONYMOUS_PER_NETWORK) == (10.0, 200)
    monkeypatch.setattr(connections, "JOIN_SECONDS", 2.0)
    ada = await live_server.member()
    async with AsyncExitStack() as stack:
        wires: list[Any] = []
        for _ in range(10):
            wires += await asyncio.gather(
                *(stack.enter_async_context(anonymous(live_server)) for _ in range(30))
            )
        assert open_connections(live_server) <= MAX_ANONYMOUS_PER_NETWORK
        async with screen(live_server, {"token": ada.token}) as (client, _):
            async with asyncio.timeout(DEADLINE_SECONDS):
                await asyncio.gather(*(wire.wait_closed() for wire in wires))
            assert client.connected
    await until(lambda: open_connections(live_server) == 0)
    assert cuts(live_server, "crowded") + cuts(live_server, "not_joined") == 300
    assert [event.get("reason") for event in recorded].count("crowded") <= 2
    assert "127.0.0.1" not in json.dumps(recorded, default=str)


async def test_a_socket_that_leaves_its_last_namespace_has_ten_seconds_again(
    live_server: RunningApp, echo: Echo, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(connections, "JOIN_SECONDS", 0.3)
    ada = await live_server.member()
    async with raw_socket(live_server, ada) as wire:
        await asyncio.sleep(0.6)
        assert open_connections(live_server) == 1
        await wire.send(f"41{PATH}")
        async with asyncio.timeout(DEADLINE_SECONDS):
            await wire.wait_closed()
    assert cuts(live_server, "not_joined") == 1


async def test_members_behind_one_address_do_not_count_as_strangers(
    live_server: RunningApp, echo: Echo, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(live_server.asgi.state.services.sockets.connections, "_max_anonymous", 5)
    ada, bello = await live_server.member("ada"), await live_server.member("bello")
    async with AsyncExitStack() as stack:
        for member in (ada, bello) * 10:
            await stack.enter_async_context(raw_socket(live_server, member))
        await asyncio.gather(
            *(stack.enter_async_context(anonymous(live_server)) for _ in range(20))
        )
        await until(lambda: open_connections(live_server) == 25)
        await stack.enter_async_context(raw_socket(live_server, ada))
    assert cuts(live_server, "crowded") >= 15
    registry = live_server.asgi.state.services.metrics.registry
    reached = registry.get_sample_value("limit_reached_total", {"limit": "sockets"})
    assert reached == cuts(live_server, "crowded")


async def test_sockets_that_join_at_once_are_not_more_than_a_member_may_hold(
    live_server: RunningApp, echo: Echo
) -> None:
    ada = await live_server.member()
    join = f"40{PATH},{json.dumps({'token': ada.token})}"
    async with AsyncExitStack() as stack:
        wires = [await stack.enter_async_context(anonymous(live_server)) for _ in range(30)]
        await asyncio.gather(*(wire.send(join) for wire in wires))
        answers = [str(await wire.recv()) for wire in wires]
        accepted = sum(answer.startswith(f"40{PATH},") for answer in answers)
        assert accepted == 20
        assert sum("too_many_requests" in answer for answer in answers) == 10


async def test_a_thousand_polling_sessions_are_not_kept(live_server: RunningApp) -> None:
    for _ in range(20):
        await asyncio.gather(*(poll_session(live_server.client) for _ in range(50)))
    assert open_connections(live_server) <= MAX_ANONYMOUS_PER_NETWORK
    await until(
        lambda: (
            len(live_server.asgi.state.services.sockets.eio.sockets) <= MAX_ANONYMOUS_PER_NETWORK
        )
    )
    assert cuts(live_server, "crowded") + cuts(live_server, "not_joined") >= 800


@pytest.mark.parametrize(
    ("body", "status", "reason"),
    [
        (b"4" + b"x" * 20_000, 413, "too_large"),
        (b"4" + b"x" * 600_000, 413, "too_large"),
        (b"\x1e".join([b"3"] * 17), 400, "malformed"),
        (b"\xff\xfe", 400, "malformed"),
        (b"4\x1e", 400, "malformed"),
    ],
    ids=["more than a packet", "more than a request", "too many", "no text", "nothing"],
)
async def test_a_polling_post_that_is_too_much_is_answered_and_ends_its_session(
    live_server: RunningApp, body: bytes, status: int, reason: str
) -> None:
    sid = await poll_session(live_server.client)

    answer = await live_server.client.post(polling(sid), content=body)

    assert answer.status_code == status
    assert (await live_server.client.get(polling(sid))).status_code == 400
    assert cuts(live_server, reason) == 1


async def test_a_packet_has_at_most_16_kib(live_server: RunningApp, echo: Echo) -> None:
    ada = await live_server.member()
    for length, is_cut in ((15 * 1024, False), (16 * 1024, True)):
        async with raw_socket(live_server, ada) as wire:
            await wire.send(f'42{PATH},1["say",{{"text":"{"x" * length}"}}]')
            if is_cut:
                async with asyncio.timeout(DEADLINE_SECONDS):
                    await wire.wait_closed()
            else:
                assert str(await wire.recv()).startswith(f"43{PATH},1")
        assert cuts(live_server, "too_large") == is_cut


async def test_an_endless_polling_post_is_answered(live_server: RunningApp) -> None:
    sid = await poll_session(live_server.client)

    async def endless() -> AsyncIterator[bytes]:
        for _ in range(100):
            yield b"4" * 4096

    answer = await live_server.client.post(polling(sid), content=endless())

    assert answer.status_code == 413


async def test_a_session_that_is_never_polled_ends(
    live_server: RunningApp, echo: Echo, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(connections, "POLL_SECONDS", 0.5)
    ada = await live_server.member()
    sid = await poll_session(live_server.client)
    join = f"40{PATH},{json.dumps({'token': ada.token})}"
    await live_server.client.post(polling(sid), content=join)
    await until(lambda: echo.came)

    await until(lambda: echo.gone)
    assert cuts(live_server, "not_polled") == 1


async def test_a_second_poll_at_once_ends_the_session(live_server: RunningApp) -> None:
    sid = await poll_session(live_server.client)
    first = asyncio.create_task(live_server.client.get(polling(sid), timeout=DEADLINE_SECONDS))
    await asyncio.sleep(0.1)

    second = await live_server.client.get(polling(sid), timeout=DEADLINE_SECONDS)

    assert second.status_code == 400
    assert (await first).status_code == 200
    assert cuts(live_server, "malformed") == 1


async def test_one_session_holds_one_upgrade_and_not_for_long(
    live_server: RunningApp, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("api.foundation.realtime.transports.JOIN_SECONDS", 3)
    sid = await poll_session(live_server.client)
    address = (
        live_server.base_url.replace("http", "ws") + ENGINE + f"&transport=websocket&sid={sid}"
    )
    async with websockets.connect(address) as one:
        for _ in range(20):
            with pytest.raises(websockets.InvalidStatus):
                async with websockets.connect(address):
                    pass
        async with asyncio.timeout(DEADLINE_SECONDS):
            await one.wait_closed()
    await until(lambda: open_connections(live_server) == 0)


async def test_a_kick_closes_the_connection_and_says_whose_it_was(
    live_server: RunningApp, echo: Echo, recorded: list[dict[str, Any]]
) -> None:
    ada = await live_server.member()
    async with raw_socket(live_server, ada) as wire, asyncio.timeout(DEADLINE_SECONDS):
        await send_until_closed(wire, [f'42{PATH},7["say",{{"text":"x"}}]'], 5000)

    await until(lambda: echo.gone)
    [event] = [event for event in recorded if event["event"] == "connection_closed"]
    assert (event["reason"], event["user_id"]) == ("flood", ada.id)


async def test_engine_packets_count_too(live_server: RunningApp, echo: Echo) -> None:
    ada = await live_server.member()
    async with raw_socket(live_server, ada) as wire, asyncio.timeout(DEADLINE_SECONDS):
        await send_until_closed(wire, ["3"], 5000)
    assert cuts(live_server, "flood") == 1


def test_a_network_is_what_one_subscriber_can_change_at_will() -> None:
    assert network_of("203.0.113.7") == "203.0.113.7"
    assert network_of("::ffff:203.0.113.7") == "203.0.113.7"
    assert (
        network_of("2001:db8:1:2:3:4:5:6") == network_of("2001:db8:1:2::1") == "2001:db8:1:2::/64"
    )
    assert network_of("2001:db8:1:3::1") == "2001:db8:1:3::/64"
    assert network_of(None) == network_of("testclient") == "unknown"


async def test_nothing_is_left_of_connections_that_are_gone(
    live_server: RunningApp, echo: Echo
) -> None:
    ada = await live_server.member()
    signed_in: list[SignedIn] = [ada] * 5
    for member in signed_in:
        async with raw_socket(live_server, member):
            pass
    state = live_server.asgi.state.services.sockets
    await until(lambda: open_connections(live_server) == 0)
    assert state.connections._anonymous == {}
    assert state._wires == {}
    assert echo._places == {}
    assert echo._sids_of == {}
