"""Battle Zone: everyone answers at once, and thousands play with a countdown each second."""

import contextlib
import json
import tempfile
from collections.abc import Iterator
from dataclasses import asdict
from pathlib import Path

from api.dev.valkey import EmbeddedValkey

from bench import scale
from bench.battle_plan import BattlePlan, Played
from bench.database import BenchDatabase, database
from bench.harness import BenchError, LoadProcess, Server, Verdict, load_process
from bench.load import Summary
from bench.subjects import our_server, our_server_without_ticks, sign_all_in

BURST_PLAYERS = 1000
BURSTS = 5
PLAYERS = 2000
PLAY_SECONDS = 15.0
SLICES = 3
THINKING_SECONDS = 10

PLAN = """
INSERT INTO plan (id, plan, amount_kobo, duration, period, benefits, battle_zone, position)
VALUES ('00000000-0000-7000-8000-0000000000b1', 'Bench', 0, 1, 'year', '{}', true, 99);
INSERT INTO subscription (id, user_id, plan_id, starts_at, ends_at, amount_kobo)
SELECT gen_random_uuid(), id, '00000000-0000-7000-8000-0000000000b1', now() - interval '1 day',
       now() + interval '1 year', 0 FROM user_account WHERE email LIKE 'bench%'
"""
SEASON = "UPDATE season SET questions_per_day = 100, question_time_limit = {seconds}"
QUESTIONS = """
INSERT INTO question (id, slug, kind, topic, question, options, right_option, explanation, source,
                      difficulty)
SELECT gen_random_uuid(), 'bench-' || n, 'battle', 'Laws', 'Bench question ' || n || '?',
       ARRAY['One', 'Two', 'Three', 'Four'], n % 4, 'Because it is.', 'Bench', 1 + n % 3
  FROM generate_series(1, 400) n
"""
# Earlier rounds are over and long ago, so that everyone may play again.
YESTERYEAR = """
UPDATE battle_attempt
   SET day = day - (SELECT 40 + current_date - min(day) FROM battle_attempt),
       outcome = coalesce(outcome, 'timeout'), closed_at = coalesce(closed_at, opened_at)
 WHERE day > current_date - 30
"""
STORED = "SELECT count(*) FROM battle_attempt WHERE outcome IN ('right', 'wrong')"


def battle_burst(verdict: Verdict) -> None:
    """A thousand members answer at once: all are stored, cheaply and fast."""
    players, rounds = scale.people(BURST_PLAYERS), scale.rounds(BURSTS)
    with prepared(players, limit_seconds=60) as (rows, tokens):
        for workers in scale.variants((1, 2)):
            before = int(rows.sql(STORED))
            with served(rows, workers) as ours, crowd(ours, tokens, 0.0) as load:
                bursts = [burst(ours, load) for _ in range(rounds)]
            stored = int(rows.sql(STORED)) - before
            cpu_ms = [cpu / players * 1000 for _, cpu in bursts]
            frames = [played.frames / players for played, _ in bursts]
            p99_s = [played.summary.p99_ms / 1000 for played, _ in bursts]
            print(f"{workers} worker(s): {stored} of {rounds * players} answers stored")
            name = f"{workers}w"
            verdict.at_least(f"stored_{name}", stored / (rounds * players), 1.0, exact=True)
            verdict.at_most(f"cpu_ms_per_answer_{name}", median(cpu_ms), 0.25)
            verdict.at_most(f"frames_per_answer_{name}", median(frames), 2.0)
            verdict.at_most(f"p99_seconds_{name}", median(p99_s), 0.5)


def battle_ticks(verdict: Verdict) -> None:
    """Compare two thousand players with a countdown each second to the same without."""
    with prepared(scale.people(PLAYERS), limit_seconds=THINKING_SECONDS + 5) as (rows, tokens):
        for workers in scale.variants((1, 2)):
            ratios, p99_ms = [], []
            for _ in range(scale.rounds(SLICES)):
                with_ticks, result = play(rows, tokens, workers, ticks=True)
                without, _ = play(rows, tokens, workers, ticks=False)
                ratios.append(with_ticks / max(without, 1e-9))
                p99_ms.append(result.summary.p99_ms)
                print(
                    f"{workers} worker(s): {result.summary.count / result.summary.seconds:.0f} "
                    f"answers/s, {result.ticks / result.summary.seconds:.0f} ticks/s, core "
                    f"{with_ticks:.1%} with ticks, {without:.1%} without, answer p50 "
                    f"{result.summary.p50_ms:.1f} ms, p99 {result.summary.p99_ms:.1f} ms",
                    flush=True,
                )
            verdict.at_most(f"ticks_over_none_{workers}w", median(ratios), 1.3)
            verdict.at_most(f"answer_p99_ms_{workers}w", median(p99_ms), 10.0)


@contextlib.contextmanager
def prepared(players: int, *, limit_seconds: int) -> Iterator[tuple[BenchDatabase, list[str]]]:
    """Yield a database with that many members who may play, and their tokens."""
    with database() as rows:
        rows.add_members(players)
        for statement in [*PLAN.split(";"), SEASON.format(seconds=limit_seconds), QUESTIONS]:
            rows.sql(statement)
        tokens = sign_all_in(rows)
        rows.sql("VACUUM ANALYZE")
        yield rows, tokens


@contextlib.contextmanager
def served(
    rows: BenchDatabase, workers: int, *, ticks: bool = True, **settings: str
) -> Iterator[Server]:
    """Run our server; two workers share the cores and a Valkey."""
    start = our_server if ticks else our_server_without_ticks
    if workers == 1:
        with start(rows, pinned=True, LOG_LEVEL="ERROR", **settings) as ours:
            yield ours
        return
    with (
        tempfile.TemporaryDirectory(prefix="kof-bench-valkey-") as folder,
        EmbeddedValkey(Path(folder)) as valkey,
        start(
            rows,
            pinned=False,
            WORKERS=str(workers),
            VALKEY_URL=valkey.url,
            LOG_LEVEL="ERROR",
            **settings,
        ) as ours,
    ):
        yield ours


class Players(LoadProcess):
    """The players' process."""

    def played(self, line: str) -> Played:
        """Send a line and return the result."""
        content = self.order(line)
        return Played(Summary(**content["summary"]), int(content["frames"]), int(content["ticks"]))


@contextlib.contextmanager
def crowd(ours: Server, tokens: list[str], seconds: float) -> Iterator[Players]:
    """Run the players' process with everyone connected."""
    plan = BattlePlan(ours.port, tokens, scale.seconds(seconds), scale.seconds(THINKING_SECONDS))
    with load_process("bench.battle_load") as process:
        load = Players(process)
        load.order(json.dumps(asdict(plan)))
        yield load


def burst(ours: Server, load: Players) -> tuple[Played, float]:
    """Send all a question, then have all answer; return the result and the server's CPU seconds."""
    load.order("question")
    cpu_before = ours.cpu_seconds()
    played = load.played("answer")
    return played, ours.cpu_seconds() - cpu_before


def play(
    rows: BenchDatabase, tokens: list[str], workers: int, *, ticks: bool
) -> tuple[float, Played]:
    """Have everyone play; return the server's share of a core, and the result."""
    rows.sql(YESTERYEAR)
    with served(rows, workers, ticks=ticks) as ours, crowd(ours, tokens, PLAY_SECONDS) as load:
        load.order("question")
        cpu_before = ours.cpu_seconds()
        played = load.played("play")
        cpu = ours.cpu_seconds() - cpu_before
    if played.summary.count < scale.min_count(PLAYERS):
        raise BenchError(f"only {played.summary.count} answers: too few to mean anything")
    return cpu / played.summary.seconds, played


def median(values: list[float]) -> float:
    """Return the median."""
    return sorted(values)[len(values) // 2]
