"""Live score: the time until the last of a thousand screens shows a goal."""

import contextlib
import json
from collections.abc import Iterator
from contextlib import AbstractContextManager
from dataclasses import asdict
from datetime import timedelta

from api.foundation.core import clock
from api.foundation.core.config import DEVELOPMENT_KEYS

from bench import scale
from bench.battle import served
from bench.chat_stage import checked
from bench.database import database
from bench.harness import (
    LoadProcess,
    Server,
    Slice,
    Subject,
    Verdict,
    figures,
    interleave,
    load_process,
    paired,
)
from bench.live_load import LivePlan
from bench.load import Summary
from bench.subjects import sign_all_in, socket_io_scores

SCREENS = 1000
GOALS_SECONDS = 2.0
ROUNDS = 7
MIN_GOALS = 10
# Both sides have the match: ours in our table, as pushed earlier, the peer's in its own.
MATCH_OF_PEER = """
CREATE TABLE bench_fixture (
  id uuid PRIMARY KEY DEFAULT gen_random_uuid(), ref text NOT NULL UNIQUE, state text NOT NULL,
  home_goals int, away_goals int, version int NOT NULL DEFAULT 1, kick_off_at timestamptz NOT NULL,
  phase_started_at timestamptz, updated_at timestamptz NOT NULL DEFAULT now());
INSERT INTO bench_fixture (ref, state, kick_off_at)
VALUES ('bench', 'scheduled', now() - interval '10 minutes')
"""
CLUBS = """
SELECT string_agg(name, '/' ORDER BY name)
  FROM (SELECT name FROM club ORDER BY name LIMIT 2) two
"""


def live_score(verdict: Verdict) -> None:
    """Compare the time until the last of 1,000 screens has a goal with Socket.IO's on Node."""
    with database(plenty=False) as rows:
        rows.add_members(scale.room(SCREENS))
        for statement in MATCH_OF_PEER.split(";"):
            rows.sql(statement)
        home, _, away = rows.sql(CLUBS).strip().partition("/")
        plan = LivePlan(
            0, sign_all_in(rows), DEVELOPMENT_KEYS["fixture_feed_key"], match(home, away)
        )
        with (
            audience(served(rows, 1), plan) as ours,
            audience(socket_io_scores(rows), plan) as node,
        ):
            interleave([ours, node], ROUNDS)
            cpu = paired(ours, node, "cpu_us_per_operation")
            print(f"processor time of a goal: {cpu:.2f} x Socket.IO's, not judged", flush=True)
            verdict.at_most("live_score_last_over_socket_io", paired(ours, node, "p50_ms"), 1.0)


def match(home: str, away: str) -> dict[str, str]:
    """Return the match in the feed's columns; all screens belong to members of the home team."""
    kick_off = clock.now().replace(microsecond=0) - timedelta(minutes=10)
    return {
        "ref": "bench",
        "competition": "Bench",
        "season": "2026",
        "home": home,
        "away": away,
        "kick_off_at": kick_off.isoformat(),
    }


@contextlib.contextmanager
def audience(running: AbstractContextManager[Server], plan: LivePlan) -> Iterator[Subject]:
    """Run a server with all screens connected; a slice is some seconds of goals."""
    with running as target, load_process("bench.live_load") as process:
        screens = LoadProcess(process)
        checked(screens.order(json.dumps(asdict(plan) | {"port": target.port})))

        def run_slice() -> Slice:
            cpu_before = target.cpu_seconds()
            summary = checked(screens.order(str(scale.seconds(GOALS_SECONDS))))
            return figures(
                Summary(**summary), target.cpu_seconds() - cpu_before, min_count=MIN_GOALS
            )

        yield Subject(target.name, run_slice)
