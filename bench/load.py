"""``python -m bench.load``: a closed-loop HTTP/1.1 load generator over keep-alive sockets.

Reads a plan as JSON from standard input and prints the tally as JSON. Each connection sends its
next request after the last response, so the number of requests in flight never exceeds the number
of connections.
"""

import asyncio
import json
import sys
import time
from dataclasses import asdict, dataclass, field
from functools import partial
from typing import cast
from uuid import uuid4

import uvloop
from typing_extensions import override

KEY = b"@KEY@" + b"-" * 31  # replaced by a new UUID of the same length
TIMEOUT_SECONDS = 15.0


@dataclass(frozen=True)
class Plan:
    """The target and its requests; each connection cycles through the complete ``requests``."""

    port: int
    connections: int
    seconds: float
    requests: list[str]


@dataclass
class Tally:
    """The result: responses by status, latencies in milliseconds, and the duration."""

    statuses: dict[str, int] = field(default_factory=dict)
    latencies_ms: list[float] = field(default_factory=list)
    seconds: float = 0.0

    def summary(self) -> "Summary":
        """Return its figures."""
        return summarise(self.latencies_ms, self.seconds, self.statuses)


@dataclass(frozen=True)
class Summary:
    """The figures of one run; latencies in milliseconds."""

    count: int
    seconds: float
    p50_ms: float
    p99_ms: float
    max_ms: float
    statuses: dict[str, int] = field(default_factory=dict)


def summarise(
    latencies_ms: list[float], seconds: float, statuses: dict[str, int] | None = None
) -> Summary:
    """Summarize single latencies; all figures are zero if there are none."""
    ordered = sorted(latencies_ms) or [0.0]
    count = len(latencies_ms)
    return Summary(
        count, seconds, ordered[count // 2], ordered[count * 99 // 100], ordered[-1], statuses or {}
    )


class Connection(asyncio.Protocol):
    """One keep-alive connection in a closed loop."""

    def __init__(self, requests: list[bytes], offset: int, deadline: float, tally: Tally) -> None:
        self._requests = requests
        self._next = offset
        self._deadline = deadline
        self._tally = tally
        self._buffer = b""
        self._sent_at = 0.0
        self._transport = cast("asyncio.Transport", None)  # set before anything is sent
        self.done: asyncio.Future[None] = asyncio.get_running_loop().create_future()

    @override
    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        """Send the first request."""
        self._transport = cast("asyncio.Transport", transport)
        self._send()

    @override
    def connection_lost(self, exc: Exception | None) -> None:
        """Record an error of the run if the server closed the connection early."""
        if not self.done.done():
            self.done.set_exception(exc or ConnectionError("the server closed the connection"))

    @override
    def data_received(self, data: bytes) -> None:
        """Collect a response; when it is complete, record it and send the next request."""
        self._buffer += data
        head, separator, body = self._buffer.partition(b"\r\n\r\n")
        if not separator or len(body) < body_length(head):
            return
        self._buffer = b""
        self._tally.latencies_ms.append((time.perf_counter() - self._sent_at) * 1000)
        status = head[9:12].decode()
        self._tally.statuses[status] = self._tally.statuses.get(status, 0) + 1
        if time.perf_counter() < self._deadline:
            self._send()
        elif not self.done.done():
            self.done.set_result(None)
            self._transport.close()

    def _send(self) -> None:
        request = self._requests[self._next % len(self._requests)]
        self._next += 1
        if KEY in request:
            request = request.replace(KEY, str(uuid4()).encode())
        self._sent_at = time.perf_counter()
        self._transport.write(request)


def body_length(head: bytes) -> int:
    """Return the length announced by a response's headers."""
    lowered = head.lower()
    at = lowered.find(b"\r\ncontent-length:")
    if at < 0:
        if lowered[9:12] in {b"204", b"304"}:
            return 0
        raise ValueError("an answer without Content-Length cannot be measured")
    return int(lowered[at + 17 :].split(b"\r\n", 1)[0])


async def run(plan: Plan) -> Tally:
    """Send requests for ``plan.seconds`` and return the tally."""
    tally = Tally()
    requests = [request.encode() for request in plan.requests]
    started = time.perf_counter()
    loop = asyncio.get_running_loop()
    connections = []
    for offset in range(plan.connections):
        _, connection = await loop.create_connection(
            partial(Connection, requests, offset, started + plan.seconds, tally),
            "127.0.0.1",
            plan.port,
        )
        connections.append(connection.done)
    await asyncio.wait_for(asyncio.gather(*connections), plan.seconds + TIMEOUT_SECONDS)
    tally.seconds = time.perf_counter() - started
    return tally


if __name__ == "__main__":
    print(json.dumps(asdict(uvloop.run(run(Plan(**json.load(sys.stdin)))).summary())))
