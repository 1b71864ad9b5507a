"""Moments that everybody with the link may watch: as long as the club sees them, and no longer."""

import asyncio
from typing import Any

import httpx
import pytest
from api.dev.postgres.embedded import EmbeddedPostgres
from api.foundation.core.ids import new_id
from api.foundation.security.rights import Role

from tests.back_office import OperatorClient, operator_client
from tests.community.moments.test_moments import posts, remove
from tests.community.moments.test_sharing import MOMENTS, call, feed, posted, share
from tests.conftest import CLUB_A, CLUB_B, PASSWORD, RunningApp, SignedIn


@pytest.fixture
async def fan(app: RunningApp) -> SignedIn:
    """Another member of the same club."""
    return await app.member("fan", club_id=CLUB_A)


@pytest.fixture
async def moderator(app: RunningApp) -> OperatorClient:
    return await operator_client(app, "mo", Role.MODERATOR)


async def publish(member: SignedIn, moment_id: object, public: object = True) -> httpx.Response:
    path = f"/api/v1/moment/{moment_id}/share"
    body = {"public": public}
    return await member.client.put(path, json=body, headers=member.headers)


async def read(app: RunningApp, moment_id: object, **headers: str) -> httpx.Response:
    """Read a moment without a token."""
    return await app.client.get(f"/api/v1/public/moments/{moment_id}", headers=headers)


async def is_public(app: RunningApp, moment_id: object) -> bool:
    answer = await read(app, moment_id)
    assert answer.status_code in {200, 404}
    return answer.status_code == 200


async def test_a_public_moment_is_read_without_a_token_and_names_no_more_than_is_said(
    app: RunningApp, member: SignedIn, fan: SignedIn
) -> None:
    moment_id = await posted(member)
    assert not await is_public(app, moment_id)

    published = await publish(member, moment_id)

    assert published.status_code == 200
    own = published.json()["data"]
    assert own["publicAt"] is not None
    assert own["sharedAt"] is not None
    assert await posts(member) == [own]
    assert [one["id"] for one in await feed(fan)] == [moment_id]
    assert "publicAt" not in (await feed(fan))[0]
    assert (await read(app, moment_id)).json()["data"] == {
        "title": "The goal",
        "content": own["content"],
        "poster": own["thumbnail"],
        "video": own["video"],
        "by": {"firstName": "Ada", "clubName": "Enyimba"},
    }
    for path in (own["thumbnail"], own["video"]):
        assert (await app.client.get(path)).status_code == 200


async def test_the_answer_is_cached_by_everybody_and_confirmed_by_its_etag(
    app: RunningApp, member: SignedIn
) -> None:
    moment_id = await posted(member)
    await publish(member, moment_id)

    first = await read(app, moment_id)
    again = await read(app, moment_id, **{"If-None-Match": first.headers["ETag"]})

    cached = "public, max-age=30, stale-while-revalidate=300"
    assert [one.headers["Cache-Control"] for one in (first, again)] == [cached] * 2
    assert (again.status_code, again.content) == (304, b"")
    assert again.headers["ETag"] == first.headers["ETag"]


async def test_sharing_with_the_club_alone_publishes_nothing_and_takes_the_link_back(
    app: RunningApp, member: SignedIn, fan: SignedIn
) -> None:
    moment_id = await posted(member)
    shared = (await share(member, moment_id)).json()["data"]
    assert shared["publicAt"] is None
    assert not await is_public(app, moment_id)

    for body in (None, {}, {"public": False}):
        assert (await publish(member, moment_id)).json()["data"]["sharedAt"] == shared["sharedAt"]
        assert await is_public(app, moment_id)
        path = f"/api/v1/moment/{moment_id}/share"
        taken_back = await member.client.put(path, json=body, headers=member.headers)
        assert taken_back.json()["data"] == shared
        assert not await is_public(app, moment_id)
        assert [one["id"] for one in await feed(fan)] == [moment_id]


async def test_unsharing_closes_the_link_and_sharing_again_does_not_open_it(
    app: RunningApp, member: SignedIn
) -> None:
    moment_id = await posted(member)
    await publish(member, moment_id)

    unshared = (await call(member, "DELETE", moment_id, "share")).json()["data"]

    assert (unshared["sharedAt"], unshared["publicAt"]) == (None, None)
    assert not await is_public(app, moment_id)
    await share(member, moment_id)
    assert not await is_public(app, moment_id)


async def test_publishing_twice_changes_nothing(app: RunningApp, member: SignedIn) -> None:
    moment_id = await posted(member)

    answers = await asyncio.gather(*(publish(member, moment_id) for _ in range(6)))

    assert {answer.status_code for answer in answers} == {200}
    assert len({answer.json()["data"]["publicAt"] for answer in answers}) == 1
    assert await app.database.fetch_value("SELECT count(*) FROM moment_share") == 1


async def test_a_public_moment_counts_as_the_days_share(app: RunningApp, member: SignedIn) -> None:
    first, second = await posted(member), await posted(member)
    await publish(member, first)

    refused = await publish(member, second)

    assert (refused.status_code, refused.json()["error"]["code"]) == (409, "too_many_shares")
    assert not await is_public(app, second)


async def test_only_a_moment_of_ones_own_is_published(
    app: RunningApp, member: SignedIn, fan: SignedIn
) -> None:
    moment_id = await posted(member)
    for foreign in (moment_id, new_id(), "nonsense"):
        assert (await publish(fan, foreign)).status_code == 404
        assert not await is_public(app, foreign)

    await publish(member, moment_id)
    assert (await publish(fan, moment_id, False)).status_code == 404
    assert await is_public(app, moment_id)


@pytest.mark.parametrize("body", [{"public": "yes"}, {"public": None}, {"open": True}, []])
async def test_a_body_that_is_not_understood_publishes_nothing(
    app: RunningApp, member: SignedIn, body: Any
) -> None:
    moment_id = await posted(member)
    path = f"/api/v1/moment/{moment_id}/share"

    assert (await member.client.put(path, json=body, headers=member.headers)).status_code == 422

    assert not await is_public(app, moment_id)
    assert (await posts(member))[0]["sharedAt"] is None


async def test_who_left_the_club_or_is_kept_out_has_no_public_moments(
    app: RunningApp, member: SignedIn, postgres: EmbeddedPostgres
) -> None:
    moment_id = await posted(member)
    await publish(member, moment_id)
    changes = (
        (f"club_id = '{CLUB_B}'", f"club_id = '{CLUB_A}'"),
        ("suspended_at = now()", "suspended_at = NULL"),
    )
    for change, undo in changes:
        postgres.run_sql(f"UPDATE user_account SET {change} WHERE id = '{member.id}'", "fans")
        assert not await is_public(app, moment_id)
        postgres.run_sql(f"UPDATE user_account SET {undo} WHERE id = '{member.id}'", "fans")
        assert await is_public(app, moment_id)
    ban = "INSERT INTO chat_ban (id, user_id, reason, banned_at) VALUES ($1, $2, 'Abuse', now())"
    await app.database.execute(ban, new_id(), member.id)
    assert not await is_public(app, moment_id)


async def test_a_hidden_moment_is_not_public_until_it_is_restored(
    app: RunningApp, moderator: OperatorClient, member: SignedIn
) -> None:
    moment_id = await posted(member)
    video = (await publish(member, moment_id)).json()["data"]["video"]

    await moderator.post(f"{MOMENTS}/{moment_id}/hide", {"reason": "Not football"})
    assert not await is_public(app, moment_id)
    assert (await app.client.get(video)).status_code == 404
    assert (await publish(member, moment_id)).status_code == 404

    await moderator.post(f"{MOMENTS}/{moment_id}/restore", {"reason": "It is football"})
    assert await is_public(app, moment_id)


async def test_a_moment_that_is_published_while_it_is_hidden_is_not_public(
    app: RunningApp, moderator: OperatorClient, member: SignedIn
) -> None:
    moment_id = await posted(member)

    hidden, *published = await asyncio.gather(
        moderator.post(f"{MOMENTS}/{moment_id}/hide", {"reason": "Not football"}),
        *(publish(member, moment_id) for _ in range(4)),
    )

    assert hidden.status_code == 200
    assert {answer.status_code for answer in published} <= {200, 404}
    assert not await is_public(app, moment_id)


async def test_a_removed_moment_and_a_deleted_account_have_no_link(
    app: RunningApp, member: SignedIn, fan: SignedIn
) -> None:
    mine, theirs = await posted(member), await posted(fan)
    await publish(member, mine)
    await publish(fan, theirs)

    await remove(member, mine)
    left = await fan.client.request(
        "DELETE", f"/api/v1/users/{fan.id}", json={"password": PASSWORD}, headers=fan.headers
    )

    assert left.status_code == 200
    assert not await is_public(app, mine)
    assert not await is_public(app, theirs)
