"""Admission: above its limits a process refuses at once, and what watches it is answered."""

import asyncio
import json
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path

import httpx
import pytest
from api.core.metrics import Metrics
from api.http.admission import LIMITS, AdmissionMiddleware, LoadClass
from api.routes import CLASSES
from sqlalchemy import text
from sqlalchemy.ext.asyncio import AsyncEngine
from starlette.types import Message, Receive, Scope, Send

from tests.conftest import House, SignedIn
from tests.http.test_http_surface import JSON, assert_refusal

SEASON = "/api/v1/battle-ground-config"
NARROW = dict.fromkeys(LoadClass, 2)


@asynccontextmanager
async def behind(house: House, metrics: Metrics) -> AsyncIterator[httpx.AsyncClient]:
    """Yield a client of the whole application with two calls of a class at once."""
    gate = AdmissionMiddleware(house.app, classes=CLASSES, metrics=metrics, limits=NARROW)
    transport = httpx.ASGITransport(gate, raise_app_exceptions=False)
    async with httpx.AsyncClient(transport=transport, base_url="http://house") as client:
        yield client


@asynccontextmanager
async def held_season(owner: AsyncEngine) -> AsyncIterator[None]:
    """Let whoever reads the season wait."""
    async with owner.begin() as connection:
        await connection.execute(text("LOCK TABLE season IN ACCESS EXCLUSIVE MODE"))
        yield


async def in_flight(metrics: Metrics, load_class: LoadClass, count: int) -> None:
    """Wait until so many calls of a class are being answered."""
    async with asyncio.timeout(5):
        while True:
            labels = {"load": load_class.value}
            if metrics.registry.get_sample_value("http_requests_in_flight", labels) == count:
                return
            await asyncio.sleep(0.01)


async def test_above_its_limit_a_class_is_refused_and_every_other_is_answered(
    house: House, member: SignedIn, owner: AsyncEngine
) -> None:
    await house.open_season()
    metrics = Metrics()
    async with behind(house, metrics) as client:
        async with held_season(owner):
            waiting = [
                asyncio.create_task(client.get(SEASON, headers=member.headers)) for _ in range(2)
            ]
            await in_flight(metrics, LoadClass.READS, 2)
            refused = await client.get(SEASON, headers=member.headers)
            write = await client.post("/api/v1/sign-out", headers=member.headers)
            file = await client.get("/robots.txt")
            health = await client.get("/healthz")
            ready = await client.get("/readyz")
        answered = await asyncio.gather(*waiting)
        again = await client.get("/api/v1/clubs")

    assert_refusal(refused, 503, "unavailable")
    assert 1 <= int(refused.headers["Retry-After"]) <= 4
    assert refused.headers["Cache-Control"] == "no-store"
    assert refused.headers["X-Content-Type-Options"] == "nosniff"
    assert write.status_code == 200
    assert file.status_code != 503
    assert (health.status_code, ready.status_code) == (200, 200)
    assert {one.status_code for one in answered} == {200}
    assert again.status_code == 200
    counted = metrics.registry.get_sample_value("http_requests_refused_total", {"load": "reads"})
    assert counted == 1


async def test_a_refused_body_is_not_read(house: House, owner: AsyncEngine) -> None:
    metrics = Metrics()
    was_read = False

    async def body() -> AsyncIterator[bytes]:
        nonlocal was_read
        was_read = True
        yield json.dumps({"username": "a@example.com", "password": "x" * 8}).encode()

    none_at_once = dict.fromkeys(LoadClass, 0)
    gate = AdmissionMiddleware(house.app, classes=CLASSES, metrics=metrics, limits=none_at_once)
    async with httpx.AsyncClient(
        transport=httpx.ASGITransport(gate), base_url="http://house"
    ) as client:
        answer = await client.post("/api/v1/sign-in/username-password", content=body())

    assert_refusal(answer, 503, "unavailable")
    assert not was_read


async def test_slow_senders_hold_no_place_and_are_refused_when_all_become_whole_at_once(
    house: House,
) -> None:
    metrics, are_sent, is_done = Metrics(), asyncio.Event(), asyncio.Event()

    @house.app.post("/api/v1/slow")
    async def work(body: dict[str, str]) -> dict[str, str]:
        await is_done.wait()
        return body

    async def slow_body() -> AsyncIterator[bytes]:
        yield b"{"
        await are_sent.wait()
        yield b"}"

    async with behind(house, metrics) as client:
        slow = [
            asyncio.create_task(client.post("/api/v1/slow", content=slow_body(), headers=JSON))
            for _ in range(6)
        ]
        await asyncio.sleep(0.2)
        await in_flight(metrics, LoadClass.WRITES, 0)
        are_sent.set()
        await in_flight(metrics, LoadClass.WRITES, 2)
        await asyncio.wait(slow, return_when=asyncio.FIRST_COMPLETED)
        refused = next(one.result() for one in slow if one.done())
        is_done.set()
        statuses = sorted([(await one).status_code for one in slow])
    await in_flight(metrics, LoadClass.WRITES, 0)

    assert_refusal(refused, 503, "unavailable")
    assert 1 <= int(refused.headers["Retry-After"]) <= 4
    assert statuses == [200, 200, 503, 503, 503, 503]


async def test_slow_readers_hold_no_place() -> None:
    metrics, is_read = Metrics(), asyncio.Event()

    async def answer(_scope: Scope, _receive: Receive, send: Send) -> None:
        await send({"type": "http.response.start", "status": 200, "headers": []})
        await send({"type": "http.response.body", "body": b"long"})

    async def read_slowly(message: Message) -> None:
        if message["type"] == "http.response.body":
            await is_read.wait()

    async def nothing() -> Message:
        return {"type": "http.request"}

    gate = AdmissionMiddleware(answer, classes=CLASSES, metrics=metrics, limits=NARROW)
    scope = {"type": "http", "method": "GET", "path": SEASON, "headers": []}
    reading = [asyncio.create_task(gate(scope, nothing, read_slowly)) for _ in range(6)]
    await asyncio.sleep(0)
    await in_flight(metrics, LoadClass.READS, 0)
    assert not any(task.done() for task in reading)
    is_read.set()
    await asyncio.gather(*reading)

    labels = {"load": "reads"}
    assert metrics.registry.get_sample_value("http_requests_refused_total", labels) == 0


async def test_a_call_that_crashes_gives_its_place_back(house: House) -> None:
    metrics = Metrics()

    @house.app.get("/api/v1/crash")
    async def crash() -> None:
        raise RuntimeError

    async with behind(house, metrics) as client:
        for _ in range(5):
            assert (await client.get("/api/v1/crash")).status_code == 500
    await in_flight(metrics, LoadClass.READS, 0)


@pytest.mark.parametrize(
    ("method", "path", "load_class"),
    [
        ("GET", "/healthz", None),
        ("GET", "/readyz", None),
        ("GET", "/metrics", None),
        ("GET", "/socket.io/", None),
        ("GET", "/", LoadClass.FILES),
        ("GET", "/media/products/scarf.svg", LoadClass.FILES),
        ("GET", "/api/v1/products", LoadClass.READS),
        ("HEAD", "/api/v1/products", LoadClass.READS),
        ("POST", "/api/v1/products/checkout", LoadClass.WRITES),
        ("DELETE", "/api/v1/users/1", LoadClass.WRITES),
        ("POST", "/api/v1/signup", LoadClass.COSTLY),
        ("POST", "/api/v1/sign-in/username-password", LoadClass.COSTLY),
        ("POST", "/api/v1/password/forgot", LoadClass.COSTLY),
        ("POST", "/api/v1/moment/create", LoadClass.COSTLY),
        ("POST", "/api/v1/payment/webhook/paystack", LoadClass.PROVIDER),
        ("POST", "/api/v1/payment/prepare-wallet-funding", LoadClass.PROVIDER),
        ("GET", "/api/v1/payment/verify-transaction/kof_1", LoadClass.PROVIDER),
    ],
)
def test_calls_are_counted_with_what_takes_up_the_same(
    method: str, path: str, load_class: LoadClass | None
) -> None:
    assert CLASSES.of(method, path) is load_class
    assert load_class is None or LIMITS[load_class] > 0


def test_the_operators_page_names_the_limits() -> None:
    page = (Path(__file__).parents[2] / "docs" / "operations.md").read_text(encoding="utf-8")
    for load_class, limit in LIMITS.items():
        assert f"`{load_class.value}` ({limit}" in page


async def test_figures_of_the_process_are_among_the_others(house: House) -> None:
    figures = (await house.client.get("/metrics")).text
    for name in (
        "process_resident_memory_bytes",
        "process_open_fds",
        'http_requests_in_flight{load="reads",process="',
        'http_requests_refused_total{load="writes"}',
    ):
        assert name in figures
