"""Clubs at the back office, and what members see of them."""

import asyncio
from typing import Any

import httpx
import pytest
from api.foundation.core.ids import new_id
from api.foundation.security.rights import Role
from api.people.clubs.rules import fold

from tests.back_office import ADMIN, OperatorClient, operator_client
from tests.community.moments.forms import picture
from tests.conftest import CLUB_A, CLUB_B, PASSWORD, RunningApp, SignedIn

CLUBS = f"{ADMIN}/clubs"
MAX_BYTES = 512 * 1024


@pytest.fixture
async def club_owner(app: RunningApp) -> OperatorClient:
    return await operator_client(app, "olu", Role.OWNER)


async def offered(app: RunningApp) -> dict[str, dict[str, Any]]:
    """Return the clubs listed for sign-ups, by name."""
    listed = (await app.client.get("/api/v1/clubs")).json()["data"]
    return {club["name"]: club for club in listed}


async def put_crest(
    operator: OperatorClient, content: bytes, *, club_id: object = CLUB_A, key: str | None = None
) -> httpx.Response:
    headers = operator.headers | ({"Idempotency-Key": key} if key else {})
    return await operator.client.put(
        f"{CLUBS}/{club_id}/crest",
        headers=headers,
        files={"file": ("crest.svg", content, "image/svg+xml")},
    )


def crests(app: RunningApp) -> int:
    return len(list((app.settings.var_dir / "media" / "crests").glob("*")))


@pytest.fixture(autouse=True)
def _no_crests(app: RunningApp) -> None:
    for path in (app.settings.var_dir / "media" / "crests").glob("*"):
        path.unlink()


async def test_an_opened_club_is_on_the_list_for_sign_ups(
    app: RunningApp, club_owner: OperatorClient
) -> None:
    form = {"name": "Kano Pillars", "ccName": "NPFL", "colours": ["#00aa00", "#FFD700"]}
    answer = await club_owner.post(CLUBS, form)
    assert answer.status_code == 201
    row = answer.json()["data"]
    assert row == {
        "id": row["id"],
        "name": "Kano Pillars",
        "ccName": "NPFL",
        "colours": ["#00AA00", "#FFD700"],
        "hidden": False,
        "emblem": f"/media/crests/{row['id']}.svg",
        "hasPicture": False,
        "version": 1,
    }
    club = (await offered(app))["Kano Pillars"]
    assert (club["cc_name"], club["colours"]) == ("NPFL", ["#00AA00", "#FFD700"])
    drawn = await app.client.get(row["emblem"])
    assert (drawn.status_code, drawn.headers["content-type"]) == (
        200,
        "image/svg+xml; charset=utf-8",
    )


@pytest.mark.parametrize("name", ["arsenal", "ARSENAL", " Arsenal "])
async def test_a_club_s_name_is_its_own_in_any_case_of_letters(
    club_owner: OperatorClient, name: str
) -> None:
    taken = await club_owner.post(CLUBS, {"name": name})
    assert (taken.status_code, taken.json()["error"]["code"]) == (409, "name_taken")
    renamed = await club_owner.patch(f"{CLUBS}/{CLUB_A}", {"version": 1, "name": name})
    assert (renamed.status_code, renamed.json()["error"]["code"]) == (409, "name_taken")
    own = await club_owner.patch(f"{CLUBS}/{CLUB_B}", {"version": 1, "name": name})
    assert own.status_code == 200


@pytest.mark.parametrize(
    ("form", "field"),
    [
        ({"name": "A"}, "name"),
        ({"name": "x" * 61}, "name"),
        ({"name": "Public"}, "name"),
        ({"name": "PUBL\u0130C"}, "name"),
        ({"name": "Kano", "colours": ["#00AA00"]}, "colours"),
        ({"name": "Kano", "colours": ["green", "#FFFFFF"]}, "colours.0"),
        ({"name": "Kano", "hidden": "yes"}, "hidden"),
        ({"name": "Kano", "crest": "x"}, "crest"),
        ({}, "name"),
    ],
)
async def test_a_club_that_does_not_fit_is_refused(
    club_owner: OperatorClient, form: dict[str, Any], field: str
) -> None:
    answer = await club_owner.post(CLUBS, form)
    assert (answer.status_code, list(answer.json()["error"]["fields"])) == (422, [field])


async def test_names_that_are_one_to_the_database_are_one_name(
    app: RunningApp, club_owner: OperatorClient
) -> None:
    lowered = await app.database.fetch_rows(
        "SELECT n, lower(chr(n)) AS lowered FROM generate_series(1, 1114111) AS n "
        "WHERE n NOT BETWEEN 55296 AND 57343 AND lower(chr(n)) <> chr(n)"
    )
    # Names never contain letters that this Python's Unicode version cannot print.
    letters = {chr(row["n"]): row["lowered"] for row in lowered if chr(row["n"]).isprintable()}
    assert len(letters) > 1000
    assert [one for one, lower in letters.items() if fold(one) != fold(lower)] == []
    await club_owner.post(CLUBS, {"name": "Inter"})
    twice = await club_owner.post(CLUBS, {"name": "\u0130nter"})
    assert (twice.status_code, twice.json()["error"]["code"]) == (409, "name_taken")
    renamed = await club_owner.patch(f"{CLUBS}/{CLUB_A}", {"version": 1, "name": "\u0130NTER"})
    assert (renamed.status_code, renamed.json()["error"]["code"]) == (409, "name_taken")


async def test_of_two_who_open_a_club_of_one_name_one_is_refused(
    app: RunningApp, club_owner: OperatorClient
) -> None:
    names = ("Kano Pillars", "KANO PILLARS") * 4
    answers = await asyncio.gather(*(club_owner.post(CLUBS, {"name": name}) for name in names))
    assert sorted(answer.status_code for answer in answers) == [201] + [409] * 7


async def test_a_hidden_club_takes_nobody_new_and_keeps_its_members(
    app: RunningApp, club_owner: OperatorClient, member: SignedIn
) -> None:
    hidden = await club_owner.patch(f"{CLUBS}/{CLUB_A}", {"version": 1, "hidden": True})
    assert hidden.json()["data"]["hidden"] is True
    assert list(await offered(app)) == ["Arsenal"]
    form = {
        "firstName": "Chi",
        "lastName": "Eze",
        "email": "chi@example.com",
        "phone": "08031234567",
        "club": str(CLUB_A),
        "password": PASSWORD,
        "tnc": True,
    }
    refused = await app.client.post("/api/v1/signup", json=form)
    assert "club" in refused.json()["error"]["fields"], refused.text
    profile = (await member.get(f"/api/v1/users/{member.id}")).json()["data"]
    assert profile["clubName"] == "Enyimba"
    assert (await app.client.get(profile["emblem"])).status_code == 200
    listed = (await club_owner.get(CLUBS)).json()["data"]["rows"]
    assert {row["name"]: row["hidden"] for row in listed} == {"Enyimba": True, "Arsenal": False}


async def test_a_club_that_changed_since_it_was_read_is_not_written_over(
    club_owner: OperatorClient,
) -> None:
    path = f"{CLUBS}/{CLUB_A}"
    answers = await asyncio.gather(
        *(club_owner.patch(path, {"version": 1, "ccName": name}) for name in ("One", "Two") * 3)
    )
    assert sorted(answer.status_code for answer in answers) == [200] + [409] * 5
    stale = next(answer for answer in answers if answer.status_code == 409)
    assert stale.json()["error"]["code"] == "stale"
    taken_away = await club_owner.patch(path, {"version": 2, "ccName": ""})
    assert (taken_away.json()["data"]["ccName"], taken_away.json()["data"]["version"]) == (None, 3)
    unknown = await club_owner.patch(f"{CLUBS}/{new_id()}", {"version": 1})
    assert unknown.status_code == 404


async def test_a_crest_is_a_picture_by_its_content_written_anew_and_shown_where_the_emblem_is(
    app: RunningApp, club_owner: OperatorClient, member: SignedIn
) -> None:
    emblem = (await member.get(f"/api/v1/users/{member.id}")).json()["data"]["emblem"]
    drawn = await app.client.get(emblem)
    sent = picture("PNG", (600, 300))
    answer = await put_crest(club_owner, sent)
    assert (answer.status_code, answer.json()["data"]["hasPicture"]) == (200, True)
    shown = await app.client.get(emblem)
    assert (shown.status_code, shown.headers["content-type"]) == (200, "image/webp")
    assert shown.content not in (sent, drawn.content)
    assert shown.headers["x-content-type-options"] == "nosniff"

    again = await app.client.get(emblem, headers={"If-None-Match": shown.headers["etag"]})
    assert again.status_code == 304
    old = await app.client.get(emblem, headers={"If-None-Match": drawn.headers["etag"]})
    assert old.status_code == 200

    assert (await put_crest(club_owner, picture("JPEG"))).status_code == 200
    assert crests(app) == 1
    audit = (await club_owner.get(f"{ADMIN}/audit", params={"target": str(CLUB_A)})).json()
    assert [row["action"] for row in audit["data"]["rows"]] == ["change-crest"] * 2


async def test_a_crest_under_a_key_is_stored_once(
    app: RunningApp, club_owner: OperatorClient
) -> None:
    content = picture("PNG")
    first = await put_crest(club_owner, content, key="crest-of-enyimba")
    again = await put_crest(club_owner, content, key="crest-of-enyimba")
    assert first.json() == again.json()
    assert again.headers["Idempotent-Replayed"] == "true"
    other = await put_crest(club_owner, picture("JPEG"), key="crest-of-enyimba")
    assert other.status_code == 422
    assert crests(app) == 1


async def test_what_is_no_picture_or_too_large_leaves_the_drawn_crest(
    app: RunningApp, club_owner: OperatorClient
) -> None:
    noise = picture("PNG") + bytes(MAX_BYTES)
    refused = {
        "nothing": (await put_crest(club_owner, b"")).status_code,
        "a drawing": (await put_crest(club_owner, b"<svg xmlns='x'/>")).status_code,
        "too large": (await put_crest(club_owner, noise[: MAX_BYTES + 1])).status_code,
        "nobody's": (await put_crest(club_owner, picture(), club_id=new_id())).status_code,
    }
    assert refused == {"nothing": 422, "a drawing": 415, "too large": 413, "nobody's": 404}
    assert (await put_crest(club_owner, picture("PNG", (64, 64)))).status_code == 200
    assert crests(app) == 1


async def test_a_stranger_with_a_large_body_meets_the_route_that_does_not_exist(
    app: RunningApp, member: SignedIn
) -> None:
    statuses = set()
    for path in (f"{CLUBS}/{CLUB_A}/crest", f"{ADMIN}/no/such/call"):
        for size in (1, 300 * 1024, 2 * MAX_BYTES):
            files = {"file": ("a.png", bytes(size))}
            answer = await app.client.put(path, headers=member.headers, files=files)
            statuses.add((answer.status_code, answer.json()["message"]))
    assert len(statuses) == 1
    assert {status for status, _ in statuses} == {404}
