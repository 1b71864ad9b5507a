"""A member's streak: what counts, what a freeze bridges, and what the call returns."""

import asyncio
from datetime import date, timedelta
from typing import Any

import httpx
import pytest
from api.foundation.core.config import Settings
from api.foundation.core.ids import new_id
from api.games.achievements.service import streaks

from tests.conftest import RunningApp, SignedIn, TwoWorkers, open_running_app
from tests.games.battle.conftest import another_key, right_key
from tests.games.battle.test_steps import Game
from tests.games.trivia.conftest import Today, attempt, pair, questions, submit, today
from tests.production import PRODUCTION

DEV_DAYS = "/api/v1/dev/days"
DEV_POINTS = "/api/v1/dev/points"
__all__ = ["today"]


@pytest.fixture(autouse=True)
def monday(today: Today) -> Today:
    """Start at this week's Monday before any sign-in, so that weeks are predictable.

    It is the first second of Monday: a token from the future would be refused.
    """
    today.at(0, second=1, days=-today.day.weekday())
    return today


async def streak(member: SignedIn) -> dict[str, Any]:
    answer = await member.get("/api/v1/today")
    assert answer.status_code == 200, answer.text
    found: dict[str, Any] = answer.json()["data"]["me"]["streak"]
    return found


async def active(member: SignedIn, *days_ago: int, **changes: Any) -> httpx.Response:
    answer = await member.post(DEV_DAYS, {"active": list(days_ago)} | changes)
    assert answer.status_code == 200, answer.text
    return answer


async def streak_of(app: RunningApp, member: SignedIn, today: Today) -> dict[str, Any]:
    """Return the call's response on days after the session has expired."""
    found = await streaks.read_streak(app.database, member.id, today.now)
    return found.model_dump(mode="json", by_alias=True)


def ago(today: Today, days: int) -> str:
    return (today.day - timedelta(days=days)).isoformat()


async def count(app: RunningApp, member: SignedIn, day: date, now: Any) -> None:
    async with app.database.transaction() as tx:
        await streaks.count_day(tx, member.id, day, now)


async def play(app: RunningApp, member: SignedIn, now: Any) -> Game:
    """Answer a Battle Zone question, wrongly."""
    game = Game(app, member)
    game.now = now
    step = await game.enter()
    key = another_key(await right_key(app, member, step["question_id"]))
    await game.answer(step["question_id"], key)
    return game


@pytest.fixture
async def arena(app: RunningApp, member: SignedIn) -> RunningApp:
    await app.open_season(starts_in=timedelta(days=-30))
    await app.subscribe(member)
    await app.add_questions(30)
    await app.add_questions(30, kind="trivia")
    return app


async def test_a_quest_handed_in_or_a_battle_answered_makes_the_same_day_count_once(
    arena: RunningApp, member: SignedIn, monday: Today
) -> None:
    assert (await streak(member))["doneToday"] is False
    await play(arena, member, monday.now)
    once = await streak(member)
    first, *_ = await questions(member)
    await submit(member, [pair(first)])

    assert (once["days"], once["best"], once["doneToday"]) == (1, 1, True)
    assert await streak(member) == once
    assert (await attempt(member))["streak"] == 1


async def test_a_quest_and_a_battle_answer_in_one_moment_make_one_day(
    arena: RunningApp, member: SignedIn, monday: Today
) -> None:
    await active(member, 1)
    game = Game(arena, member)
    game.now = monday.now
    step = await game.enter()
    first, *_ = await questions(member)

    # Both wait for the day before either has inserted it.
    async with arena.database.transaction() as tx:
        await tx.execute("LOCK TABLE streak_day IN SHARE MODE")
        answering = asyncio.create_task(game.answer_rightly(step))
        handing_in = asyncio.create_task(submit(member, [pair(first)]))
        await asyncio.sleep(0.5)
        assert not answering.done()
        assert not handing_in.done()
    await answering
    assert (await handing_in).status_code == 201

    assert (await streak(member))["days"] == 2
    assert await arena.database.fetch_value("SELECT count(*) FROM streak_day") == 2
    assert (await attempt(member))["streak"] == 2


async def test_a_question_that_ran_out_of_time_makes_no_day_count(
    arena: RunningApp, member: SignedIn, monday: Today
) -> None:
    game = Game(arena, member)
    game.now = monday.now
    step = await game.enter()
    game.wait(seconds=30)
    await game.answer(step["question_id"], "A")
    assert (await streak(member))["days"] == 0

    await game.sweep()

    assert (await streak(member))["days"] == 0


async def test_answers_of_two_workers_in_one_moment_make_one_day(
    two_workers: TwoWorkers, monday: Today
) -> None:
    ada = await two_workers.one.member("ada")
    houses = [two_workers.one, two_workers.other] * 5

    await asyncio.gather(*(count(one, ada, monday.day, monday.now) for one in houses))

    found = await two_workers.one.database.fetch_row(
        "SELECT (SELECT count(*) FROM streak_day) AS days, (SELECT best FROM streak) AS best"
    )
    assert found is not None
    assert (found["days"], found["best"]) == (1, 1)


async def test_members_who_answer_together_on_two_workers_each_have_their_day(
    two_workers: TwoWorkers, monday: Today
) -> None:
    people = [(await two_workers.one.member(name)).id for name in ("ada", "bello", "chidi", "dayo")]
    days = [(one, monday.day - timedelta(days=ago)) for one in people for ago in (0, 1)]

    async def write(app: RunningApp, wanted: list[Any]) -> None:
        async with app.database.transaction() as tx:
            await streaks.count_days(tx, wanted, monday.now)

    await asyncio.gather(write(two_workers.one, days), write(two_workers.other, days[::-1]))

    rows = await two_workers.one.database.fetch_rows("SELECT best FROM streak")
    assert [row["best"] for row in rows] == [2, 2, 2, 2]


async def test_a_rollback_makes_no_day_count(
    app: RunningApp, member: SignedIn, monday: Today
) -> None:
    async with app.database.transaction(commits=False) as tx:
        await streaks.count_day(tx, member.id, monday.day, monday.now)

    assert (await streak(member))["days"] == 0


async def test_a_freeze_bridges_a_missed_day_and_adds_nothing(
    member: SignedIn, monday: Today
) -> None:
    monday.at(12, days=2)  # Wednesday
    await active(member, 1, 3, 4)

    found = await streak(member)

    assert found == {
        "days": 3,
        "best": 3,
        "doneToday": False,
        "freezesLeft": 0,
        "frozenOn": [ago(monday, 2)],
        "ended": None,
    }


async def test_the_second_missed_day_of_a_week_ends_the_streak_and_a_plan_bridges_it(
    app: RunningApp, member: SignedIn, rival: SignedIn, monday: Today
) -> None:
    monday.at(12)
    await app.subscribe(rival, battle_zone=False)  # since yesterday
    for one in (member, rival):
        await active(one, 1, 2, 3)
        await count(app, one, monday.day, monday.now)
    monday.at(12, days=3)  # Tuesday and Wednesday are missed

    assert [await streak_of(app, one, monday) for one in (member, rival)] == [
        {
            "days": 0,
            "best": 4,
            "doneToday": False,
            "freezesLeft": 0,
            "frozenOn": [ago(monday, 2)],
            "ended": 4,
        },
        {
            "days": 4,
            "best": 4,
            "doneToday": False,
            "freezesLeft": 0,
            "frozenOn": [ago(monday, 1), ago(monday, 2)],
            "ended": None,
        },
    ]


async def test_a_streak_that_ended_stays_ended_whatever_is_bought_later(
    app: RunningApp, member: SignedIn, monday: Today
) -> None:
    await count(app, member, monday.day, monday.now)
    monday.at(12, days=3)
    before = await streak_of(app, member, monday)
    assert (before["days"], before["ended"]) == (0, 1)

    async with app.database.transaction() as tx:
        await tx.execute(
            "INSERT INTO plan (id, plan, amount_kobo, duration, period, benefits, battle_zone, "
            "position) VALUES ($1, 'Any', 0, 1, 'month', '{}', false, 1)",
            member.id,
        )
        await tx.execute(
            "INSERT INTO subscription (id, user_id, plan_id, starts_at, ends_at, amount_kobo) "
            "VALUES ($1, $2, $2, $3, $4, 0)",
            new_id(),
            member.id,
            monday.now - timedelta(days=9),
            monday.now + timedelta(days=9),
        )

    after = await streak_of(app, member, monday)
    assert after == before | {"freezesLeft": 1}


async def test_freezes_are_spent_once_by_many_looks_at_once(
    app: RunningApp, member: SignedIn, monday: Today
) -> None:
    await count(app, member, monday.day, monday.now)
    monday.at(12, days=2)

    found = await asyncio.gather(*(streak(member) for _ in range(20)))

    assert all(one == found[0] for one in found)
    assert found[0]["frozenOn"] == [ago(monday, 1)]
    assert await app.database.fetch_value("SELECT count(*) FROM streak_freeze") == 1


async def test_days_are_those_of_lagos_and_yesterday_waits_for_who_is_late(
    app: RunningApp, member: SignedIn, monday: Today
) -> None:
    await count(app, member, monday.day, monday.now)
    yesterday = monday.day + timedelta(days=1)
    monday.at(0, 5, days=2)

    assert (await streak(member))["frozenOn"] == []
    await count(app, member, monday.day, monday.now)
    assert (await streak(member))["days"] == 2
    await count(app, member, yesterday, monday.now)
    monday.at(0, 20)

    found = await streak(member)
    assert (found["days"], found["frozenOn"], found["freezesLeft"]) == (3, [], 1)


async def test_the_last_second_of_a_day_counts_for_it_and_the_next_for_the_next(
    arena: RunningApp, member: SignedIn, monday: Today
) -> None:
    monday.at(23, 59, second=59)
    await play(arena, member, monday.now)
    before = await streak(member)
    monday.now += timedelta(seconds=1)
    after = await streak(member)

    assert (before["days"], before["doneToday"]) == (1, True)
    assert (after["days"], after["doneToday"]) == (1, False)


@pytest.mark.parametrize(
    ("path", "body"),
    [
        (DEV_DAYS, {"active": [0]}),
        (DEV_DAYS, {"active": [1], "freezes": 3}),
        (DEV_DAYS, {}),
        (DEV_POINTS, {"source": "invite", "points": 5}),
        (DEV_POINTS, {"source": "battle", "points": 501}),
        (DEV_POINTS, {"source": "battle", "points": 0}),
    ],
)
async def test_the_doors_of_development_refuse_what_does_not_fit(
    member: SignedIn, path: str, body: dict[str, Any]
) -> None:
    answer = await member.post(path, body)

    assert (answer.status_code, bool(answer.json()["error"]["fields"])) == (422, True)


async def test_the_doors_of_development_set_days_anew_and_leave_today_alone(
    app: RunningApp, member: SignedIn, rival: SignedIn, monday: Today
) -> None:
    monday.at(12, days=2)  # Wednesday
    await count(app, member, monday.day, monday.now)
    await active(member, 1, 2, 3)
    assert (await streak(member))["days"] == 4
    missed_two = (*range(1, 8), 10)  # Monday and Tuesday of the week before
    await active(member, *missed_two, freezes=2)

    found = await streak(member)
    assert (found["days"], found["frozenOn"]) == (9, [ago(monday, 8), ago(monday, 9)])
    await active(member, *missed_two, freezes=1)
    assert (await streak(member))["days"] == 8
    await active(member)
    assert (await streak(member))["days"] == 1
    assert (await streak(rival))["days"] == 0


@pytest.mark.usefixtures("_empty_tables")
async def test_production_has_no_doors_of_development(plain_settings: Settings) -> None:
    production = Settings(**plain_settings.model_dump() | PRODUCTION)
    async with open_running_app(production) as app:
        for path in (DEV_DAYS, DEV_POINTS):
            assert (await app.client.post(path, json={})).status_code == 404
        unknown = await app.client.post("/api/v1/dev/unknown", json={})
        assert unknown.status_code == 404


async def test_the_running_role_changes_no_freeze(app: RunningApp, member: SignedIn) -> None:
    with pytest.raises(Exception, match="permission denied"):
        await app.database.execute("UPDATE streak_freeze SET day = day - 1")
