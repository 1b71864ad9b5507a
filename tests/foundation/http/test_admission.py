"""Admission: above its limits a process rejects immediately, and still serves monitoring."""

import asyncio
import json
import re
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path

import httpx
import pytest
from api.app.routers import CLASSES
from api.foundation.core.config import Settings
from api.foundation.core.metrics import Metrics
from api.foundation.http.admission import LIMITS, Admission, AdmissionMiddleware, LoadClass
from api.foundation.server.listening import bind
from api.foundation.server.serving import Service
from api.foundation.server.stopping import SingleServer
from sqlalchemy import text
from sqlalchemy.ext.asyncio import AsyncEngine
from starlette.types import Message, Receive, Scope, Send

from tests.conftest import RunningApp, SignedIn, client_of, create_running_app
from tests.foundation.http.test_http_surface import JSON, assert_refusal
from tests.waiting import DEADLINE_SECONDS

SEASON = "/api/v1/battle-ground-config"
NARROW = dict.fromkeys(LoadClass, 2)


@asynccontextmanager
async def behind(app: RunningApp, metrics: Metrics) -> AsyncIterator[httpx.AsyncClient]:
    """Yield a client of the whole application with a limit of two concurrent calls per class."""
    gate = AdmissionMiddleware(
        app.asgi, admission=Admission(classes=CLASSES, metrics=metrics, limits=NARROW)
    )
    transport = httpx.ASGITransport(gate, raise_app_exceptions=False)
    async with httpx.AsyncClient(transport=transport, base_url="http://house") as client:
        yield client


@asynccontextmanager
async def held_season(owner: AsyncEngine) -> AsyncIterator[None]:
    """Block readers of the season."""
    async with owner.begin() as connection:
        await connection.execute(text("LOCK TABLE season IN ACCESS EXCLUSIVE MODE"))
        yield


async def in_flight(metrics: Metrics, load_class: LoadClass, count: int) -> None:
    """Wait until ``count`` calls of a class are in progress."""
    async with asyncio.timeout(DEADLINE_SECONDS):
        while True:
            labels = {"load": load_class.value}
            if metrics.registry.get_sample_value("http_requests_in_flight", labels) == count:
                return
            await asyncio.sleep(0.01)


async def test_above_its_limit_a_class_is_refused_and_every_other_is_answered(
    app: RunningApp, member: SignedIn, owner: AsyncEngine
) -> None:
    await app.open_season()
    metrics = Metrics()
    async with behind(app, metrics) as client:
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


async def test_a_read_that_sends_a_body_takes_its_place_all_the_same(
    app: RunningApp, member: SignedIn, owner: AsyncEngine
) -> None:
    await app.open_season()
    metrics = Metrics()
    async with behind(app, metrics) as client:
        async with held_season(owner):
            calls = [
                asyncio.create_task(
                    client.request("GET", SEASON, headers=member.headers, content=b"x")
                )
                for _ in range(2)
            ]
            await in_flight(metrics, LoadClass.READS, 2)
            refused = await client.request("GET", SEASON, headers=member.headers, content=b"x")
        answered = await asyncio.gather(*calls)

    assert_refusal(refused, 503, "unavailable")
    assert {one.status_code for one in answered} == {200}


async def test_a_refused_body_is_not_read(app: RunningApp, owner: AsyncEngine) -> None:
    metrics = Metrics()
    was_read = False

    async def body() -> AsyncIterator[bytes]:
        nonlocal was_read
        was_read = True
        yield json.dumps({"username": "a@example.com", "password": "x" * 8}).encode()

    none_at_once = dict.fromkeys(LoadClass, 0)
    gate = AdmissionMiddleware(
        app.asgi, admission=Admission(classes=CLASSES, metrics=metrics, limits=none_at_once)
    )
    async with httpx.AsyncClient(
        transport=httpx.ASGITransport(gate), base_url="http://house"
    ) as client:
        answer = await client.post("/api/v1/sign-in/username-password", content=body())

    assert_refusal(answer, 503, "unavailable")
    assert not was_read


async def test_slow_senders_hold_no_place_and_are_refused_when_all_become_whole_at_once(
    app: RunningApp,
) -> None:
    metrics, are_sent, is_done = Metrics(), asyncio.Event(), asyncio.Event()

    @app.asgi.post("/api/v1/slow")
    async def work(body: dict[str, str]) -> dict[str, str]:
        await is_done.wait()
        return body

    async def slow_body() -> AsyncIterator[bytes]:
        yield b"{"
        await are_sent.wait()
        yield b"}"

    async with behind(app, metrics) as client:
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

    gate = AdmissionMiddleware(
        answer, admission=Admission(classes=CLASSES, metrics=metrics, limits=NARROW)
    )
    scope = {"type": "http", "method": "GET", "path": SEASON, "headers": []}
    reading = [asyncio.create_task(gate(scope, nothing, read_slowly)) for _ in range(6)]
    await asyncio.sleep(0)
    await in_flight(metrics, LoadClass.READS, 0)
    assert not any(task.done() for task in reading)
    is_read.set()
    await asyncio.gather(*reading)

    labels = {"load": "reads"}
    assert metrics.registry.get_sample_value("http_requests_refused_total", labels) == 0


async def test_orders_take_turns_in_the_order_in_which_they_are_whole() -> None:
    metrics, started = Metrics(), asyncio.Queue[str]()
    is_sent = {name: asyncio.Event() for name in "abcde"}
    is_placed = {name: asyncio.Event() for name in "abcde"}

    async def place(scope: Scope, receive: Receive, send: Send) -> None:
        await receive()
        name = scope["name"]
        started.put_nowait(name)
        await is_placed[name].wait()
        if name == "a":
            raise ValueError("an order that crashes gives its turn back")
        await send({"type": "http.response.start", "status": 201, "headers": []})

    turns = {LoadClass.ORDERS: 2}
    gate = AdmissionMiddleware(
        place, admission=Admission(classes=CLASSES, metrics=metrics, turns=turns)
    )

    async def order(name: str) -> None:
        async def receive() -> Message:
            await is_sent[name].wait()
            return {"type": "http.request", "body": b"{}"}

        async def ignore(_message: Message) -> None:
            pass

        head = {"method": "POST", "path": "/api/v1/products/checkout", "name": name}
        headers = [(b"content-length", b"2")]
        await gate({"type": "http", "headers": headers, **head}, receive, ignore)

    orders = {name: asyncio.create_task(order(name)) for name in "abcde"}
    for place_in_line, name in enumerate("bacd", start=1):  # e never ends, and holds no turn
        is_sent[name].set()
        await in_flight(metrics, LoadClass.ORDERS, place_in_line)
    assert [started.get_nowait(), started.get_nowait(), started.empty()] == ["b", "a", True]
    is_placed["a"].set()
    assert await started.get() == "c"
    is_placed["b"].set()
    assert await started.get() == "d"
    is_placed["c"].set()
    is_placed["d"].set()
    done = await asyncio.gather(*(orders[name] for name in "abcd"), return_exceptions=True)
    orders["e"].cancel()
    await in_flight(metrics, LoadClass.ORDERS, 0)

    assert [type(one) for one in done] == [ValueError, type(None), type(None), type(None)]


async def test_an_order_whose_turn_does_not_come_is_asked_to_come_back(app: RunningApp) -> None:
    metrics, is_done = Metrics(), asyncio.Event()

    @app.asgi.post("/api/v1/products/checkout-slowly")  # a path of the class of orders
    async def work(body: dict[str, str]) -> dict[str, str]:
        await is_done.wait()
        return body

    admission = Admission(
        classes=CLASSES,
        metrics=metrics,
        turns={LoadClass.ORDERS: 1},
        max_turn_seconds=0.1,
    )
    gate = AdmissionMiddleware(app.asgi, admission=admission)
    async with httpx.AsyncClient(
        transport=httpx.ASGITransport(gate), base_url="http://house"
    ) as client:
        path = "/api/v1/products/checkout-slowly"
        first = asyncio.create_task(client.post(path, json={}))
        await in_flight(metrics, LoadClass.ORDERS, 1)
        late = await client.post(path, json={})
        is_done.set()
        placed = await first

    assert_refusal(late, 503, "unavailable")
    assert 1 <= int(late.headers["Retry-After"]) <= 4
    assert placed.status_code == 200
    labels = {"load": "orders"}
    assert metrics.registry.get_sample_value("http_requests_refused_total", labels) == 1
    await in_flight(metrics, LoadClass.ORDERS, 0)


async def test_a_call_that_crashes_gives_its_place_back(app: RunningApp) -> None:
    metrics = Metrics()

    @app.asgi.get("/api/v1/crash")
    async def crash() -> None:
        raise RuntimeError

    async with behind(app, metrics) as client:
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
        ("POST", "/api/v1/products/checkout", LoadClass.ORDERS),
        ("GET", "/api/v1/products/checkout-options", LoadClass.READS),
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
    page = (Path(__file__).parents[3] / "docs" / "operations.md").read_text(encoding="utf-8")
    for load_class, limit in LIMITS.items():
        assert f"`{load_class.value}` ({limit}" in page


async def test_figures_of_the_process_are_among_the_others(app: RunningApp) -> None:
    figures = (await app.client.get("/metrics")).text
    for name in (
        "process_resident_memory_bytes",
        "process_open_fds",
        'http_requests_in_flight{load="reads",process="',
        'http_requests_refused_total{load="writes"}',
    ):
        assert name in figures


@pytest.fixture
async def busy(settings: Settings, _empty_tables: None) -> AsyncIterator[tuple[RunningApp, int]]:
    """The application behind a deployment's server, with every class at its limit."""
    asgi = create_running_app(settings)
    listener = bind("127.0.0.1", 0)
    port: int = listener.getsockname()[1]
    ready = asyncio.Event()
    config = Service(app="unused").uvicorn_config()
    config.app, config.factory = asgi, False
    server = SingleServer(config, ready.set)
    task = asyncio.create_task(server._serve([listener]))
    await asyncio.wait_for(ready.wait(), DEADLINE_SECONDS)
    base_url = f"http://127.0.0.1:{port}"
    asgi.state.services.admission._limits = dict.fromkeys(LoadClass, 0)
    async with client_of(base_url, timeout=10) as client:
        yield RunningApp(asgi, settings, client, base_url), port
    server.should_exit = True
    await task


async def test_the_server_refuses_what_has_no_body_and_keeps_the_connection(
    busy: tuple[RunningApp, int],
) -> None:
    app, port = busy
    reader, writer = await asyncio.open_connection("127.0.0.1", port)
    heads, bodies = [], []
    for path in ("/api/v1/clubs", "/api/v1/products?x=1", "/healthz", "/api/v1/clubs"):
        writer.write(f"GET {path} HTTP/1.1\r\nHost: x\r\n\r\n".encode())
        head = await asyncio.wait_for(reader.readuntil(b"\r\n\r\n"), DEADLINE_SECONDS)
        [length] = re.findall(rb"(?i)content-length: (\d+)", head)
        heads.append(head)
        bodies.append(json.loads(await reader.readexactly(int(length))))
    writer.close()
    by_application = await app.client.post("/api/v1/sign-out")
    labels = {"load": "reads"}
    counted = app.asgi.state.services.metrics.registry.get_sample_value(
        "http_requests_refused_total", labels
    )

    assert [head[9:12] for head in heads] == [b"503", b"503", b"200", b"503"]
    assert_refusal(by_application, 503, "unavailable")
    expected = by_application.json()
    for head, body in zip(heads, bodies, strict=True):
        if head[9:12] == b"503":
            fields = dict(line.split(": ", 1) for line in head.decode().split("\r\n")[1:-2])
            assert 1 <= int(fields.pop("retry-after")) <= 4
            assert fields.pop("x-request-id") == body["error"]["requestId"]
            assert {name.lower() for name in fields} <= set(by_application.headers)
            body["error"]["requestId"] = expected["error"]["requestId"]
            assert body == expected
    assert heads[0] != heads[3]
    assert counted == 3


async def test_a_caller_who_reads_no_refusal_is_cut_off(busy: tuple[RunningApp, int]) -> None:
    _, port = busy
    _, writer = await asyncio.open_connection("127.0.0.1", port)
    request = b"GET /api/v1/clubs HTTP/1.1\r\nHost: x\r\n\r\n"

    async def ask_on() -> None:
        for _ in range(2000):
            writer.write(request * 100)
            await asyncio.wait_for(writer.drain(), DEADLINE_SECONDS)

    with pytest.raises(ConnectionError):
        await ask_on()


async def test_of_calls_that_arrive_together_only_as_many_as_there_are_places_begin(
    busy: tuple[RunningApp, int],
) -> None:
    app, port = busy
    admission = app.asgi.state.services.admission
    admission._limits = dict.fromkeys(LoadClass, 3)
    lines = [await asyncio.open_connection("127.0.0.1", port) for _ in range(12)]
    for _, writer in lines:
        writer.write(b"GET /api/v1/clubs HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n")
    answers = await asyncio.gather(*(reader.read() for reader, _ in lines))
    for _, writer in lines:
        writer.close()
    statuses = [answer[9:12] for answer in answers]

    assert statuses.count(b"200") >= 3
    assert statuses.count(b"200") + statuses.count(b"503") == 12
    assert set(admission._in_flight.values()) == {0}


async def test_what_the_server_cannot_read_leaves_no_place_taken(
    busy: tuple[RunningApp, int],
) -> None:
    app, port = busy
    admission = app.asgi.state.services.admission
    admission._limits = dict.fromkeys(LoadClass, 3)
    for line in (b"GET /\xff\xfe HTTP/1.1", b"GET /api/v1/clubs HTTP/1.0", b"GET * HTTP/1.1"):
        reader, writer = await asyncio.open_connection("127.0.0.1", port)
        writer.write(line + b"\r\nHost: x\r\nConnection: close\r\n\r\n")
        assert await asyncio.wait_for(reader.read(), DEADLINE_SECONDS)
        writer.close()

    assert set(admission._in_flight.values()) == {0}


async def test_a_refused_head_has_no_body_that_the_next_answer_would_be_read_behind(
    busy: tuple[RunningApp, int],
) -> None:
    _, port = busy
    reader, writer = await asyncio.open_connection("127.0.0.1", port)
    writer.write(
        b"HEAD /api/v1/clubs HTTP/1.1\r\nHost: x\r\n\r\nGET /healthz HTTP/1.1\r\nHost: x\r\n\r\n"
    )
    refused = await asyncio.wait_for(reader.readuntil(b"\r\n\r\n"), DEADLINE_SECONDS)
    health = await asyncio.wait_for(reader.readuntil(b"\r\n\r\n"), DEADLINE_SECONDS)
    writer.close()

    assert refused.startswith(b"HTTP/1.1 503 ")
    assert health.startswith(b"HTTP/1.1 200 ")


@pytest.mark.parametrize("address", [b"/%61pi/v1/clubs", b"http://x/api/v1/clubs"])
async def test_an_address_written_otherwise_finds_no_other_place(
    busy: tuple[RunningApp, int], address: bytes
) -> None:
    app, port = busy
    app.asgi.state.services.admission._limits[LoadClass.FILES] = 100
    reader, writer = await asyncio.open_connection("127.0.0.1", port)
    writer.write(b"GET " + address + b" HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n")
    answer = await asyncio.wait_for(reader.read(), DEADLINE_SECONDS)
    writer.close()

    assert answer.startswith(b"HTTP/1.1 503 ")
