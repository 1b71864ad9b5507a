"""A small ASGI application for tests of the server: it echoes, sleeps and reports its pid."""

import asyncio
import os
from collections.abc import Awaitable, Callable, MutableMapping
from typing import Any

from api.foundation.core.config import Settings

LARGE_BYTES = 500_000

Message = MutableMapping[str, Any]
Receive = Callable[[], Awaitable[Message]]
Send = Callable[[Message], Awaitable[None]]


handed: list[Settings] = []


def create(
    settings: Settings | None = None,
) -> Callable[[Message, Receive, Send], Awaitable[None]]:
    if settings is not None:
        handed.append(settings)
    return application


async def application(scope: Message, receive: Receive, send: Send) -> None:
    if scope["type"] == "lifespan":
        await lifespan(receive, send)
    elif scope["type"] == "websocket":
        await echo_socket(receive, send)
    else:
        await answer(scope, receive, send)


async def lifespan(receive: Receive, send: Send) -> None:
    await receive()
    await send({"type": "lifespan.startup.complete"})
    await receive()
    await send({"type": "lifespan.shutdown.complete"})


async def echo_socket(receive: Receive, send: Send) -> None:
    await receive()
    await send({"type": "websocket.accept"})
    while (message := await receive())["type"] == "websocket.receive":
        await send({"type": "websocket.send", "text": message["text"]})


async def answer(scope: Message, receive: Receive, send: Send) -> None:
    received = b""
    while scope["path"] != "/refuse":
        message = await receive()
        if message["type"] == "http.disconnect":
            return
        received += message.get("body", b"")
        if not message.get("more_body"):
            break
    if scope["path"] == "/slow":
        await asyncio.sleep(60)
    if scope["path"] == "/while":
        await asyncio.sleep(1.5)
    stopping = b" stopping" if scope["state"]["stopping"].is_set() else b""
    said = handed[0].transfer_bank if scope["path"] == "/bank" else scope["client"][0]
    client = str(said).encode()
    body = b"%d %d %s%s" % (os.getpid(), len(received), client, stopping)
    if scope["path"] == "/large":
        body = bytes(LARGE_BYTES)
    headers = [(b"content-length", b"%d" % len(body))]
    await send({"type": "http.response.start", "status": 200, "headers": headers})
    await send({"type": "http.response.body", "body": body})
