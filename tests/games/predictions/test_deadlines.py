"""A save concurrent with a write of its match: one precedes the other, also by the clock.

Each test makes one of them wait for the match, as a push of many rows or a busy database would.
"""

import asyncio
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from datetime import timedelta
from typing import Any
from uuid import UUID

import httpx
import pytest
import time_machine
from api.foundation.core import clock

from tests.back_office import OperatorClient
from tests.conftest import RunningApp, SignedIn
from tests.games.matches.matches import HOUR, change, push, refused, row, shown
from tests.games.predictions.predicting import (
    PREDICTIONS,
    alone,
    match,
    predict,
    predicted,
    remove,
    settle,
)
from tests.waiting import DEADLINE_SECONDS, until_blocked

HELD = "SELECT FROM fixture WHERE id = $1 FOR UPDATE"


@asynccontextmanager
async def waiting(app: RunningApp, statement: str, *values: Any, work: Any) -> AsyncIterator[Any]:
    """Make ``work`` wait for the lock of a statement until the block ends."""
    async with app.database.transaction() as tx:
        await tx.execute(statement, *values)
        task = asyncio.create_task(work)
        await until_blocked(app.database, task)
        yield task
    async with asyncio.timeout(DEADLINE_SECONDS):
        await asyncio.wait([task])


async def outcome_of(member: SignedIn, fixture: dict[str, Any]) -> tuple[str, int | None]:
    rows = await shown(member, f"{PREDICTIONS}?state=closed")
    (found,) = (one for one in rows if one["fixture"]["id"] == fixture["id"])
    return found["outcome"], found["points"]


@pytest.mark.parametrize("state", ["cancelled", "awarded"])
async def test_what_is_saved_while_the_end_of_a_match_waits_to_be_written_is_void(
    app: RunningApp, musa: OperatorClient, member: SignedIn, state: str
) -> None:
    fixture = await match(musa)
    goals = {"homeGoals": 3, "awayGoals": 0} if state == "awarded" else {}

    # No other writer of matches runs while a push writes its rows.
    writing = "SELECT pg_advisory_xact_lock(7226331155)"
    ending = change(musa, fixture, state=state, **goals)
    async with waiting(app, writing, work=ending) as task:
        await alone(predicted(member, fixture, 2, 1))
    assert (await task).status_code == 200
    await settle(app, fixture)

    assert await outcome_of(member, fixture) == ("void", 0)


async def test_what_is_saved_while_earlier_rows_of_a_push_are_written_is_void_by_the_last(
    app: RunningApp, member: SignedIn
) -> None:
    rows = [row("m1"), row("m2", away="Kano Pillars", round="Round 2")]
    await app.database.execute(
        "INSERT INTO team (id, name) VALUES (gen_random_uuid(), 'Kano Pillars')"
    )
    assert (await push(app, *rows)).json()["data"]["accepted"] == 2
    matches = await shown(member, "/api/v1/fixtures")
    first, last = sorted(matches, key=lambda one: one["round"])
    kick_off = (clock.now() - timedelta(minutes=2)).replace(microsecond=0).isoformat()
    live = {"state": "live", "kick_off_at": kick_off, "home_goals": 0, "away_goals": 0}
    news = push(app, rows[0] | {"venue": "Kano"}, rows[1] | live)

    async with waiting(app, HELD, UUID(first["id"]), work=news) as task:
        await alone(predicted(member, last, 1, 0))
    assert (await task).json()["data"]["accepted"] == 2
    await push(app, rows[1] | live | {"state": "finished", "home_goals": 1})
    await settle(app, last)

    assert await outcome_of(member, last) == ("void", 0)


@pytest.mark.parametrize("removed", [False, True])
async def test_a_write_that_waits_until_after_the_kick_off_is_refused(
    app: RunningApp, musa: OperatorClient, member: SignedIn, removed: bool
) -> None:
    fixture = await match(musa)
    kick_off = clock.now().replace(microsecond=0) + timedelta(minutes=10)
    await app.database.execute(
        "UPDATE fixture SET kick_off_at = $2 WHERE id = $1", UUID(fixture["id"]), kick_off
    )
    if removed:
        await predicted(member, fixture, 1, 0)
    late = remove(member, fixture) if removed else predict(member, fixture, 2, 1)

    with time_machine.travel(kick_off - timedelta(milliseconds=100), tick=False) as traveller:
        async with waiting(app, HELD, UUID(fixture["id"]), work=late) as task:
            traveller.move_to(kick_off + timedelta(seconds=2))
        answer: httpx.Response = await task

    assert refused(answer) == (409, "prediction_closed")
    kept = await app.database.fetch_value("SELECT count(*) FROM prediction")
    assert kept == int(removed)


async def test_what_is_saved_says_when_the_match_was_held(
    app: RunningApp, musa: OperatorClient, member: SignedIn
) -> None:
    fixture = await match(musa)
    began = clock.now()

    with time_machine.travel(began, tick=False) as traveller:
        saving = predicted(member, fixture, 2, 1)
        async with waiting(app, HELD, UUID(fixture["id"]), work=saving) as task:
            traveller.move_to(began + HOUR)
        saved = await task

    kept = await app.database.fetch_value("SELECT saved_at FROM prediction")
    assert kept == began + HOUR
    assert saved["savedAt"] == (began + HOUR).isoformat(timespec="milliseconds").replace(
        "+00:00", "Z"
    )
