"""Every benchmark runs, with all its peers, and fails if one of them answers wrongly.

Each case is a short run (``bench/scale.py``): it judges every answer, and no time.
"""

import asyncio
import subprocess
import sys
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from itertools import count
from typing import Any

import bench.database
import bench.harness
import pytest
from api.dev.postgres.embedded import EmbeddedPostgres
from bench import scale
from bench.__main__ import BENCHMARKS, run_one
from bench.database import BenchDatabase

from tests import preloaded
from tests.databases import copy_migrated
from tests.preloaded import PreloadedPopen

SEEDED = "bench_seeded"
SEED_SECONDS = 120.0
BROWSER = {name for name in BENCHMARKS if name.startswith("web-")}
numbers = count(1)


@pytest.fixture(scope="module")
def demo(postgres: EmbeddedPostgres, tmp_path_factory: pytest.TempPathFactory) -> BenchDatabase:
    """A database with the demo data, which every case copies."""
    copy_migrated(postgres, SEEDED)
    ready = BenchDatabase(postgres, tmp_path_factory.mktemp("demo"), SEEDED)
    seeding = preloaded.run(
        [sys.executable, "-m", "api.dev", "seed"],
        env={"PATH": "", **ready.app_environment(1)},
        timeout=SEED_SECONDS,
    )
    assert seeding.returncode == 0, seeding.stderr
    return ready


@pytest.fixture
def short_run(demo: BenchDatabase, monkeypatch: pytest.MonkeyPatch) -> None:
    """Make benchmarks short, with databases on the tests' server and forked processes."""

    @contextmanager
    def seeded() -> Iterator[BenchDatabase]:
        name = f"bench_{next(numbers)}"
        demo.postgres.run_sql(f"CREATE DATABASE {name} TEMPLATE {SEEDED}")
        try:
            yield BenchDatabase(demo.postgres, demo.var_dir, name)
        finally:
            demo.postgres.run_sql(f"DROP DATABASE {name} WITH (FORCE)")

    monkeypatch.setenv(scale.VARIABLE, "1")
    monkeypatch.setattr(bench.database, "seeded", seeded)
    monkeypatch.setattr(bench.harness, "open_process", open_process)


def open_process(command: Sequence[str], **options: Any) -> "subprocess.Popen[str]":
    """Start a program, forked if it is one of Python."""
    start = PreloadedPopen if command[0] == sys.executable else subprocess.Popen
    return start(command, text=True, **options)


async def passes(name: str) -> bool:
    """Run a benchmark in a thread, because it has event loops of its own."""
    return await asyncio.to_thread(run_one, name)


@pytest.mark.parametrize("name", sorted(set(BENCHMARKS) - BROWSER))
async def test_a_benchmark_runs_and_gets_the_right_answers(name: str, short_run: None) -> None:
    assert await passes(name)
