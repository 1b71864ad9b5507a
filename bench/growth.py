"""Growth: a member's calls among a million members, compared with the demo's database."""

import asyncio
import contextlib
import sys
from collections.abc import Iterator
from datetime import timedelta
from statistics import median
from uuid import UUID

from api.foundation.core import clock
from api.foundation.core.config import DEVELOPMENT_TOKEN_KEY
from api.foundation.security.tokens import TokenCodec

from bench import scale
from bench.database import ADD_CREDITS, RICH_KOBO, WALLETS, BenchDatabase, database
from bench.growth_calls import Call, calls, make
from bench.growth_fill import grow, many
from bench.growth_people import Person, play, talk
from bench.growth_plans import executed, explain, listen, read_whole, removals, whole_reads
from bench.harness import Server, Verdict, port_of, server
from bench.load import summarise

# Members with the same habits in the demo: they have as many rows, so pages have the same length.
FEW = 1000
PEOPLE = 400
EXPLAINED = 5  # members whose calls are logged, not timed
CHUNK = 100
ROUNDS = 2
GOAL = 2.0
LAST = "buy a plan"  # ends the plan that allows the members to play

# A sample of the large database's members, evenly spaced, with all their rows.
CHOSEN = """
UPDATE user_account SET email = 'bench' || email
 WHERE id IN (SELECT grown(0, 1 + k::bigint * ({members} - 1) / {people})
                FROM generate_series(0, {people} - 1) k)
"""
SESSIONS = """
INSERT INTO session (id, user_id, expires_at)
SELECT gen_random_uuid(), id, now() + interval '1 day' FROM user_account
 WHERE email LIKE 'bench%' RETURNING user_id || '|' || id
"""
SIGNED_IN = """
SELECT s.id, u.id, c.id, c.name FROM user_account u JOIN club c ON c.id = u.club_id
  JOIN LATERAL (SELECT id FROM session WHERE user_id = u.id ORDER BY created_at DESC LIMIT 1) s
       ON true
 WHERE u.email LIKE 'bench%' ORDER BY md5(u.id::text)
"""
STOCKED = "UPDATE product_variant SET stock = 1000000000"


class Side:
    """A database with its server, the calling members, and their latencies."""

    def __init__(self, rows: BenchDatabase, ours: Server, people: list[Person]) -> None:
        self.rows, self.ours, self.people = rows, ours, people
        product, plan = (
            rows.sql(f"SELECT id FROM {table} ORDER BY position, id LIMIT 1").strip()  # noqa: S608 our own words
            for table in ("product", "plan")
        )
        self.calls = calls(product, plan)
        self.taken: dict[str, list[list[float]]] = {}

    def make(self, call: Call, people: list[Person], *, is_timed: bool = True) -> None:
        """Have these members make a call."""
        taken = asyncio.run(make(call, self.ours.port, people))
        if is_timed:
            self.taken.setdefault(call.name, []).append(taken)

    def meet(self, people: list[Person], *, is_timed: bool = True) -> None:
        """Have these members play and chat."""
        for meeting in (play, talk):
            for name, taken in asyncio.run(meeting(self.ours.port, people)).items():
                if is_timed:
                    self.taken.setdefault(name, []).append(taken)


def growth(verdict: Verdict) -> None:
    """Compare the p99 of a member's calls among a million members with the demo's; print plans."""
    with database() as demo, database() as large_db:
        grow(demo, scale.rows(FEW))
        grow(large_db, many())
        compare(verdict, demo, large_db)


def compare(verdict: Verdict, demo: BenchDatabase, large_db: BenchDatabase) -> None:
    """Time every call alternately on both sides, then inspect the large database's plans."""
    for rows, members in ((demo, scale.rows(FEW)), (large_db, many())):
        rows.sql(CHOSEN.format(members=members, people=scale.people(PEOPLE) + EXPLAINED))
        rows.sql(ADD_CREDITS.format(kobo=RICH_KOBO))
        rows.sql(WALLETS.format(kobo=RICH_KOBO))
    with side(demo, "demo", 0) as small, side(large_db, "grown", 1) as large:
        before = whole_reads(large_db)
        time_calls((small, large))
        after = whole_reads(large_db)
        log = written_down(large)
    print(f"{'call':24}{'demo p50':>10}{'p99':>8}{'grown p50':>12}{'p99':>8}  ms")
    ratios = {}
    for name, taken in small.taken.items():
        one, other = (
            [summarise(some, 1.0) for some in slices] for slices in (taken, large.taken[name])
        )
        ratios[name] = median(b.p99_ms / a.p99_ms for a, b in zip(one, other, strict=True))
        shown = [
            median(getattr(s, f) for s in side)
            for side in (one, other)
            for f in ("p50_ms", "p99_ms")
        ]
        print(f"{name:24}{shown[0]:10.2f}{shown[1]:8.2f}{shown[2]:12.2f}{shown[3]:8.2f}")
    for name, ratio in ratios.items():
        verdict.at_most(name.replace(", ", "_").replace(" ", "_"), ratio, GOAL)
    for table in after:
        if after[table] > before.get(table, 0):
            print(f"{table} was read whole {after[table] - before.get(table, 0)} times")
    verdict.at_most(
        "large_tables_read_whole",
        sum(after[one] > before.get(one, 0) for one in after),
        0,
        exact=True,
    )
    verdict.at_most("plans_that_read_one_whole", require_indexes(large_db, log), 0, exact=True)


def time_calls(sides: tuple[Side, Side]) -> None:
    """Make every call on both sides, a hundred members each in turn."""
    people, rounds = scale.people(PEOPLE), scale.rounds(ROUNDS)
    for pair in zip(sides[0].calls, sides[1].calls, strict=True):
        if pair[0].name == LAST:
            time_meetings(sides)
        for _ in range(0 if pair[0].is_once else scale.warm_ups()):
            for one, call in zip(sides, pair, strict=True):
                one.make(call, one.people[:CHUNK], is_timed=False)
        for first in range(0, people * (1 if pair[0].is_once else rounds), CHUNK):
            for one, call in zip(sides, pair, strict=True):
                one.make(call, one.people[first % people : min(people, first % people + CHUNK)])


def time_meetings(sides: tuple[Side, Side]) -> None:
    """Have all members play and chat, a hundred members of each side in turn."""
    people = scale.people(PEOPLE)
    for first in range(0, people, CHUNK):
        for one in sides:
            one.meet(one.people[first : min(people, first + CHUNK)])


def written_down(large: Side) -> str:
    """Have a few members make every call once more; return the database's log."""
    path = large.rows.postgres.log_path
    begins_at = path.stat().st_size
    few = large.people[scale.people(PEOPLE) :]
    listen(large.rows, is_on=True)
    for call in large.calls:
        if call.name == LAST:
            large.meet(few, is_timed=False)
        large.make(call, few, is_timed=False)
    listen(large.rows, is_on=False)
    with path.open("rb") as log:
        log.seek(begins_at)
        return log.read().decode("utf-8", "replace")


def require_indexes(rows: BenchDatabase, log: str) -> int:
    """Print every statement's plan, including housekeeping; return how many read a whole table."""
    failed = 0
    for statement in (*executed(log), *removals()):
        plan = explain(rows, statement)
        print(f"--- {' '.join(statement.sql.split())[:160]}\n{plan}", flush=True)
        for table in read_whole(rows, plan):
            failed += 1
            print(f"READ WHOLE: {table}", flush=True)
    return failed


@contextlib.contextmanager
def side(rows: BenchDatabase, name: str, place: int) -> Iterator[Side]:
    """Run our server on a database with its members signed in."""
    rows.sql(STOCKED)
    rows.sql(SESSIONS)
    rows.sql("VACUUM ANALYZE session, user_account, ledger_account")
    codec = TokenCodec(DEVELOPMENT_TOKEN_KEY)
    issued_at = clock.now() - timedelta(seconds=5)
    people = []
    for line in rows.sql(SIGNED_IN).splitlines():
        session_id, user_id, club_id, club = line.split("|")
        token = codec.issue(UUID(user_id), UUID(session_id), issued_at)
        people.append(Person(user_id, token, club_id, club))
    command, port = [sys.executable, "-m", "api.foundation.server"], port_of(place)
    environment = rows.app_environment(port)
    with server(name, command, port, environment, pinned=False) as ours:
        yield Side(rows, ours, people)
