"""Matches, competitions, tables and calendar files, as members get them."""

from datetime import timedelta
from typing import Any

import pytest
import time_machine
from api.foundation.core import clock
from api.foundation.security.rights import Role

from tests.back_office import OperatorClient, operator_client
from tests.conftest import CLUB_A, CLUB_B, RunningApp, SignedIn
from tests.games.matches.matches import (
    CALENDAR,
    DAY,
    HOUR,
    MATCHES,
    change,
    moved,
    pushed,
    row,
    shown,
    written,
)

UNKNOWN_USER_ID = "01a20b07-0000-7000-8000-000000000000"
FIELDS = {
    *("id", "competition", "round", "home", "away", "kickOffAt", "venue", "state"),
    *("phaseStartedAt", "half", "goals", "scored", "version", "updatedAt", "closesAt"),
    *("prediction", "crowd"),
}


async def pairs(member: SignedIn, query: str = "") -> list[str]:
    found = await shown(member, f"{MATCHES}?{query}")
    return [f"{one['home']['name']} v {one['away']['name']}" for one in found]


async def test_a_member_sees_a_match_with_its_teams_and_its_competition(
    app: RunningApp, musa: OperatorClient, member: SignedIn
) -> None:
    made = await written(musa, round="Round 1", venue="Aba", away="Arsenal")

    (listed,) = await shown(member, MATCHES)
    found = await shown(member, f"{MATCHES}/{made['id']}")

    assert listed == found
    assert set(found) == FIELDS
    assert found["home"] == {
        "teamId": made["home"]["teamId"],
        "clubId": str(CLUB_A),
        "name": "Enyimba",
        "emblem": f"/media/crests/{CLUB_A}.svg",
    }
    year = str(clock.lagos_day(clock.now() + DAY).year)
    assert found["competition"] | {"id": ""} == {
        **{"id": "", "name": "NPFL", "season": year},
        **{"demo": False, "table": False},
    }
    assert (found["state"], found["version"], found["goals"]) == ("scheduled", 1, None)
    assert (found["round"], found["venue"], found["scored"]) == ("Round 1", "Aba", [])
    assert (found["closesAt"], found["phaseStartedAt"]) == (found["kickOffAt"], None)
    assert (found["prediction"], found["crowd"]) == (None, None)


async def test_matches_are_the_own_clubs_of_the_next_weeks_unless_others_are_asked_for(
    app: RunningApp, musa: OperatorClient, member: SignedIn, rival: SignedIn
) -> None:
    now = clock.now()
    await written(musa, now + 2 * DAY, away="Lobi Stars")
    await written(musa, now + DAY, away="Arsenal")
    await written(musa, now + 3 * DAY, home="Arsenal", away="Chelsea Old Boys")
    await written(musa, now + 40 * DAY, away="Rivers United")
    postponed = await written(musa, now + 4 * DAY, away="Heartland")
    await moved(musa, postponed, state="postponed")
    cup = await written(musa, now + 5 * DAY, away="Remo", competition="Cup")
    day = clock.lagos_day(now)

    mine = ["Enyimba v Arsenal", "Enyimba v Lobi Stars", "Enyimba v Heartland", "Enyimba v Remo"]
    assert await pairs(member) == mine
    assert await pairs(rival) == ["Enyimba v Arsenal", "Arsenal v Chelsea Old Boys"]
    assert await pairs(member, f"club={CLUB_B}") == await pairs(rival)
    assert await pairs(member, "club=arsenal") == await pairs(rival)
    assert len(await pairs(member, "club=all")) == 5
    assert await pairs(member, "club=all&limit=2") == mine[:2]
    assert await pairs(member, "state=postponed") == ["Enyimba v Heartland"]
    assert await pairs(member, f"from={day + 40 * DAY}&to={day + 40 * DAY}") == [
        "Enyimba v Rivers United"
    ]
    (found,) = await shown(member, f"{MATCHES}?club=all&state=scheduled&from={day + 5 * DAY}")
    assert found["id"] == cup["id"]
    assert await pairs(member, f"competition={found['competition']['id']}") == ["Enyimba v Remo"]


@pytest.mark.parametrize(
    ("query", "status"),
    [
        ("limit=0", 422),
        ("limit=101", 422),
        ("state=over", 422),
        ("from=2026-12-01T10:30:00Z", 422),
        ("from=2027-02-01&to=2027-01-31", 422),
        ("from=2027-01-01&to=2027-05-02", 422),
        ("from=2027-01-01&to=2027-04-30", 200),
        (f"club={UNKNOWN_USER_ID}", 404),
        ("club=nobody", 404),
        (f"competition={UNKNOWN_USER_ID}", 404),
        ("competition=none", 404),
    ],
)
async def test_what_does_not_fit_is_refused(member: SignedIn, query: str, status: int) -> None:
    answer = await member.get(f"{MATCHES}?{query}")

    assert answer.status_code == status
    if status == 422:
        assert answer.json()["error"]["fields"]


@pytest.mark.parametrize(
    "path",
    [
        f"{MATCHES}/{UNKNOWN_USER_ID}",
        f"{MATCHES}/none",
        f"{MATCHES}/{UNKNOWN_USER_ID}/export",
        f"/api/v1/competitions/{UNKNOWN_USER_ID}/table",
    ],
)
async def test_what_is_not_there_is_not_found(member: SignedIn, path: str) -> None:
    assert (await member.get(path)).status_code == 404
    assert (await member.client.get(path)).status_code == 401


async def test_nobody_without_a_token_reads_matches(app: RunningApp) -> None:
    for path in (MATCHES, "/api/v1/competitions", f"{CALENDAR}/export"):
        assert (await app.client.get(path)).status_code == 401


async def test_who_scored_when_follows_from_the_half_and_a_correction_takes_the_last_back(
    app: RunningApp, member: SignedIn
) -> None:
    kick_off = clock.now().replace(microsecond=0)
    steps = [
        (0, "live", 0, 0),
        (12, "live", 1, 0),
        (50, "live", 1, 1),
        (51, "half_time", 1, 1),
        (66, "live", 1, 1),
        (67, "live", 2, 1),
        (80, "live", 1, 1),
        (81, "live", 1, 2),
        (120, "finished", 1, 2),
    ]
    base = row(kick_off_at=kick_off.isoformat())
    with time_machine.travel(kick_off, tick=False) as traveller:
        for minutes, state, home, away in steps:
            traveller.move_to(kick_off + timedelta(minutes=minutes, seconds=1))
            changes = {"state": state, "home_goals": home, "away_goals": away}
            assert await pushed(app, base | changes) == (1, 0, [])

    (found,) = await shown(member, MATCHES)
    assert found["scored"] == [
        {"side": "home", "minute": 13},
        {"side": "away", "minute": 45},
        {"side": "away", "minute": 61},
    ]
    assert found["goals"] == {"home": 1, "away": 2}
    assert (found["closesAt"], found["phaseStartedAt"]) == (None, None)
    assert found["version"] == len(steps)


async def test_a_table_counts_what_was_played_and_equal_teams_share_a_place(
    app: RunningApp, musa: OperatorClient, member: SignedIn
) -> None:
    now = clock.now()

    async def played(home: str, away: str, goals: tuple[int, int], days: int) -> Any:
        done = {"state": "finished", "homeGoals": goals[0], "awayGoals": goals[1]}
        return await written(musa, now - days * DAY, home=home, away=away, **done)

    await played("Enyimba", "Arsenal", (2, 1), 9)
    await played("Lobi Stars", "Remo", (1, 1), 8)
    await played("Enyimba", "Lobi Stars", (0, 0), 7)
    awarded = await played("Remo", "Arsenal", (0, 3), 6)
    await moved(musa, awarded, state="awarded", homeGoals=3, awayGoals=0)
    live = await written(musa, now - HOUR, home="Remo", away="Enyimba")
    await moved(musa, live, state="live", homeGoals=5, awayGoals=0)
    await written(musa, now + DAY, home="Heartland", away="Enyimba")
    cancelled = await written(musa, now + DAY, home="Gone", away="Away")
    await moved(musa, cancelled, state="cancelled")
    (competition,) = await shown(member, "/api/v1/competitions")
    path = f"/api/v1/competitions/{competition['id']}/table"
    assert await shown(member, path) == []

    await app.database.execute("UPDATE competition SET has_table = true")
    table = await shown(member, path)

    assert [
        (one["position"], one["team"]["name"], one["points"], one["for"], one["against"])
        for one in table
    ] == [
        (1, "Remo", 4, 4, 1),
        (2, "Enyimba", 4, 2, 1),
        (3, "Lobi Stars", 2, 1, 1),
        (4, "Heartland", 0, 0, 0),
        (5, "Arsenal", 0, 1, 5),
    ]
    assert table[1] == {
        "position": 2,
        "team": table[1]["team"],
        **{"played": 2, "won": 1, "drawn": 1, "lost": 0},
        **{"for": 2, "against": 1, "difference": 1, "points": 4},
    }
    assert (await shown(member, "/api/v1/competitions"))[0]["table"] is True

    await written(musa, now + DAY, home="Abia", away="Kwara")
    places = [(one["position"], one["team"]["name"]) for one in await shown(member, path)]
    assert places[3:] == [(4, "Abia"), (4, "Heartland"), (4, "Kwara"), (7, "Arsenal")]


async def test_a_calendars_dates_say_where_they_lead(
    app: RunningApp, musa: OperatorClient, member: SignedIn
) -> None:
    made = await written(musa)
    await app.subscribe(member, lasts=timedelta(days=8))

    match, plan = await shown(member, CALENDAR)

    assert match == {
        "id": made["id"],
        "kind": "fixture",
        "title": "Enyimba v Kano Pillars",
        "startsAt": made["kickOffAt"],
        "endsAt": match["endsAt"],
        "state": "scheduled",
        "path": f"/match/{made['id']}",
    }
    assert match["endsAt"] > match["startsAt"]
    assert (plan["kind"], plan["path"], plan["endsAt"]) == ("plan", "/subscriptions", None)
    assert plan["state"] == "upcoming"


def unfolded(content: bytes) -> list[str]:
    """Return the unfolded lines of a file."""
    assert content.endswith(b"\r\n")
    pieces = content.split(b"\r\n")
    assert all(len(piece) <= 75 for piece in pieces)
    assert b"\n" not in content.replace(b"\r\n", b"")
    return content.replace(b"\r\n ", b"").decode().split("\r\n")[:-1]


async def test_a_match_is_exported_with_its_version_and_whether_it_takes_place(
    app: RunningApp, musa: OperatorClient, member: SignedIn
) -> None:
    long_name = "Académie de Football d'Abeokuta; Nord, et Sud de la Région"
    made = await written(musa, away=long_name, venue="Aba\\North, Stadium")
    path = f"{MATCHES}/{made['id']}/export"

    answer = await member.get(path)
    lines = unfolded(answer.content)
    await moved(musa, made, state="postponed")
    tentative = unfolded((await member.get(path)).content)
    await change(musa, made | {"version": 2}, state="cancelled")
    gone = unfolded((await member.get(path)).content)

    assert answer.headers["content-type"] == "text/calendar; charset=utf-8"
    assert "no-store" in answer.headers["cache-control"]
    starts = made["kickOffAt"][:19].replace("-", "").replace(":", "") + "Z"
    assert (lines[0], lines[-1]) == ("BEGIN:VCALENDAR", "END:VCALENDAR")
    assert f"UID:{made['id']}@king-of-fans" in lines
    assert f"DTSTART:{starts}" in lines
    escaped = long_name.replace(";", "\\;").replace(",", "\\,")
    assert f"SUMMARY:Enyimba v {escaped}" in lines
    assert "LOCATION:Aba\\\\North\\, Stadium" in lines
    assert {"SEQUENCE:1", "STATUS:CONFIRMED"} <= set(lines)
    assert {"SEQUENCE:2", "STATUS:TENTATIVE"} <= set(tentative)
    assert {"SEQUENCE:3", "STATUS:CANCELLED"} <= set(gone)


async def test_a_calendar_is_exported_with_what_was_cancelled(
    app: RunningApp, musa: OperatorClient, member: SignedIn
) -> None:
    made = await written(musa)
    await moved(musa, made, state="cancelled")
    await app.subscribe(member, lasts=timedelta(days=8))

    lines = unfolded((await member.get(f"{CALENDAR}/export")).content)

    assert [one["kind"] for one in await shown(member, CALENDAR)] == ["plan"]
    assert lines.count("BEGIN:VEVENT") == lines.count("END:VEVENT") == 2
    assert f"UID:{made['id']}@king-of-fans" in lines
    assert f"UID:plan-{member.id}@king-of-fans" in lines
    far = clock.lagos_day(clock.now()) + 100 * DAY
    empty = unfolded((await member.get(f"{CALENDAR}/export?from={far}")).content)
    assert "BEGIN:VEVENT" not in empty
    assert (await member.get(f"{CALENDAR}/export?from={far}&to={far - DAY}")).status_code == 422


async def test_an_operators_match_is_of_the_newest_season_and_stays_in_its_own(
    app: RunningApp, member: SignedIn
) -> None:
    await pushed(app, row("old", season="2025/26"))
    musa = await operator_client(app, "musa", Role.GAME_MASTER)
    (old,) = await shown(member, MATCHES)
    await pushed(app, row("new", season="2026/27", home="Arsenal", away="Enyimba"))

    made = await written(musa, away="Arsenal", competition="npfl")
    kept = {"kickOffAt": old["kickOffAt"], "round": "2", "homeGoals": None, "awayGoals": None}
    await moved(musa, old | {"competition": "NPFL"} | kept, round="2")

    seasons = {one["id"]: one["competition"]["season"] for one in await shown(member, MATCHES)}
    assert seasons[made["id"]] == "2026/27"
    assert seasons[old["id"]] == "2025/26"
