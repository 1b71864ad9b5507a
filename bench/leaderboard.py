"""Boards: a member's rank among ten thousand and among a million members, and a sorted set."""

import asyncio
import random
import tempfile
import time
from collections.abc import Awaitable, Callable, Mapping, Sequence
from datetime import date
from pathlib import Path
from typing import Any, TypeAlias
from uuid import UUID

import valkey.asyncio
from api.dev.valkey import EmbeddedValkey
from api.foundation.core.config import Settings
from api.foundation.database.database import Database
from api.foundation.database.statements import Row
from api.games.ranking.repository import boards
from api.games.ranking.repository.boards import ALL_CLUBS

from bench import scale
from bench.database import BenchDatabase, database
from bench.harness import BenchError, Verdict

Reading: TypeAlias = Callable[[int], Awaitable[Any]]

FEW, MANY = 10_000, 1_000_000
CALLS = 2_000
ROUNDS = 5
CALLERS = 4
PAGE = 50
SEED = 20_261_121
DAYS = (date(2020, 1, 1), date(2020, 1, 2))  # of the small and the large board
BATCH = 10_000
ASKED = 1_000
SORTED_SET = "board"
LIST_TOTALS = """
SELECT t.user_id, t.points FROM board_total t JOIN board b ON b.id = t.board_id
 WHERE b.starts_on = $1
"""

# Members, totals and histogram are as the folds would write them; the distribution of points is
# realistic: few members have many.
FILL = """
SET session_replication_role = replica;
INSERT INTO user_account (id, club_id, first_name, last_name, email, phone, terms_accepted_at,
                          activated_at)
SELECT ('00000000-0000-7000-8000-' || lpad(to_hex(n), 12, '0'))::uuid, club.id, 'Bench',
       'Member ' || n, 'board' || n || '@example.com', '+235' || lpad(n::text, 10, '0'), now(),
       now()
  FROM generate_series(1, {many}) n
  JOIN (SELECT id, row_number() OVER (ORDER BY name) - 1 AS place, count(*) OVER () AS clubs
          FROM club) club ON club.place = n % club.clubs;
INSERT INTO board (period, starts_on) VALUES ('day', '2020-01-01'), ('day', '2020-01-02');
INSERT INTO board_total (board_id, user_id, club_id, points, elapsed_ms, reached_at)
SELECT b.id, u.id, u.club_id, (5000 * power(random(), 3))::int + 1, (random() * 100000)::int,
       now() - random() * interval '90 days'
  FROM board b JOIN user_account u ON u.email LIKE 'board%'
 WHERE b.period = 'day'
   AND (b.starts_on = '2020-01-02' OR substr(u.email, 6, length(u.email) - 17)::int <= {few});
INSERT INTO rank_histogram (board_id, club_id, level, bucket, members)
SELECT board_id, whose, level, bucket, count(*)
  FROM board_total t
  CROSS JOIN LATERAL (VALUES (t.club_id), ('00000000-0000-0000-0000-000000000000'::uuid)) w (whose)
  CROSS JOIN LATERAL (
    VALUES (1, t.points / 1000), (2, t.points / 100), (3, t.points / 10), (4, t.points)
  ) AS side (level, bucket)
 GROUP BY board_id, whose, level, bucket
 ON CONFLICT DO NOTHING;
"""
EXPLAIN = "EXPLAIN (COSTS OFF) EXECUTE rows({board}, '{club}', 0, 10)"


def leaderboard(verdict: Verdict) -> None:
    """Compare a member's rank among a million with ten thousand, and with a sorted set."""
    with database() as rows, tempfile.TemporaryDirectory(prefix="kof-bench-valkey-") as folder:
        began = time.monotonic()
        rows.sql(FILL.format(many=scale.rows(MANY), few=scale.rows(FEW)))
        rows.sql("VACUUM ANALYZE")
        print(f"{scale.rows(MANY)} members written in {time.monotonic() - began:.0f} s", flush=True)
        require_indexes(rows)
        with EmbeddedValkey(Path(folder)) as peer:
            figures = asyncio.run(measure(rows, peer.url))
    for name, call_ms in figures.items():
        print(f"{name:28} {call_ms:.3f} ms a call", flush=True)
    verdict.at_most("million_over_ten_thousand", figures["rank, 1M"] / figures["rank, 10k"], 2.0)
    verdict.at_most("rank_over_zrevrank", figures["rank, 1M"] / figures["ZREVRANK, 1M"], 2.0)


def require_indexes(rows: BenchDatabase) -> None:
    """Print the plans of the boards' first pages.

    Raises:
        BenchError: one of them reads or sorts the whole board.
    """
    board = rows.sql("SELECT id FROM board WHERE starts_on = '2020-01-02'").strip()
    club = rows.sql("SELECT id FROM club ORDER BY name LIMIT 1").strip()
    for name, query, whose in (
        ("top 10 of all clubs", boards.LIST_ALL_ROWS, str(ALL_CLUBS)),
        ("top 10 of a club", boards.LIST_CLUB_ROWS, club),
    ):
        plan = rows.sql(
            f"PREPARE rows (int, uuid, int, int) AS {query.statement};"
            + EXPLAIN.format(board=board, club=whose)
        )
        print(f"--- {name}\n{plan}", flush=True)
        if "Index" not in plan or "Seq Scan on board_total" in plan:
            raise BenchError(f"{name} does not come from an index")


async def measure(rows: BenchDatabase, valkey_url: str) -> dict[str, float]:
    """Return the median milliseconds of each reading, over alternating rounds."""
    settings = Settings(database_url=rows.url)
    ours = Database(
        settings.database_url, runtime_role=settings.database_runtime_role, pool_size=CALLERS
    )
    peer = valkey.asyncio.Valkey.from_url(valkey_url)
    totals = await ours.fetch_rows(LIST_TOTALS, DAYS[1])
    await fill_sorted_set(peer, totals)
    dice = random.Random(SEED)  # noqa: S311 - the same members in every run
    asked = scale.people(ASKED)
    numbers = dice.sample(range(1, scale.rows(FEW)), asked)
    few = [UUID(f"00000000-0000-7000-8000-{n:012x}") for n in numbers]
    many = [row["user_id"] for row in dice.sample(list(totals), asked)]
    small, large = (
        int(rows.sql(f"SELECT id FROM board WHERE starts_on = '{day}'"))  # noqa: S608 our own days
        for day in DAYS
    )

    async def own_rank(board_id: int, user_id: UUID) -> None:
        row = await boards.read_own(ours, board_id, ALL_CLUBS, user_id)
        if row is None:
            raise BenchError("a member without a rank was measured")

    medians = await alternate(
        {
            "rank, 10k": lambda n: own_rank(small, few[n % asked]),
            "rank, 1M": lambda n: own_rank(large, many[n % asked]),
            "ZREVRANK, 1M": lambda n: peer.zrevrank(SORTED_SET, str(many[n % asked])),
            "top 10, 1M": lambda _: boards.list_rows(ours, large, ALL_CLUBS, offset=0, limit=10),
        }
    )
    await ours.close()
    await peer.aclose()
    return medians


async def fill_sorted_set(peer: valkey.asyncio.Valkey, totals: Sequence[Row]) -> None:
    """Fill the peer with the same members and points; its memory is not measured."""
    await peer.config_set("maxmemory", "0")
    for start in range(0, len(totals), BATCH):
        scores = {str(row["user_id"]): row["points"] for row in totals[start : start + BATCH]}
        await peer.zadd(SORTED_SET, scores)


async def alternate(readings: Mapping[str, Reading]) -> dict[str, float]:
    """Warm up every reading, then alternate; return their median milliseconds per call.

    A few callers share the work, equally on both sides: a single caller mostly measures how long an
    idle CPU takes to wake up.
    """
    taken: dict[str, list[float]] = {name: [] for name in readings}
    rounds, calls = scale.rounds(ROUNDS), scale.rows(CALLS)
    warm_ups = scale.warm_ups()
    for _ in range(warm_ups + rounds):
        for name, read in readings.items():
            began = time.perf_counter()
            await asyncio.gather(*(call_in_turn(read, caller) for caller in range(CALLERS)))
            taken[name].append((time.perf_counter() - began) * 1000 / calls)
    return {name: sorted(times[warm_ups:])[rounds // 2] for name, times in taken.items()}


async def call_in_turn(read: Reading, caller: int) -> None:
    """Make this caller's share of the calls sequentially."""
    for number in range(caller, scale.rows(CALLS), CALLERS):
        await read(number)
