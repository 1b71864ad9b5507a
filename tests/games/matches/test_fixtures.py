"""Matches at the back office, and a member's calendar."""

import asyncio
from datetime import date, timedelta
from typing import Any

import pytest
import time_machine
from api.foundation.core import clock
from api.foundation.core.ids import new_id
from api.foundation.security.rights import Role
from api.games.matches.enums import FixtureState

from tests.back_office import ADMIN, OperatorClient, operator_client
from tests.conftest import CLUB_A, CLUB_B, RunningApp, SignedIn
from tests.games.matches.matches import (
    CALENDAR,
    DAY,
    FIXTURES,
    HOUR,
    MATCHES,
    change,
    refused,
    wish,
    written,
)

PLAYED = {"live", "half_time", "finished", "awarded"}
# The allowed state changes of a match. A change to the same state is a correction; final states
# have none.
MAY_GO = {
    "scheduled": {"scheduled", "live", "finished", "postponed", "cancelled", "awarded"},
    "live": {"live", "half_time", "finished", "abandoned"},
    "half_time": {"half_time", "live", "finished", "abandoned"},
    "postponed": {"postponed", "scheduled", "cancelled", "awarded"},
    "abandoned": {"abandoned", "scheduled", "cancelled", "awarded"},
    "finished": {"finished", "awarded"},
    "cancelled": set(),
    "awarded": set(),
}


async def titles(member: SignedIn, query: str = "") -> list[tuple[str, str]]:
    answer = await member.get(CALENDAR + query)
    assert answer.status_code == 200, answer.text
    return [(one["kind"], one["title"]) for one in answer.json()["data"]]


async def test_a_match_names_clubs_by_id_or_name_and_other_teams_by_name(
    app: RunningApp, musa: OperatorClient
) -> None:
    first = await written(musa, away={"clubId": str(CLUB_B)}, round="Round 1", venue="Aba")
    second = await written(musa, home=str(CLUB_A), away="kano pillars", competition="npfl")
    third = await written(musa, home="ENYIMBA", away="Kano Pillars", competition="Cup")

    assert first["home"] | {"teamId": ""} == {
        "teamId": "",
        "clubId": str(CLUB_A),
        "name": "Enyimba",
        "emblem": f"/media/crests/{CLUB_A}.svg",
    }
    assert (first["away"]["name"], first["state"], first["version"]) == ("Arsenal", "scheduled", 1)
    assert (first["round"], first["venue"], first["homeGoals"]) == ("Round 1", "Aba", None)
    assert second["home"] == first["home"] == third["home"]
    assert second["away"] == third["away"]
    assert (second["away"]["clubId"], second["away"]["emblem"]) == (None, None)
    assert second["competition"] == "NPFL"
    names = await app.database.fetch_rows("SELECT name FROM competition ORDER BY name")
    assert [row["name"] for row in names] == ["Cup", "NPFL"]


@pytest.mark.parametrize(
    "changes",
    [
        {"home": "Kano Pillars"},
        {"home": {"clubId": str(new_id())}},
        {"home": {}},
        {"home": {"clubId": str(CLUB_A), "name": "Enyimba"}},
        {"home": ""},
        {"home": 5},
        {"competition": ""},
        {"kickOffAt": "2027-01-01T12:00:00"},
        {"kickOffAt": 1_800_000_000},
        {"kickOffAt": "0001-01-01T00:00:00Z"},
        {"kickOffAt": "9999-12-31T23:59:59-14:00"},
        {"homeGoals": 1},
        {"homeGoals": 1, "awayGoals": 0},
        {"state": "awarded"},
        {"state": "awarded", "homeGoals": 31, "awayGoals": 0},
        {"state": "over"},
        {"other": 1},
    ],
)
async def test_a_match_that_does_not_fit_is_refused(
    app: RunningApp, musa: OperatorClient, changes: dict[str, Any]
) -> None:
    answer = await musa.post(FIXTURES, wish(**changes))

    assert answer.status_code == 422, answer.text
    assert await app.database.fetch_row("SELECT FROM fixture") is None
    assert await app.database.fetch_row("SELECT FROM team") is None


async def test_a_match_goes_from_kick_off_to_its_result_and_is_corrected(
    app: RunningApp, musa: OperatorClient
) -> None:
    fixture = await written(musa, clock.now() + HOUR)
    early = await change(musa, fixture, state="live", homeGoals=0, awayGoals=0)
    assert refused(early) == (409, "too_early")

    with time_machine.travel(clock.now() + 2 * HOUR, tick=True):
        musa = await operator_client(app, "mina", Role.GAME_MASTER)
        seen = []
        for state, goals in (
            ("live", 0),
            ("live", 1),
            ("half_time", 1),
            ("live", 1),
            ("finished", 2),
            ("finished", 3),
        ):
            answer = await change(musa, fixture, state=state, homeGoals=goals, awayGoals=0)
            assert answer.status_code == 200, answer.text
            fixture = answer.json()["data"]
            seen.append(fixture["phaseStartedAt"])
        back = await change(musa, fixture, state="scheduled", homeGoals=None, awayGoals=None)

    assert seen[0] == seen[1] < seen[2] < seen[3]
    assert seen[4:] == [None, None]
    assert (fixture["version"], fixture["homeGoals"]) == (7, 3)
    assert refused(back) == (409, "state_conflict")
    assert back.json()["data"] == {"status": "finished"}


def test_every_state_of_a_match_says_where_it_may_go() -> None:
    assert set(MAY_GO) == {state.value for state in FixtureState}


@pytest.mark.parametrize("old", list(MAY_GO))
async def test_a_match_moves_as_it_may_and_no_other_way(
    app: RunningApp, musa: OperatorClient, old: str
) -> None:
    ways = {"scheduled": [], "half_time": ["live", "half_time"], "abandoned": ["live", "abandoned"]}

    def goals(state: str) -> dict[str, Any]:
        number = 1 if state in PLAYED else None
        return {"state": state, "homeGoals": number, "awayGoals": number}

    for number, new in enumerate(MAY_GO):
        fixture = await written(musa, clock.now() - HOUR - number * DAY)
        for step in ways.get(old, [old]):
            answer = await change(musa, fixture, **goals(step))
            assert answer.status_code == 200, answer.text
            fixture = answer.json()["data"]

        answer = await change(musa, fixture, **goals(new))

        expected = (200, None) if new in MAY_GO[old] else (409, "state_conflict")
        found = answer.json().get("error") or {}
        assert (answer.status_code, found.get("code")) == expected, new


async def test_a_result_of_the_past_is_written_at_once_and_the_future_is_not(
    app: RunningApp, musa: OperatorClient
) -> None:
    result = {"state": "finished", "homeGoals": 2, "awayGoals": 1}

    past = await written(musa, clock.now() - 3 * HOUR, **result)
    future = await musa.post(FIXTURES, wish(clock.now() + HOUR, **result))

    assert (past["state"], past["homeGoals"], past["awayGoals"]) == ("finished", 2, 1)
    assert refused(future) == (409, "too_early")


async def test_of_ten_changes_at_once_one_is_made_and_teams_are_made_once(
    live_server: RunningApp,
) -> None:
    musa = await operator_client(live_server, "musa", Role.GAME_MASTER)
    pairs = [("Team A", "Team B"), ("Team B", "Team A")] * 5
    made = await asyncio.gather(
        *(
            musa.post(
                FIXTURES, wish(clock.now() + n * DAY, home=home, away=away, competition="Cup")
            )
            for n, (home, away) in enumerate(pairs)
        )
    )
    assert {answer.status_code for answer in made} == {201}
    assert await live_server.database.fetch_value("SELECT count(*) FROM team") == 2
    fixture = made[0].json()["data"]

    answers = await asyncio.gather(
        *(change(musa, fixture, round=f"Round {number}") for number in range(10))
    )

    assert sorted(answer.status_code for answer in answers) == [200] + [409] * 9
    assert {refused(one) for one in answers if one.status_code == 409} == {(409, "stale")}


async def test_two_teams_meet_once_at_a_time(app: RunningApp, musa: OperatorClient) -> None:
    first = await written(musa)
    again = {**wish(), "kickOffAt": first["kickOffAt"]}
    second = await written(musa, clock.now() + 2 * DAY)

    assert refused(await musa.post(FIXTURES, again)) == (409, "fixture_exists")
    moved = await change(musa, second, kickOffAt=first["kickOffAt"])
    assert refused(moved) == (409, "fixture_exists")
    unknown = await change(musa, first | {"id": str(new_id())})
    assert unknown.status_code == 404


async def test_matches_are_listed_by_kick_off_state_and_days(
    app: RunningApp, musa: OperatorClient
) -> None:
    start = clock.now().replace(hour=12, minute=0, second=0, microsecond=0)
    for days in (3, 1, 2):
        await written(musa, start + days * DAY, round=str(days))
    await written(musa, start + 4 * DAY, state="postponed", round="4")

    async def rounds(query: str) -> list[str]:
        rows = (await musa.get(f"{FIXTURES}?{query}")).json()["data"]["rows"]
        return [row["round"] for row in rows]

    day = clock.lagos_day(start)
    assert await rounds("") == ["4", "3", "2", "1"]
    assert await rounds("state=postponed") == ["4"]
    assert await rounds(f"from={day + 2 * DAY}&to={day + 3 * DAY}") == ["3", "2"]
    page = (await musa.get(f"{FIXTURES}?limit=3")).json()["data"]
    assert await rounds(f"limit=3&before={page['next']}") == ["1"]


async def test_a_calendar_has_the_clubs_matches_and_those_of_no_club(
    app: RunningApp, musa: OperatorClient, member: SignedIn, rival: SignedIn
) -> None:
    start = clock.now() + HOUR
    await written(musa, start)
    await written(musa, start + DAY, home="Arsenal", away="Chelsea Old Boys")
    await written(musa, start + 2 * DAY, home="Nigeria", away="Ghana", state="postponed")
    cancelled = await written(musa, start + 3 * DAY, home="Enyimba", away="Arsenal")
    await change(musa, cancelled, state="cancelled")

    assert await titles(member) == [
        ("fixture", "Enyimba v Kano Pillars"),
        ("fixture", "Nigeria v Ghana (postponed)"),
    ]
    assert await titles(rival) == [
        ("fixture", "Arsenal v Chelsea Old Boys"),
        ("fixture", "Nigeria v Ghana (postponed)"),
    ]


async def test_a_calendar_has_the_season_its_ranks_and_the_plans_end(
    app: RunningApp, musa: OperatorClient, member: SignedIn
) -> None:
    starts = clock.now() + DAY
    body = {
        "name": "2027",
        "startsAt": starts.isoformat(),
        "endsAt": (starts + 10 * DAY).isoformat(),
        **{"pointPerQuestion": 5, "questionTimeLimit": 15, "questionsPerDay": 10},
        "ranks": [{"rank": "rookie", "thresholdPoint": 50, "startsAt": (starts + DAY).isoformat()}],
    }
    assert (await musa.post(f"{ADMIN}/seasons", body)).status_code == 201
    await app.subscribe(member, lasts=timedelta(days=8))

    found = await titles(member)

    assert [one for one in found if one[0] != "plan"] == [
        ("season", "2027 begins"),
        ("rank", "rookie opens"),
        ("season", "2027 ends"),
    ]
    ((_, plan),) = [one for one in found if one[0] == "plan"]
    assert plan.endswith(" ends")
    assert [kind for kind, _ in found].index("plan") == 2


async def test_a_calendar_covers_the_days_that_are_asked_for(
    app: RunningApp, musa: OperatorClient, member: SignedIn
) -> None:
    day = clock.lagos_day(clock.now()) + 10 * DAY
    midnight = clock.midnight(day)
    for minutes in (-1, 0, 24 * 60 - 1, 24 * 60):
        await written(musa, midnight + timedelta(minutes=minutes))

    assert len(await titles(member, f"?from={day}&to={day}")) == 2
    assert len(await titles(member, f"?from={day - DAY}&to={day + DAY}")) == 4
    assert (await member.get(f"{CALENDAR}?from={day}&to={day - DAY}")).status_code == 422
    assert (await app.client.get(CALENDAR)).status_code == 401


@pytest.mark.parametrize("path", [MATCHES, CALENDAR, f"{CALENDAR}/export"])
async def test_a_span_of_120_days_is_shown_and_a_longer_one_refused(
    app: RunningApp, member: SignedIn, path: str
) -> None:
    first = date(2026, 8, 1)

    asked = [
        await member.get(f"{path}?from={first}&to={first + days * DAY}") for days in (120, 121)
    ]

    assert [answer.status_code for answer in asked] == [200, 422]
    assert asked[1].json()["error"]["fields"] == {"to": "Please ask for at most 120 days."}
