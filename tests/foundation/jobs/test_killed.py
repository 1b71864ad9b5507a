"""kill -9 between a commit and its mail, and while sending it."""

import asyncio
import contextlib
import os
import signal
from collections.abc import AsyncIterator, Iterator
from contextlib import asynccontextmanager
from pathlib import Path

import pytest
from api.foundation.core.config import Settings
from api.foundation.database.database import Database

from tests.conftest import CLUB_A
from tests.foundation.jobs.conftest import Bench
from tests.mail_server import MailServer, running
from tests.preloaded import PreloadedProcess, start
from tests.waiting import until

ROOT = Path(__file__).resolve().parents[3]
SIGN_UP_AND_DIE = """
import os, signal, sys, httpx, asyncio
from api.main import create_app
from api.foundation.core.config import Settings

async def main():
    app = create_app(Settings())
    async with app.router.lifespan_context(app):
        client = httpx.AsyncClient(transport=httpx.ASGITransport(app), base_url="http://house")
        answer = await client.post("/api/v1/signup", json={
            "firstName": "Bello", "lastName": "Musa", "email": "bello@example.com",
            "username": "bello@example.com", "phone": "08031234567",
            "password": "a long enough secret", "club": sys.argv[1], "tnc": True})
        assert answer.status_code == 201, answer.text
        os.kill(os.getpid(), signal.SIGKILL)

asyncio.run(main())
"""


@pytest.fixture
def mail(unused_tcp_port: int) -> Iterator[tuple[MailServer, str]]:
    server = MailServer()
    with running(server, unused_tcp_port) as url:
        yield server, url


def environment(settings: Settings, smtp_url: str) -> dict[str, str]:
    return {
        "PATH": os.environ["PATH"],
        "PYTHONPATH": str(ROOT),
        "APP_ENV": "test",
        "DATABASE_URL": settings.database_url,
        "VAR_DIR": str(settings.var_dir),
        "SMTP_URL": smtp_url,
    }


@asynccontextmanager
async def worker(surroundings: dict[str, str]) -> AsyncIterator[PreloadedProcess]:
    """Run a worker in a separate process and kill it at the end."""
    process = await start("-m", "api.app.worker", cwd=ROOT, env=surroundings)
    try:
        yield process
    finally:
        with contextlib.suppress(ProcessLookupError):
            process.kill()
        await process.wait()


async def sign_up_and_die(surroundings: dict[str, str]) -> None:
    process = await start("-c", SIGN_UP_AND_DIE, str(CLUB_A), cwd=ROOT, env=surroundings)
    assert await process.wait() == -signal.SIGKILL


async def is_empty(database: Database) -> bool:
    return await database.fetch_row("SELECT 1 FROM pgqueuer") is None


async def test_a_server_killed_after_its_commit_has_the_mail_sent_once_by_the_worker(
    bench: Bench, settings: Settings, mail: tuple[MailServer, str]
) -> None:
    server, url = mail
    surroundings = environment(settings, url)

    await sign_up_and_die(surroundings)
    assert server.taken == []
    async with worker(surroundings), worker(surroundings):
        await until(lambda: is_empty(bench.database))

        async with worker(surroundings):  # another one finds nothing left to do
            await asyncio.sleep(1)

    (letter,) = server.taken
    assert letter["To"] == "bello@example.com"


async def test_a_worker_killed_before_the_mail_was_taken_leaves_it_to_the_next(
    bench: Bench, settings: Settings, mail: tuple[MailServer, str]
) -> None:
    server, url = mail
    server.holds_back = asyncio.Event()
    surroundings = environment(settings, url)

    await sign_up_and_die(surroundings)
    async with worker(surroundings) as killed:
        await until(lambda: len(server.coming) == 1)
        killed.kill()
        await killed.wait()
    server.holds_back = None
    async with worker(surroundings):
        await until(lambda: is_empty(bench.database))

    assert [letter["To"] for letter in server.taken] == ["bello@example.com"]


async def test_a_worker_killed_after_the_mail_was_taken_sends_no_second_one(
    bench: Bench, settings: Settings, mail: tuple[MailServer, str]
) -> None:
    server, url = mail
    surroundings = environment(settings, url)

    await sign_up_and_die(surroundings)
    async with worker(surroundings) as killed:
        await until(lambda: len(server.taken) == 1)
        await until(lambda: is_empty(bench.database))
        killed.kill()
        await killed.wait()
    await bench.database.fetch_row("UPDATE job_kind SET beat_at = 'epoch'")
    async with worker(surroundings) as stopped:
        await until(lambda: has_beaten(bench.database))
        stopped.terminate()
        assert await stopped.wait() == 0

    assert len(server.taken) == 1


async def has_beaten(database: Database) -> bool:
    row = await database.fetch_row(
        "SELECT 1 FROM job_kind WHERE name = 'mail_code' AND beat_at > 'epoch'"
    )
    return row is not None


async def test_a_mail_whose_code_has_expired_is_not_sent_any_more(
    bench: Bench, settings: Settings, mail: tuple[MailServer, str]
) -> None:
    server, url = mail
    surroundings = environment(settings, url)
    await sign_up_and_die(surroundings)

    late = await start(
        "-c",
        "import sys, runpy, datetime, api.foundation.core.clock as c; now = c.now; "
        "c.now = lambda: now() + datetime.timedelta(minutes=11); "
        "sys.argv = ['worker']; runpy.run_module('api.app.worker', run_name='__main__')",
        cwd=ROOT,
        env=surroundings,
    )
    try:
        await until(lambda: is_empty(bench.database))
    finally:
        late.terminate()
        await late.wait()

    assert server.taken == []
    row = await bench.database.fetch_row("SELECT succeeded_at FROM job_kind WHERE name='mail_code'")
    assert row is not None
    assert row["succeeded_at"] is None
