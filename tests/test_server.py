import asyncio
import contextlib
import http.client
import io
import json
import os
import re
import select
import signal
import socket
import subprocess
import sys
import time
from collections.abc import AsyncIterator, Callable, Iterator
from pathlib import Path
from typing import Any

import pytest
import websockets
from api.foundation.core.logs import set_up_logs
from api.foundation.server import deadlines, stopping, unread
from api.foundation.server.listening import PortError, bind
from api.foundation.server.serving import Service
from api.foundation.server.stopping import SingleServer

from tests.preloaded import PreloadedPopen, workers_of
from tests.tiny_app import LARGE_BYTES
from tests.waiting import START_SECONDS

APP = "tests.tiny_app:create"
SMALL_BUFFER_BYTES = 8192
PROGRAM = """
import sys
from api.foundation.core.processes import exit_on_sigterm
from api.foundation.server import stopping
from api.foundation.server.listening import bind
from api.foundation.server.serving import Service, serve
exit_on_sigterm()
stopping.LAST_RESORT_SECONDS = float(sys.argv[4])
service = Service(
    app="tests.tiny_app:create",
    workers=int(sys.argv[1]),
    notice_seconds=float(sys.argv[2]),
    drain_seconds=int(sys.argv[3]),
)
listener = bind("127.0.0.1", 0)
try:
    serve(
        service,
        listener,
        on_ready=lambda: print(listener.getsockname()[1], flush=True),
        reread=lambda: service,
    )
finally:
    print("cleaned up", flush=True)
"""
BY_SETTINGS = """
from dataclasses import replace
from api.foundation.core.processes import exit_on_sigterm
from api.foundation.server.listening import bind
from api.foundation.server.serving import serve
from api.foundation.server.serving import reread
def look():
    service = reread()
    return service and replace(service, app="tests.tiny_app:create")
exit_on_sigterm()
listener = bind("127.0.0.1", 0)
said = lambda: print(listener.getsockname()[1], flush=True)
serve(look(), listener, on_ready=said, reread=look)
"""


@pytest.fixture
async def port(monkeypatch: pytest.MonkeyPatch) -> AsyncIterator[int]:
    """A running server with short timeouts: 0.4 s for headers, 0.4 s of grace for a body.

    Responses may stay unread for 0.5 s, and the system buffers little of them.
    """
    monkeypatch.setattr(deadlines, "HEADER_SECONDS", 0.4)
    monkeypatch.setattr(deadlines, "BODY_GRACE_SECONDS", 0.4)
    monkeypatch.setattr(deadlines, "SLOWEST_BODY_BYTES_PER_SECOND", 100)
    monkeypatch.setattr(unread, "UNREAD_SECONDS", 0.5)
    ready = asyncio.Event()
    listener = bind("127.0.0.1", 0)
    listener.setsockopt(socket.SOL_SOCKET, socket.SO_SNDBUF, SMALL_BUFFER_BYTES)
    number: int = listener.getsockname()[1]
    running = SingleServer(Service(app=APP).uvicorn_config(), ready.set)
    task = asyncio.create_task(running._serve([listener]))
    await asyncio.wait_for(ready.wait(), START_SECONDS)
    yield number
    running.should_exit = True
    await task


async def seconds_until_closed(reader: asyncio.StreamReader) -> float:
    started = time.monotonic()
    async with asyncio.timeout(START_SECONDS):
        with contextlib.suppress(ConnectionError):
            await reader.read()
    return time.monotonic() - started


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
    started = time.monotonic()

    with contextlib.suppress(ConnectionError):
        for letter in b"GET / HTTP/1.1\r\nX-Slow: " + b"a" * 200:
            writer.write(bytes([letter]))
            await writer.drain()
            await asyncio.sleep(0.05)

    assert time.monotonic() - started < 3
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


def ask_for_much(number: int, *, keep: str = "close") -> socket.socket:
    """Return a connection whose caller has requested half a megabyte and read nothing."""
    caller = socket.socket()
    caller.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, SMALL_BUFFER_BYTES)
    caller.settimeout(START_SECONDS)
    caller.connect(("127.0.0.1", number))
    caller.sendall(f"GET /large HTTP/1.1\r\nHost: x\r\nConnection: {keep}\r\n\r\n".encode())
    return caller


@pytest.mark.parametrize("keep", ["close", "keep-alive"])
async def test_a_caller_who_reads_nothing_of_a_long_answer_is_cut_off(port: int, keep: str) -> None:
    with ask_for_much(port, keep=keep) as caller:
        poller = select.poll()
        poller.register(caller, select.POLLHUP | select.POLLERR)

        assert await asyncio.to_thread(poller.poll, 5_000), "the connection is still there"


async def test_a_caller_who_reads_slowly_gets_everything(port: int) -> None:
    with ask_for_much(port) as caller:
        received, started = 0, time.monotonic()
        while chunk := await asyncio.to_thread(caller.recv, 4096):
            received += len(chunk)
            await asyncio.sleep(0.02)

    assert received > LARGE_BYTES
    assert time.monotonic() - started > 2  # several times the limit of unread responses


async def test_a_quiet_websocket_outlives_every_deadline(port: int) -> None:
    async with websockets.connect(f"ws://127.0.0.1:{port}/") as quiet:
        await asyncio.sleep(1.5)
        await quiet.send("still here")
        assert await quiet.recv() == "still here"


@pytest.mark.parametrize(
    ("method", "more"),
    [
        (b"POST", b"Content-Length: 3\r\n"),
        (b"GET", b"Content-Length: 3\r\n"),
        (b"GET", b"Transfer-Encoding: chunked\r\n"),
        (b"PUT", b""),
    ],
)
async def test_an_upgrade_that_is_no_handshake_is_refused_and_not_held(
    port: int, method: bytes, more: bytes
) -> None:
    reader, writer = await asyncio.open_connection("127.0.0.1", port)
    writer.write(
        method + b" /socket.io/?EIO=4&transport=websocket HTTP/1.1\r\nHost: x\r\n"
        b"Connection: Upgrade\r\nUpgrade: websocket\r\nSec-WebSocket-Version: 13\r\n"
        b"Sec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r\n" + more + b"\r\nabc"
    )

    async with asyncio.timeout(5):
        answer = await reader.read()

    writer.close()
    assert answer.startswith(b"HTTP/1.1 400 ")


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


COME_AND_GO = """
import gc
from collections import deque
import api.main
from api.foundation.server.serving import tied_app

class Socket:
    pass

def open_socket():
    socket = Socket()
    socket.parts = [[socket] for _ in range(100)]
    return socket

tied_app("tests.tiny_app:create", None)
there = deque(open_socket() for _ in range(100))
most = 0
for turn in range(20_000):
    there.append(open_socket())
    there.popleft()
    if turn % 10 == 0:
        most = max(most, len(gc.get_objects()))
print(most)
"""


def test_what_sockets_leave_behind_in_circles_is_collected_while_it_is_little() -> None:
    ran = subprocess.run(
        [sys.executable, "-c", COME_AND_GO], check=True, capture_output=True, text=True
    )

    held = 100 * 102
    assert int(ran.stdout) < 9 * held


def test_a_taken_port_is_named() -> None:
    with socket.create_server(("127.0.0.1", 0)) as holder:
        number = holder.getsockname()[1]

        with pytest.raises(PortError, match=f"127.0.0.1 port {number}: Address already in use"):
            bind("127.0.0.1", number)


@contextlib.contextmanager
def server_process(
    workers: int,
    *,
    notice_seconds: float = 0,
    drain_seconds: int = 1,
    last_resort_seconds: float = stopping.LAST_RESORT_SECONDS,
    popen: type[subprocess.Popen[Any]] = PreloadedPopen,
) -> Iterator[tuple[subprocess.Popen[Any], int]]:
    with popen(
        [
            *(sys.executable, "-c", PROGRAM),
            *map(str, (workers, notice_seconds, drain_seconds, last_resort_seconds)),
        ],
        stdout=subprocess.PIPE,
        text=True,
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


def ask_each(number: int, workers: int, path: str = "/") -> set[str]:
    """Request until ``workers`` have responded, since the kernel distributes callers at random."""
    deadline = time.monotonic() + START_SECONDS
    answers: set[str] = set()
    while len(answers) < workers:
        assert time.monotonic() < deadline, f"only {answers}"
        answers.add(ask(number, path))
    return answers


def wait_until_gone(pid: int) -> None:
    deadline = time.monotonic() + START_SECONDS
    while Path(f"/proc/{pid}").exists():
        assert time.monotonic() < deadline, "the process is still there"
        time.sleep(0.05)


def wait_until_refused(number: int) -> None:
    deadline = time.monotonic() + START_SECONDS
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
            started = time.monotonic()
            process.send_signal(stop_signal)
            output, _ = process.communicate(timeout=START_SECONDS)

        assert time.monotonic() - started < 8
        assert "cleaned up" in output
        wait_until_refused(number)


@pytest.mark.parametrize("workers", [1, 2])
def test_a_stop_is_announced_to_new_callers_before_the_port_closes(workers: int) -> None:
    with server_process(workers, notice_seconds=1.5) as (process, number):
        answers = [ask(number)]
        started = time.monotonic()
        process.send_signal(signal.SIGTERM)
        with contextlib.suppress(ConnectionError):
            while time.monotonic() - started < START_SECONDS:
                answers.append(ask(number))
                time.sleep(0.02)
        closed_after = time.monotonic() - started
        process.communicate(timeout=START_SECONDS)

    announced = [answer for answer in answers if answer.endswith(" stopping")]
    assert not answers[0].endswith(" stopping")
    assert len(announced) > 10
    assert 1.0 < closed_after < 5


@pytest.mark.parametrize("workers", [1, 2])
def test_after_the_notice_new_callers_are_refused_while_a_request_in_flight_is_finished(
    workers: int,
) -> None:
    with (
        server_process(workers, notice_seconds=0.1, drain_seconds=5) as (process, number),
        socket.create_connection(("127.0.0.1", number)) as in_flight,
    ):
        in_flight.sendall(b"GET /while HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n")
        time.sleep(0.2)
        process.send_signal(signal.SIGTERM)
        wait_until_refused(number)
        is_answered = bool(select.select([in_flight], [], [], 0)[0])
        in_flight.settimeout(START_SECONDS)
        answer = in_flight.recv(4096)
        process.communicate(timeout=START_SECONDS)

    assert not is_answered
    assert answer.startswith(b"HTTP/1.1 200 ")


def test_killed_workers_are_replaced_and_a_killed_parent_leaves_none() -> None:
    with server_process(2) as (process, number):
        victim = int(ask(number).split()[0])
        os.kill(victim, signal.SIGKILL)
        deadline = time.monotonic() + START_SECONDS
        others: set[int] = set()
        while len(others) < 2 and time.monotonic() < deadline:
            others.add(int(ask(number).split()[0]))
        assert len(others - {victim}) == 2

        process.kill()
        process.wait()
        wait_until_refused(number)


def test_a_server_that_stops_answers_who_had_connected_before_and_then_hangs_up() -> None:
    with (
        server_process(1) as (process, number),
        socket.create_connection(("127.0.0.1", number)) as silent,
        socket.create_connection(("127.0.0.1", number)) as started,
    ):
        started.sendall(b"GET / HTTP/1.1\r\nHo")
        ask(number)  # the server has accepted the previous ones
        process.send_signal(signal.SIGTERM)
        wait_until_refused(number)
        silent.sendall(b"GET / HTTP/1.1\r\nHost: x\r\n\r\n")
        started.sendall(b"st: x\r\n\r\n")
        answers = []
        for connection in (silent, started):
            connection.settimeout(5)
            answers.append(b"".join(iter(lambda: connection.recv(4096), b"")))  # noqa: B023 used at once
        process.communicate(timeout=START_SECONDS)

    for answer in answers:
        assert answer.startswith(b"HTTP/1.1 200 ")
        assert b"connection: close\r\n" in answer


def test_kept_connections_are_sent_away_while_a_stop_is_announced() -> None:
    with server_process(1, notice_seconds=5) as (process, number):
        caller = http.client.HTTPConnection("127.0.0.1", number, timeout=5)
        deadline = time.monotonic() + START_SECONDS
        closing: list[bool] = []
        while not closing or not closing[-1]:
            assert time.monotonic() < deadline, "nobody is sent away"
            caller.request("GET", "/")
            answer = caller.getresponse()
            closing.append(answer.will_close)
            assert answer.read().endswith(b" stopping") == answer.will_close
            if len(closing) == 1:
                process.send_signal(signal.SIGTERM)
        caller.close()
        ask(number)  # new callers are still served

    assert not closing[0]


def test_a_worker_that_dies_in_its_start_is_replaced_at_once() -> None:
    with server_process(2) as (process, number):
        before = {int(answer.split()[0]) for answer in ask_each(number, 2)}
        started = time.monotonic()
        os.kill(next(iter(before)), signal.SIGKILL)
        replacement = None
        while replacement is None and time.monotonic() - started < START_SECONDS:
            fresh = [child for child in workers_of(process.pid) if child not in before]
            replacement = next(iter(fresh), None)
        assert replacement is not None
        os.kill(replacement, signal.SIGKILL)
        answered: set[int] = set()
        while len(answered) < 2 and time.monotonic() - started < START_SECONDS:
            answered.add(int(ask(number).split()[0]))

    assert len(answered) == 2
    assert time.monotonic() - started < START_SECONDS


def test_an_upgrade_does_not_overtake_the_answer_before_it() -> None:
    with (
        server_process(1) as (_, number),
        socket.create_connection(("127.0.0.1", number), timeout=5) as connection,
    ):
        connection.sendall(
            b"GET /while HTTP/1.1\r\nHost: x\r\n\r\n"
            b"GET / HTTP/1.1\r\nHost: x\r\nConnection: Upgrade\r\nUpgrade: websocket\r\n"
            b"Sec-WebSocket-Version: 13\r\nSec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r\n\r\n"
        )
        answer = b"".join(iter(lambda: connection.recv(4096), b""))

    assert b" 101 " not in answer


@pytest.mark.parametrize("popen", [PreloadedPopen, subprocess.Popen], ids=["forked", "spawned"])
def test_a_sighup_replaces_the_workers_one_by_one_and_no_caller_notices(
    popen: type[subprocess.Popen[Any]],
) -> None:
    with server_process(2, notice_seconds=0.3, popen=popen) as (process, number):
        before = {int(answer.split()[0]) for answer in ask_each(number, 2)}
        process.send_signal(signal.SIGHUP)
        deadline = time.monotonic() + START_SECONDS
        recent: list[int] = []
        while not recent or set(recent[-40:]) & before:
            assert time.monotonic() < deadline, "the workers of before are still there"
            recent.append(int(ask(number).split()[0]))  # raises if it is refused

    assert not set(recent[-40:]) & before


def test_a_hung_worker_holds_up_neither_a_roll_nor_the_end() -> None:
    with server_process(2, last_resort_seconds=2) as (process, number):
        hung = int(ask(number).split()[0])
        os.kill(hung, signal.SIGSTOP)
        process.send_signal(signal.SIGHUP)
        wait_until_gone(hung)
        other = int(ask(number).split()[0])
        os.kill(other, signal.SIGSTOP)
        process.send_signal(signal.SIGHUP)
        time.sleep(1)  # it is being replaced
        started = time.monotonic()
        process.send_signal(signal.SIGTERM)
        process.wait(START_SECONDS)

    assert time.monotonic() - started < 8


def test_a_worker_that_hangs_while_it_is_asked_whether_it_lives_does_not_hold_up_the_end() -> None:
    with server_process(2, last_resort_seconds=2) as (process, number):
        os.kill(int(ask(number).split()[0]), signal.SIGSTOP)
        time.sleep(2)  # it is being checked by now, with a long timeout
        started = time.monotonic()
        process.send_signal(signal.SIGTERM)
        process.wait(START_SECONDS)

    assert time.monotonic() - started < 8


def test_a_stop_does_not_wait_for_the_rolls_that_were_asked_for() -> None:
    with server_process(2, notice_seconds=0.5) as (process, number):
        for _ in range(4):
            process.send_signal(signal.SIGHUP)
            time.sleep(0.3)
        assert ask(number)
        started = time.monotonic()
        process.send_signal(signal.SIGTERM)
        process.wait(START_SECONDS)

    assert time.monotonic() - started < 6


def test_one_process_refuses_a_roll_and_goes_on() -> None:
    with server_process(1) as (process, number):
        process.send_signal(signal.SIGHUP)
        time.sleep(0.3)
        assert process.poll() is None
        assert ask(number).startswith(f"{process.pid} ")
        process.send_signal(signal.SIGTERM)
        process.wait(START_SECONDS)
        assert process.stdout is not None
        assert "roll refused" in process.stdout.read()


SETTINGS = "WORKERS=2\nVALKEY_URL=valkey://127.0.0.1:1\nSTOP_NOTICE_SECONDS=0\nTRANSFER_BANK={}\n"


@contextlib.contextmanager
def server_with_settings(folder: Path) -> Iterator[tuple[PreloadedPopen, int, Path]]:
    """Run two workers with the settings of a file, with the first bank; yield the file, too."""
    settings = folder / ".env"
    settings.write_text(SETTINGS.format("First"))
    environment = {**os.environ, "PYTHONPATH": str(Path(__file__).parents[1])}
    with PreloadedPopen(
        [sys.executable, "-c", BY_SETTINGS],
        cwd=folder,
        env=environment,
        stdout=subprocess.PIPE,
        text=True,
    ) as process:
        try:
            assert process.stdout is not None
            yield process, int(process.stdout.readline()), settings
        finally:
            process.terminate()
            process.wait(START_SECONDS)


def test_a_roll_that_fails_half_way_goes_back_to_what_stood(tmp_path: Path) -> None:
    with server_with_settings(tmp_path) as (process, number, settings):
        before = set(workers_of(process.pid))
        settings.write_text(SETTINGS.format("Second"))
        process.send_signal(signal.SIGHUP)
        first = await_children(process.pid, lambda now: len(now - before) == 1)
        second = await_children(process.pid, lambda now: len(now - before - first) == 1)
        (killed,) = second - before - first
        os.kill(killed, signal.SIGKILL)
        renewed = second - before
        await_children(process.pid, lambda now: len(now) == 2 and not now & renewed)
        poller = ask_until(number, lambda recent: all(line.endswith("First") for line in recent))

    assert len(poller) == 2


def await_children(pid: int, is_so: Callable[[set[int]], bool]) -> set[int]:
    """Wait until a server's workers are as expected; return them."""
    deadline = time.monotonic() + START_SECONDS
    while not is_so(now := set(workers_of(pid))):
        assert time.monotonic() < deadline, now
        time.sleep(0.01)
    return now


def test_a_sighup_with_settings_that_do_not_fit_is_refused_and_what_stands_goes_on(
    tmp_path: Path,
) -> None:
    with server_with_settings(tmp_path) as (process, number, settings):
        assert process.stdout is not None
        before = ask_each(number, 2, "/bank")
        refusals = []
        for wrong in (
            (SETTINGS.format("Second") + "LOG_LEVEL=loud\nPORT=many\n").encode(),
            b"TRANSFER_BANK=F\xfcr\n",
        ):
            settings.write_bytes(wrong)
            process.send_signal(signal.SIGHUP)
            assert select.select([process.stdout], [], [], START_SECONDS)[0], "nothing is said"
            refusals.append(process.stdout.readline())
        os.kill(int(next(iter(before)).split()[0]), signal.SIGKILL)
        after = ask_until(number, lambda recent: len(recent - before) == 1)
        settings.write_text(SETTINGS.format("Second"))
        process.send_signal(signal.SIGHUP)
        ask_until(number, lambda recent: all(line.endswith("Second") for line in recent))

    refusal, unread = refusals
    assert ".env cannot be read: UnicodeDecodeError." in unread
    assert "LOG_LEVEL must be" in refusal
    assert "PORT must be a whole number" in refusal
    assert "loud" not in refusal
    assert {line.split()[2] for line in before | after} == {"First"}


def ask_until(number: int, is_so: Callable[[set[str]], bool]) -> set[str]:
    """Request until the last forty responses are as expected; return them."""
    deadline = time.monotonic() + START_SECONDS
    recent: list[str] = []
    while len(recent) < 40 or not is_so(set(recent[-40:])):
        assert time.monotonic() < deadline, set(recent[-40:])
        with contextlib.suppress(OSError):
            recent.append(ask(number, "/bank"))
    return set(recent[-40:])


async def converse(number: int, *pieces: bytes, pause_seconds: float = 0.0) -> bytes:
    """Send parts of a request one after the other; return the whole response."""
    reader, writer = await asyncio.open_connection("127.0.0.1", number)
    with contextlib.suppress(ConnectionError):
        for part in pieces:
            writer.write(part)
            await writer.drain()
            await asyncio.sleep(pause_seconds)
    answer = b""
    with contextlib.suppress(ConnectionError, TimeoutError):
        async with asyncio.timeout(5):
            while chunk := await reader.read(65_536):
                answer += chunk
    writer.close()
    return answer


def assert_unreadable(answer: bytes, status: int, code: str) -> None:
    """Check that a response is an error in the envelope, with nothing after it."""
    head, _, body = answer.partition(b"\r\n\r\n")
    assert head.startswith(f"HTTP/1.1 {status} ".encode()), answer[:300]
    assert b"connection: close" in head
    assert b"content-security-policy: default-src 'none'" in head
    refusal = json.loads(body)
    assert (refusal["status"], refusal["error"]["code"]) == (status, code)


@pytest.mark.parametrize(
    "head",
    [
        b"GET / HTTP/1.1\r\nHost: x\r\nX-Large: " + b"a" * 2_000_000 + b"\r\n\r\n",
        b"GET /" + b"a" * 70_000 + b" HTTP/1.1\r\nHost: x\r\n\r\n",
        b"GET / HTTP/1.1\r\nHost: x\r\n" + b"X: y\r\n" * 5_000 + b"\r\n",
        b"POST / HTTP/1.1\r\nTransfer-Encoding: chunked\r\n\r\n0\r\nX: "
        + b"a" * 70_000
        + b"\r\n\r\n",
    ],
    ids=["one header", "the address", "many headers", "a trailer"],
)
async def test_a_head_of_more_than_64_kib_is_refused(port: int, head: bytes) -> None:
    chunks = [head[start : start + 16_384] for start in range(0, len(head), 16_384)]
    for pieces in ([head], chunks):
        answer = await converse(port, *pieces)
        if answer:  # a client that is still sending may be reset before it reads
            assert_unreadable(answer, 431, "headers_too_large")


async def test_a_head_of_60_kib_is_served(port: int) -> None:
    head = (
        b"GET / HTTP/1.1\r\nHost: x\r\nConnection: close\r\nX-Large: " + b"a" * 60_000 + b"\r\n\r\n"
    )

    for size in (len(head), 9_000):
        pieces = [head[start : start + size] for start in range(0, len(head), size)]
        assert (await converse(port, *pieces)).startswith(b"HTTP/1.1 200")


@pytest.mark.parametrize(
    "start",
    [
        b"GET / HTTP/1.1\r\nX-Large: ",
        b"GET /",
        b"POST / HTTP/1.1\r\nTransfer-Encoding: chunked\r\n\r\n1\r\na\r\n0\r\nX-Large: ",
    ],
    ids=["a header", "the address", "a trailer"],
)
async def test_an_unfinished_head_does_not_grow(port: int, start: bytes) -> None:
    _, writer = await asyncio.open_connection("127.0.0.1", port)
    writer.write(start)
    sent = 0
    with contextlib.suppress(ConnectionError):
        while sent < 5_000_000:
            writer.write(b"a" * 8192)
            await writer.drain()
            sent += 8192
            await asyncio.sleep(0.001)
    assert sent < 3_000_000  # what both kernels buffer
    writer.close()


@pytest.mark.parametrize(
    "length",
    [
        "9" * 4_400,
        "0" * 4_400 + "1",
        "-1",
        "+1",
        "1 1",
        "0x1",
        "1,1",
        "",
        "9" * 20,
        "1\r\nContent-Length: 2",
    ],
    ids=lambda text: text[:8] or "nothing",
)
async def test_a_length_that_is_none_is_a_400(port: int, length: str) -> None:
    answer = await converse(
        port, b"POST / HTTP/1.1\r\nHost: x\r\nContent-Length: " + length.encode() + b"\r\n\r\na"
    )

    assert_unreadable(answer, 400, "bad_request")


async def test_what_is_no_http_is_a_400_in_the_envelope(port: int) -> None:
    assert_unreadable(await converse(port, b"\x16\x03\x01 hello\r\n\r\n"), 400, "bad_request")


async def test_two_thousand_requests_at_once_on_one_connection_are_answered_in_order(
    port: int,
) -> None:
    one = b"POST / HTTP/1.1\r\nHost: x\r\nContent-Length: %d\r\n\r\n%s"
    requests = [one % (number % 90, b"x" * (number % 90)) for number in range(2000)]
    last = b"GET / HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n"

    answer = await converse(port, b"".join([*requests, last]))

    sizes = [int(line.split()[1]) for line in re.findall(rb"\d+ \d+ 127\.0\.0\.1", answer)]
    assert sizes == [*(number % 90 for number in range(2000)), 0]


async def test_requests_that_cannot_be_read_are_one_line_a_minute(port: int) -> None:
    said = io.StringIO()
    set_up_logs("INFO", said)

    for _ in range(20):
        await converse(port, b"\x16\x03\x01 hello\r\n\r\n")

    assert said.getvalue().count("Invalid HTTP request received.") == 1
