"""While sockets are flooded, other clients hardly notice, and memory stays constant."""

import asyncio
import json
import sys
import time
from asyncio.subprocess import PIPE
from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import asynccontextmanager
from statistics import median
from typing import Any

import pytest
from api.foundation.realtime import connections as limits

from tests.community.chat.conftest import join, phone, say
from tests.conftest import RunningApp
from tests.foundation.realtime.test_connections import cuts
from tests.waiting import until

SAMPLES = 40
PAUSE_SECONDS = 0.01
NOISE_SECONDS = 0.4  # slower answers up to here are due to the shared machine
MAX_GROWTH_BYTES = 64 * 1024 * 1024
ENDS = ("flood", "crowded", "too_large")


async def usual_seconds(measured: Callable[[], Awaitable[Any]]) -> float:
    """Do something at a steady pace; return the median duration.

    A shared machine slows some answers; a flood that is served slows all of them.
    """
    took: list[float] = []
    for _ in range(SAMPLES):
        started = time.perf_counter()
        await measured()
        took.append(time.perf_counter() - started)
        await asyncio.sleep(PAUSE_SECONDS)
    return median(took)


def resident_bytes() -> int:
    with open("/proc/self/statm") as figures:
        return int(figures.read().split()[1]) * 4096


@asynccontextmanager
async def flooded(app: RunningApp, token: str) -> AsyncIterator[None]:
    """Flood from a separate process until the block ends: it takes no time of our event loop."""
    attacker = await asyncio.create_subprocess_exec(
        sys.executable, "-m", "tests.foundation.realtime.attacker", stdin=PIPE, stdout=PIPE
    )
    assert attacker.stdin is not None
    assert attacker.stdout is not None
    order = {"url": app.base_url, "token": token}
    attacker.stdin.write(json.dumps(order).encode() + b"\n")
    await attacker.stdout.readline()
    try:
        yield
    finally:
        attacker.stdin.close()
        await attacker.wait()
    assert attacker.returncode == 0


async def test_floods_slow_nobody_else_down_and_leave_nothing_behind(
    live_server: RunningApp, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(limits, "JOIN_SECONDS", 2.0)
    ada, bello = await live_server.member("ada"), await live_server.member("bello")
    for member in (ada, bello):
        await join(live_server, member)
    connections = live_server.asgi.state.services.sockets.connections
    monkeypatch.setattr(connections, "_max_anonymous", 4)
    async with phone(live_server, bello) as his:
        [his_connection] = connections._open.values()
        his_connection.bucket.per_second = 1000.0  # the server is polled often here

        async def read_and_write() -> None:
            assert await live_server.balance(bello) == 0
            answer = await his.send("read", {"club": "Public", "seq": 0})
            assert answer["status"] == 200

        idle = await usual_seconds(read_and_write)
        before = resident_bytes()
        async with flooded(live_server, ada.token):
            while_flooded = await usual_seconds(read_and_write)
            await until(lambda: all(cuts(live_server, reason) > 0 for reason in ENDS))
        growth = resident_bytes() - before
        assert (await say(his, "still here"))["status"] == 200

    assert while_flooded < max(2 * idle, NOISE_SECONDS)
    assert growth < MAX_GROWTH_BYTES
    await until(lambda: not connections._open)
