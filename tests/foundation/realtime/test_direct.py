"""The fast path: immediate when possible, otherwise queued in the library's order."""

import asyncio
from typing import Any

import engineio.packet
import pytest
from api.foundation.realtime.direct import (
    NEARLY_EMPTY_BYTES,
    DirectSocket,
    install_fast_path,
    text_frame,
)
from typing_extensions import override
from websockets.frames import Frame, Opcode


class Transport:
    """A transport with a configurable buffer size."""

    def __init__(self) -> None:
        self.held = 0
        self.closing = False
        self.written: list[bytes] = []

    def is_closing(self) -> bool:
        return self.closing

    def get_write_buffer_size(self) -> int:
        return self.held

    def write(self, data: bytes) -> None:
        self.written.append(data)


class Protocol:
    """A server's protocol object whose send can be blocked."""

    def __init__(self) -> None:
        self.transport = Transport()
        self.sent: list[str] = []

    async def send(self, message: Any) -> None:
        self.sent.append(message["text"])


class Packet:
    def __init__(self, content: str | bytes, packet_type: int = engineio.packet.MESSAGE) -> None:
        self.content = content
        self.packet_type = packet_type

    def encode(self) -> str | bytes:
        return self.content


class Socket:
    """The library's socket: a queue that a writer drains on demand."""

    def __init__(self) -> None:
        self.queue: asyncio.Queue[Packet] = asyncio.Queue()
        self.connected = True
        self.closed = False

    async def check_ping_timeout(self) -> bool:
        return True

    async def send(self, packet: Packet) -> None:
        await self.queue.put(packet)


async def write_queued(socket: Socket, wire: DirectSocket) -> None:
    while not socket.queue.empty():
        await wire({"type": "websocket.send", "text": socket.queue.get_nowait().encode()})


@pytest.fixture
def protocol() -> Protocol:
    return Protocol()


@pytest.fixture
def environ(protocol: Protocol) -> dict[str, Any]:
    return {"asgi.scope": {"type": "websocket"}, "asgi.send": protocol.send}


async def test_a_packet_is_written_at_once(protocol: Protocol, environ: dict[str, Any]) -> None:
    socket = Socket()
    install_fast_path(socket, environ)
    await socket.send(Packet("one"))
    assert protocol.sent == ["one"]
    assert socket.queue.empty()


async def test_pings_keep_the_librarys_writer_from_hanging_up(
    protocol: Protocol, environ: dict[str, Any]
) -> None:
    socket = Socket()
    install_fast_path(socket, environ)

    await socket.send(Packet("2", engineio.packet.PING))

    assert (protocol.sent, socket.queue.qsize()) == ([], 1)


async def test_nothing_overtakes_what_is_queued(
    protocol: Protocol, environ: dict[str, Any]
) -> None:
    socket = Socket()
    await socket.send(Packet("open"))
    install_fast_path(socket, environ)
    await socket.send(Packet("first"))
    await socket.send(Packet("second"))
    assert protocol.sent == []
    await write_queued(socket, environ["asgi.send"])
    await socket.send(Packet("third"))
    assert protocol.sent == ["open", "first", "second", "third"]


async def test_a_slow_reader_is_queued_for(protocol: Protocol, environ: dict[str, Any]) -> None:
    socket = Socket()
    install_fast_path(socket, environ)
    protocol.transport.held = NEARLY_EMPTY_BYTES + 1
    await socket.send(Packet("waits"))
    protocol.transport.held = 0
    await socket.send(Packet("waits behind it"))
    assert (protocol.sent, socket.queue.qsize()) == ([], 2)


@pytest.mark.parametrize("why", ["closing", "no transport", "bytes", "not connected", "polling"])
async def test_what_is_not_a_plain_websocket_takes_the_librarys_way(
    protocol: Protocol, environ: dict[str, Any], why: str
) -> None:
    socket = Socket()
    if why == "no transport":

        async def send(message: Any) -> None:
            protocol.sent.append(message["text"])

        environ["asgi.send"] = send
    if why == "polling":
        environ["asgi.scope"] = {"type": "http"}
    install_fast_path(socket, environ)
    protocol.transport.closing = why == "closing"
    socket.connected = why != "not connected"
    await socket.send(Packet(b"raw" if why == "bytes" else "text"))
    assert (protocol.sent, socket.queue.qsize()) == ([], 1)


async def test_a_connection_that_has_just_gone_is_no_error(environ: dict[str, Any]) -> None:
    class Gone(Protocol):
        @override
        async def send(self, message: Any) -> None:
            raise ConnectionResetError(message["type"])

    socket = Socket()
    environ["asgi.send"] = Gone().send
    install_fast_path(socket, environ)
    await socket.send(Packet("into the void"))
    assert socket.queue.empty()


class Framed(Protocol):
    """A server's protocol object as expected: no extensions, not closing."""

    def __init__(self, extensions: list[str] | None = None) -> None:
        super().__init__()
        self.conn = type("Connection", (), {"extensions": extensions or []})()
        self.close_sent = False


def framed(protocol: Protocol) -> tuple[Socket, DirectSocket]:
    socket = Socket()
    wire = install_fast_path(
        socket, {"asgi.scope": {"type": "websocket"}, "asgi.send": protocol.send}
    )
    assert wire is not None
    return socket, wire


@pytest.mark.parametrize("size", [0, 1, 125, 126, 65_535, 65_536])
def test_a_frame_is_what_the_websocket_library_writes(size: int) -> None:
    text = "g" * size
    expected = Frame(Opcode.TEXT, text.encode()).serialize(mask=False, extensions=[])
    assert text_frame(text) == expected


async def test_a_frame_goes_straight_to_the_transport() -> None:
    protocol = Framed()
    socket, wire = framed(protocol)
    await socket.send(Packet("one"))
    assert wire.write_frame(text_frame("two"))
    assert protocol.transport.written == [text_frame("one"), text_frame("two")]
    assert protocol.sent == []


@pytest.mark.parametrize("why", ["queued", "slow", "closing", "close sent", "closed", "extension"])
def test_a_frame_is_refused_where_it_could_overtake_or_confuse(why: str) -> None:
    protocol = Framed(["permessage-deflate"] if why == "extension" else None)
    socket, wire = framed(protocol)
    wire.waiting = 1 if why == "queued" else 0
    protocol.transport.held = NEARLY_EMPTY_BYTES + 1 if why == "slow" else 0
    protocol.transport.closing = why == "closing"
    protocol.close_sent = why == "close sent"
    socket.closed = why == "closed"
    assert not wire.write_frame(text_frame("late"))
    assert protocol.transport.written == []


def test_a_polling_client_has_no_short_way() -> None:
    assert install_fast_path(Socket(), {"asgi.scope": {"type": "http"}}) is None
