"""The member's day in the config, and the limits that questions are served by."""

from datetime import timedelta
from typing import Any

import pytest
from api.foundation.core import clock
from api.games.battle import service
from api.games.battle.enums import StepKind

from tests.conftest import RunningApp, SignedIn
from tests.games.battle.test_steps import Game


async def today_of(game: Game) -> dict[str, Any] | None:
    """Return the member's day from the config at the game's time."""
    config = await service.config(game.app.database, game.member.id, game.now)
    assert config is not None
    today: dict[str, Any] | None = config.model_dump(mode="json", by_alias=True)["today"]
    return today


@pytest.fixture
async def game(app: RunningApp, member: SignedIn) -> Game:
    await app.open_season(quota=3)
    await app.add_questions(30)
    await app.subscribe(member)
    return Game(app, member)


async def test_the_door_counts_down_to_done_and_opens_again_at_midnight(game: Game) -> None:
    midnight = clock.next_midnight(game.now)
    next_at = midnight.isoformat(timespec="milliseconds").replace("+00:00", "Z")
    days = [await today_of(game)]
    step = await game.enter()
    for _ in range(3):
        days.append(await today_of(game))
        await game.answer_rightly(step)
        days.append(await today_of(game))
        step = await game.go_on()
    assert step["kind"] == StepKind.FINISHED

    assert days == [
        {"state": state, "left": left, "of": 3, "nextAt": next_at}
        for state, left in (
            ("open", 3),
            ("running", 2),
            ("open", 2),
            ("running", 1),
            ("open", 1),
            ("running", 0),
            ("done", 0),
        )
    ]
    game.now = midnight - timedelta(seconds=1)
    assert (await game.enter())["kind"] == StepKind.ATTEMPTED
    game.now = midnight
    fresh = await today_of(game)
    assert fresh is not None
    assert (fresh["state"], fresh["left"]) == ("open", 3)
    assert (await game.enter())["kind"] == StepKind.QUESTION


async def test_a_question_runs_as_long_as_entering_would_show_it(game: Game) -> None:
    await game.enter()
    game.wait(seconds=15, milliseconds=500)
    at_the_end = await today_of(game)
    game.wait(milliseconds=1)
    after = await today_of(game)

    assert at_the_end is not None
    assert after is not None
    assert (at_the_end["state"], after["state"]) == ("running", "open")


async def test_a_day_that_was_made_shorter_is_done_and_never_below_none(game: Game) -> None:
    step = await game.enter()
    await game.answer_rightly(step)
    await game.answer_rightly(await game.go_on())
    async with game.app.database.transaction() as tx:
        await tx.execute("UPDATE season SET questions_per_day = 1")

    today = await today_of(game)

    assert today is not None
    assert (today["state"], today["left"], today["of"]) == ("done", 0, 1)
    assert (await game.go_on())["kind"] == StepKind.FINISHED


async def test_each_member_has_a_day_of_their_own(
    app: RunningApp, game: Game, rival: SignedIn
) -> None:
    await game.answer_rightly(await game.enter())

    hers = (await game.member.get("/api/v1/battle-ground-config")).json()["data"]["today"]
    his = (await rival.get("/api/v1/battle-ground-config")).json()["data"]["today"]

    assert (hers["left"], his["left"], his["state"]) == (2, 3, "open")


@pytest.mark.parametrize("starts_in_days", [2, -100])
async def test_without_an_open_season_there_is_no_day(
    app: RunningApp, member: SignedIn, starts_in_days: int
) -> None:
    await app.open_season(starts_in=timedelta(days=starts_in_days))

    config = (await member.get("/api/v1/battle-ground-config")).json()["data"]

    assert config["today"] is None


async def test_the_seasons_last_day_has_no_next(game: Game) -> None:
    async with game.app.database.transaction() as tx:
        ends_at = clock.next_midnight(game.now)
        await tx.execute("UPDATE season SET ends_at = $1", ends_at)

    today = await today_of(game)

    assert today is not None
    assert (today["left"], today["nextAt"]) == (3, None)


async def test_the_door_is_one_look_into_an_index(game: Game) -> None:
    await game.enter()
    async with game.app.database.transaction() as tx:
        await tx.execute("SET LOCAL enable_seqscan = off")
        for condition in ("day = current_date", "outcome IS NULL"):
            plan = await tx.fetch_rows(
                "EXPLAIN SELECT count(*) FROM battle_attempt "
                f"WHERE user_id = gen_random_uuid() AND {condition}"
            )
            steps = "\n".join(row["QUERY PLAN"] for row in plan)
            assert "Index" in steps
            assert "Seq Scan" not in steps


async def test_the_end_of_a_day_tells_what_was_served_and_what_ran_out_of_time(game: Game) -> None:
    await game.answer_rightly(await game.enter())
    await game.go_on()
    game.wait(seconds=20)
    await game.sweep()
    await game.answer_rightly(await game.go_on())

    end = await game.go_on()

    assert end["kind"] == StepKind.FINISHED
    assert end["today"] == {
        "points": 20,
        "cnt": 2,
        "answered_correctly": 2,
        "served": 3,
        "timed_out": 1,
    }
