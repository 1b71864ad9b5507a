"""Operators who see the answers or write results can play, but earn nothing from the games."""

from typing import Any

import pytest
from api.foundation.security.rights import RIGHTS_OF, Right, Role, game_insiders

from tests.back_office import OperatorClient, appoint, operator_client
from tests.conftest import RunningApp, SignedIn
from tests.games.achievements.test_badges import badges, earned
from tests.games.achievements.test_streaks import active, arena, monday
from tests.games.battle.conftest import right_key
from tests.games.battle.test_steps import Game
from tests.games.matches.matches import moved, shown
from tests.games.predictions.predicting import (
    PREDICTIONS,
    finished,
    match,
    points,
    predicted,
    settle,
)
from tests.games.predictions.test_settling import outcome
from tests.games.trivia.conftest import Today, attempt, pair, questions, submit, today

__all__ = ["arena", "monday", "today"]
POINTS = "/api/v1/dev/points"


@pytest.fixture
async def musa(app: RunningApp) -> OperatorClient:
    return await operator_client(app, "musa", Role.GAME_MASTER)


async def me(member: SignedIn) -> dict[str, Any]:
    found: dict[str, Any] = (await member.get("/api/v1/today")).json()["data"]
    return found


def test_all_roles_that_see_the_answers_are_meant() -> None:
    readers = {role for role in Role if Right.GAMES_READ in RIGHTS_OF[role]}
    writers = {role for role in Role if Right.GAMES_WRITE in RIGHTS_OF[role]}

    assert set(game_insiders()) == readers | writers
    assert game_insiders() == [Role.OWNER, Role.EDITOR, Role.GAME_MASTER]


@pytest.mark.parametrize("role", [Role.GAME_MASTER, Role.EDITOR])
async def test_an_insiders_quest_and_battle_come_to_nothing(
    arena: RunningApp, member: SignedIn, monday: Today, role: Role
) -> None:
    await appoint(arena, member, role)
    asked = await questions(member)

    await submit(member, [pair(question) for question in asked])
    game = Game(arena, member)
    game.now = monday.now
    step = await game.enter()
    await game.answer(step["question_id"], await right_key(arena, member, step["question_id"]))
    await active(member, *range(1, 31))

    done = await attempt(member)
    assert (done["points"], done["correct"]) == (0, len(asked))
    assert await points(member) == []
    assert earned(await badges(member)) == set()
    day = await me(member)
    assert (day["me"]["points"], day["me"]["battlePoints"], day["celebrate"]) == (0, 0, [])
    assert day["me"]["streak"]["doneToday"] is True


async def test_no_rank_is_reached_and_what_was_earned_before_stays(
    app: RunningApp, member: SignedIn
) -> None:
    await app.open_season()
    await member.post(POINTS, {"source": "battle", "points": 60})
    await appoint(app, member, Role.OWNER)

    await member.post(POINTS, {"source": "battle", "points": 100})

    day = await me(member)
    assert (day["me"]["battlePoints"], day["me"]["badge"]) == (60, "super-fan")
    assert earned(await badges(member)) == {"super-fan"}


async def test_other_operators_and_former_game_masters_earn_as_members_do(
    app: RunningApp, member: SignedIn, rival: SignedIn
) -> None:
    await app.open_season()
    await appoint(app, member, Role.FINANCE, Role.SHOP, Role.MODERATOR)
    await appoint(app, rival, Role.GAME_MASTER)
    await app.database.execute(
        "UPDATE operator SET disabled_at = now() WHERE user_id = $1", rival.id
    )

    for each in (member, rival):
        await each.post(POINTS, {"source": "battle", "points": 60})

        assert (await me(each))["me"]["points"] == 60
        assert earned(await badges(each)) == {"super-fan"}


async def test_a_prediction_by_an_operator_who_writes_results_earns_and_takes_nothing(
    app: RunningApp, musa: OperatorClient, member: SignedIn, rival: SignedIn
) -> None:
    await app.open_season()
    fixture = await match(musa)
    for each in (member, rival, musa.member):
        await predicted(each, fixture, 2, 1)
    done = await finished(app, musa, fixture, 2, 1)
    await appoint(app, rival, Role.OWNER)

    assert await outcome(musa.member) == ("exact", 0)
    assert await points(musa.member) == []
    assert earned(await badges(musa.member)) == set()
    assert "first-exact" in earned(await badges(member))
    board = await shown(musa.member, f"{PREDICTIONS}/board?period=season")
    assert ([one["me"] for one in board["rows"]], board["me"]) == ([False], None)
    # A correction revokes what was awarded, and no more.
    await settle(app, await moved(musa, done, homeGoals=0, awayGoals=0))
    assert await points(musa.member) == []
    assert [one for one, _ in await points(rival)] == [10]
    assert [one for one, _ in await points(member)] == [-10, 10]
