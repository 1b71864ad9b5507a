"""The maximum number of connections of a process, whatever is requested at once."""

import asyncio
import os
import signal
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager, suppress
from pathlib import Path

import httpx
import pytest
from api.app.factories import make_sealer
from api.app.worker import POOL_SIZE as WORKERS_CONNECTIONS
from api.foundation.core.config import Settings
from api.foundation.core.metrics import Metrics
from api.foundation.core.supervisor import Supervisor
from api.foundation.database.database import Database
from api.foundation.database.lanes import Priority
from api.foundation.jobs.kinds import Handler
from api.foundation.jobs.queue import JobQueue
from api.foundation.jobs.working import Worker
from sqlalchemy import text
from sqlalchemy.ext.asyncio import AsyncConnection, AsyncEngine

from tests.conftest import CLUB_A, RunningApp, client_of, free_port, open_running_app
from tests.connections import WarmConnections
from tests.endurance.place import add_members, open_sessions
from tests.foundation.jobs.conftest import NOTING, Note
from tests.preloaded import start
from tests.waiting import DEADLINE_SECONDS, until

MAX_CONNECTIONS = 12
MANY = 5  # concurrent calls, enough to count connections
CROWD = 240
CALLS = 700
JOBS = 60
END = (
    "SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE application_name = 'king-of-fans'"
)
COUNT = "SELECT count(*) FROM pg_stat_activity WHERE application_name = 'king-of-fans'"


@asynccontextmanager
async def autocommit(owner: AsyncEngine) -> AsyncIterator[AsyncConnection]:
    """Yield an autocommit connection, which sees current data."""
    async with owner.connect() as connection:
        yield await connection.execution_options(isolation_level="AUTOCOMMIT")


@asynccontextmanager
async def counted(owner: AsyncEngine) -> AsyncIterator[list[int]]:
    """Count the product's connections repeatedly during the block."""
    counts: list[int] = []

    async def count() -> None:
        async with autocommit(owner) as connection:
            while True:
                counts.append((await connection.execute(text(COUNT))).scalar_one())
                await asyncio.sleep(0.005)

    counting = asyncio.create_task(count())
    yield counts
    counting.cancel()
    with suppress(asyncio.CancelledError):
        await counting


async def wait_until_gone(owner: AsyncEngine, warm: WarmConnections) -> None:
    """Terminate the connections left by other tests, and wait until none remains."""
    warm.end()
    async with asyncio.timeout(DEADLINE_SECONDS), autocommit(owner) as connection:
        await connection.execute(text(END))
        while (await connection.execute(text(COUNT))).scalar_one():  # noqa: ASYNC110 it has no event
            await asyncio.sleep(0.05)


@pytest.mark.usefixtures("_empty_tables")
async def test_one_process_has_at_most_twelve_however_many_lanes_are_full(
    settings: Settings, owner: AsyncEngine, warm: WarmConnections
) -> None:
    await wait_until_gone(owner, warm)
    async with open_running_app(settings) as app, counted(owner) as counts:
        database = app.database
        lanes = [database, *(database.lane(lane) for lane in Priority)]

        async def write() -> None:
            async with database.transaction() as tx:
                await tx.fetch_value("SELECT pg_sleep(0.02)")

        async def work_behind() -> None:
            async with database.lane(Priority.BACKGROUND).transaction() as tx:
                await tx.fetch_value("SELECT pg_sleep(0.02)")

        answers = await asyncio.gather(
            *(lanes[number % 4].fetch_value("SELECT pg_sleep(0.02)") for number in range(CROWD)),
            *(write() for _ in range(CROWD // 3)),
            *(work_behind() for _ in range(CROWD // 12)),
            *(app.client.get("/readyz") for _ in range(CROWD // 12)),
            *(member_reads(app) for _ in range(3)),
            return_exceptions=True,
        )

    failed = [answer for answer in answers if isinstance(answer, BaseException)]
    assert failed == [], counts
    assert len(counts) > 50
    assert (
        MAX_CONNECTIONS - 2 <= max(counts) <= MAX_CONNECTIONS
    )  # all lanes and the listener; a probe may be between two


async def member_reads(app: RunningApp) -> None:
    for _ in range(10):
        await app.client.get("/api/v1/products")


@pytest.mark.usefixtures("_empty_tables")
async def test_a_served_process_flooded_with_calls_has_at_most_twelve(
    settings: Settings, owner: AsyncEngine, warm: WarmConnections, tmp_path: Path
) -> None:
    paths, headers = await member_paths(settings)
    await wait_until_gone(owner, warm)
    port = free_port()
    environment = os.environ | {
        "APP_ENV": "test",
        "DATABASE_URL": settings.database_url,
        "VAR_DIR": str(tmp_path),
        "PORT": str(port),
        "LOG_LEVEL": "ERROR",
    }
    process = await start("-m", "api.foundation.server", env=environment)
    try:
        async with client_of(f"http://127.0.0.1:{port}", timeout=60) as client:
            await until_served(client)
            async with counted(owner) as counts:
                async with owner.begin() as holding:  # readers wait, and keep their connections
                    await holding.execute(text("LOCK TABLE product, ledger_account"))
                    flood = asyncio.gather(
                        *(
                            client.get(paths[number % len(paths)], headers=headers)
                            for number in range(CALLS)
                        )
                    )
                    await until(lambda: max(counts, default=0) >= MANY)
                answers = await flood
    finally:
        process.send_signal(signal.SIGTERM)
        await process.wait()

    # Calls are rejected by the lane of the boards when it is too long.
    assert {answer.status_code for answer in answers} <= {200, 503}
    assert sum(answer.status_code == 200 for answer in answers) > CALLS * 0.9
    assert max(counts) <= MAX_CONNECTIONS


async def member_paths(settings: Settings) -> tuple[list[str], dict[str, str]]:
    """Create a member; return calls of every lane, and the headers that authenticate them."""
    database = Database(
        settings.database_url, runtime_role=settings.database_runtime_role, pool_size=8
    )
    [member] = await add_members(database, 1, with_club=False)
    [token] = await open_sessions(database, [member])
    await database.close()
    return [
        "/readyz",
        "/api/v1/products",
        "/api/v1/leaderboard?period=day",
        f"/api/v1/dashboard/statistics/{member}",
        f"/api/v1/payment/wallet-balance/{member}",
        f"/api/v1/products/user/{member}",
        f"/api/v1/question/daily-trivial-question/{CLUB_A}/{member}",
    ], {"Authorization": f"Bearer {token}"}


async def until_served(client: httpx.AsyncClient) -> None:
    async with asyncio.timeout(30):
        while True:
            with suppress(httpx.TransportError):
                if (await client.get("/readyz")).status_code == 200:
                    return
            await asyncio.sleep(0.05)


@pytest.mark.usefixtures("_empty_tables")
async def test_a_worker_of_stored_jobs_has_at_most_eight(
    settings: Settings, owner: AsyncEngine, warm: WarmConnections
) -> None:
    await wait_until_gone(owner, warm)
    database = Database(
        settings.database_url,
        runtime_role=settings.database_runtime_role,
        pool_size=WORKERS_CONNECTIONS,
    )
    queue, done = JobQueue(make_sealer(settings)), asyncio.Event()
    left = [str(number) for number in range(JOBS)]

    async def read_and_write(note: Note) -> None:
        await database.fetch_value("SELECT pg_sleep(0.01)")
        async with database.transaction() as tx:
            await tx.fetch_value("SELECT pg_sleep(0.01)")
        left.remove(note.words)
        if not left:
            done.set()

    async with database.transaction() as tx:
        for words in left:
            await queue.enqueue(tx, NOTING, Note(words=words), key=words)
    worker = Worker(database, queue, [Handler(NOTING, read_and_write)])
    supervisor = Supervisor(Metrics())
    for job in worker.jobs():
        supervisor.add(job)
    async with counted(owner) as counts:
        supervisor.start()
        sweep = await database.connect_alone()  # a concurrent sweep of media
        async with asyncio.timeout(60):
            await done.wait()
        await sweep.close()
        await worker.stop(5)
        await supervisor.stop()
    await database.close()

    assert 5 <= max(counts) <= WORKERS_CONNECTIONS
