"""The chat room: CPU cost and latency of a delivery, and memory per socket."""

import contextlib
import os
import time
import urllib.request
from collections.abc import Callable
from contextlib import AbstractContextManager
from pathlib import Path
from statistics import median

from api.foundation.realtime.engine import QUEUED_PACKETS_LIMIT

from bench import scale
from bench.battle import served
from bench.chat_plan import RAW, Order, Stream
from bench.chat_stage import Side, prepared, require_equal_frames, room, side
from bench.database import BenchDatabase
from bench.harness import Server, Subject, Verdict, family, interleave, paired
from bench.subjects import raw_publish, socket_io

LISTENERS = 500
VOLLEY_ROUNDS = 5

CROWD = 1000
RATE = 30.0
STREAM_SECONDS = 8.0
STREAM_ROUNDS = 3
WARM_STREAM_SECONDS = 2.0
LONG_CHARACTERS = 1000
PIECE_SECONDS = 1.0
PIECES = 20
PIECES_AFTERWARDS = 3
TRANSPORT_BYTES = 64 * 1024  # buffered by the server's transport, before its queue
# The limit of unsent data for a client that does not read, which is checked after each piece.
UNSENT_LIMIT = QUEUED_PACKETS_LIMIT + TRANSPORT_BYTES // LONG_CHARACTERS + RATE * PIECE_SECONDS
CUT = 'sockets_cut_total{reason="slow_reader"}'

SETTLE_SECONDS = 4.0
MEMORY_ROUNDS = 2
WARM_SOCKETS = 50
PAGE_BYTES = os.sysconf("SC_PAGE_SIZE")

Run = Callable[[BenchDatabase], AbstractContextManager[Server]]


def unlimited(rows: BenchDatabase, workers: int) -> AbstractContextManager[Server]:
    """Run our server with everything that a large room's members write delivered to everybody."""
    return served(rows, workers, CHAT_MESSAGES_PER_SECOND="0", CHAT_SLOW_MODE="false")


def chat_cpu(verdict: Verdict) -> None:
    """Compare the CPU time of a delivery to 500 sockets with Socket.IO's on Node."""
    with prepared(LISTENERS) as (rows, tokens):
        with (
            side(unlimited(rows, 1), tokens) as ours,
            side(socket_io(rows), tokens) as node,
        ):
            subjects = [ours.subject(), node.subject()]
            interleave(subjects, VOLLEY_ROUNDS)
            require_equal_frames(ours, node)
            ours.explain()
            node.explain()
            ratio = paired(subjects[0], subjects[1], "cpu_us_per_operation")
        with side(unlimited(rows, 2), tokens) as shared:
            interleave([shared.subject("two workers, not judged")], VOLLEY_ROUNDS)
            shared.explain()
        verdict.at_most("chat_cpu_over_socket_io", ratio, 0.8)


def chat_limit(verdict: Verdict) -> None:
    """Compare deliveries to 500 sockets with uWebSockets, which only forwards."""
    with (
        prepared(LISTENERS) as (rows, tokens),
        side(unlimited(rows, 1), tokens) as ours,
        side(raw_publish(rows), tokens, RAW) as limit,
    ):
        subjects = [
            ours.subject(),
            Subject(
                limit.server.name, lambda: limit.volley(frame_bytes=ours.volleys[-1].frame_bytes)
            ),
        ]
        interleave(subjects, VOLLEY_ROUNDS)
        require_equal_frames(ours, limit)
        ours.explain()
        limit.explain()
        cpu = paired(subjects[0], subjects[1], "cpu_us_per_operation")
        print(f"processor time of a delivery: {cpu:.2f} x the limit's, not judged")
        rate = paired(subjects[0], subjects[1], "operations_per_second")
        verdict.at_least("chat_rate_over_limit", rate, 0.65)


def chat_rate(verdict: Verdict) -> None:
    """Compare the latency of 30 messages a second to 1,000 sockets; cut off non-readers."""
    with prepared(CROWD + 1) as (rows, tokens), side(unlimited(rows, 1), tokens[1:]) as ours:
        with side(socket_io(rows), tokens[1:]) as node:
            for one in (ours, node):
                one.room.stream(Order("stream", scale.seconds(WARM_STREAM_SECONDS), rate=RATE))
            pairs = [(streamed(ours), streamed(node)) for _ in range(scale.rounds(STREAM_ROUNDS))]
        ratio = median(one.summary.p99_ms / other.summary.p99_ms for one, other in pairs)
        verdict.at_most("chat_p99_over_socket_io", ratio, 0.6)
        judge(verdict, "chat", [one for one, _ in pairs])
        beside_stuck(verdict, ours, tokens[0])


def chat_mem(verdict: Verdict) -> None:
    """Compare the memory per socket among 1,000 with Socket.IO's on Node."""
    with prepared(CROWD) as (rows, tokens):
        ratios = []
        for _ in range(scale.rounds(MEMORY_ROUNDS)):
            ours_kb = socket_kilobytes(rows, lambda rows: unlimited(rows, 1), tokens)
            node_kb = socket_kilobytes(rows, socket_io, tokens)
            print(f"a socket: {ours_kb:.1f} kB, Socket.IO {node_kb:.1f} kB", flush=True)
            ratios.append(ours_kb / max(node_kb, 1e-9))
        verdict.at_most("chat_memory_over_socket_io", median(ratios), 2.0)


def streamed(one: Side) -> Stream:
    """Run one slice at the fixed rate and print its figures."""
    cpu_before = one.server.cpu_seconds()
    stream = one.room.stream(Order("stream", scale.seconds(STREAM_SECONDS), rate=RATE))
    cpu = one.server.cpu_seconds() - cpu_before
    print(
        f"{one.server.name:24} {stream.summary.count / stream.summary.seconds:10.0f} ops/s  "
        f"p50 {stream.summary.p50_ms:7.2f} ms  p99 {stream.summary.p99_ms:8.2f} ms  "
        f"core {cpu / stream.summary.seconds:.1%}; lost {stream.lost}, doubled {stream.doubled}, "
        f"out of order {stream.disordered}; the load itself took {stream.load_share:.0%} of a core",
        flush=True,
    )
    return stream


def judge(verdict: Verdict, key: str, streams: list[Stream]) -> None:
    """Check for lost, duplicate and reordered deliveries."""
    verdict.at_most(f"{key}_lost", sum(one.lost for one in streams), 0, exact=True)
    verdict.at_most(f"{key}_doubled", sum(one.doubled for one in streams), 0, exact=True)
    verdict.at_most(f"{key}_disordered", sum(one.disordered for one in streams), 0, exact=True)


def beside_stuck(verdict: Verdict, ours: Side, token: str) -> None:
    """Send long messages beside a socket that never reads, until shortly after it is cut off.

    Checked are the other sockets' messages, the cut-off, and how many messages were buffered.
    """
    cuts_before = cuts(ours.server)
    ours.room.do(Order("stick", token=token))
    order = Order("stream", PIECE_SECONDS, LONG_CHARACTERS, RATE)
    streams: list[Stream] = []
    sent_until_cut = 0
    pieces_left = PIECES
    while pieces_left > 0:
        streams.append(ours.room.stream(order))
        pieces_left -= 1
        if not sent_until_cut and cuts(ours.server) > cuts_before:
            sent_until_cut = sum(one.messages for one in streams)
            pieces_left = PIECES_AFTERWARDS
    end = ours.room.do(Order("unstick"))
    judge(verdict, "chat_beside_stuck", streams)
    verdict.at_least(
        "chat_stuck_cut_off", float(sent_until_cut > 0 and end["is_ended"]), 1.0, exact=True
    )
    unsent = (sent_until_cut or sum(one.messages for one in streams)) - end["messages"]
    verdict.at_most("chat_stuck_unsent_messages", unsent, UNSENT_LIMIT)


def cuts(ours: Server) -> int:
    """Return how many sockets our server has closed because they do not read."""
    address = f"http://127.0.0.1:{ours.port}/metrics"
    with urllib.request.urlopen(address, timeout=20) as answer:
        lines = answer.read().decode().splitlines()
    return int(sum(float(line.rpartition(" ")[2]) for line in lines if line.startswith(CUT)))


def socket_kilobytes(rows: BenchDatabase, run: Run, tokens: list[str]) -> float:
    """Return the server's memory per socket.

    A few sockets connect first, so that one-time allocations do not count.
    """
    with run(rows) as target:
        with room(target, tokens[:WARM_SOCKETS]) as few:
            few.do(Order("stream", scale.seconds(1.0), rate=RATE))
        time.sleep(scale.seconds(SETTLE_SECONDS))
        before = resident_bytes(target)
        with room(target, tokens):
            time.sleep(scale.seconds(SETTLE_SECONDS))
            return (resident_bytes(target) - before) / len(tokens) / 1000


def resident_bytes(target: Server) -> int:
    """Return the resident memory of a server and its living descendants."""
    pages = 0
    for pid in family(target.pid):
        with contextlib.suppress(OSError):
            pages += int(Path(f"/proc/{pid}/statm").read_text(encoding="ascii").split()[1])
    return pages * PAGE_BYTES
