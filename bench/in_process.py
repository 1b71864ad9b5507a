"""Our application inside the benchmark's own process, called without a server."""

import asyncio
import contextlib
import json
import os
import time
from collections.abc import AsyncIterator, Awaitable, Callable, Coroutine, Iterator, Sequence
from typing import Any, TypeVar
from unittest import mock
from uuid import uuid4

import asyncpg
import uvloop
from api.dev.seed import DEMO_PASSWORD
from api.foundation.core.config import Settings
from api.foundation.database.connections import ConnectionPool
from api.main import create_app
from fastapi import FastAPI
from starlette.types import ASGIApp, Message, Scope

from bench import scale
from bench.database import BenchDatabase
from bench.harness import BenchError
from bench.subjects import SignedIn

CALLS, WARM_UP = 1500, 300
ResultT = TypeVar("ResultT")
SIGN_IN = "/api/v1/sign-in/username-password"


class Request:
    """One request that can be repeated; a body gets a new idempotency key each time."""

    def __init__(self, method: str, path: str, token: str = "", body: object = None) -> None:
        self.method, self.path = method, path
        self.body = b"" if body is None else json.dumps(body).encode()
        self._headers = [(b"host", b"127.0.0.1"), (b"accept", b"application/json")]
        if token:
            self._headers.append((b"authorization", f"Bearer {token}".encode()))
        if self.body:
            self._headers += [
                (b"content-type", b"application/json"),
                (b"content-length", str(len(self.body)).encode()),
            ]

    def scope(self) -> dict[str, Any]:
        """Return a new ASGI scope."""
        headers = [*self._headers]
        if self.body:
            headers.append((b"idempotency-key", str(uuid4()).encode()))
        return {
            "type": "http",
            "asgi": {"version": "3.0"},
            "http_version": "1.1",
            "method": self.method,
            "scheme": "http",
            "path": self.path,
            "raw_path": self.path.encode(),
            "query_string": b"",
            "root_path": "",
            "headers": headers,
            "client": ("127.0.0.1", 1),
            "server": ("127.0.0.1", 80),
            "state": {},
        }


async def send_to(app: ASGIApp, request: Request, scope: Scope | None = None) -> bytes:
    """Call ``app`` once and return the body.

    Raises:
        BenchError: the response is not a success.
    """
    sent: list[Message] = []

    async def receive() -> Message:
        return {"type": "http.request", "body": request.body, "more_body": False}

    async def send(message: Message) -> None:
        sent.append(message)

    await app(scope or request.scope(), receive, send)
    if sent[0]["status"] >= 300:
        raise BenchError(f"{request.path} answered {sent[0]['status']}")
    return b"".join(message.get("body", b"") for message in sent[1:])


async def cpu_us(call: Callable[[], Awaitable[object]], *, count: int = CALLS) -> float:
    """Return the CPU time of one call in microseconds: the least of three series."""
    count = scale.calls(count)
    for _ in range(scale.calls(WARM_UP)):
        await call()
    figures = []
    for _ in range(scale.rounds(3)):
        before = time.process_time()
        for _ in range(count):
            await call()
        figures.append((time.process_time() - before) / count * 1e6)
    return min(figures)


@contextlib.asynccontextmanager
async def running_app(
    rows: BenchDatabase, email: str = "ada@example.com"
) -> AsyncIterator[tuple[FastAPI, SignedIn]]:
    """Run the application on a database, with a member signed in."""
    with mock.patch.dict(os.environ, rows.app_environment(1)):
        app = create_app(Settings())
    async with app.router.lifespan_context(app):
        body = {"username": email, "password": DEMO_PASSWORD}
        data = json.loads(await send_to(app, Request("POST", SIGN_IN, body=body)))["data"]
        yield app, SignedIn(data["user"]["id"], data["access_token"])


def run(main: Coroutine[Any, Any, ResultT]) -> ResultT:
    """Run a coroutine on the server's kind of event loop."""
    with asyncio.Runner(loop_factory=uvloop.new_event_loop) as runner:
        return runner.run(main)


@contextlib.contextmanager
def recorded_statements() -> Iterator[list[tuple[str, Sequence[Any]]]]:
    """Yield the list of statements that run during the block, with their arguments."""
    statements: list[tuple[str, Sequence[Any]]] = []
    ask = ConnectionPool.ask

    async def recording(
        self: ConnectionPool,
        connection: asyncpg.Connection,
        method: str,
        text: str,
        arguments: Sequence[Any],
    ) -> object:
        statements.append((text, arguments))
        return await ask(self, connection, method, text, arguments)

    with mock.patch.object(ConnectionPool, "ask", recording):
        yield statements
