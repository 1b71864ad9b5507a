"""The worker rejects what the server rejects in production: it does nothing and exits."""

import asyncio
import os
import subprocess
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager
from pathlib import Path

import pytest
from api.dev.postgres.embedded import EmbeddedPostgres
from api.foundation.core.config import Settings

from tests.conftest import RunningApp
from tests.foundation.jobs.conftest import Bench
from tests.preloaded import PreloadedProcess, start
from tests.production import PRODUCTION, login_made, variables
from tests.waiting import until

ROOT = Path(__file__).resolve().parents[3]
ENDS_WITHIN_SECONDS = 40


@asynccontextmanager
async def process(module: str, given: dict[str, str]) -> AsyncIterator[PreloadedProcess]:
    """Run a process of a deployment and kill it at the end."""
    running = await start(
        "-m",
        module,
        cwd=ROOT,
        env={"PYTHONPATH": str(ROOT), "PATH": os.environ["PATH"]} | given,
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
    )
    try:
        yield running
    finally:
        if running.returncode is None:
            running.kill()
            await running.wait()


async def end_of(running: PreloadedProcess) -> tuple[int | None, str]:
    """Return the exit code and the whole output."""
    async with asyncio.timeout(ENDS_WITHIN_SECONDS):
        said, _ = await running.communicate()
    return running.returncode, said.decode()


async def has_worked(bench: Bench) -> bool:
    return await bench.database.fetch_row("SELECT 1 FROM job_kind") is not None


@pytest.mark.parametrize("who", ["a superuser", "the owner"])
async def test_production_has_no_worker_whose_sign_in_could_change_the_tables(
    bench: Bench, plain_settings: Settings, postgres: EmbeddedPostgres, who: str
) -> None:
    production = Settings(**plain_settings.model_dump() | PRODUCTION)

    with login_made(who, postgres):
        async with process("api.app.worker", variables(production)) as worker:
            code, said = await end_of(worker)

    assert code not in {0, None}
    assert "database_refused" in said
    assert "DATABASE_URL signs in as" in said
    assert not await has_worked(bench)


async def test_a_worker_does_nothing_for_a_database_that_comes_later_and_is_not_safe(
    app: RunningApp, bench: Bench, late_database: tuple[Settings, Callable[[], None]]
) -> None:
    production, appear = late_database
    async with process("api.app.worker", variables(production)) as worker:
        assert worker.stdout is not None
        said = await worker.stdout.readline()
        await app.member("ada")
        appear()
        code, rest = await end_of(worker)

    assert b"service unavailable" in said
    assert code not in {0, None}
    assert "Production refuses a database with demo accounts" in rest
    assert not await has_worked(bench)


async def test_a_worker_begins_when_its_database_comes_and_is_safe(
    bench: Bench, late_database: tuple[Settings, Callable[[], None]]
) -> None:
    production, appear = late_database
    async with process("api.app.worker", variables(production)) as worker:
        assert worker.stdout is not None
        await worker.stdout.readline()
        appear()
        await until(lambda: has_worked(bench))
        worker.terminate()
        code, _ = await end_of(worker)

    assert code == 0


async def test_server_and_worker_refuse_the_same_settings_in_the_same_words() -> None:
    said = {}
    for module in ("api.foundation.server", "api.app.worker"):
        async with process(module, {"APP_ENV": "production", "WORKERS": "2"}) as refusing:
            said[module] = await end_of(refusing)

    code, words = said["api.foundation.server"]
    assert said["api.app.worker"] == (code, words)
    assert code == 2
    for name in ("TOKEN_KEY", "PROFILE_KEY", "SMTP_URL", "PAYMENT_GATEWAY", "VALKEY_URL"):
        assert name in words
