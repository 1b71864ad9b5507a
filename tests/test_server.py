import asyncio
import contextlib
import os
import signal
import socket
import subprocess
import sys
import time
from collections.abc import AsyncIterator, Iterator

import pytest
import websockets
from api import server
from api.server import PortError, Service, SingleServer, bind

APP = "tests.tiny_app:create"
PATIENCE_SECONDS = 20.0
PROGRAM = """
import sys
from api.core.processes import exit_on_sigterm
from api.server import Service, bind, serve
exit_on_sigterm()
service = Service(app="tests.tiny_app:create", workers=int(sys.argv[1]), drain_seconds=1)
listener = bind("127.0.0.1", 0)
try:
    serve(service, listener, on_ready=lambda: print(listener.getsockname()[1], flush=True))
finally:
    print("cleaned up", flush=True)
"""


@pytest.fixture
async def port(monkeypatch: pytest.MonkeyPatch) -> AsyncIterator[int]:
    """A running server whose patience is short: 0.4 s for headers, 0.4 s of grace for a body."""
    monkeypatch.setattr(server, "HEADER_SECONDS", 0.4)
    monkeypatch.setattr(server, "BODY_GRACE_SECONDS", 0.4)
    monkeypatch.setattr(server, "SLOWEST_BODY_BYTES_PER_SECOND", 100)
    ready = asyncio.Event()
    listener = bind("127.0.0.1", 0)
    number: int = listener.getsockname()[1]
    running = SingleServer(Service(app=APP).uvicorn_config(), ready.set)
    task = asyncio.create_task(running._serve([listener]))
    await ready.wait()
    yield number
    running.should_exit = True
    await task


async def seconds_until_closed(reader: asyncio.StreamReader) -> float:
    begun = time.monotonic()
    async with asyncio.timeout(PATIENCE_SECONDS):
        with contextlib.suppress(ConnectionError):
            await reader.read()
    return time.monotonic() - begun


@pytest.mark.parametrize(
    "half",
    [
        b"",
        b"GET / HTTP/1.1\r\nHost: x\r\nX-Slow",
        b"POST / HTTP/1.1\r\nHost: x\r\nContent-Length: 10\r\n\r\nhalf",
    ],
    ids=["not a byte", "half of the headers", "half of the body"],
)
async def test_a_client_that_sends_half_a_request_is_cut_off(port: int, half: bytes) -> None:
    reader, writer = await asyncio.open_connection("127.0.0.1", port)
    writer.write(half)

    waited = await seconds_until_closed(reader)

    assert 0.2 < waited < 3
    writer.close()


async def test_headers_that_drip_on_a_kept_connection_are_cut_off_too(port: int) -> None:
    reader, writer = await asyncio.open_connection("127.0.0.1", port)
    writer.write(b"GET / HTTP/1.1\r\nHost: x\r\n\r\n")
    assert (await reader.readline()).startswith(b"HTTP/1.1 200")
    begun = time.monotonic()

    with contextlib.suppress(ConnectionError):
        for letter in b"GET / HTTP/1.1\r\nX-Slow: " + b"a" * 200:
            writer.write(bytes([letter]))
            await writer.drain()
            await asyncio.sleep(0.05)

    assert time.monotonic() - begun < 3
    writer.close()


async def test_a_slow_body_that_keeps_coming_is_let_through(port: int) -> None:
    reader, writer = await asyncio.open_connection("127.0.0.1", port)
    writer.write(b"POST / HTTP/1.1\r\nHost: x\r\nContent-Length: 500\r\n\r\n")
    for _ in range(10):
        writer.write(b"x" * 50)
        await asyncio.sleep(0.1)

    assert (await reader.readline()).startswith(b"HTTP/1.1 200")
    writer.close()


async def test_a_refused_body_is_read_on_for_a_while_and_then_cut_off(port: int) -> None:
    reader, writer = await asyncio.open_connection("127.0.0.1", port)
    writer.write(b"POST /refuse HTTP/1.1\r\nHost: x\r\nContent-Length: 1000000000\r\n\r\n")
    assert (await reader.readline()).startswith(b"HTTP/1.1 200")
    sent = 0

    with contextlib.suppress(ConnectionError):
        while sent < 200 * 1024 * 1024:
            writer.write(bytes(256 * 1024))
            await writer.drain()
            sent += 256 * 1024

    assert 16 * 1024 * 1024 <= sent < 64 * 1024 * 1024
    writer.close()


async def test_a_quiet_websocket_outlives_every_deadline(port: int) -> None:
    async with websockets.connect(f"ws://127.0.0.1:{port}/") as quiet:
        await asyncio.sleep(1.5)
        await quiet.send("still here")
        assert await quiet.recv() == "still here"


async def test_answers_do_not_name_the_server_nor_believe_a_strangers_forwarded_address(
    port: int,
) -> None:
    reader, writer = await asyncio.open_connection("127.0.0.1", port)
    writer.write(
        b"GET / HTTP/1.1\r\nHost: x\r\nX-Forwarded-For: 9.9.9.9\r\nConnection: close\r\n\r\n"
    )

    text = (await reader.read()).lower()

    assert b"\r\nserver:" not in text
    assert text.endswith(b" 127.0.0.1")
    writer.close()


def test_a_taken_port_is_named() -> None:
    with socket.create_server(("127.0.0.1", 0)) as holder:
        number = holder.getsockname()[1]

        with pytest.raises(PortError, match=f"127.0.0.1 port {number}: Address already in use"):
            bind("127.0.0.1", number)


@contextlib.contextmanager
def server_process(workers: int) -> Iterator[tuple["subprocess.Popen[str]", int]]:
    with subprocess.Popen(
        [sys.executable, "-c", PROGRAM, str(workers)], stdout=subprocess.PIPE, text=True
    ) as process:
        try:
            assert process.stdout is not None
            yield process, int(process.stdout.readline())
        finally:
            process.kill()


def ask(number: int, path: str = "/") -> str:
    with socket.create_connection(("127.0.0.1", number), timeout=5) as connection:
        connection.sendall(f"GET {path} HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n".encode())
        answer = b""
        while chunk := connection.recv(4096):
            answer += chunk
    return answer.decode().rpartition("\r\n")[2]


def wait_until_refused(number: int) -> None:
    deadline = time.monotonic() + PATIENCE_SECONDS
    while time.monotonic() < deadline:
        try:
            socket.create_connection(("127.0.0.1", number), timeout=1).close()
        except ConnectionRefusedError:
            return
        time.sleep(0.05)
    pytest.fail(f"port {number} still answers")


@pytest.mark.parametrize("workers", [1, 2])
@pytest.mark.parametrize("stop_signal", [signal.SIGTERM, signal.SIGINT])
def test_a_stop_with_a_slow_request_in_flight_ends_soon_and_cleans_up(
    workers: int, stop_signal: signal.Signals
) -> None:
    with server_process(workers) as (process, number):
        with socket.create_connection(("127.0.0.1", number)) as slow:
            slow.sendall(b"GET /slow HTTP/1.1\r\nHost: x\r\n\r\n")
            time.sleep(0.3)
            begun = time.monotonic()
            process.send_signal(stop_signal)
            output, _ = process.communicate(timeout=PATIENCE_SECONDS)

        assert time.monotonic() - begun < 8
        assert "cleaned up" in output
        wait_until_refused(number)


def test_killed_workers_are_replaced_and_a_killed_parent_leaves_none() -> None:
    with server_process(2) as (process, number):
        victim = int(ask(number).split()[0])
        os.kill(victim, signal.SIGKILL)
        deadline = time.monotonic() + PATIENCE_SECONDS
        others: set[int] = set()
        while len(others) < 2 and time.monotonic() < deadline:
            others.add(int(ask(number).split()[0]))
        assert len(others - {victim}) == 2

        process.kill()
        process.wait()
        wait_until_refused(number)
