"""Sockets that reconnect together join a few at a time, and HTTP requests are served meanwhile."""

import asyncio
import json
from contextlib import AsyncExitStack
from typing import Any

import pytest
import websockets
from api.foundation.realtime.joining import JOINS_AT_ONCE, JoinQueue
from api.foundation.security.members import Member
from typing_extensions import override

from tests.conftest import RunningApp
from tests.foundation.realtime.test_realtime import PATH, Echo, raw_socket
from tests.waiting import DEADLINE_SECONDS, until

CROWD = 20


class SlowEcho(Echo):
    """Blocks joins until ``opens`` is set, and counts the concurrent ones."""

    def __init__(self, app: RunningApp) -> None:
        super().__init__(app)
        self.opens = asyncio.Event()
        self.joining = 0
        self.most_joining = 0
        self.prepared = 0

    @override
    async def prepare(self, sid: str, member: Member) -> None:
        self.joining += 1
        self.prepared += 1
        self.most_joining = max(self.most_joining, self.joining)
        await self.opens.wait()
        self.joining -= 1


@pytest.fixture
def echo(live_server: RunningApp) -> SlowEcho:
    namespace = SlowEcho(live_server)
    live_server.asgi.state.services.sockets.register_namespace(namespace)
    return namespace


async def join(app: RunningApp, token: str, lines: AsyncExitStack) -> Any:
    """Open a socket that asks to join, without waiting for the answer."""
    address = app.base_url.replace("http", "ws") + "/socket.io/?EIO=4&transport=websocket"
    line = await lines.enter_async_context(websockets.connect(address, max_queue=None))
    await line.recv()
    await line.send(f"40{PATH},{json.dumps({'token': token})}")
    return line


async def test_a_crowd_is_let_in_a_few_at_a_time_and_all_get_in(
    live_server: RunningApp, echo: SlowEcho
) -> None:
    ada = await live_server.member("ada")
    async with AsyncExitStack() as lines:
        crowd = [await join(live_server, ada.token, lines) for _ in range(CROWD)]
        await until(lambda: echo.joining == JOINS_AT_ONCE)
        echo.opens.set()
        answers = [str(await asyncio.wait_for(line.recv(), DEADLINE_SECONDS)) for line in crowd]

    assert all(answer.startswith(f"40{PATH},") for answer in answers)
    assert echo.most_joining == JOINS_AT_ONCE
    assert len(echo.came) == CROWD


async def test_who_waits_too_long_is_sent_away_as_from_a_busy_server_and_may_come_again(
    live_server: RunningApp, echo: SlowEcho
) -> None:
    live_server.asgi.state.services.sockets._joins = JoinQueue(at_once=1, max_wait_seconds=0.2)
    ada = await live_server.member("ada")
    async with AsyncExitStack() as lines:
        first = await join(live_server, ada.token, lines)
        await until(lambda: echo.joining == 1)
        second = await join(live_server, ada.token, lines)
        refusal = json.loads(str(await second.recv()).removeprefix(f"44{PATH},"))
        echo.opens.set()
        assert str(await first.recv()).startswith(f"40{PATH},")
        await second.send(f"40{PATH},{json.dumps({'token': ada.token})}")
        answer = str(await second.recv())

    assert refusal["data"] == {"code": "unavailable", "status": 503}
    assert answer.startswith(f"40{PATH},")


async def test_one_that_hangs_up_while_it_waits_is_not_let_in(
    live_server: RunningApp, echo: SlowEcho
) -> None:
    live_server.asgi.state.services.sockets._joins = JoinQueue(at_once=1)
    ada = await live_server.member("ada")
    async with AsyncExitStack() as lines:
        await join(live_server, ada.token, lines)
        await until(lambda: echo.joining == 1)
        gone = await join(live_server, ada.token, lines)
        gone.transport.abort()
        await gone.wait_closed()
        await asyncio.sleep(0.1)  # until the server has closed it
        echo.opens.set()
        async with raw_socket(live_server, ada):
            await until(lambda: len(echo.came) == 2)

    assert echo.prepared == 2


async def test_calls_are_answered_while_a_crowd_waits_to_be_let_in(
    live_server: RunningApp, echo: SlowEcho
) -> None:
    ada = await live_server.member("ada")
    async with AsyncExitStack() as lines:
        for _ in range(CROWD):
            await join(live_server, ada.token, lines)
        await until(lambda: echo.joining == JOINS_AT_ONCE)
        balance = await live_server.client.get(
            f"/api/v1/payment/wallet-balance/{ada.id}", headers=ada.headers
        )
        echo.opens.set()

    assert balance.status_code == 200
