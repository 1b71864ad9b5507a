"""The listening connection is reopened when it is lost, and its loss is noticed immediately."""

import asyncio
from collections.abc import AsyncIterator

import pytest
from api.foundation.core.config import Settings
from api.foundation.core.metrics import Metrics
from api.foundation.core.supervisor import Job, Supervisor
from api.foundation.database.database import Database
from api.foundation.database.listener import Listener
from api.foundation.metrics.snapshots import render
from sqlalchemy import text
from sqlalchemy.ext.asyncio import AsyncEngine

from tests.waiting import DEADLINE_SECONDS


class Callbacks:
    """Records a listener's callbacks."""

    def __init__(self) -> None:
        self.is_up = asyncio.Event()
        self.is_down = asyncio.Event()
        self.received: asyncio.Queue[str] = asyncio.Queue()
        self.metrics = Metrics()

    def up(self) -> None:
        self.is_up.set()
        self.is_down.clear()

    def down(self) -> None:
        self.is_down.set()
        self.is_up.clear()

    async def on_goal(self, payload: str) -> None:
        self.received.put_nowait(payload)


@pytest.fixture
async def recorder(settings: Settings) -> AsyncIterator[Callbacks]:
    database = Database(
        settings.database_url, runtime_role=settings.database_runtime_role, pool_size=2
    )
    callbacks = Callbacks()
    listener = Listener(
        database,
        {"goals": callbacks.on_goal},
        callbacks.metrics,
        on_up=callbacks.up,
        on_down=callbacks.down,
    )
    supervisor = Supervisor(callbacks.metrics)
    supervisor.add(Job(name="listener", step=listener.listen, every_seconds=0))
    supervisor.start()
    yield callbacks
    await supervisor.stop()
    await listener.close()
    await database.close()


async def test_a_lost_connection_is_known_at_once_and_found_again(
    recorder: Callbacks, owner: AsyncEngine
) -> None:
    await asyncio.wait_for(recorder.is_up.wait(), DEADLINE_SECONDS)
    async with owner.begin() as connection:
        await connection.execute(
            text(
                "SELECT pg_terminate_backend(pid) FROM pg_stat_activity "
                "WHERE query LIKE 'SELECT pg_postmaster_start_time%' OR query LIKE 'LISTEN%'"
            )
        )

    await asyncio.wait_for(recorder.is_down.wait(), DEADLINE_SECONDS)
    await asyncio.wait_for(recorder.is_up.wait(), DEADLINE_SECONDS)

    async with owner.begin() as connection:
        await connection.execute(text("NOTIFY goals, '1:0'"))
    assert await asyncio.wait_for(recorder.received.get(), DEADLINE_SECONDS) == "1:0"
    shown = render(recorder.metrics).decode()
    assert "listener_reconnects_total 1.0" in shown
    assert 'job_failures_total{job="listener"} 1.0' in shown
    assert 'dependency_restarts_total{name="postgres"} 0.0' in shown
