"""Twelve badges: how each is earned, its progress, and that it is kept."""

from typing import Any

import pytest
from api.games.achievements.enums import BadgeKey

from tests.conftest import RunningApp, SignedIn
from tests.games.achievements.test_streaks import active, arena, monday, play
from tests.games.trivia.conftest import Today, pair, questions, submit, today

__all__ = ["arena", "monday", "today"]


async def badges(member: SignedIn) -> dict[str, dict[str, Any]]:
    answer = await member.get(f"/api/v1/badges/{member.id}")
    assert answer.status_code == 200, answer.text
    assert [one["key"] for one in answer.json()["data"]] == [key.value for key in BadgeKey]
    return {one["key"]: one for one in answer.json()["data"]}


def earned(found: dict[str, dict[str, Any]]) -> set[str]:
    for one in found.values():
        assert one["name"]
        assert one["how"]
        assert (one["earnedAt"] is None) or (one["progress"] is None)
    return {key for key, one in found.items() if one["earnedAt"] is not None}


async def test_a_new_member_has_none_and_sees_how_far_each_is(
    app: RunningApp, member: SignedIn
) -> None:
    await app.open_season()

    found = await badges(member)

    assert earned(found) == set()
    assert {key: one["progress"]["of"] for key, one in found.items()} == {
        "first-quest": 1,
        "perfect-quest": 1,
        "streak-7": 7,
        "streak-30": 30,
        "first-battle": 1,
        "super-fan": 50,
        "king-of-fans": 120,
        "first-exact": 1,
        "five-exact": 5,
        "full-round": 1,
        "first-shared": 1,
        "inviter": 1,
    }
    assert {one["progress"]["now"] for one in found.values()} == {0}


async def test_without_a_season_ranks_have_no_way_to_them(member: SignedIn) -> None:
    found = await badges(member)

    assert (found["super-fan"]["progress"], found["king-of-fans"]["progress"]) == (None, None)


async def test_another_members_badges_are_not_found(member: SignedIn, rival: SignedIn) -> None:
    assert (await member.get(f"/api/v1/badges/{rival.id}")).status_code == 404
    assert (await member.get("/api/v1/badges/nobody")).status_code == 404


@pytest.mark.parametrize(("right", "keys"), [(1, set()), (5, {"perfect-quest"})])
async def test_a_quest_gives_its_badges_with_its_points(
    arena: RunningApp, member: SignedIn, monday: Today, right: int, keys: set[str]
) -> None:
    asked = await questions(member)
    await submit(member, [pair(question) for question in asked[:right]])

    found = await badges(member)

    assert earned(found) == {"first-quest"} | keys
    at = found["first-quest"]["earnedAt"]
    monday.at(12, days=1)
    await submit(member, [pair(question) for question in await questions(member)])
    assert (await badges(member))["first-quest"]["earnedAt"] == at


async def test_the_first_answer_of_the_battle_zone_gives_a_badge(
    arena: RunningApp, member: SignedIn, monday: Today
) -> None:
    await play(arena, member, monday.now)

    assert earned(await badges(member)) == {"first-battle"}


async def test_a_streak_gives_its_badges_and_they_stay_when_it_ends(
    app: RunningApp, member: SignedIn
) -> None:
    await active(member, *range(1, 7))
    assert (await badges(member))["streak-7"]["progress"] == {"now": 6, "of": 7}
    await active(member, *range(1, 30))
    assert earned(await badges(member)) == {"streak-7"}
    await active(member, *range(1, 31))
    assert earned(await badges(member)) == {"streak-7", "streak-30"}

    await active(member)

    assert earned(await badges(member)) == {"streak-7", "streak-30"}


async def test_ranks_give_their_badges_and_stay_into_the_next_season(
    app: RunningApp, member: SignedIn
) -> None:
    await app.open_season()
    points = "/api/v1/dev/points"
    await member.post(points, {"source": "battle", "points": 20})
    assert (await badges(member))["super-fan"]["progress"] == {"now": 20, "of": 50}
    await member.post(points, {"source": "battle", "points": 30})
    assert earned(await badges(member)) == {"super-fan"}
    await member.post(points, {"source": "battle", "points": 70})
    assert earned(await badges(member)) == {"super-fan", "king-of-fans"}

    async with app.database.transaction() as tx:
        await tx.execute("UPDATE season SET ends_at = now() - interval '1 hour'")
    assert earned(await badges(member)) == {"super-fan", "king-of-fans"}
