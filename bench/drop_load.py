"""``python -m bench.drop_load``: buyers who all order at once, and retry when asked to.

Reads a plan as JSON from standard input and prints the tally as JSON.
"""

import asyncio
import json
import sys
import time
from dataclasses import asdict, dataclass, field

import uvloop

from bench.load import body_length

TIMEOUT_SECONDS = 60.0


@dataclass(frozen=True)
class DropPlan:
    """One complete request per buyer; ``sold_out`` is the error code for missing stock."""

    port: int
    requests: list[str]
    sold_out: str


@dataclass
class DropTally:
    """Each buyer's final outcome and its time since the order; latencies in milliseconds.

    An outcome is the response's status, or "sold out". ``came_back`` counts attempts that were
    rejected because of load.
    """

    outcomes: list[str] = field(default_factory=list)
    latencies_ms: list[float] = field(default_factory=list)
    came_back: int = 0
    seconds: float = 0.0


async def ask(port: int, request: bytes) -> tuple[str, str, str]:
    """Send a request on a new connection; return status, head and body of the response."""
    reader, writer = await asyncio.open_connection("127.0.0.1", port)
    try:
        writer.write(request)
        head = (await reader.readuntil(b"\r\n\r\n")).decode()
        body = (await reader.readexactly(body_length(head.encode()))).decode()
    finally:
        writer.close()
    return head[9:12], head.lower(), body


async def buy(plan: DropPlan, request: str, tally: DropTally, started: float) -> None:
    """Order, and retry when asked to, until the order is placed or rejected."""
    while True:
        status, head, body = await ask(plan.port, request.encode())
        if status != "503":
            break
        tally.came_back += 1
        await asyncio.sleep(float(head.split("retry-after:", 1)[1].split("\r\n", 1)[0]))
    is_sold_out = status == "409" and plan.sold_out in body.replace(" ", "")
    tally.outcomes.append("sold out" if is_sold_out else status)
    tally.latencies_ms.append((time.perf_counter() - started) * 1000)


async def run(plan: DropPlan) -> DropTally:
    """Have every buyer order at once and return the tally."""
    tally, started = DropTally(), time.perf_counter()
    async with asyncio.timeout(TIMEOUT_SECONDS), asyncio.TaskGroup() as group:
        for request in plan.requests:
            group.create_task(buy(plan, request, tally, started))
    tally.seconds = time.perf_counter() - started
    return tally


if __name__ == "__main__":
    print(json.dumps(asdict(uvloop.run(run(DropPlan(**json.load(sys.stdin)))))))
