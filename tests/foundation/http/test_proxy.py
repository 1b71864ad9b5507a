"""Behind a proxy: which forwarded addresses are trusted, and how requests are parsed."""

import asyncio
import contextlib
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager

import pytest
from api.foundation.server.listening import bind
from api.foundation.server.serving import Service
from api.foundation.server.stopping import SingleServer

from tests.waiting import START_SECONDS

APP = "tests.tiny_app:create"


@asynccontextmanager
async def serving(*trusted_proxies: str) -> AsyncIterator[int]:
    """Run a server that trusts these proxies, and yield its port."""
    ready = asyncio.Event()
    listener = bind("127.0.0.1", 0)
    number: int = listener.getsockname()[1]
    service = Service(app=APP, trusted_proxies=trusted_proxies)
    running = SingleServer(service.uvicorn_config(), ready.set)
    task = asyncio.create_task(running._serve([listener]))
    await asyncio.wait_for(ready.wait(), START_SECONDS)
    try:
        yield number
    finally:
        running.should_exit = True
        await task


async def converse(number: int, request: bytes) -> bytes:
    """Send ``request`` and return the whole response."""
    reader, writer = await asyncio.open_connection("127.0.0.1", number)
    writer.write(request)
    answer = b""
    with contextlib.suppress(ConnectionError, TimeoutError):
        async with asyncio.timeout(START_SECONDS):
            answer = await reader.read()
    writer.close()
    return answer


async def caller_seen(number: int, *forwarded: str) -> str:
    """Return the client address that the application sees for these header lines."""
    lines = "".join(f"X-Forwarded-For: {line}\r\n" for line in forwarded)
    request = f"GET / HTTP/1.1\r\nHost: x\r\n{lines}Connection: close\r\n\r\n"
    answer = await converse(number, request.encode())
    assert answer.startswith(b"HTTP/1.1 200"), answer
    return answer.rsplit(b" ", 1)[1].decode()


async def test_a_trusted_proxys_word_counts_and_what_a_client_wrote_before_it_does_not() -> None:
    async with serving("127.0.0.1") as number:
        assert await caller_seen(number, "5.6.7.8") == "5.6.7.8"
        assert await caller_seen(number, "2001:db8::7") == "2001:db8::7"
        assert await caller_seen(number, "9.9.9.9, 5.6.7.8") == "5.6.7.8"
        assert await caller_seen(number, "9.9.9.9", "5.6.7.8") == "5.6.7.8"
        assert await caller_seen(number, "127.0.0.1, 9.9.9.9, 5.6.7.8, 127.0.0.1") == "5.6.7.8"


async def test_nobody_else_can_name_an_address() -> None:
    for trusted in ((), ("10.0.0.1",)):
        async with serving(*trusted) as number:
            for said in ("9.9.9.9", "10.0.0.1", "9.9.9.9, 10.0.0.1", "127.0.0.1, 9.9.9.9", "junk"):
                assert await caller_seen(number, said) == "127.0.0.1"


@pytest.mark.parametrize(
    "lengths",
    [
        "Transfer-Encoding: chunked\r\nContent-Length: 5",
        "Content-Length: 5\r\nTransfer-Encoding: chunked",
        "Content-Length: 5\r\nContent-Length: 6",
        "Transfer-Encoding: chunked, identity",
        "Transfer-Encoding: xchunked\r\nContent-Length: 5",
        "Content-Length : 5",
        "Transfer-Encoding:\r\n chunked\r\nContent-Length: 5",
    ],
)
async def test_a_request_whose_end_can_be_read_in_two_ways_runs_nothing(lengths: str) -> None:
    hidden = "GET /hidden HTTP/1.1\r\nHost: x\r\n\r\n"
    request = f"POST / HTTP/1.1\r\nHost: x\r\n{lengths}\r\n\r\n0\r\n\r\n{hidden}"
    async with serving() as number:
        answer = await converse(number, request.encode())

    assert answer.startswith(b"HTTP/1.1 400 ")
    assert answer.count(b"HTTP/1.1 ") == 1


@pytest.mark.parametrize("body", ["5;x\nhello\r\n0\r\n\r\n", "5\nhello\n0\n\n", "-5\r\nhello\r\n"])
async def test_a_chunk_that_does_not_follow_the_rules_runs_nothing(body: str) -> None:
    head = "POST / HTTP/1.1\r\nHost: x\r\nTransfer-Encoding: chunked\r\n\r\n"
    hidden = "GET /hidden HTTP/1.1\r\nHost: x\r\n\r\n"
    async with serving() as number:
        answer = await converse(number, (head + body + hidden).encode())

    assert b"HTTP/1.1 200" not in answer
