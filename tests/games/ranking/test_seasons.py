"""Seasons at the back office."""

import asyncio
from datetime import datetime, timedelta
from typing import Any

import httpx
import pytest
from api.foundation.core import clock
from api.foundation.core.ids import new_id
from api.foundation.security.rights import Role

from tests.back_office import ADMIN, OperatorClient, operator_client
from tests.conftest import RunningApp, SignedIn

SEASONS = f"{ADMIN}/seasons"
DAY = timedelta(days=1)


def wish(name: str = "2027", *, starts: datetime | None = None, **changes: Any) -> dict[str, Any]:
    starts = starts or clock.now() + DAY
    return {
        "name": name,
        "startsAt": starts.isoformat(),
        "endsAt": (starts + 30 * DAY).isoformat(),
        "pointPerQuestion": 5,
        "questionTimeLimit": 15,
        "questionsPerDay": 10,
        "ranks": [
            {"rank": "rookie", "thresholdPoint": 50},
            {"rank": "super-fan", "thresholdPoint": 120, "startsAt": (starts + DAY).isoformat()},
        ],
    } | changes


@pytest.fixture
async def musa(app: RunningApp) -> OperatorClient:
    return await operator_client(app, "musa", Role.GAME_MASTER)


async def put(
    operator: OperatorClient, season: dict[str, Any], body: dict[str, Any]
) -> httpx.Response:
    return await operator.client.put(
        f"{SEASONS}/{season['id']}", json=body, headers=operator.headers
    )


def refused(answer: httpx.Response) -> tuple[int, str]:
    return answer.status_code, answer.json()["error"]["code"]


async def test_a_season_is_written_with_its_ladder_and_read_again(
    app: RunningApp, musa: OperatorClient, member: SignedIn
) -> None:
    answer = await musa.post(SEASONS, wish())

    assert answer.status_code == 201, answer.text
    season = answer.json()["data"]
    assert (season["name"], season["state"], season["pointPerQuestion"]) == ("2027", "upcoming", 5)
    assert [(one["rank"], one["thresholdPoint"]) for one in season["ranks"]] == [
        ("rookie", 50),
        ("super-fan", 120),
    ]
    assert season["ranks"][0]["startsAt"] is None
    listed = (await musa.get(SEASONS)).json()["data"]
    assert listed == {"rows": [season], "next": None}
    ladder = (await member.get("/api/v1/battlezone-rank-config")).json()["data"]
    assert [one["rank"] for one in ladder] == ["rookie", "super-fan"]


async def test_a_season_is_changed_by_its_id_name_included(
    app: RunningApp, musa: OperatorClient
) -> None:
    season = (await musa.post(SEASONS, wish())).json()["data"]

    changed = await put(
        musa, season, wish("Harmattan", ranks=[{"rank": "fan", "thresholdPoint": 9}])
    )

    assert changed.status_code == 200, changed.text
    data = changed.json()["data"]
    assert (data["id"], data["name"]) == (season["id"], "Harmattan")
    assert [one["rank"] for one in data["ranks"]] == ["fan"]
    assert (await put(musa, {"id": new_id()}, wish())).status_code == 404
    rows = await app.database.fetch_rows("SELECT action FROM audit_entry ORDER BY id")
    assert [row["action"] for row in rows] == ["create", "change"]


async def test_seasons_of_one_name_or_one_time_are_refused(
    app: RunningApp, musa: OperatorClient
) -> None:
    first = (await musa.post(SEASONS, wish())).json()["data"]
    later = clock.now() + 60 * DAY
    second = (await musa.post(SEASONS, wish("2028", starts=later))).json()["data"]

    assert refused(await musa.post(SEASONS, wish())) == (409, "season_refused")
    assert refused(await musa.post(SEASONS, wish("Other"))) == (409, "season_refused")
    assert refused(await put(musa, second, wish("2028"))) == (409, "season_refused")
    assert refused(await put(musa, second, wish("2027", starts=later))) == (409, "season_refused")
    assert (await put(musa, first, wish(pointPerQuestion=6))).status_code == 200


async def test_once_a_season_has_begun_its_start_and_ladder_stand(
    app: RunningApp, musa: OperatorClient
) -> None:
    starts = clock.now() - DAY
    season = (await musa.post(SEASONS, wish(starts=starts))).json()["data"]

    other_ladder = wish(starts=starts, ranks=[{"rank": "fan", "thresholdPoint": 9}])
    assert refused(await put(musa, season, other_ladder)) == (409, "season_refused")
    assert refused(await put(musa, season, wish(starts=starts - DAY))) == (409, "season_refused")
    longer = wish(starts=starts, endsAt=(starts + 40 * DAY).isoformat())
    assert (await put(musa, season, longer)).status_code == 200


@pytest.mark.parametrize(
    "change",
    [
        {"name": ""},
        {"name": "x" * 61},
        {"endsAt": "2020-01-01T00:00:00Z"},
        {"startsAt": "2027-01-01T00:00:00"},
        {"startsAt": "0001-01-01T00:00:00Z"},
        {"startsAt": 1_800_000_000},
        {"endsAt": "9999-12-31T23:59:59-14:00"},
        {"ranks": []},
        {"ranks": [{"rank": "king-of-fans", "thresholdPoint": 5}]},
        {"ranks": [{"rank": "Not A Slug", "thresholdPoint": 5}]},
        {"ranks": [{"rank": "a", "thresholdPoint": 5}, {"rank": "b", "thresholdPoint": 5}]},
        {"pointPerQuestion": 0},
        {"pointPerQuestion": "5"},
        {"questionTimeLimit": 301},
        {"questionsPerDay": 101},
        {"other": 1},
    ],
)
async def test_a_season_that_does_not_fit_is_refused(
    app: RunningApp, musa: OperatorClient, change: dict[str, Any]
) -> None:
    answer = await musa.post(SEASONS, wish() | change)

    assert answer.status_code == 422, answer.text
    assert await app.database.fetch_row("SELECT FROM season") is None


async def test_of_ten_seasons_of_one_time_at_once_one_is_written(live_server: RunningApp) -> None:
    musa = await operator_client(live_server, "musa", Role.GAME_MASTER)

    answers = await asyncio.gather(
        *(musa.post(SEASONS, wish(f"Season {number}")) for number in range(10))
    )

    assert sorted(answer.status_code for answer in answers) == [201] + [409] * 9


async def test_of_two_changes_of_what_was_read_one_is_stale(
    app: RunningApp, musa: OperatorClient
) -> None:
    season = (await musa.post(SEASONS, wish())).json()["data"]
    bodies = [wish(name, version=season["version"]) for name in ("One", "Other")]

    answers = await asyncio.gather(*(put(musa, season, body) for body in bodies))

    done = next(one for one in answers if one.status_code == 200).json()["data"]
    stale = next(one for one in answers if one.status_code != 200)
    assert refused(stale) == (409, "stale")
    assert (await musa.get(SEASONS)).json()["data"]["rows"] == [done]
    assert done["version"] == season["version"] + 1
    rows = await app.database.fetch_rows("SELECT action FROM audit_entry ORDER BY id")
    assert [row["action"] for row in rows] == ["create", "change"]


async def test_a_change_of_a_season_that_names_no_version_holds(musa: OperatorClient) -> None:
    season = (await musa.post(SEASONS, wish())).json()["data"]
    for name in ("One", "Other"):
        assert (await put(musa, season, wish(name))).status_code == 200
    assert refused(await put(musa, season, wish(version=0))) == (422, "validation_failed")
