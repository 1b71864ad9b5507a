"""Competitions at the back office: renamed, with and without a table."""

import asyncio
from typing import Any
from uuid import UUID

import httpx
import pytest
from api.foundation.core import clock
from api.foundation.core.ids import new_id
from api.foundation.security.rights import Role

from tests.back_office import ADMIN, OperatorClient, operator_client
from tests.conftest import RunningApp, SignedIn
from tests.games.matches.matches import DAY, HOUR, moved, pushed, refused, row, shown, written

COMPETITIONS = f"{ADMIN}/competitions"


async def listed(operator: OperatorClient, query: str = "") -> list[dict[str, Any]]:
    answer = await operator.get(COMPETITIONS + query)
    assert answer.status_code == 200, answer.text
    rows: list[dict[str, Any]] = answer.json()["data"]["rows"]
    return rows


async def change(
    operator: OperatorClient, competition: dict[str, Any], **changes: Any
) -> httpx.Response:
    names = ("name", "season", "table", "version")
    body = {name: competition[name] for name in names} | changes
    return await operator.client.put(
        f"{COMPETITIONS}/{competition['id']}", json=body, headers=operator.headers
    )


async def test_an_operator_gives_a_competition_a_table_and_takes_it_away(
    musa: OperatorClient, member: SignedIn
) -> None:
    result = {"state": "finished", "homeGoals": 2, "awayGoals": 1}
    await written(musa, clock.now() - DAY, **result)
    (made,) = await listed(musa)
    path = f"/api/v1/competitions/{made['id']}/table"
    assert (made["table"], made["version"]) == (False, 1)
    assert await shown(member, path) == []

    changed = (await change(musa, made, table=True)).json()["data"]

    assert changed == made | {"table": True, "version": 2}
    assert [one["points"] for one in await shown(member, path)] == [3, 0]
    assert (await shown(member, "/api/v1/competitions"))[0]["table"] is True
    assert (await change(musa, changed, table=False)).status_code == 200
    assert await shown(member, path) == []


async def test_a_competition_is_renamed_unless_another_has_its_name_and_season(
    app: RunningApp, musa: OperatorClient, member: SignedIn
) -> None:
    for number, season in enumerate(("2025/26", "2026/27")):
        kick_off = (clock.now() + (number + 1) * DAY).isoformat()
        await pushed(app, row(season, season=season, kick_off_at=kick_off))
    newest, oldest = await listed(musa)
    assert [one["season"] for one in (newest, oldest)] == ["2026/27", "2025/26"]
    assert [one["season"] for one in await listed(musa, f"?before={newest['id']}&limit=1")] == [
        "2025/26"
    ]

    taken = await change(musa, newest, name="npfl", season="2025/26")
    cased = await change(musa, newest, name="Npfl")
    renamed = await change(musa, oldest, name="Premier League", season="2025")

    assert refused(taken) == (409, "competition_exists")
    assert cased.json()["data"]["name"] == "Npfl"
    assert renamed.status_code == 200
    found = {(one["name"], one["season"]) for one in await shown(member, "/api/v1/competitions")}
    assert found == {("Npfl", "2026/27"), ("Premier League", "2025")}


def kicked_off() -> dict[str, Any]:
    """Return a feed's row of a running match, under the feed's own names."""
    kick_off = (clock.now() - HOUR).replace(microsecond=0).isoformat()
    return row(kick_off_at=kick_off, state="live", home_goals=0, away_goals=0)


async def points_in(member: SignedIn, competition: dict[str, Any]) -> list[int]:
    path = f"/api/v1/competitions/{competition['id']}/table"
    return [one["points"] for one in await shown(member, path)]


async def played_for(app: RunningApp, match: dict[str, Any]) -> str:
    query = "SELECT competition_id FROM fixture WHERE id = $1"
    return str(await app.database.fetch_value(query, UUID(match["id"])))


async def test_a_feed_goes_on_with_a_competition_that_was_renamed(
    app: RunningApp, musa: OperatorClient, member: SignedIn
) -> None:
    match = kicked_off()
    await pushed(app, match)
    (made,) = await listed(musa)
    await change(musa, made, name="Premier League", season="2026", table=True)

    assert await pushed(app, match) == (0, 1, [])
    goal = match | {"state": "finished", "home_goals": 1}
    another = row("m2", competition="npfl", home="Arsenal", away="Enyimba")
    assert await pushed(app, goal, another) == (2, 0, [])

    (renamed,) = await listed(musa)
    assert (renamed["id"], renamed["name"]) == (made["id"], "Premier League")
    assert await points_in(member, renamed) == [3, 0]
    matches = await shown(member, f"/api/v1/fixtures?competition={made['id']}")
    assert len(matches) == 2


@pytest.mark.parametrize("changes", [{"name": "Premier League"}, {"season": "2026"}])
async def test_a_name_or_season_that_a_competition_gets_back_is_its_own_as_before(
    app: RunningApp, musa: OperatorClient, changes: dict[str, Any]
) -> None:
    match = kicked_off()
    await pushed(app, match)
    (made,) = await listed(musa)
    wanted: dict[str, Any] = made
    for names in (changes, {"name": "NPFL", "season": "2026/27"}, changes):
        wanted = (await change(musa, wanted, **names)).json()["data"]
        as_renamed = match | {"competition": wanted["name"], "season": wanted["season"]}
        assert await pushed(app, match, as_renamed) == (0, 2, [])
    assert await listed(musa) == [wanted]


async def test_a_former_name_is_that_of_the_competition_that_has_it_now_or_had_it_last(
    app: RunningApp, musa: OperatorClient, member: SignedIn
) -> None:
    match, other = kicked_off(), row("m2", competition="Cup", home="Arsenal", away="Enyimba")
    await pushed(app, match, other)
    cup, league = await listed(musa)
    league = (await change(musa, league, name="Premier League", table=True)).json()["data"]
    cup = (await change(musa, cup, name="NPFL", table=True)).json()["data"]

    assert await pushed(app, match, other) == (1, 1, [])
    assert await pushed(app, match | {"state": "finished", "home_goals": 1}) == (1, 0, [])
    assert await points_in(member, cup) == [3, 0]

    await change(musa, cup, name="Shield")
    goal = match | {"state": "finished", "home_goals": 0, "away_goals": 2}
    assert await pushed(app, goal, other) == (1, 1, [])
    assert await points_in(member, cup) == [3, 0]

    for name in ("NPFL", "Premier League"):
        league = (await change(musa, league, name=name)).json()["data"]
    assert await pushed(app, goal, other) == (1, 1, [])
    assert await points_in(member, league) == [3, 0]
    assert [one["name"] for one in await listed(musa)] == ["Shield", "Premier League"]


async def test_a_form_that_still_has_a_former_name_leaves_a_match_in_its_competition(
    app: RunningApp, musa: OperatorClient
) -> None:
    match = await written(musa)
    (made,) = await listed(musa)
    await pushed(app, row(season="2030/31"))
    newest, _ = await listed(musa)
    for competition in (made, newest):
        await change(musa, competition, name="Premier League")

    saved = await moved(musa, match, kickOffAt=(clock.now() + 2 * DAY).isoformat())
    added = await written(musa, clock.now() + 3 * DAY, competition="npfl")

    assert [await played_for(app, one) for one in (saved, added)] == [made["id"], newest["id"]]
    assert len(await listed(musa)) == 2


async def test_of_ten_changes_at_once_one_is_made(live_server: RunningApp) -> None:
    musa = await operator_client(live_server, "musa", Role.GAME_MASTER)
    await written(musa)
    (made,) = await listed(musa)

    answers = await asyncio.gather(*(change(musa, made, season=f"{n}") for n in range(10)))

    assert sorted(answer.status_code for answer in answers) == [200] + [409] * 9
    assert {refused(one) for one in answers if one.status_code == 409} == {(409, "stale")}


@pytest.mark.parametrize(
    "changes", [{"name": ""}, {"season": ""}, {"table": None}, {"version": 0}, {"demo": True}]
)
async def test_what_does_not_fit_a_competition_is_refused(
    musa: OperatorClient, changes: dict[str, Any]
) -> None:
    await written(musa)
    (made,) = await listed(musa)

    assert (await change(musa, made, **changes)).status_code == 422
    assert await listed(musa) == [made]


async def test_who_writes_no_matches_changes_no_competition(
    app: RunningApp, musa: OperatorClient
) -> None:
    await written(musa)
    (made,) = await listed(musa)
    editor = await operator_client(app, "ebere", Role.EDITOR)

    assert await listed(editor) == [made]
    assert (await change(editor, made, table=True)).status_code == 404
    assert (await change(musa, made | {"id": str(new_id())})).status_code == 404
    assert (await app.client.get(COMPETITIONS)).status_code == 404  # as if it did not exist


async def test_the_audit_names_the_competition_that_was_changed(
    app: RunningApp, musa: OperatorClient
) -> None:
    await written(musa)
    (made,) = await listed(musa)
    await change(musa, made, name="League", season="2027", table=True)
    olu = await operator_client(app, "olu", Role.OWNER)

    (entry,) = (await olu.get(f"{ADMIN}/audit?target={made['id']}")).json()["data"]["rows"]

    assert (entry["action"], entry["targetType"]) == ("change", "competition")
    assert (entry["before"]["table"], entry["after"]["table"]) == (False, True)
    assert [one["name"] for one in entry["subjects"]] == ["League 2027"]
