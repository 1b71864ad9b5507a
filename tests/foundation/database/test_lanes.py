"""Lanes: boards and background work wait for each other, and never delay a balance."""

import asyncio
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager

import asyncpg
import pytest
from api.foundation.core import clock
from api.foundation.database.lanes import Priority
from api.foundation.database.locks import AdvisoryLock
from api.games.ranking.live import FOLD_SECONDS
from sqlalchemy import make_url, text
from sqlalchemy.ext.asyncio import AsyncEngine

from tests.conftest import RunningApp, SignedIn
from tests.games.ranking.test_boards import award
from tests.waiting import DEADLINE_SECONDS

BALANCES = 30
DASHBOARDS = 50
MEMBERS_TRANSACTIONS = 3  # of twelve connections


async def until_asleep(owner: AsyncEngine) -> None:
    """Wait until a connection of the application sleeps."""
    sleeping = "SELECT 1 FROM pg_stat_activity WHERE query LIKE 'SELECT pg_sleep%'"
    async with asyncio.timeout(DEADLINE_SECONDS), owner.connect() as connection:
        while (await connection.execute(text(sleeping))).first() is None:
            await connection.rollback()
            await asyncio.sleep(0.01)


@asynccontextmanager
async def held_fold_lock(url: str) -> AsyncIterator[None]:
    """Hold the lock of folds from outside the application."""
    dsn = make_url(url).set(drivername="postgresql").render_as_string(hide_password=False)
    connection = await asyncpg.connect(dsn)
    try:
        await connection.execute("SELECT pg_advisory_lock($1)", AdvisoryLock.POINTS_FOLDING)
        yield
    finally:
        await connection.close()


async def balance_status(member: SignedIn) -> int:
    return (await member.get(f"/api/v1/payment/wallet-balance/{member.id}")).status_code


async def test_a_balance_is_quick_while_the_fold_waits_and_many_dashboards_are_open(
    app: RunningApp, member: SignedIn
) -> None:
    season_id = await app.open_season()
    await award(app, member, 10, season_id)
    await asyncio.gather(*(balance_status(member) for _ in range(20)))  # opens connections
    async with held_fold_lock(app.settings.database_url):
        await award(app, member, 10, season_id)
        dashboards = [
            asyncio.create_task(member.get(f"/api/v1/dashboard/statistics/{member.id}"))
            for _ in range(DASHBOARDS)
        ]
        async with asyncio.timeout(DEADLINE_SECONDS):  # the lock is held until all have responded
            balances = [await balance_status(member) for _ in range(BALANCES)]
            answered, _ = await asyncio.wait(dashboards)
    shown = await asyncio.gather(*dashboards)

    assert len(answered) == DASHBOARDS, "a dashboard waited for the fold's lock"
    assert {answer.status_code for answer in shown} == {200}
    assert balances == [200] * BALANCES
    assert {answer.json()["data"]["ranking"]["points"] for answer in shown} == {20}


@pytest.mark.parametrize("lane", [Priority.BOARDS, Priority.BACKGROUND])
async def test_a_lane_whose_places_are_taken_takes_none_of_the_members(
    app: RunningApp, member: SignedIn, owner: AsyncEngine, lane: Priority
) -> None:
    crowded = app.database.lane(lane)
    sleeping = [asyncio.create_task(crowded.fetch_row("SELECT pg_sleep(60)")) for _ in range(40)]
    await until_asleep(owner)

    async with asyncio.timeout(DEADLINE_SECONDS):
        balances = [await balance_status(member) for _ in range(20)]
    assert not any(task.done() for task in sleeping)
    for task in sleeping:
        task.cancel()
    await asyncio.gather(*sleeping, return_exceptions=True)

    assert balances == [200] * 20


async def test_background_transactions_take_none_of_the_members_places(app: RunningApp) -> None:
    background = app.database.lane(Priority.BACKGROUND)
    let_go, one_is_held = asyncio.Event(), asyncio.Event()
    all_are_open = asyncio.Barrier(MEMBERS_TRANSACTIONS)

    async def hold() -> None:
        async with background.transaction():
            one_is_held.set()
            await let_go.wait()

    async def open_with_the_others() -> None:
        async with app.database.transaction():
            await all_are_open.wait()

    holding = [asyncio.create_task(hold()) for _ in range(10)]
    await asyncio.wait_for(one_is_held.wait(), DEADLINE_SECONDS)
    async with asyncio.timeout(DEADLINE_SECONDS):
        await asyncio.gather(*(open_with_the_others() for _ in range(all_are_open.parties)))
    let_go.set()
    await asyncio.gather(*holding)


async def test_boards_show_an_award_soon_without_anybody_folding(
    app: RunningApp, member: SignedIn
) -> None:
    season_id = await app.open_season()
    await award(app, member, 10, season_id)

    await wait_for_points(member, "season", 10)


async def test_an_award_of_a_worker_that_died_is_shown_within_two_seconds(
    app: RunningApp, member: SignedIn, owner: AsyncEngine
) -> None:
    await app.open_season()
    async with owner.begin() as connection:
        await connection.execute(
            text(
                "INSERT INTO points_pending (user_id, club_id, day, points, elapsed_ms, earned_at) "
                "VALUES (:user, :club, :day, 10, 0, now())"
            ),
            {"user": member.id, "club": member.club_id, "day": clock.lagos_day(clock.now())},
        )

    await wait_for_points(member, "day", 10)

    assert FOLD_SECONDS <= 2


async def wait_for_points(member: SignedIn, period: str, points: int) -> None:
    """Read a board until it shows the member's points."""
    path = f"/api/v1/leaderboard?period={period}"
    async with asyncio.timeout(DEADLINE_SECONDS):
        while True:
            if (await member.get(path)).json()["data"]["me"]["points"] == points:
                return
            await asyncio.sleep(0.01)
