"""Predictions can be saved until the kick-off."""

import asyncio
from datetime import timedelta
from typing import Any
from uuid import UUID

import pytest
import time_machine
from api.foundation.core import clock
from api.foundation.core.ids import new_id

from tests.back_office import OperatorClient
from tests.conftest import RunningApp, SignedIn
from tests.games.matches.matches import DAY, moved, refused, shown
from tests.games.predictions.predicting import (
    PREDICTIONS,
    kicked_off,
    match,
    predict,
    predicted,
    remove,
)


async def test_a_prediction_is_saved_replaced_and_removed(
    app: RunningApp, musa: OperatorClient, member: SignedIn
) -> None:
    fixture = await match(musa)

    first = await predicted(member, fixture, 2, 1)
    again = await predicted(member, fixture, 0, 20)
    (listed,) = await shown(member, PREDICTIONS)
    gone = await remove(member, fixture)
    gone_again = await remove(member, fixture)

    assert set(first) == {"fixtureId", "home", "away", "savedAt", "closesAt"}
    assert (first["fixtureId"], first["home"], first["away"]) == (fixture["id"], 2, 1)
    assert first["closesAt"] == fixture["kickOffAt"]
    assert (again["home"], again["away"]) == (0, 20)
    assert (listed["home"], listed["away"], listed["outcome"]) == (0, 20, "pending")
    assert listed["fixture"]["prediction"] == {
        **{"home": 0, "away": 20, "points": None},
        "outcome": "pending",
        "savedAt": again["savedAt"],
    }
    assert gone.status_code == gone_again.status_code == 200
    assert gone.json()["data"]["home"] is None
    (unpredicted,) = await shown(member, PREDICTIONS)
    assert (unpredicted["home"], unpredicted["outcome"]) == (None, "pending")


@pytest.mark.parametrize(
    "score", [{"home": 21, "away": 0}, {"home": -1, "away": 0}, {"home": 1.5, "away": 0}, {}]
)
async def test_goals_are_whole_numbers_up_to_twenty(
    musa: OperatorClient, member: SignedIn, score: dict[str, Any]
) -> None:
    fixture = await match(musa)

    answer = await member.client.put(
        f"{PREDICTIONS}/{fixture['id']}", json=score, headers=member.headers
    )

    assert answer.status_code == 422
    assert "home" in answer.json()["error"]["fields"]


async def test_who_is_not_signed_in_or_names_no_match_is_refused(
    app: RunningApp, musa: OperatorClient, member: SignedIn
) -> None:
    fixture = await match(musa)

    anonymous = await app.client.put(f"{PREDICTIONS}/{fixture['id']}", json={"home": 1, "away": 1})

    assert anonymous.status_code == 401
    assert (await predict(member, {"id": new_id()}, 1, 1)).status_code == 404
    assert (await remove(member, {"id": new_id()})).status_code == 404


async def test_what_is_not_scheduled_or_too_far_ahead_is_not_open(
    musa: OperatorClient, member: SignedIn
) -> None:
    far = await match(musa, kickOffAt=(clock.now() + 15 * DAY).isoformat())
    postponed = await moved(musa, await match(musa, away="Remo"), state="postponed")
    cancelled = await moved(musa, await match(musa, away="Lobi"), state="cancelled")

    for fixture in (far, postponed, cancelled):
        assert refused(await predict(member, fixture, 1, 0)) == (409, "not_open")
        assert refused(await remove(member, fixture)) == (409, "not_open")


async def test_a_match_opens_fourteen_days_ahead_to_the_second(
    musa: OperatorClient, member: SignedIn
) -> None:
    opens = clock.now().replace(microsecond=0) + timedelta(minutes=10)
    fixture = await match(musa, kickOffAt=(opens + 14 * DAY).isoformat())

    with time_machine.travel(opens - timedelta(seconds=1), tick=False) as traveller:
        assert refused(await predict(member, fixture, 1, 0)) == (409, "not_open")
        assert await shown(member, PREDICTIONS) == []
        traveller.move_to(opens)
        assert (await predict(member, fixture, 1, 0)).status_code == 200
        assert len(await shown(member, PREDICTIONS)) == 1


@pytest.mark.parametrize("state", ["live", "finished"])
async def test_after_the_kick_off_nothing_is_saved(
    app: RunningApp, musa: OperatorClient, member: SignedIn, state: str
) -> None:
    fixture = await match(musa)
    await kicked_off(app, musa, fixture, state)

    assert refused(await predict(member, fixture, 1, 0)) == (409, "prediction_closed")
    assert refused(await remove(member, fixture)) == (409, "prediction_closed")


async def test_the_last_moment_is_before_the_kick_off(
    musa: OperatorClient, member: SignedIn
) -> None:
    kick_off = clock.now() + timedelta(minutes=10)
    fixture = await match(musa, kickOffAt=kick_off.replace(microsecond=0).isoformat())
    at = kick_off.replace(microsecond=0)

    with time_machine.travel(at - timedelta(milliseconds=5), tick=False):
        assert (await predict(member, fixture, 1, 0)).status_code == 200
    with time_machine.travel(at, tick=False):
        assert refused(await predict(member, fixture, 2, 0)) == (409, "prediction_closed")


async def test_what_is_saved_while_the_match_kicks_off_is_refused(
    app: RunningApp, musa: OperatorClient, member: SignedIn
) -> None:
    fixture = await match(musa)

    async with app.database.transaction() as tx:
        await tx.execute(
            "UPDATE fixture SET state = 'live', half = 1, home_goals = 0, away_goals = 0 "
            "WHERE id = $1",
            UUID(fixture["id"]),
        )
        saving = asyncio.create_task(predict(member, fixture, 1, 0))
        await asyncio.sleep(0.3)
        assert not saving.done()

    assert refused(await saving) == (409, "prediction_closed")
    assert await app.database.fetch_value("SELECT count(*) FROM prediction") == 0


async def test_many_writes_at_once_leave_one_prediction(
    app: RunningApp, musa: OperatorClient, member: SignedIn
) -> None:
    fixture = await match(musa)

    answers = await asyncio.gather(*(predict(member, fixture, n, 0) for n in range(8)))

    assert [answer.status_code for answer in answers] == [200] * 8
    assert await app.database.fetch_value("SELECT count(*) FROM prediction") == 1


async def test_a_save_that_names_what_it_replaces_arrives_in_order_or_is_refused(
    musa: OperatorClient, member: SignedIn
) -> None:
    fixture = await match(musa)

    first = await predicted(member, fixture, 1, 0, base=None)
    second = await predicted(member, fixture, 2, 0, base=first["savedAt"])
    late = await predict(member, fixture, 3, 0, base=first["savedAt"])
    late_first = await predict(member, fixture, 4, 0, base=None)

    for refusal in (late, late_first):
        assert refused(refusal) == (409, "prediction_changed")
        assert refusal.json()["data"] == second
    (listed,) = await shown(member, PREDICTIONS)
    assert (listed["home"], listed["fixture"]["prediction"]["savedAt"]) == (2, second["savedAt"])


async def test_a_save_in_order_that_is_repeated_succeeds_and_stays_the_same_state(
    musa: OperatorClient, member: SignedIn
) -> None:
    fixture = await match(musa)
    first = await predicted(member, fixture, 1, 0, base=None)

    again = await predicted(member, fixture, 1, 0, base=None)

    assert again == first
    assert (await predicted(member, fixture, 2, 0, base=first["savedAt"]))["home"] == 2


async def test_a_save_in_order_does_not_bring_back_what_was_removed(
    musa: OperatorClient, member: SignedIn
) -> None:
    fixture = await match(musa)
    first = await predicted(member, fixture, 1, 0)
    gone = (await remove(member, fixture)).json()["data"]

    late = await predict(member, fixture, 2, 0, base=first["savedAt"])

    assert refused(late) == (409, "prediction_changed")
    assert late.json()["data"] == gone
    assert (await predicted(member, fixture, 3, 0, base=None))["home"] == 3


async def test_of_many_saves_of_one_state_at_once_one_succeeds(
    musa: OperatorClient, member: SignedIn
) -> None:
    fixture = await match(musa)
    base = (await predicted(member, fixture, 9, 9))["savedAt"]

    answers = await asyncio.gather(*(predict(member, fixture, n, 0, base=base) for n in range(8)))

    assert sorted(answer.status_code for answer in answers) == [200] + [409] * 7
    (saved,) = (answer.json()["data"] for answer in answers if answer.status_code == 200)
    (listed,) = await shown(member, PREDICTIONS)
    assert listed["home"] == saved["home"]


@pytest.mark.parametrize("base", ["yesterday", 7, "2026-11-27T10:00:00"])
async def test_what_a_save_replaces_is_an_instant(
    musa: OperatorClient, member: SignedIn, base: Any
) -> None:
    fixture = await match(musa)

    answer = await predict(member, fixture, 1, 0, base=base)

    assert answer.status_code == 422
    assert "base" in answer.json()["error"]["fields"]


async def test_the_home_screen_says_what_is_left_to_predict_and_the_day_counts(
    app: RunningApp, musa: OperatorClient, member: SignedIn
) -> None:
    async def today() -> tuple[dict[str, Any], dict[str, Any]]:
        answer = await shown(member, "/api/v1/today")
        (entry,) = (entry for entry in answer["doors"] if entry["kind"] == "predict")
        return entry, answer["me"]["streak"]

    assert (await today())[0]["state"] == "none"
    first = await match(musa)
    second = await match(musa, kickOffAt=(clock.now() + 5 * DAY).isoformat())

    entry, streak = await today()
    assert (entry["state"], entry["left"], entry["closesAt"]) == ("open", 2, first["kickOffAt"])
    assert (streak["days"], streak["doneToday"]) == (0, False)
    await predicted(member, first, 2, 1)
    entry, streak = await today()
    assert (entry["left"], entry["closesAt"]) == (1, second["kickOffAt"])
    assert (streak["days"], streak["doneToday"]) == (1, True)
    await predicted(member, second, 0, 0)
    entry, streak = await today()
    assert (entry["state"], streak["days"]) == ("done", 1)
