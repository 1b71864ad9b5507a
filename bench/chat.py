"""The chat's room: what a delivery costs, how late it is, and what a socket weighs."""

import contextlib
import json
import os
import subprocess
import sys
import time
import urllib.request
from collections.abc import Callable, Iterator
from contextlib import AbstractContextManager
from dataclasses import asdict, dataclass, field
from pathlib import Path
from statistics import median
from typing import Any

from bench.battle import Load, served, sign_all_in
from bench.chat_plan import FIRST_SEQ, RAW, SOCKET_IO, ChatPlan, Order, Stream, Volley
from bench.database import BenchDatabase, database
from bench.harness import (
    LOAD_CPU,
    ROOT,
    BenchError,
    Server,
    Slice,
    Subject,
    Verdict,
    family,
    figures,
    interleave,
    paired,
    pin,
)
from bench.load import Summary
from bench.subjects import raw_publish, socket_io

LISTENERS = 500
VOLLEY_SECONDS = 2.0
VOLLEY_ROUNDS = 5
UNEQUAL_BYTES = 8  # how much the frames of two subjects may differ

CROWD = 1000
RATE = 30.0
STREAM_SECONDS = 8.0
STREAM_ROUNDS = 3
WARM_STREAM_SECONDS = 2.0
LONG_CHARACTERS = 1000
STUCK_PIECE_SECONDS = 2.0
STUCK_PIECES = 10
PIECES_AFTERWARDS = 2
CUT = 'sockets_cut_total{reason="slow_reader"}'

SETTLE_SECONDS = 4.0
MEMORY_ROUNDS = 2
WARM_SOCKETS = 50
PAGE_BYTES = os.sysconf("SC_PAGE_SIZE")

PUBLIC_ROOM = "00000000-0000-0000-0000-000000000000"
# Everybody is in one club, has a name as long as the others', and has joined both rooms.
ROOMS = f"""
UPDATE user_account SET last_name = 'Member ' || lpad(substring(email FROM '[0-9]+'), 5, '0')
 WHERE email LIKE 'bench%';
INSERT INTO chat_room (id, club_id, last_seq)
SELECT id, id, {FIRST_SEQ} FROM club WHERE id = (SELECT club_id FROM user_account
                                                 WHERE email LIKE 'bench%' LIMIT 1)
 UNION ALL SELECT '{PUBLIC_ROOM}', NULL, {FIRST_SEQ}
ON CONFLICT (id) DO UPDATE SET last_seq = excluded.last_seq;
INSERT INTO chat_membership (user_id, room_id, last_read_seq, joined_at)
SELECT u.id, r.id, r.last_seq, now() FROM user_account u, chat_room r
 WHERE u.email LIKE 'bench%' AND coalesce(r.club_id, u.club_id) = u.club_id;
CREATE TABLE bench_chat_message (
  seq bigserial PRIMARY KEY, id uuid NOT NULL, user_id uuid NOT NULL, client_id uuid NOT NULL,
  content text NOT NULL, sent_at timestamptz NOT NULL);
ALTER SEQUENCE bench_chat_message_seq_seq RESTART WITH {FIRST_SEQ + 1}
"""  # noqa: S608 - constants

Run = Callable[[BenchDatabase], AbstractContextManager[Server]]


class Room(Load):
    """The members' process, told what to do order by order."""

    def do(self, order: Order) -> dict[str, Any]:
        """Give an order and return the answer.

        Raises:
            BenchError: the members could not do it; the message says why.
        """
        return checked(self.order(json.dumps(asdict(order))))

    def stream(self, order: Order) -> Stream:
        """Have messages sent at a fixed rate."""
        content = self.do(order)
        return Stream(**{**content, "summary": Summary(**content["summary"])})


@dataclass
class Side:
    """A server with its room, and what the volleys were like."""

    server: Server
    room: Room
    volleys: list[Volley] = field(default_factory=list)

    def volley(self, frame_bytes: int = 0) -> Slice:
        """Run one slice with one message in flight."""
        cpu_before = self.server.cpu_seconds()
        content = self.room.do(Order("volley", VOLLEY_SECONDS, frame_bytes=frame_bytes))
        cpu_used = self.server.cpu_seconds() - cpu_before
        told = Volley(
            Summary(**content["summary"]),
            Summary(**content["rounds"]),
            int(content["frame_bytes"]),
            float(content["load_cpu_us"]),
            float(content["load_share"]),
        )
        self.volleys.append(told)
        return figures(told.summary, cpu_used)

    def subject(self, name: str | None = None) -> Subject:
        """Return this side of a comparison."""
        return Subject(name or self.server.name, self.volley)

    def explain(self) -> None:
        """Print what the figures rest on."""
        rounds = [one.rounds for one in self.volleys[1:] or self.volleys]
        print(
            f"  {self.server.name}: a message reaches the last after p50 "
            f"{median(one.p50_ms for one in rounds):.2f} ms, p99 "
            f"{median(one.p99_ms for one in rounds):.2f} ms; frames of "
            f"{self.volleys[-1].frame_bytes} bytes; the load itself took "
            f"{median(one.load_cpu_us for one in self.volleys):.2f} us a delivery, "
            f"{median(one.load_share for one in self.volleys):.0%} of a core",
            flush=True,
        )


def chat_cpu(verdict: Verdict) -> None:
    """Compare the processor time of a delivery among 500 to Socket.IO's on Node."""
    with prepared(LISTENERS) as (rows, tokens):
        with (
            side(served(rows, 1), tokens) as ours,
            side(socket_io(rows), tokens) as node,
        ):
            subjects = [ours.subject(), node.subject()]
            interleave(subjects, VOLLEY_ROUNDS)
            require_equal_frames(ours, node)
            ours.explain()
            node.explain()
            ratio = paired(subjects[0], subjects[1], "cpu_us_per_operation")
        with side(served(rows, 2), tokens) as shared:
            interleave([shared.subject("two workers, not judged")], VOLLEY_ROUNDS)
            shared.explain()
        verdict.at_most("chat_cpu_over_socket_io", ratio, 0.8)


def chat_limit(verdict: Verdict) -> None:
    """Compare deliveries among 500 to uWebSockets, which only hands on."""
    with (
        prepared(LISTENERS) as (rows, tokens),
        side(served(rows, 1), tokens) as ours,
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
    """Compare how late 30 messages a second are among 1,000; cut off who does not read."""
    with prepared(CROWD + 1) as (rows, tokens), side(served(rows, 1), tokens[1:]) as ours:
        with side(socket_io(rows), tokens[1:]) as node:
            for one in (ours, node):
                one.room.stream(Order("stream", WARM_STREAM_SECONDS, rate=RATE))
            pairs = [(streamed(ours), streamed(node)) for _ in range(STREAM_ROUNDS)]
        ratio = median(one.summary.p99_ms / other.summary.p99_ms for one, other in pairs)
        verdict.at_most("chat_p99_over_socket_io", ratio, 0.6)
        judge(verdict, "chat", [one for one, _ in pairs])
        long_streams, is_cut_off = beside_stuck(ours, tokens[0])
        judge(verdict, "chat_beside_stuck", long_streams)
        verdict.at_least("chat_stuck_cut_off", float(is_cut_off), 1.0)


def chat_mem(verdict: Verdict) -> None:
    """Compare the memory of a socket among 1,000 to Socket.IO's on Node."""
    with prepared(CROWD) as (rows, tokens):
        ratios = []
        for _ in range(MEMORY_ROUNDS):
            ours_kb = socket_kilobytes(rows, lambda rows: served(rows, 1), tokens)
            node_kb = socket_kilobytes(rows, socket_io, tokens)
            print(f"a socket: {ours_kb:.1f} kB, Socket.IO {node_kb:.1f} kB", flush=True)
            ratios.append(ours_kb / node_kb)
        verdict.at_most("chat_memory_over_socket_io", median(ratios), 2.0)


@contextlib.contextmanager
def prepared(members: int) -> Iterator[tuple[BenchDatabase, list[str]]]:
    """Give a database with so many members in the chat's rooms, and their tokens."""
    with database() as rows:
        rows.add_members(members)
        for statement in ROOMS.split(";"):
            rows.sql(statement)
        tokens = sign_all_in(rows)
        rows.sql("VACUUM ANALYZE")
        yield rows, tokens


@contextlib.contextmanager
def side(
    running: AbstractContextManager[Server], tokens: list[str], speech: str = SOCKET_IO
) -> Iterator[Side]:
    """Run a server with everybody in its room."""
    with running as target, room(target, tokens, speech) as members:
        yield Side(target, members)


@contextlib.contextmanager
def room(target: Server, tokens: list[str], speech: str = SOCKET_IO) -> Iterator[Room]:
    """Run the members' process, everybody connected."""
    plan = ChatPlan(target.port, speech, tokens)
    with subprocess.Popen(
        [sys.executable, "-m", "bench.chat_load"],
        cwd=ROOT,
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        text=True,
        preexec_fn=pin(LOAD_CPU),
    ) as process:
        members = Room(process)
        try:
            checked(members.order(json.dumps(asdict(plan))))
            yield members
        finally:
            process.terminate()
            process.wait(10)


def checked(content: dict[str, Any]) -> dict[str, Any]:
    """Return an answer of the members' process.

    Raises:
        BenchError: it is a complaint.
    """
    if "error" in content:
        raise BenchError(content["error"])
    return content


def require_equal_frames(ours: Side, theirs: Side) -> None:
    """Refuse to compare frames of different sizes.

    Raises:
        BenchError: they are.
    """
    one, other = ours.volleys[-1].frame_bytes, theirs.volleys[-1].frame_bytes
    if abs(one - other) > UNEQUAL_BYTES:
        raise BenchError(f"frames of {one} and {other} bytes cannot be compared")


def streamed(one: Side) -> Stream:
    """Run one slice at the fixed rate and print its figures."""
    cpu_before = one.server.cpu_seconds()
    told = one.room.stream(Order("stream", STREAM_SECONDS, rate=RATE))
    cpu = one.server.cpu_seconds() - cpu_before
    print(
        f"{one.server.name:24} {told.summary.count / told.summary.seconds:10.0f} ops/s  "
        f"p50 {told.summary.p50_ms:7.2f} ms  p99 {told.summary.p99_ms:8.2f} ms  "
        f"core {cpu / told.summary.seconds:.1%}; lost {told.lost}, doubled {told.doubled}, out of "
        f"order {told.disordered}; the load itself took {told.load_share:.0%} of a core",
        flush=True,
    )
    return told


def judge(verdict: Verdict, key: str, streams: list[Stream]) -> None:
    """Judge what was lost, doubled or out of order."""
    verdict.at_most(f"{key}_lost", sum(one.lost for one in streams), 0)
    verdict.at_most(f"{key}_doubled", sum(one.doubled for one in streams), 0)
    verdict.at_most(f"{key}_disordered", sum(one.disordered for one in streams), 0)


def beside_stuck(ours: Side, token: str) -> tuple[list[Stream], bool]:
    """Send long messages beside a socket that never reads; say whether it was cut off.

    It goes on a little after that, so that the others are judged then too.
    """
    cuts_before = cuts(ours.server)
    ours.room.do(Order("stick", token=token))
    order = Order("stream", STUCK_PIECE_SECONDS, LONG_CHARACTERS, RATE)
    streams: list[Stream] = []
    pieces_left = STUCK_PIECES
    was_cut = False
    while pieces_left > 0:
        streams.append(ours.room.stream(order))
        pieces_left -= 1
        if not was_cut and cuts(ours.server) > cuts_before:
            was_cut = True
            sent = sum(one.messages for one in streams)
            print(f"the stuck socket was cut off within {sent} messages", flush=True)
            pieces_left = PIECES_AFTERWARDS
    end = ours.room.do(Order("unstick"))
    print(f"of which {end['messages']} had left the server; ended: {end['is_ended']}", flush=True)
    return streams, was_cut and bool(end["is_ended"])


def cuts(ours: Server) -> int:
    """Return how many sockets our server has cut off because they do not read."""
    address = f"http://127.0.0.1:{ours.port}/metrics"
    with urllib.request.urlopen(address, timeout=20) as answer:
        lines = answer.read().decode().splitlines()
    return int(sum(float(line.rpartition(" ")[2]) for line in lines if line.startswith(CUT)))


def socket_kilobytes(rows: BenchDatabase, run: Run, tokens: list[str]) -> float:
    """Return what a server keeps in memory for each of many sockets.

    A few sockets come and go first, so that what is loaded with the first is not counted.
    """
    with run(rows) as target:
        with room(target, tokens[:WARM_SOCKETS]) as few:
            few.do(Order("stream", 1.0, rate=RATE))
        time.sleep(SETTLE_SECONDS)
        before = resident_bytes(target)
        with room(target, tokens):
            time.sleep(SETTLE_SECONDS)
            return (resident_bytes(target) - before) / len(tokens) / 1000


def resident_bytes(target: Server) -> int:
    """Return the memory that a server and its living descendants have in use."""
    pages = 0
    for pid in family(target.pid):
        with contextlib.suppress(OSError):
            pages += int(Path(f"/proc/{pid}/statm").read_text(encoding="ascii").split()[1])
    return pages * PAGE_BYTES
