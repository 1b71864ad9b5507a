"""Predictions are scored exactly once."""

import asyncio
from typing import Any
from uuid import UUID

import time_machine
from api.foundation.core import clock
from api.games.predictions.jobs import ScoringWork
from api.games.predictions.service.settling import PredictionScorer
from sqlalchemy import text
from sqlalchemy.ext.asyncio import AsyncEngine

from tests.back_office import OperatorClient
from tests.conftest import RunningApp, SignedIn
from tests.games.matches.matches import DAY, HOUR, moved, shown
from tests.games.predictions.predicting import (
    PREDICTIONS,
    finished,
    kicked_off,
    match,
    points,
    predicted,
    push_state,
    pushed_match,
    settle,
)

MANY = 120
WAITING = "SELECT count(*) FROM pgqueuer WHERE entrypoint = 'settle_predictions'"


async def outcome(member: SignedIn) -> tuple[str, int | None]:
    (row,) = await shown(member, f"{PREDICTIONS}?state=closed")
    return row["outcome"], row["points"]


async def crowd_of(app: RunningApp, fixture: dict[str, Any], count: int, *score: int) -> None:
    """Insert the same prediction for many members."""
    await app.database.execute(
        """WITH people AS (
             INSERT INTO user_account (id, club_id, first_name, last_name, email, phone,
                                       terms_accepted_at, activated_at)
             SELECT gen_random_uuid(), (SELECT min(id::text)::uuid FROM club), 'Fan', 'No ' || n,
                    'fan' || n || '@example.com', '+2347' || lpad(n::text, 9, '0'), now(), now()
               FROM generate_series(1, $2) AS n RETURNING id, club_id)
           INSERT INTO prediction (id, fixture_id, user_id, club_id, home, away, saved_at)
           SELECT gen_random_uuid(), $1, id, club_id, $3, $4, now() - interval '5 hours'
             FROM people""",
        UUID(fixture["id"]),
        count,
        *score,
    )


async def worker_is_done(app: RunningApp) -> None:
    """Wait until the application's own worker has scored all changed matches."""
    for _ in range(200):
        if not await app.database.fetch_value(WAITING):
            return
        await asyncio.sleep(0.05)
    raise AssertionError("the worker has not settled what waits")


async def sums(app: RunningApp) -> tuple[int, int]:
    row = await app.database.fetch_row(
        "SELECT count(*) AS entries, coalesce(sum(points), 0)::int AS points FROM point_entry"
    )
    assert row is not None
    return row["entries"], row["points"]


async def test_exact_is_ten_the_right_result_four_and_else_nothing(
    app: RunningApp, musa: OperatorClient, member: SignedIn, rival: SignedIn
) -> None:
    await app.open_season()
    fixture, third = await match(musa), await app.member("chi")
    await predicted(member, fixture, 2, 1)
    await predicted(rival, fixture, 1, 0)
    await predicted(third, fixture, 1, 1)

    done = await finished(app, musa, fixture, 2, 1)
    await settle(app, done)

    assert await outcome(member) == ("exact", 10)
    assert await outcome(rival) == ("result", 4)
    assert await outcome(third) == ("wrong", 0)
    assert await points(member) == [(10, "Prediction: Enyimba v Arsenal, exact score")]
    assert await points(rival) == [(4, "Prediction: Enyimba v Arsenal, right result")]
    assert await points(third) == []
    statistics = await shown(member, f"/api/v1/dashboard/statistics/{member.id}")
    assert statistics["ranking"]["points"] == 10
    assert statistics["ranking"]["battlePoints"] == 0


async def test_a_finished_match_leaves_a_job_that_the_worker_does(
    app: RunningApp, musa: OperatorClient, member: SignedIn
) -> None:
    fixture = await match(musa)
    await predicted(member, fixture, 0, 0)
    await kicked_off(app, musa, fixture, "finished", 0, 0)

    await worker_is_done(app)

    assert await outcome(member) == ("exact", 10)


async def test_several_workers_settle_many_predictions_once(
    app: RunningApp, musa: OperatorClient
) -> None:
    fixture = await match(musa)
    await crowd_of(app, fixture, MANY, 1, 0)
    done = await kicked_off(app, musa, fixture, "finished", 3, 1)

    await asyncio.gather(*(settle(app, done, batch=7) for _ in range(4)))

    assert await sums(app) == (MANY, 4 * MANY)


async def test_settling_goes_on_where_it_was_cut_off(app: RunningApp, musa: OperatorClient) -> None:
    fixture = await match(musa)
    done = await kicked_off(app, musa, fixture, "finished", 1, 0)
    await worker_is_done(app)
    await crowd_of(app, fixture, MANY, 1, 0)

    await PredictionScorer(app.database, batch=50).settle_batch(UUID(done["id"]))
    assert await sums(app) == (50, 500)
    await settle(app, done)

    assert await sums(app) == (MANY, 10 * MANY)


async def test_a_correction_while_the_first_settling_runs_reaches_everybody(
    app: RunningApp, musa: OperatorClient
) -> None:
    fixture = await match(musa)
    done = await kicked_off(app, musa, fixture, "finished", 1, 0)
    await worker_is_done(app)
    await crowd_of(app, fixture, MANY, 1, 0)
    worker = PredictionScorer(app.database, batch=40)
    await worker.settle_batch(UUID(done["id"]))

    corrected, *_ = await asyncio.gather(
        moved(musa, done, homeGoals=0, awayGoals=0),
        *(settle(app, done, batch=7) for _ in range(2)),
    )
    await settle(app, corrected)

    assert (await sums(app))[1] == 0
    wrong = "SELECT count(*) FROM prediction WHERE outcome = 'wrong' AND points = 0"
    assert await app.database.fetch_value(wrong) == MANY


async def test_corrections_there_and_back_are_entries_of_their_own_days(
    app: RunningApp, member: SignedIn
) -> None:
    await app.open_season()
    fixture = await pushed_match(app, member)
    await predicted(member, fixture, 2, 1)
    for day, goals in ((2, (2, 1)), (4, (2, 2)), (5, (3, 1))):
        with time_machine.travel(clock.now() + day * DAY):
            home, away = goals
            await push_state(app, fixture, state="finished", home_goals=home, away_goals=away)
            await worker_is_done(app)
            await settle(app, fixture)

    assert await points(member) == [
        (4, "Correction: Enyimba v Arsenal, right result"),
        (-10, "Correction: Enyimba v Arsenal, not right"),
        (10, "Prediction: Enyimba v Arsenal, exact score"),
    ]
    days = await app.database.fetch_rows("SELECT day FROM point_entry ORDER BY day")
    today = clock.lagos_day(clock.now())
    assert [row["day"] - today for row in days] == [n * DAY for n in (2, 4, 5)]


async def test_after_seven_days_a_result_stands_for_its_predictions(
    app: RunningApp, member: SignedIn
) -> None:
    fixture = await pushed_match(app, member)
    await predicted(member, fixture, 2, 1)
    for day, goals in ((2, 1), (10, 0)):
        with time_machine.travel(clock.now() + day * DAY):
            await push_state(app, fixture, state="finished", home_goals=2 * goals, away_goals=goals)
            await worker_is_done(app)
            await settle(app, fixture)

    assert await outcome(member) == ("exact", 10)


async def test_an_awarded_match_takes_its_points_back(
    app: RunningApp, musa: OperatorClient, member: SignedIn
) -> None:
    await app.open_season()
    fixture = await match(musa)
    await predicted(member, fixture, 2, 1)
    done = await finished(app, musa, fixture, 2, 1)

    done = await moved(musa, done, state="awarded", homeGoals=3, awayGoals=0)
    await settle(app, done)
    await settle(app, done)

    assert await outcome(member) == ("void", 0)
    assert [one for one, _ in await points(member)] == [-10, 10]
    assert await shown(member, f"{PREDICTIONS}/board?period=season") == {"rows": [], "me": None}


async def test_a_postponed_match_keeps_its_predictions(
    app: RunningApp, musa: OperatorClient, member: SignedIn
) -> None:
    fixture = await match(musa)
    await predicted(member, fixture, 2, 1)

    off = await moved(musa, fixture, state="postponed")
    assert await outcome(member) == ("pending", None)
    again = (clock.now() + 3 * DAY).isoformat()
    fixture = await moved(musa, off, state="scheduled", kickOffAt=again)
    await finished(app, musa, fixture, 2, 1)

    assert await outcome(member) == ("exact", 10)


async def test_an_abandoned_match_voids_what_was_saved_and_not_what_is_saved_anew(
    app: RunningApp, member: SignedIn, rival: SignedIn
) -> None:
    fixture = await pushed_match(app, member)
    await predicted(member, fixture, 1, 0)
    await predicted(rival, fixture, 1, 0)
    past = {"kickOffAt": (clock.now() - HOUR).replace(microsecond=0).isoformat()}
    goals = {"home_goals": 0, "away_goals": 0}
    await app.database.execute("UPDATE prediction SET saved_at = saved_at - interval '2 hours'")
    await push_state(app, past, state="live", **goals)
    await push_state(app, past, state="abandoned", **goals)
    await push_state(app, fixture, state="scheduled")
    await predicted(member, fixture, 1, 0)  # before the worker voids anything

    with time_machine.travel(clock.now() + 2 * DAY):
        await push_state(app, fixture, state="finished", home_goals=1, away_goals=0)
        await worker_is_done(app)
        await settle(app, fixture)

    assert await outcome(member) == ("exact", 10)
    assert await outcome(rival) == ("void", 0)


async def test_what_was_saved_after_an_earlier_kick_off_is_void(
    app: RunningApp, musa: OperatorClient, member: SignedIn, rival: SignedIn
) -> None:
    fixture = await match(musa)
    await predicted(member, fixture, 1, 0)
    await predicted(rival, fixture, 1, 0)
    await app.database.execute(
        "UPDATE prediction SET saved_at = saved_at - interval '2 hours' WHERE user_id = $1",
        member.id,
    )

    earlier = (clock.now() - HOUR).isoformat()
    live = await moved(musa, fixture, state="live", kickOffAt=earlier, homeGoals=0, awayGoals=0)
    done = await moved(musa, live, state="finished", homeGoals=1, awayGoals=0)
    await settle(app, done)

    assert await outcome(member) == ("exact", 10)
    assert await outcome(rival) == ("void", 0)


async def test_a_cancelled_match_voids_its_predictions_and_leaves_none_waiting(
    app: RunningApp, musa: OperatorClient, member: SignedIn, rival: SignedIn
) -> None:
    fixture = await match(musa)
    for one in (member, rival):
        await predicted(one, fixture, 2, 1)

    await moved(musa, fixture, state="cancelled")
    await worker_is_done(app)

    for one in (member, rival):
        assert await outcome(one) == ("void", 0)
    assert await sums(app) == (0, 0)
    settled = await app.database.fetch_rows("SELECT DISTINCT settled_version FROM prediction")
    assert [row["settled_version"] for row in settled] == [2]


async def test_a_match_that_was_void_is_predicted_anew_and_counts_as_if_for_the_first_time(
    app: RunningApp, musa: OperatorClient, member: SignedIn, owner: AsyncEngine
) -> None:
    await app.open_season()
    fixture = await match(musa)
    await predicted(member, fixture, 2, 1)
    swapped = await moved(musa, fixture, home=fixture["away"]["name"], away=fixture["home"]["name"])
    await settle(app, swapped)
    (void,) = await shown(member, f"{PREDICTIONS}?state=open")
    assert (void["outcome"], void["points"]) == ("void", 0)

    await predicted(member, swapped, 3, 0)

    (pending,) = await shown(member, f"{PREDICTIONS}?state=open")
    assert (pending["outcome"], pending["points"]) == ("pending", None)
    # The helper moves saved predictions back by hours, so the change has to be earlier still.
    async with owner.begin() as connection:
        await connection.execute(
            text("UPDATE prediction_decision SET void_until = void_until - interval '1 day'")
        )
    await finished(app, musa, swapped, 3, 0)
    ((won, title),) = await points(member)
    assert won == 10
    assert "correction" not in title


async def test_a_match_of_other_teams_voids_what_was_predicted_of_those_before(
    app: RunningApp, musa: OperatorClient, member: SignedIn, rival: SignedIn
) -> None:
    fixture = await match(musa)
    await predicted(member, fixture, 2, 1)

    swapped = await moved(musa, fixture, home=fixture["away"]["name"], away=fixture["home"]["name"])
    await predicted(rival, swapped, 2, 1)
    await settle(app, swapped)

    rows = await app.database.fetch_rows("SELECT user_id, outcome FROM prediction")
    assert {row["user_id"]: row["outcome"] for row in rows} == {
        member.id: "void",
        rival.id: "pending",
    }


async def test_ten_thousand_predictions_are_settled_in_batches(
    app: RunningApp, musa: OperatorClient
) -> None:
    fixture = await match(musa)
    done = await kicked_off(app, musa, fixture, "finished", 1, 0)
    await worker_is_done(app)
    await crowd_of(app, fixture, 10_000, 1, 0)
    began = clock.now()

    await PredictionScorer(app.database).settle(ScoringWork(fixture_id=UUID(done["id"])))

    assert await sums(app) == (10_000, 100_000)
    print(f"10,000 predictions settled in {(clock.now() - began).total_seconds():.1f} s")
