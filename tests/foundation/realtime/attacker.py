"""A process that floods the sockets of a server on loopback until its input ends.

It reads one order as JSON from its input, ``{"url", "token"}``, and floods in every way at once,
with one connection at a time for each.
"""

import asyncio
import json
import os
import sys
from contextlib import suppress
from urllib.parse import urlsplit

FLOODS = ("events", "joins", "nameless", "strangers", "polls", "large_posts")
FRAMES = 1000
IDLE_SOCKETS = 300
READ_SECONDS = 3.0
TIMEOUT_SECONDS_PER_TEST = 60.0


def frame(text: str) -> bytes:
    """Return a client's text frame with an all-zero mask."""
    body = text.encode()
    size = len(body)
    assert size < 65_536
    head = bytes((0x81, 0x80 | size)) if size < 126 else b"\x81\xfe" + size.to_bytes(2, "big")
    return head + b"\0\0\0\0" + body


class Attacker:
    """Floods one server in one way."""

    def __init__(self, url: str, token: str) -> None:
        address = urlsplit(url)
        assert address.hostname == "127.0.0.1"
        self._host, self._port, self._token = address.hostname, address.port, token
        self._idle: list[asyncio.StreamWriter] = []

    async def flood(self, kind: str) -> None:
        join = "40/chat," + json.dumps({"token": self._token})
        event = '42/chat,["message",{"club":"Public","chat_message":"x"}]'
        match kind:
            case "events":
                await self._send([join] + [event] * FRAMES)
            case "joins":
                await self._send([join, "41/chat"] * (FRAMES // 2))
            case "nameless":
                await self._send(['40{"token":"x"}', '42["say",{}]'] * (FRAMES // 2))
            case "strangers":
                await self._open_idle()
            case "polls":
                await self._ask("GET", "transport=polling", b"")
            case "large_posts":
                opened = await self._ask("GET", "transport=polling", b"")
                text = opened.decode()
                [packet, _] = json.JSONDecoder().raw_decode(text[text.index("0{") + 1 :])
                sid = packet["sid"]
                await self._ask("POST", f"transport=polling&sid={sid}", b"4" + b"x" * 100_000)

    async def _open(self) -> tuple[asyncio.StreamReader, asyncio.StreamWriter]:
        reader, writer = await asyncio.open_connection(self._host, self._port)
        writer.write(
            b"GET /socket.io/?EIO=4&transport=websocket HTTP/1.1\r\nHost: x\r\n"
            b"Upgrade: websocket\r\nConnection: Upgrade\r\nSec-WebSocket-Version: 13\r\n"
            b"Sec-WebSocket-Key: AAAAAAAAAAAAAAAAAAAAAA==\r\n\r\n"
        )
        await reader.readuntil(b"\r\n\r\n")
        return reader, writer

    async def _send(self, texts: list[str]) -> None:
        reader, writer = await self._open()
        try:
            writer.write(b"".join(frame(text) for text in texts))
            async with asyncio.timeout(READ_SECONDS):
                while await reader.read(65_536):
                    pass
        finally:
            writer.close()

    async def _open_idle(self) -> None:
        _, writer = await self._open()
        self._idle.append(writer)
        if len(self._idle) > IDLE_SOCKETS:
            self._idle.pop(0).close()
        await asyncio.sleep(0.005)

    async def _ask(self, method: str, query: str, body: bytes) -> bytes:
        reader, writer = await asyncio.open_connection(self._host, self._port)
        try:
            writer.write(
                f"{method} /socket.io/?EIO=4&{query} HTTP/1.1\r\nHost: x\r\nConnection: close\r\n"
                f"Content-Length: {len(body)}\r\n\r\n".encode()
                + body
            )
            async with asyncio.timeout(READ_SECONDS):
                return await reader.read()
        finally:
            writer.close()


async def attack(url: str, token: str) -> None:
    """Flood in every way until the input ends."""
    attacker = Attacker(url, token)

    async def go_on(kind: str) -> None:
        while True:
            with suppress(OSError, TimeoutError, asyncio.IncompleteReadError):
                await attacker.flood(kind)

    floods = asyncio.gather(*(go_on(kind) for kind in FLOODS))
    await asyncio.wait(
        {floods, asyncio.create_task(asyncio.to_thread(sys.stdin.read))},
        timeout=TIMEOUT_SECONDS_PER_TEST,
        return_when=asyncio.FIRST_COMPLETED,
    )
    floods.cancel()
    await asyncio.gather(floods, return_exceptions=True)


def main() -> None:
    """Run one order."""
    os.nice(19)  # a real attacker does not share the server's processors
    order = json.loads(sys.stdin.readline())
    print("begins", flush=True)
    asyncio.run(attack(**order))


if __name__ == "__main__":
    main()
