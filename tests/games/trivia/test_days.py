"""Lagos days: midnight, its ten minutes of grace, streaks, and the season they count for."""

from datetime import timedelta

import pytest

from tests.conftest import RunningApp, SignedIn
from tests.games.trivia.conftest import Today, attempt, pair, questions, submit


async def test_the_day_begins_at_eleven_in_the_evening_of_utc(
    app: RunningApp, member: SignedIn, today: Today
) -> None:
    await app.add_questions(10, kind="trivia")
    today.at(23, 59, second=59, days=1)
    late = await questions(member)
    late_day = await attempt(member)
    today.now += timedelta(seconds=1)
    early = await questions(member)
    early_day = await attempt(member)

    assert {one["id"] for one in late} & {one["id"] for one in early} == set()
    assert late_day["nextAt"] == early_day["serverNow"]
    assert early_day["serverNow"].endswith("T23:00:00.000Z")
    assert late_day["day"] < early_day["day"]


async def test_yesterdays_answers_count_for_yesterday_until_ten_past_midnight(
    app: RunningApp, member: SignedIn, today: Today
) -> None:
    await app.add_questions(10, kind="trivia")
    today.at(23, 50, days=1)
    day = today.day
    choices = [pair(question) for question in await questions(member)]
    today.at(0, 9, second=59, days=1)

    answer = await submit(member, choices)

    assert (answer.status_code, answer.json()["data"]["points"]) == (201, 25)
    row = await app.database.fetch_row("SELECT day FROM point_entry")
    assert row is not None
    assert row["day"] == day
    new_day = await attempt(member)
    assert (new_day["points"], new_day["streak"]) == (None, 1)
    assert len(await questions(member)) == 5
    second = await submit(member, choices)
    assert (second.status_code, second.json()["data"]) == (409, {"points": 25})


async def test_at_ten_past_midnight_yesterday_is_over(
    app: RunningApp, member: SignedIn, today: Today
) -> None:
    await app.add_questions(10, kind="trivia")
    today.at(23, 50, days=1)
    choices = [pair(question) for question in await questions(member)]
    today.at(0, 10, days=1)

    answer = await submit(member, choices)

    assert (answer.status_code, answer.json()["error"]["code"]) == (409, "no_daily_quest")
    row = await app.database.fetch_row("SELECT count(*) AS n FROM point_entry")
    assert row is not None
    assert row["n"] == 0


@pytest.mark.parametrize("bank", [10, 6])  # six: today asks four of yesterday's again
async def test_in_the_grace_the_answers_say_which_day_they_are_for(
    app: RunningApp, member: SignedIn, today: Today, bank: int
) -> None:
    await app.add_questions(bank, kind="trivia")
    today.at(23, 50, days=1)
    yesterdays = [pair(question) for question in await questions(member)]
    today.at(0, 5, days=1)
    todays = [pair(question, "Wrong 1") for question in await questions(member)]

    late = await submit(member, yesterdays)
    early = await submit(member, todays)

    assert (late.status_code, late.json()["data"]["points"]) == (201, 25)
    assert (early.status_code, early.json()["data"]["points"]) == (201, 0)
    assert early.json()["data"]["streak"] == 2


@pytest.mark.parametrize("bank", [10, 6])  # six: today asks four of yesterday's again
async def test_yesterdays_answers_that_come_too_late_do_not_use_up_today(
    app: RunningApp, member: SignedIn, today: Today, bank: int
) -> None:
    await app.add_questions(bank, kind="trivia")
    yesterdays = [pair(question) for question in await questions(member)]
    today.at(8, days=1)
    todays = [pair(question) for question in await questions(member)]

    stale = await submit(member, yesterdays)

    assert (stale.status_code, stale.json()["error"]["code"]) == (409, "no_daily_quest")
    assert (await submit(member, todays)).json()["data"]["points"] == 25


async def test_the_days_quest_tells_the_one_streak_of_the_app(
    app: RunningApp, today: Today
) -> None:
    await app.add_questions(30, kind="trivia")
    today.at(0, second=1, days=-today.day.weekday())  # a Monday
    member = await app.member()
    today.at(12)
    streaks = []
    for played in (True, True, True, False, False, True):
        streaks.append((await attempt(member))["streak"])
        if played:
            first, *_ = await questions(member)
            answer = await submit(member, [pair(first)])
            streaks.append(answer.json()["data"]["streak"])
        today.now += timedelta(days=1)

    # Each day: before it, and after its submit. A freeze bridges the first of the two missed days.
    assert streaks == [0, 1, 1, 2, 2, 3, 3, 3, 0, 1]


async def test_looking_at_the_questions_keeps_no_streak_alive(
    app: RunningApp, today: Today
) -> None:
    await app.add_questions(30, kind="trivia")
    today.at(0, second=1, days=-today.day.weekday())
    member = await app.member()
    today.at(12)
    first, *_ = await questions(member)
    await submit(member, [pair(first)])
    for _ in range(3):
        today.now += timedelta(days=1)
        await questions(member)

    assert (await attempt(member))["streak"] == 0


@pytest.mark.parametrize(("minutes_after", "in_season"), [(0, True), (24 * 60, False)])
async def test_points_belong_to_the_season_of_the_attempts_own_day(
    app: RunningApp, member: SignedIn, today: Today, minutes_after: int, in_season: bool
) -> None:
    await app.add_questions(10, kind="trivia")
    season = await app.open_season(starts_in=timedelta(days=-1), lasts=timedelta(days=10))
    today.at(0, days=2)
    last_midnight = today.now
    async with app.database.transaction() as tx:
        await tx.execute("UPDATE season SET ends_at = $1", last_midnight)
    today.now = last_midnight - timedelta(minutes=5) + timedelta(minutes=minutes_after)
    choices = [pair(question) for question in await questions(member)]
    today.now += timedelta(minutes=10)

    answer = await submit(member, choices)

    assert answer.status_code == 201
    row = await app.database.fetch_row("SELECT season_id, points FROM point_entry")
    assert row is not None
    assert (row["season_id"], row["points"]) == (season if in_season else None, 25)
