"""Notifications about games: promotions, the morning's quest, places lost by the evening."""

import asyncio
from datetime import UTC, datetime, timedelta
from typing import Any

import pytest
import time_machine
from api.foundation.core import clock
from api.home.today.rules import title_of_rank
from api.home.today.service import announcements
from api.home.today.service.announcements import (
    notify_overtaken,
    notify_promotions,
    notify_quests,
    today_jobs,
)
from api.messaging.notifications.rules.texts import TOP
from api.messaging.notifications.service import notify_each

from tests.conftest import RunningApp, SignedIn
from tests.games.trivia.conftest import pair, questions, submit
from tests.messaging.notifications.conftest import listed

SETTINGS = "/api/v1/notifications/settings"
LAY_UNUSED = "UPDATE session SET last_seen_at = now() - interval '73 hours' WHERE user_id = $1"
BE_HERE = """
UPDATE session SET last_seen_at = $2::timestamptz, expires_at = $2::timestamptz + interval '1 day'
 WHERE user_id = $1
"""
TWO_DAYS = timedelta(days=2)
MAIL = {"money": True, "orders": True, "plans": True, "community": True}


@pytest.fixture(autouse=True)
def _no_clockwork(monkeypatch: pytest.MonkeyPatch) -> None:
    """Stop the jobs, so that the tests decide when members are notified."""
    monkeypatch.setattr(announcements, "PROMOTIONS_SECONDS", 3600)
    monkeypatch.setattr(announcements, "POLL_INTERVAL_SECONDS", 3600)


async def titles(member: SignedIn) -> list[str]:
    return [row["title"] for row in (await listed(member))["rows"]]


async def give_points(member: SignedIn, points: int, source: str = "battle") -> None:
    answer = await member.post("/api/v1/dev/points", {"source": source, "points": points})
    assert answer.status_code == 200


async def want_games(member: SignedIn) -> None:
    body = {"mail": MAIL, "push": {"games": True}}
    await member.client.put(SETTINGS, json=body, headers=member.headers)


@pytest.mark.parametrize(
    ("rank", "shown"),
    [("rookie", "Rookie"), ("super-fan", "Super Fan"), ("king-of-fans", "King of Fans")],
)
def test_ranks_are_written_for_people(rank: str, shown: str) -> None:
    assert title_of_rank(rank) == shown


async def test_a_promotion_is_told_once_however_many_workers_look(
    app: RunningApp, member: SignedIn
) -> None:
    await app.open_season()
    await give_points(member, 60)

    await asyncio.gather(*(notify_promotions(app.database, clock.now()) for _ in range(5)))
    await give_points(member, 10)
    await notify_promotions(app.database, clock.now())

    assert await titles(member) == ["You are now Super Fan"]


async def test_the_quest_is_told_once_to_all_who_are_signed_in_and_leaves_by_the_switches(
    app: RunningApp, member: SignedIn, rival: SignedIn
) -> None:
    await app.add_questions(5, kind="trivia")
    await want_games(member)
    gone, idle = await app.member("chi"), await app.member("efe")
    await gone.post("/api/v1/sign-out")
    await app.database.execute(LAY_UNUSED, idle.id)

    counts = await asyncio.gather(*(notify_quests(app.database, clock.now()) for _ in range(3)))

    assert sum(counts) == 2
    assert (await titles(member), await titles(rival)) == (["Today's quest is open"],) * 2
    rows = await app.database.fetch_rows("SELECT user_id, mail_due_at FROM notification")
    assert {row["user_id"] for row in rows} == {member.id, rival.id}
    assert {row["mail_due_at"] for row in rows} == {None}


async def test_a_worker_that_begins_anew_goes_on_in_batches_where_another_ended(
    app: RunningApp, member: SignedIn, rival: SignedIn, monkeypatch: pytest.MonkeyPatch
) -> None:
    await app.add_questions(5, kind="trivia")
    others = [await app.member(name) for name in ("chi", "efe", "ngozi")]
    monkeypatch.setattr(announcements, "BATCH_SIZE", 2)
    batches: list[int] = []

    async def count_and_die(*arguments: Any) -> int:
        batches.append(len(arguments[1]))
        if len(batches) == 2:
            raise ZeroDivisionError
        return await notify_each(*arguments)

    with monkeypatch.context() as dying:
        dying.setattr(announcements, "notify_each", count_and_die)
        with pytest.raises(ZeroDivisionError):
            await notify_quests(app.database, clock.now())
    count = await notify_quests(app.database, clock.now())

    assert (batches, count) == ([2, 2], 3)
    for one in (member, rival, *others):
        assert await titles(one) == ["Today's quest is open"]


async def test_who_comes_every_day_keeps_one_row_of_quests(
    app: RunningApp, member: SignedIn
) -> None:
    await app.add_questions(5, kind="trivia")
    for days in range(3):
        await notify_quests(app.database, clock.now() + timedelta(days=days))

    rows = await app.database.fetch_rows("SELECT subject FROM notification")

    assert [row["subject"] for row in rows] == [str(clock.lagos_day(clock.now()) + TWO_DAYS)]


async def test_who_has_handed_the_quest_in_is_not_told(app: RunningApp, member: SignedIn) -> None:
    await app.add_questions(5, kind="trivia")
    answer = await submit(member, [pair(one) for one in await questions(member)])
    assert answer.status_code == 201

    assert await notify_quests(app.database, clock.now()) == 0


@pytest.mark.usefixtures("member")
async def test_without_questions_no_quest_is_told(app: RunningApp) -> None:
    assert await notify_quests(app.database, clock.now()) == 0


@pytest.mark.parametrize(("hour", "expected"), [(6, 0), (7, 1), (10, 1), (11, 0)])
async def test_the_quest_is_told_between_eight_and_noon_in_lagos(
    app: RunningApp, member: SignedIn, hour: int, expected: int
) -> None:
    await app.add_questions(5, kind="trivia")
    quests: Any = next(job for job in today_jobs(app.database) if job.name == "tell_quests")

    with time_machine.travel(datetime(2027, 3, 1, hour, 30, tzinfo=UTC), tick=True):
        await app.database.execute(BE_HERE, member.id, clock.now())
        for _ in range(2):
            await quests.step()

    assert await app.database.fetch_value("SELECT count(*) FROM notification") == expected


async def test_who_leaves_the_first_fifty_is_told_the_next_evening_once(
    app: RunningApp, member: SignedIn, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("api.home.today.service.announcements.TOP", 1)
    await app.open_season()
    bello = await app.member("bello")
    await give_points(member, 5, "trivia")
    await app.fold()
    today, tomorrow = clock.now(), clock.now() + timedelta(days=1)
    assert await notify_overtaken(app.database, today) == 0

    await give_points(bello, 10, "trivia")
    await app.fold()
    assert await notify_overtaken(app.database, today) == 0
    counts = await asyncio.gather(*(notify_overtaken(app.database, tomorrow) for _ in range(3)))

    assert sum(counts) == 1
    assert await titles(member) == ["You left the top 50 of Enyimba"]
    assert await titles(bello) == []
    assert TOP == 50


@pytest.mark.parametrize(
    ("hour", "minute", "is_checked"),
    [(16, 59, False), (17, 0, True), (20, 59, True), (21, 0, False), (22, 30, False)],
)
async def test_places_are_looked_at_from_six_in_lagos_until_it_is_quiet(
    app: RunningApp, hour: int, minute: int, is_checked: bool
) -> None:
    evening: Any = next(job for job in today_jobs(app.database) if job.name == "tell_overtaken")

    with time_machine.travel(datetime(2027, 3, 1, hour, minute, tzinfo=UTC), tick=True):
        await evening.step()

    assert (await app.database.fetch_value("SELECT count(*) FROM club_top") > 0) is is_checked
