"""``python -m bench.open_load``: an open-loop load; callers arrive at a fixed rate.

Reads a plan as JSON from standard input and prints the result as JSON. Each caller uses an idle
connection or opens one, sends one request, and disconnects after a timeout. Latencies count from
when a caller was due, so that a slow generator cannot make a server look fast. Meanwhile
``/healthz`` is requested continuously, and after the last caller one request after the other until
the end.
"""

import asyncio
import json
import sys
import time
from collections.abc import Callable
from dataclasses import asdict, dataclass, field
from typing import cast

import uvloop
from typing_extensions import override

from bench import scale
from bench.load import body_length

HEALTH = b"GET /healthz HTTP/1.1\r\nHost: 127.0.0.1\r\n\r\n"
HEALTH_PAUSE_SECONDS = 0.02
TICK_SECONDS = 0.002
AFTERWARDS_SECONDS = 4.0
MAX_RESPONSE_SECONDS = 15.0
MAX_CONNECTIONS = 12_000


@dataclass(frozen=True)
class OpenPlan:
    """``rate`` callers a second for ``seconds``; each gives up after ``timeout_seconds``."""

    port: int
    rate: float
    seconds: float
    timeout_seconds: float
    requests: list[str]


@dataclass
class Outcome:
    """Latencies in milliseconds of responses 200, 201 and 503, and the callers that got neither.

    ``afterwards`` are pairs of a response's time in seconds after the last caller, and its latency
    in milliseconds; a rejection counts as infinite.
    """

    due: int = 0
    answered_ms: list[float] = field(default_factory=list)
    refused_ms: list[float] = field(default_factory=list)
    without_retry_after: int = 0
    gave_up: int = 0
    broken: int = 0
    others: dict[str, int] = field(default_factory=dict)
    health_ms: list[float] = field(default_factory=list)
    afterwards: list[tuple[float, float]] = field(default_factory=list)
    latest_ms: float = 0.0


class Line(asyncio.Protocol):
    """A keep-alive connection: one request at a time."""

    def __init__(self) -> None:
        self.transport = cast("asyncio.Transport", None)  # set before anything is sent
        self._buffer = b""
        self._answered: Callable[[bytes], None] | None = None

    def ask(self, request: bytes, answered: Callable[[bytes], None]) -> None:
        """Send a request; ``answered`` gets the response's head, empty if there was none."""
        self._answered = answered
        self.transport.write(request)

    def hang_up(self) -> None:
        """Disconnect without a response."""
        self._answered = None
        self.transport.abort()

    @override
    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        """Store the transport."""
        self.transport = cast("asyncio.Transport", transport)

    @override
    def connection_lost(self, exc: Exception | None) -> None:
        """Report an empty response to a waiting caller."""
        self._end(b"")

    @override
    def data_received(self, data: bytes) -> None:
        """Collect a response and pass on its head when it is complete."""
        self._buffer += data
        head, separator, body = self._buffer.partition(b"\r\n\r\n")
        if separator and len(body) >= body_length(head):
            self._buffer = b""
            self._end(head)

    def _end(self, head: bytes) -> None:
        answered, self._answered = self._answered, None
        if answered is not None:
            answered(head)


class Crowd:
    """The callers of one plan."""

    def __init__(self, plan: OpenPlan) -> None:
        self._plan = plan
        self._requests = [request.encode() for request in plan.requests]
        self._idle: list[Line] = []
        self._open = 0
        self._callers: set[asyncio.Task[None]] = set()
        self.outcome = Outcome()

    async def run(self) -> Outcome:
        """Start all callers, wait for the last, and return the outcome."""
        health = asyncio.create_task(self._watch_health())
        started = time.perf_counter()
        arrived, total = 0, int(self._plan.rate * self._plan.seconds)
        while arrived < total:
            now = time.perf_counter() - started
            while arrived < min(total, now * self._plan.rate):
                due = started + arrived / self._plan.rate
                self._call(self._requests[arrived % len(self._requests)], due)
                arrived += 1
            await asyncio.sleep(TICK_SECONDS)
        self.outcome.due = total
        await self._ask_on()
        health.cancel()
        async with asyncio.timeout(self._plan.timeout_seconds + MAX_RESPONSE_SECONDS):
            while self._callers:
                await asyncio.wait(self._callers)
        return self.outcome

    def _call(self, request: bytes, due: float) -> None:
        self.outcome.latest_ms = max(self.outcome.latest_ms, (time.perf_counter() - due) * 1000)
        while self._idle:
            line = self._idle.pop()
            if not line.transport.is_closing():
                self._ask(line, request, due)
                return
        task = asyncio.create_task(self._connect(request, due))
        self._callers.add(task)
        task.add_done_callback(self._callers.discard)

    async def _connect(self, request: bytes, due: float) -> None:
        if self._open >= MAX_CONNECTIONS:
            self.outcome.broken += 1
            return
        self._open += 1
        loop = asyncio.get_running_loop()
        try:
            async with asyncio.timeout(self._plan.timeout_seconds):
                _, line = await loop.create_connection(Line, "127.0.0.1", self._plan.port)
        except TimeoutError:
            self.outcome.gave_up += 1
            self._open -= 1
        except OSError:
            self.outcome.broken += 1
            self._open -= 1
        else:
            await self._ask(line, request, due)

    def _ask(self, line: Line, request: bytes, due: float) -> "asyncio.Future[None]":
        loop = asyncio.get_running_loop()
        done: asyncio.Future[None] = loop.create_future()

        def answered(head: bytes) -> None:
            timer.cancel()
            self._count(head, (time.perf_counter() - due) * 1000)
            if head and not line.transport.is_closing():
                self._idle.append(line)
            else:
                self._open -= 1
            done.set_result(None)

        def give_up() -> None:
            self.outcome.gave_up += 1
            self._open -= 1
            line.hang_up()
            done.set_result(None)

        left = max(0.0, due + self._plan.timeout_seconds - time.perf_counter())
        timer = loop.call_later(left, give_up)
        line.ask(request, answered)
        return done

    def _count(self, head: bytes, milliseconds: float) -> None:
        status = head[9:12].decode()
        if status in {"200", "201"}:
            self.outcome.answered_ms.append(milliseconds)
        elif status == "503":
            self.outcome.refused_ms.append(milliseconds)
            self.outcome.without_retry_after += b"\r\nretry-after:" not in head.lower()
        elif not status:
            self.outcome.broken += 1
        else:
            self.outcome.others[status] = self.outcome.others.get(status, 0) + 1

    async def _watch_health(self) -> None:
        while True:
            _, milliseconds = await self._once(HEALTH)
            self.outcome.health_ms.append(milliseconds)
            await asyncio.sleep(HEALTH_PAUSE_SECONDS)

    async def _ask_on(self) -> None:
        started = time.perf_counter()
        while (since := time.perf_counter() - started) < scale.seconds(AFTERWARDS_SECONDS):
            head, milliseconds = await self._once(self._requests[0])
            is_answered = head[9:12] == b"200"
            self.outcome.afterwards.append((since, milliseconds if is_answered else 1e9))
            await asyncio.sleep(HEALTH_PAUSE_SECONDS)

    async def _once(self, request: bytes) -> tuple[bytes, float]:
        """Send a request over a new connection, like a health probe."""
        loop = asyncio.get_running_loop()
        started = time.perf_counter()
        response: asyncio.Future[bytes] = loop.create_future()
        head = b""
        line = None
        try:
            async with asyncio.timeout(MAX_RESPONSE_SECONDS):
                _, line = await loop.create_connection(Line, "127.0.0.1", self._plan.port)
                line.ask(request, response.set_result)
                head = await response
        except (OSError, TimeoutError):
            pass
        if line is not None:
            line.hang_up()
        return head, (time.perf_counter() - started) * 1000


async def main() -> None:
    """Run one plan."""
    outcome = await Crowd(OpenPlan(**json.load(sys.stdin))).run()
    print(json.dumps(asdict(outcome)))


if __name__ == "__main__":
    uvloop.run(main())
