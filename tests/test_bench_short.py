"""Every benchmark runs, with all its peers, and fails if one of them answers wrongly.

Each case is a short run (``bench/scale.py``): it judges every answer, and no time.
"""

import asyncio
import json
import os
import shutil
import subprocess
import sys
from collections.abc import Iterator, Sequence
from contextlib import AbstractContextManager, contextmanager, nullcontext
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from itertools import count
from pathlib import Path
from threading import Thread
from typing import Any

import bench.database
import bench.harness
import bench.rest
import pytest
from api.dev.postgres.embedded import EmbeddedPostgres
from bench import scale
from bench.__main__ import BENCHMARKS, run_one
from bench.database import BenchDatabase
from bench.harness import Server
from bench.subjects import SignedIn
from typing_extensions import override

from tests import preloaded
from tests.databases import copy_migrated
from tests.preloaded import PreloadedPopen

ROOT = Path(__file__).resolve().parents[1]
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
        env={**os.environ, **ready.app_environment(1)},
        timeout=SEED_SECONDS,
    )
    assert seeding.returncode == 0, seeding.stderr
    return ready


@pytest.fixture
def short_run(monkeypatch: pytest.MonkeyPatch) -> None:
    """Make benchmarks short, and fork their processes."""
    monkeypatch.setenv(scale.VARIABLE, "1")
    monkeypatch.setattr(bench.harness, "open_process", open_process)


@pytest.fixture
def databases(
    demo: BenchDatabase, short_run: None, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Give benchmarks databases on the tests' server; the web app is a page without scripts."""
    shutil.copy(ROOT / "web" / "index.html", tmp_path)

    @contextmanager
    def seeded() -> Iterator[BenchDatabase]:
        name = f"bench_{next(numbers)}"
        demo.postgres.run_sql(f"CREATE DATABASE {name} TEMPLATE {SEEDED}")
        try:
            yield BenchDatabase(demo.postgres, demo.var_dir, name)
        finally:
            demo.postgres.run_sql(f"DROP DATABASE {name} WITH (FORCE)")

    monkeypatch.setattr(bench.database, "seeded", seeded)
    monkeypatch.setenv("WEB_DIST", str(tmp_path))


def open_process(command: Sequence[str], **options: Any) -> "subprocess.Popen[str]":
    """Start a program, forked if it is one of Python."""
    start = PreloadedPopen if command[0] == sys.executable else subprocess.Popen
    return start(command, text=True, **options)


async def passes(name: str) -> bool:
    """Run a benchmark in a thread, because it has event loops of its own."""
    return await asyncio.to_thread(run_one, name)


@pytest.mark.parametrize("name", sorted(set(BENCHMARKS) - BROWSER))
async def test_a_benchmark_runs_and_gets_the_right_answers(name: str, databases: None) -> None:
    assert await passes(name)


class Answers(ThreadingHTTPServer):
    """A server that answers everything with the same JSON."""

    daemon_threads = True

    def __init__(self, status: int, balance: int) -> None:
        super().__init__(("127.0.0.1", 0), Answer)
        self.status = status
        self.content = json.dumps({"data": {"balance": balance}}).encode()


class Answer(BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"

    def do_GET(self) -> None:
        assert isinstance(self.server, Answers)
        self.send_response(self.server.status)
        self.send_header("Content-Length", str(len(self.server.content)))
        self.end_headers()
        self.wfile.write(self.server.content)

    @override
    def log_message(self, *_: object) -> None:
        """Log nothing."""


@contextmanager
def answering(name: str, status: int = 200, balance: int = 100) -> Iterator[Server]:
    with Answers(status, balance) as server:
        thread = Thread(target=server.serve_forever, args=(0.01,))
        thread.start()
        try:
            yield Server(name, server.server_port, os.getpid())
        finally:
            server.shutdown()
            thread.join()


def stand_ins(monkeypatch: pytest.MonkeyPatch, wrong: str = "", **wrongs: int) -> None:
    """Replace the three servers of ``rest-balance``; one of them answers otherwise."""

    def replace(name: str) -> None:
        def start(_rows: object) -> AbstractContextManager[Server]:
            return answering(name, **(wrongs if name == wrong else {}))

        monkeypatch.setattr(bench.rest, name, start)

    for name in ("our_server", "express", "django"):
        replace(name)
    monkeypatch.setattr(bench.rest, "database", nullcontext)
    monkeypatch.setattr(bench.rest, "sign_in", lambda _: SignedIn("1", "token"))


async def test_three_servers_with_the_same_right_answer_pass(
    short_run: None, monkeypatch: pytest.MonkeyPatch
) -> None:
    stand_ins(monkeypatch)

    assert await passes("rest-balance")


@pytest.mark.parametrize("server", ["our_server", "express", "django"])
async def test_one_server_with_an_error_fails_a_short_run(
    server: str,
    short_run: None,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    stand_ins(monkeypatch, server, status=500)

    assert not await passes("rest-balance")
    assert f"ERROR rest-balance: {server} answered {{'500': " in capsys.readouterr().out


@pytest.mark.parametrize("server", ["our_server", "express", "django"])
async def test_one_server_with_another_answer_fails_a_short_run(
    server: str,
    short_run: None,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    stand_ins(monkeypatch, server, balance=99)

    assert not await passes("rest-balance")
    assert '"balance": 99' in capsys.readouterr().out


async def test_a_peer_that_does_not_start_fails_a_short_run(
    databases: None, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setenv("NODE", "false")

    assert not await passes("chat-limit")
    assert "uWebSockets publish ended with 1" in capsys.readouterr().out
