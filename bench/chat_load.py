"""``python -m bench.chat_load``: many members of a chat room, each with a real WebSocket.

Reads a ``ChatPlan`` from the first line of standard input, connects everyone, and runs an ``Order``
for each further line; each is answered by a line of JSON. Between orders it keeps reading and
responds to the server's pings.
"""

import contextlib
import gc
import json
import select
import socket
import sys
import time
from dataclasses import asdict
from itertools import count
from uuid import uuid4

from bench.chat_frames import Judge, content_of, is_message, split
from bench.chat_plan import FRAME_HEAD_BYTES, RAW, ChatPlan, Order, Stream, Volley
from bench.chat_sockets import BUFFER_BYTES, NAMESPACE, TIMEOUT_SECONDS, RoomSockets
from bench.harness import BenchError
from bench.load import summarise

TAB = "Public"
STRAGGLER_SECONDS = 5.0  # after a stream's last message; later ones are lost
NUMBERS_PER_SECOND = 1000
WORDS = "What a goal, the whole street heard it and nobody sleeps tonight. "


class Crowd:
    """All members of the room, and their messages."""

    def __init__(self, plan: ChatPlan) -> None:
        self.is_raw = plan.speech == RAW
        self.sockets = RoomSockets(plan)
        self._stuck: socket.socket | None = None
        # No member may repeat a text within seconds, not even after another load.
        self._numbers = count(int(time.time()) % 100_000 * NUMBERS_PER_SECOND)
        self._known: dict[bytes, tuple[int, int]] = {}

    def connect(self) -> None:
        """Connect everyone."""
        self.sockets.connect()
        self._descriptors = list(self.sockets.sockets)

    def volley(self, order: Order) -> Volley:
        """Send one message after the other, the next when everyone has received the last.

        Raises:
            BenchError: a message was late or duplicated for a member.
        """
        latencies_ms: list[float] = []
        rounds_ms: list[float] = []
        counts_before = dict(self.sockets.counter.counts)
        acknowledged_before, cpu_before = self.sockets.acknowledged, time.process_time()
        started = time.perf_counter()
        while time.perf_counter() < started + order.seconds:
            rounds_ms.append(self._round(order, latencies_ms))
        seconds = time.perf_counter() - started
        cpu_seconds = time.process_time() - cpu_before
        expected = {one: times + len(rounds_ms) for one, times in counts_before.items()}
        if self.sockets.counter.counts != expected:
            raise BenchError("somebody got a message twice, and somebody else never")
        if not self.is_raw:
            self._await_acknowledged(acknowledged_before + len(rounds_ms))
        return Volley(
            summarise(latencies_ms, seconds),
            summarise(rounds_ms, seconds),
            self.sockets.counter.frame_bytes,
            cpu_seconds / len(latencies_ms) * 1e6,
            cpu_seconds / seconds,
        )

    def stream(self, order: Order) -> Stream:
        """Send at a fixed rate, regardless of deliveries, and check every delivery."""
        messages = round(order.rate * order.seconds)
        judge = Judge(self._descriptors, messages)
        latencies_ms: list[float] = []
        self._known.clear()
        first = next(self._numbers) + 1
        cpu_before, sent = time.process_time(), 0
        started = time.perf_counter()
        give_up_at = started + order.seconds + STRAGGLER_SECONDS
        while judge.lost and (now := time.perf_counter()) < give_up_at:
            due = started + sent / order.rate if sent < messages else give_up_at
            if now >= due:
                self._send(order)
                sent += 1
                continue
            for arrival in self.sockets.arrivals(due):
                for payload in self.sockets.messages(arrival):
                    number, seq = self._read(payload)
                    if number < first:
                        continue  # already counted as lost by an earlier stream
                    judge.record(arrival[1], number - first, seq)
                    was_due = started + (number - first) / order.rate
                    latencies_ms.append((arrival[0] - was_due) * 1000)
        seconds = time.perf_counter() - started
        share = (time.process_time() - cpu_before) / seconds
        summary = summarise(latencies_ms, seconds)
        return Stream(summary, messages, judge.lost, judge.doubled, judge.disordered, share)

    def stick(self, order: Order) -> None:
        """Connect one more socket with a small receive buffer, and never read it."""
        (self._stuck,) = self.sockets.enter([order.token], narrow=True)

    def unstick(self) -> tuple[int, bool]:
        """Read the stuck socket; return its messages, and whether the server has closed it."""
        assert self._stuck is not None
        received = b""
        is_ended = False
        with self._stuck, contextlib.suppress(TimeoutError):
            self._stuck.settimeout(STRAGGLER_SECONDS)
            while piece := received_piece(self._stuck):
                received += piece
            is_ended = True
        return sum(is_message(frame) for frame in split(received)[0]), is_ended

    def _round(self, order: Order, latencies_ms: list[float]) -> float:
        """Deliver one message; return the milliseconds until everyone has received it."""
        sent_at = self._send(order)
        elapsed_ms = 0.0
        missing = len(self._descriptors)
        while missing > 0:
            received = self.sockets.read(1.0)
            elapsed_ms = (time.perf_counter() - sent_at) * 1000
            if elapsed_ms > TIMEOUT_SECONDS * 1000:
                raise BenchError(f"{missing} of {len(self._descriptors)} never got a message")
            latencies_ms += [elapsed_ms] * received
            missing -= received
        return elapsed_ms

    def _await_acknowledged(self, expected: int) -> None:
        """Wait for the acknowledgements of sent messages.

        Raises:
            BenchError: some are missing.
        """
        give_up_at = time.perf_counter() + TIMEOUT_SECONDS
        while self.sockets.acknowledged < expected:
            self.sockets.read(1.0)
            if time.perf_counter() > give_up_at:
                raise BenchError("a message was delivered and never acknowledged")

    def _send(self, order: Order) -> float:
        """Send the next member's message; return the start time."""
        number = next(self._numbers)
        sender = self._descriptors[number % len(self._descriptors)]
        text = self._compose(number, order)
        sent_at = time.perf_counter()
        self.sockets.write(sender, text)
        return sent_at

    def _compose(self, number: int, order: Order) -> bytes:
        if self.is_raw:
            head, tail = b"42" + NAMESPACE + b'["message",{"chat_message":"', b'"}]'
            characters = order.frame_bytes - FRAME_HEAD_BYTES - len(head) - len(tail)
            return head + wording(number, characters).encode() + tail
        message = {
            "club": TAB,
            "chat_message": wording(number, order.characters),
            "client_id": str(uuid4()),
        }
        text = json.dumps(["message", message], separators=(",", ":"))
        return b"42" + NAMESPACE + str(number).encode() + text.encode()

    def _read(self, payload: bytes) -> tuple[int, int]:
        """Return a message's number and sequence; all members receive the same bytes."""
        known = self._known.get(payload)
        if known is None:
            text, seq = content_of(payload)
            known = self._known[payload] = (int(text[: text.index(" ")]), seq)
        return known


def wording(number: int, characters: int) -> str:
    """Return a unique text of the given length."""
    text = f"{number:08} {WORDS * (characters // len(WORDS) + 1)}"[:characters]
    return text[:-1] + "."  # a trailing space would be trimmed


def received_piece(connection: socket.socket) -> bytes:
    """Return the available bytes, or none once the connection is closed."""
    try:
        return connection.recv(BUFFER_BYTES)
    except ConnectionResetError:
        return b""


def idle(sockets: RoomSockets, line_ready: int) -> None:
    """Read and respond to pings until a line is available."""
    waiting = select.poll()
    waiting.register(line_ready, select.POLLIN)
    waiting.register(sockets.poll.fileno(), select.POLLIN)
    while all(descriptor != line_ready for descriptor, _ in waiting.poll()):
        sockets.read(0)


def do(crowd: Crowd, order: Order) -> dict[str, object]:
    """Run an order and return the result."""
    if order.order == "volley":
        return asdict(crowd.volley(order))
    if order.order == "stream":
        return asdict(crowd.stream(order))
    if order.order == "stick":
        crowd.stick(order)
        return {"stuck": True}
    messages, is_ended = crowd.unstick()
    return {"messages": messages, "is_ended": is_ended}


def main() -> int:
    """Process each line of standard input."""
    gc.disable()  # no cycles; a collection would look like a late delivery
    lines = sys.stdin.buffer
    crowd = Crowd(ChatPlan(**json.loads(lines.readline())))
    try:
        crowd.connect()
        say({"connected": len(crowd.sockets.sockets)})
        while True:
            idle(crowd.sockets, lines.fileno())
            line = lines.readline()
            if not line:
                return 0
            say(do(crowd, Order(**json.loads(line))))
    except BenchError as error:
        say({"error": str(error)})
        return 1
    finally:
        crowd.sockets.close()


def say(content: dict[str, object]) -> None:
    """Print a line of JSON."""
    print(json.dumps(content), flush=True)


if __name__ == "__main__":
    sys.exit(main())
