"""Moments hidden by operators: removed from the list, and their media not served any more."""

import asyncio
from typing import Any

import httpx
import pytest
from api.foundation.core.ids import new_id
from api.foundation.security.rights import Role

from tests.back_office import ADMIN, OperatorClient, operator_client
from tests.community.moments.forms import good_form
from tests.community.moments.test_moments import create, posts, remove
from tests.conftest import RunningApp, SignedIn

MOMENTS = f"{ADMIN}/moments"


@pytest.fixture
async def moderator(app: RunningApp) -> OperatorClient:
    return await operator_client(app, "mo", Role.MODERATOR)


async def posted(member: SignedIn, title: str = "The goal") -> dict[str, Any]:
    answer = await create(member, good_form(title=title))
    assert answer.status_code == 201
    moment: dict[str, Any] = answer.json()["data"]
    return moment


async def move(operator: OperatorClient, moment: dict[str, Any], what: str) -> httpx.Response:
    return await operator.post(f"{MOMENTS}/{moment['id']}/{what}", {"reason": "Not football"})


async def media(app: RunningApp, moment: dict[str, Any], **headers: str) -> list[int]:
    paths = (moment["video"], moment["thumbnail"])
    return [(await app.client.get(path, headers=headers)).status_code for path in paths]


async def test_a_hidden_moment_is_off_the_list_and_its_media_are_not_found(
    app: RunningApp, moderator: OperatorClient, member: SignedIn
) -> None:
    moment, other = await posted(member), await posted(member, "Another")
    kept = {path: await app.client.get(moment[path]) for path in ("video", "thumbnail")}
    for answer in kept.values():
        assert answer.headers["cache-control"] == "private, no-cache"
    hidden = await move(moderator, moment, "hide")
    assert (hidden.status_code, hidden.json()["data"]["state"]) == (200, "hidden")

    assert [one["id"] for one in await posts(member)] == [other["id"]]
    assert await media(app, moment) == [404, 404]
    assert await media(app, moment, Range="bytes=0-9") == [404, 404]
    for path, answer in kept.items():
        again = await app.client.get(
            moment[path], headers={"If-None-Match": answer.headers["etag"]}
        )
        assert again.status_code == 404
    assert await media(app, other) == [200, 200]
    assert (await remove(member, moment["id"])).status_code == 404
    [notification] = (await member.get("/api/v1/notifications")).json()["data"]["rows"]
    assert (notification["kind"], notification["body"]) == (
        "moment_hidden",
        "“The goal” is hidden from everybody. Our moderators decide whether it is shown again.",
    )

    restored = await move(moderator, moment, "restore")
    assert restored.json()["data"]["state"] == "shown"
    assert await media(app, moment) == [200, 200]
    assert [one["id"] for one in await posts(member)] == [other["id"], moment["id"]]
    assert (await move(moderator, moment, "hide")).status_code == 200
    rows = (await member.get("/api/v1/notifications")).json()["data"]["rows"]
    assert [row["kind"] for row in rows] == ["moment_hidden"] * 2


async def test_of_two_who_hide_a_moment_at_once_one_is_told_that_it_is_done(
    app: RunningApp, moderator: OperatorClient, member: SignedIn
) -> None:
    moment = await posted(member)
    answers = await asyncio.gather(*(move(moderator, moment, "hide") for _ in range(8)))
    assert sorted(answer.status_code for answer in answers) == [200] + [409] * 7
    refused = next(answer for answer in answers if answer.status_code == 409).json()
    assert (refused["error"]["code"], refused["data"]) == ("wrong_state", {"status": "hidden"})
    assert await app.database.fetch_value("SELECT count(*) FROM audit_entry") == 1
    assert (await move(moderator, {"id": str(new_id())}, "hide")).status_code == 404


async def test_what_reports_have_hidden_is_confirmed_or_restored_once(
    app: RunningApp, moderator: OperatorClient, member: SignedIn, rival: SignedIn
) -> None:
    audited = "SELECT count(*) FROM audit_entry WHERE before_state IS NOT NULL AND action = $1"
    for what in ("hide", "restore"):
        moment = await posted(member, what)
        await app.database.execute(
            "INSERT INTO moment_report (moment_id, user_id, reason, reported_at) "
            "VALUES ($1, $2, 'spam', now())",
            moment["id"],
            rival.id,
        )
        await app.database.execute(
            "UPDATE moment SET hidden_at = now() WHERE id = $1", moment["id"]
        )
        answers = await asyncio.gather(*(move(moderator, moment, what) for _ in range(10)))
        assert sorted(answer.status_code for answer in answers) == [200] + [409] * 9
        assert await app.database.fetch_value(audited, what) == 1


async def test_moments_are_looked_for_by_title_member_and_state(
    app: RunningApp, moderator: OperatorClient, member: SignedIn, rival: SignedIn
) -> None:
    goal, save = await posted(member, "Ọ̀gọ́ 100% goal"), await posted(member, "A save")
    theirs = await posted(rival, "A goal of theirs")
    await move(moderator, save, "hide")

    async def found(**marks: Any) -> list[str]:
        rows = (await moderator.get(MOMENTS, params=marks)).json()["data"]["rows"]
        return [row["id"] for row in rows]

    assert await found() == [theirs["id"], save["id"], goal["id"]]
    assert await found(q="ọ̀gọ́ 100% g") == [goal["id"]]
    assert await found(q="a ") == [theirs["id"], save["id"]]
    assert await found(q="goal") == []
    assert await found(q="%") == []
    assert await found(member=str(member.id)) == [save["id"], goal["id"]]
    assert await found(member=str(member.id), state="hidden") == [save["id"]]
    assert await found(state="shown") == [theirs["id"], goal["id"]]
    assert await found(q="a", state="hidden", before=theirs["id"]) == [save["id"]]
    count = "SELECT count(*) FROM audit_entry WHERE action = 'look-at-moments'"
    assert await app.database.fetch_value(count) == 2


async def test_moderators_see_the_files_of_a_hidden_moment_and_the_audit_says_so(
    app: RunningApp, moderator: OperatorClient, member: SignedIn
) -> None:
    moment = await posted(member)
    shown = {part: await app.client.get(moment[part]) for part in ("video", "thumbnail")}
    await move(moderator, moment, "hide")
    for part, public in shown.items():
        seen = await moderator.get(f"{MOMENTS}/{moment['id']}/{part}")
        assert (seen.status_code, seen.content) == (200, public.content)
        assert seen.headers["content-type"] == public.headers["content-type"]
        assert seen.headers["cache-control"] == "private, no-store"
    assert (await moderator.get(f"{MOMENTS}/{moment['id']}/title")).status_code == 404
    assert (await moderator.get(f"{MOMENTS}/{new_id()}/video")).status_code == 404
    entries = (await moderator.get(f"{ADMIN}/audit")).json()["data"]["rows"]
    assert [one["action"] for one in entries] == ["look-at-moment"] * 2 + ["hide"]


async def test_an_erased_member_takes_their_hidden_moments_along(
    app: RunningApp, moderator: OperatorClient, member: SignedIn
) -> None:
    await move(moderator, await posted(member), "hide")
    await member.client.request(
        "DELETE",
        f"/api/v1/users/{member.id}",
        json={"password": "Terrace-2026"},
        headers=member.headers,
    )
    assert (await moderator.get(MOMENTS)).json()["data"]["rows"] == []
