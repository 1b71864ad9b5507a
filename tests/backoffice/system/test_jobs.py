"""Jobs in the back office: their results, next runs, and whether they are running."""

import asyncio
from datetime import timedelta
from typing import Any

import pytest
from api.foundation.core import clock
from api.foundation.core.supervisor import SKIPPED, Job, Skipped, Sleep
from api.foundation.jobs.clockwork import record_plan, recorded
from api.foundation.security.rights import Role

from tests.back_office import ADMIN, OperatorClient, operator_client
from tests.conftest import RunningApp
from tests.waiting import DEADLINE_SECONDS

JOBS = f"{ADMIN}/jobs"


@pytest.fixture
async def olu(app: RunningApp) -> OperatorClient:
    return await operator_client(app, "olu", Role.OWNER)


async def shown(operator: OperatorClient, name: str) -> dict[str, Any]:
    rows = (await operator.get(JOBS)).json()["data"]["rows"]
    (row,) = (row for row in rows if row["name"] == name)
    found: dict[str, Any] = row
    return found


async def test_jobs_that_may_be_run_are_listed_before_they_ever_ran(olu: OperatorClient) -> None:
    rows = {row["name"]: row for row in (await olu.get(JOBS)).json()["data"]["rows"]}

    assert {"expire-orders", "renew-plans", "prove", "send-mails", "backup"} <= set(rows)
    assert rows["prove"]["canRun"] is True
    assert (rows["backup"]["lastRunAt"], rows["backup"]["outcome"]) == (None, None)


async def test_a_job_says_how_it_ended_and_when_it_is_done_again(
    app: RunningApp, olu: OperatorClient
) -> None:
    endings: list[Exception | Sleep | Skipped | None] = [
        None,
        ValueError("no"),
        Sleep(7200.0),
        SKIPPED,
    ]

    async def step() -> Sleep | Skipped | None:
        ending = endings.pop(0)
        if isinstance(ending, Exception):
            raise ending
        return ending

    job = Job(name="tidy_attic", step=step, every_seconds=600)
    await record_plan(app.database, [job])
    planned = await shown(olu, "tidy-attic")
    await recorded(app.database, job).step()
    first = await shown(olu, "tidy-attic")
    with pytest.raises(ValueError, match="no"):
        await recorded(app.database, job).step()
    second = await shown(olu, "tidy-attic")
    await recorded(app.database, job).step()
    third = await shown(olu, "tidy-attic")
    await recorded(app.database, job).step()

    assert (planned["outcome"], planned["canRun"]) == (None, False)
    assert planned["nextDueAt"] > f"{clock.now():%Y-%m-%dT%H:%M}"
    assert (first["outcome"], first["successes"], first["running"]) == ("succeeded", 1, False)
    assert (second["outcome"], second["failures"]) == ("failed", 1)
    assert (third["outcome"], third["successes"]) == ("succeeded", 2)
    assert third["nextDueAt"] > f"{clock.now() + timedelta(minutes=115):%Y-%m-%dT%H:%M}"
    assert await shown(olu, "tidy-attic") == third


async def test_a_job_that_takes_a_while_is_seen_running(
    app: RunningApp, olu: OperatorClient
) -> None:
    ends = asyncio.Event()

    async def step() -> None:
        await ends.wait()

    async def run() -> None:
        await recorded(app.database, Job(name="long", step=step, every_seconds=60)).step()

    running = asyncio.create_task(run())
    async with asyncio.timeout(DEADLINE_SECONDS):
        while True:
            rows = (await olu.get(JOBS)).json()["data"]["rows"]
            if any(row["name"] == "long" and row["running"] for row in rows):
                break
            await asyncio.sleep(0.05)
    ends.set()
    await running

    assert (await shown(olu, "long"))["running"] is False
