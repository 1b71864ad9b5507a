"""A server with a full room, for the chat benchmarks."""

import contextlib
import json
from collections.abc import Iterator
from contextlib import AbstractContextManager
from dataclasses import asdict, dataclass, field
from statistics import median
from typing import Any

from bench import scale
from bench.chat_plan import FIRST_SEQ, SOCKET_IO, ChatPlan, Order, Stream, Volley
from bench.database import BenchDatabase, database
from bench.harness import BenchError, LoadProcess, Server, Slice, Subject, figures, load_process
from bench.load import Summary
from bench.subjects import sign_all_in

VOLLEY_SECONDS = 2.0
UNEQUAL_BYTES = 8  # maximum difference between two subjects' frames
PUBLIC_ROOM = "00000000-0000-0000-0000-000000000000"
# Everyone is in one club, has a name of the same length, and has joined both rooms.
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


class Room(LoadProcess):
    """The members' process, controlled by one order per line."""

    def do(self, order: Order) -> dict[str, Any]:
        """Send an order and return the result.

        Raises:
            BenchError: the process failed; the message says why.
        """
        return checked(self.order(json.dumps(asdict(order))))

    def volley(self, order: Order) -> Volley:
        """Send messages, one in flight."""
        content = self.do(order)
        sums = {key: Summary(**content[key]) for key in ("summary", "rounds")}
        return Volley(**{**content, **sums})

    def stream(self, order: Order) -> Stream:
        """Send messages at a fixed rate."""
        content = self.do(order)
        return Stream(**{**content, "summary": Summary(**content["summary"])})


@dataclass
class Side:
    """A server with its room, and the results of its volleys."""

    server: Server
    room: Room
    volleys: list[Volley] = field(default_factory=list)

    def volley(self, frame_bytes: int = 0) -> Slice:
        """Run one slice with one message in flight."""
        cpu_before = self.server.cpu_seconds()
        volley = self.room.volley(
            Order("volley", scale.seconds(VOLLEY_SECONDS), frame_bytes=frame_bytes)
        )
        cpu_used = self.server.cpu_seconds() - cpu_before
        self.volleys.append(volley)
        return figures(volley.summary, cpu_used)

    def subject(self, name: str | None = None) -> Subject:
        """Return this side of a comparison."""
        return Subject(name or self.server.name, self.volley)

    def explain(self) -> None:
        """Print what the figures are based on."""
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


@contextlib.contextmanager
def prepared(members: int) -> Iterator[tuple[BenchDatabase, list[str]]]:
    """Yield a database with that many members in the chat's rooms, and their tokens."""
    with database() as rows:
        rows.add_members(scale.room(members))
        for statement in ROOMS.split(";"):
            rows.sql(statement)
        tokens = sign_all_in(rows)
        rows.sql("VACUUM ANALYZE")
        yield rows, tokens


@contextlib.contextmanager
def side(
    running: AbstractContextManager[Server], tokens: list[str], speech: str = SOCKET_IO
) -> Iterator[Side]:
    """Run a server with everyone in its room."""
    with running as target, room(target, tokens, speech) as members:
        yield Side(target, members)


@contextlib.contextmanager
def room(target: Server, tokens: list[str], speech: str = SOCKET_IO) -> Iterator[Room]:
    """Run the members' process with everyone connected."""
    plan = ChatPlan(target.port, speech, tokens)
    with load_process("bench.chat_load") as process:
        members = Room(process)
        checked(members.order(json.dumps(asdict(plan))))
        yield members


def checked(content: dict[str, Any]) -> dict[str, Any]:
    """Return a result of the members' process.

    Raises:
        BenchError: it is an error.
    """
    if "error" in content:
        raise BenchError(content["error"])
    return content


def require_equal_frames(ours: Side, theirs: Side) -> None:
    """Check that frames have the same size.

    Raises:
        BenchError: they differ.
    """
    one, other = ours.volleys[-1].frame_bytes, theirs.volleys[-1].frame_bytes
    if abs(one - other) > UNEQUAL_BYTES:
        raise BenchError(f"frames of {one} and {other} bytes cannot be compared")
