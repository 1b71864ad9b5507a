"""Members told of their games: promotions, the morning's quest, places lost by the evening."""

import asyncio
from datetime import UTC, datetime, timedelta
from typing import Any

import pytest
import time_machine
from api.core import clock
from api.today.rules import TOP, title_of_rank
from api.today.service import tell_jobs, tell_overtaken, tell_promotions, tell_quests, telling

from tests.conftest import House, SignedIn
from tests.notifications.conftest import listed

SETTINGS = "/api/v1/notifications/settings"
MAIL = {"money": True, "orders": True, "plans": True, "community": True}


@pytest.fixture(autouse=True)
def _no_clockwork(monkeypatch: pytest.MonkeyPatch) -> None:
    """Let the tests say when members are told."""
    monkeypatch.setattr(telling, "PROMOTIONS_SECONDS", 3600)
    monkeypatch.setattr(telling, "LOOK_SECONDS", 3600)


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
    house: House, member: SignedIn
) -> None:
    await house.open_season()
    await give_points(member, 60)

    await asyncio.gather(*(tell_promotions(house.database, clock.now()) for _ in range(5)))
    await give_points(member, 10)
    await tell_promotions(house.database, clock.now())

    assert await titles(member) == ["You are now Super Fan"]


async def test_the_quest_is_told_to_who_wants_it_and_has_not_handed_it_in(
    house: House, member: SignedIn, rival: SignedIn
) -> None:
    await house.add_questions(5, kind="trivia")
    await want_games(member)

    told = await asyncio.gather(*(tell_quests(house.database, clock.now()) for _ in range(3)))

    assert sum(told) == 1
    assert (await titles(member), await titles(rival)) == (["Today's quest is open"], [])


async def test_without_questions_no_quest_is_told(house: House, member: SignedIn) -> None:
    await want_games(member)

    assert await tell_quests(house.database, clock.now()) == 0


@pytest.mark.parametrize(("hour", "told"), [(6, 0), (7, 1), (10, 1), (11, 0)])
async def test_the_quest_is_told_between_eight_and_noon_in_lagos(
    house: House, member: SignedIn, hour: int, told: int
) -> None:
    await house.add_questions(5, kind="trivia")
    await want_games(member)
    quests: Any = next(job for job in tell_jobs(house.database) if job.name == "tell_quests")

    with time_machine.travel(datetime(2027, 3, 1, hour, 30, tzinfo=UTC), tick=True):
        for _ in range(2):
            await quests.step()

    assert await house.database.fetch_value("SELECT count(*) FROM notification") == told


async def test_who_leaves_the_first_fifty_is_told_the_next_evening_once(
    house: House, member: SignedIn, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("api.today.rules.TOP", 1)
    await house.open_season()
    bello = await house.member("bello")
    await give_points(member, 5, "trivia")
    await house.fold()
    today, tomorrow = clock.now(), clock.now() + timedelta(days=1)
    assert await tell_overtaken(house.database, today) == 0

    await give_points(bello, 10, "trivia")
    await house.fold()
    assert await tell_overtaken(house.database, today) == 0
    told = await asyncio.gather(*(tell_overtaken(house.database, tomorrow) for _ in range(3)))

    assert sum(told) == 1
    assert await titles(member) == ["You left the top 50 of Enyimba"]
    assert await titles(bello) == []
    assert TOP == 50
