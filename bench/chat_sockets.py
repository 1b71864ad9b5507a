"""A room's sockets on one epoll: connecting, reading and writing.

It uses no library, because receiving has to cost the load less than sending costs the server.
"""

import contextlib
import json
import select
import socket
import time
from collections.abc import Callable, Iterator, Sequence

from bench.chat_frames import (
    CLOSE,
    PING,
    PONG,
    TEXT,
    Counter,
    Frame,
    check_upgrade,
    handshake,
    header,
    text_frame,
)
from bench.chat_plan import RAW, ChatPlan
from bench.harness import BenchError

PATH = "/socket.io/?EIO=4&transport=websocket"
NAMESPACE = b"/chat,"
OPENED, CONNECTED, REFUSED = b"0{", b"40", b"44"
ACKNOWLEDGED = b"43" + NAMESPACE
DISCONNECTED = (b"1", b"41")
ENGINE_PING, ENGINE_PONG = b"2", b"3"
TIMEOUT_SECONDS = 15.0
SETTLE_SECONDS = 1.0  # a socket may be connected shortly before it receives messages
CONNECTING_AT_ONCE = 50
BUFFER_BYTES = 1 << 20
MAX_RETRY_DELAY_SECONDS = 1.0
QUIET_SECONDS = 0.002  # longer than the gap between two deliveries of a message
CLOCK_SECONDS = 0.001  # the resolution of epoll's timeout
NARROW_BUFFER_BYTES = 4096
SEGMENT_BYTES = 1400

Arrival = tuple[float, int, bytes]


class RoomSockets:
    """Every member's connection; ``acknowledged`` counts the accepted messages."""

    def __init__(self, plan: ChatPlan) -> None:
        self.plan = plan
        self.poll = select.epoll()
        self._namespace = f"{plan.namespace},".encode()
        self.counter = Counter(b"42" + self._namespace + f'["{plan.event}",'.encode())
        self.acknowledged = 0
        self.sockets: dict[int, socket.socket] = {}
        self._receive: dict[int, Callable[[bytearray], int]] = {}
        self._buffer = bytearray(BUFFER_BYTES)
        self._view = memoryview(self._buffer)

    def connect(self) -> None:
        """Connect everyone, some at a time, and start reading."""
        tokens = self.plan.tokens
        for first in range(0, len(tokens), CONNECTING_AT_ONCE):
            for connection in self.enter(tokens[first : first + CONNECTING_AT_ONCE]):
                connection.setblocking(False)
                descriptor = connection.fileno()
                self.sockets[descriptor] = connection
                self._receive[descriptor] = connection.recv_into
                self.counter.counts[descriptor] = 0
                self.poll.register(descriptor, select.EPOLLIN)
        until = time.perf_counter() + SETTLE_SECONDS
        while (left := until - time.perf_counter()) > 0:
            self.read(left)

    def close(self) -> None:
        """Close all connections."""
        self.poll.close()
        for connection in self.sockets.values():
            connection.close()

    def enter(self, tokens: Sequence[str], *, narrow: bool = False) -> list[socket.socket]:
        """Return connections that have joined the room, one per token.

        Raises:
            BenchError: the server rejects one, or compresses.
        """
        with contextlib.ExitStack() as dialled:
            connections = [
                dialled.enter_context(open_connection(self.plan.port, narrow=narrow))
                for _ in tokens
            ]
            upgrade(connections)
            if self.plan.speech != RAW:
                greet(connections, tokens, self._namespace)
            dialled.pop_all()
        return connections

    def write(self, descriptor: int, payload: bytes, opcode: int = TEXT) -> None:
        """Send one frame.

        Raises:
            BenchError: the send buffer is full, because the server does not read.
        """
        frame = text_frame(payload, opcode)
        if self.sockets[descriptor].send(frame) != len(frame):
            raise BenchError("the server does not read what a member sends")

    def read(self, timeout_seconds: float) -> int:
        """Read available data once, waiting up to the timeout; return the number of messages."""
        received = 0
        buffer, receive, is_one = self._buffer, self._receive, self.counter.is_one
        for descriptor, _ in self.poll.poll(timeout_seconds):
            size = receive[descriptor](buffer)
            if is_one(descriptor, buffer, size):
                received += 1
            else:
                arrival = (0.0, descriptor, bytes(self._view[:size]))
                received += sum(1 for _ in self.messages(arrival))
        return received

    def arrivals(self, until: float) -> list[Arrival]:
        """Read until no more arrives, but not beyond ``until``; return each read with its time.

        They are parsed later: parsing now would make the next ones seem late.
        """
        arrived: list[Arrival] = []
        clock, view = time.perf_counter, self._view
        pause = MAX_RETRY_DELAY_SECONDS
        while events := self.poll.poll(max(0.0, min(pause, until - clock() - CLOCK_SECONDS))):
            for descriptor, _ in events:
                size = self._receive[descriptor](self._buffer)
                arrived.append((clock(), descriptor, bytes(view[:size])))
            if clock() >= until:
                break
            pause = QUIET_SECONDS
        return arrived

    def messages(self, arrival: Arrival) -> Iterator[bytes]:
        """Yield the messages of a read, and respond to pings.

        Raises:
            BenchError: the server has closed the connection or rejected a message.
        """
        _, descriptor, data = arrival
        if not data:
            raise BenchError("the server closed a member's connection")
        for frame in self.counter.parse(descriptor, data):
            if self.counter.is_message(frame):
                yield frame[1]
            else:
                self._answer(descriptor, frame)

    def _answer(self, descriptor: int, frame: Frame) -> None:
        opcode, payload = frame
        if opcode == PING:
            self.write(descriptor, payload, PONG)
        elif payload == ENGINE_PING:
            self.write(descriptor, ENGINE_PONG)
        elif payload.startswith(ACKNOWLEDGED):
            (answer,) = json.loads(payload[payload.index(b"[") :])
            if answer["status"] != 200:
                raise BenchError(f"a message was refused: {answer['status']} {answer['message']}")
            self.acknowledged += 1
        elif opcode == CLOSE or payload.startswith(DISCONNECTED):
            raise BenchError("the server sent a member away")


def open_connection(port: int, *, narrow: bool = False) -> socket.socket:
    """Return a connection; a ``narrow`` one has a phone's small segment size and buffer.

    Otherwise the system would buffer megabytes on loopback for a client that does not read.
    """
    connection = socket.socket()
    if narrow:
        connection.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, NARROW_BUFFER_BYTES)
        connection.setsockopt(socket.IPPROTO_TCP, socket.TCP_MAXSEG, SEGMENT_BYTES)
    connection.settimeout(TIMEOUT_SECONDS)
    connection.connect(("127.0.0.1", port))
    connection.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
    return connection


def upgrade(connections: Sequence[socket.socket]) -> None:
    """Turn connections into WebSockets.

    Raises:
        BenchError: the server does not, or compresses.
    """
    proofs = []
    for connection in connections:
        request, proof = handshake(PATH)
        connection.sendall(request)
        proofs.append(proof)
    for connection, proof in zip(connections, proofs, strict=True):
        check_upgrade(read_head(connection), proof)


def greet(
    connections: Sequence[socket.socket], tokens: Sequence[str], namespace: bytes = NAMESPACE
) -> None:
    """Connect to the namespace, each with its token.

    Raises:
        BenchError: one is rejected.
    """
    for connection, token in zip(connections, tokens, strict=True):
        await_text(connection, OPENED)
        greeting = CONNECTED + namespace + json.dumps({"token": token}).encode()
        connection.sendall(text_frame(greeting))
    for connection in connections:
        await_text(connection, CONNECTED + namespace)


def read_head(connection: socket.socket) -> bytes:
    """Read a response's head and nothing after it: a frame may follow immediately."""
    head = b""
    while not head.endswith(b"\r\n\r\n"):
        head += read_exactly(connection, 1)
    return head


def await_text(connection: socket.socket, start: bytes) -> None:
    """Read frames up to and including one with the given start.

    Raises:
        BenchError: the server closed the connection or rejected the member.
    """
    payload = b""
    while not payload.startswith(start):
        payload = read_frame(connection)
        if payload.startswith(REFUSED):
            raise BenchError(f"a member was refused: {payload.decode()}")


def read_frame(connection: socket.socket) -> bytes:
    """Read one frame and return its payload."""
    data = read_exactly(connection, 2)
    while (found := header(data, 0)) is None:
        data += read_exactly(connection, 2)  # longer lengths have two or eight more bytes
    start, end = found
    return read_exactly(connection, end - start)


def read_exactly(connection: socket.socket, size: int) -> bytes:
    """Read exactly ``size`` bytes.

    Raises:
        BenchError: the server closed the connection.
    """
    data = b""
    while len(data) < size:
        piece = connection.recv(size - len(data))
        if not piece:
            raise BenchError("the server closed a connection that was not ready")
        data += piece
    return data
