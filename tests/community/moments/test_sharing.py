"""Moments shared with the club: once a day, applauded, reported, and hidden again."""

import asyncio
from datetime import timedelta
from typing import Any
from uuid import UUID

import httpx
import pytest
from api.community.moments.errors import TooManySharesError
from api.community.moments.service import sharing
from api.dev.postgres.embedded import EmbeddedPostgres
from api.foundation.core import clock
from api.foundation.core.ids import new_id
from api.foundation.security.members import Member
from api.foundation.security.rights import Role

from tests.back_office import ADMIN, OperatorClient, operator_client
from tests.community.moments.forms import good_form
from tests.community.moments.test_moments import create, posts, remove
from tests.conftest import CLUB_A, CLUB_B, PASSWORD, RunningApp, SignedIn

MOMENTS = f"{ADMIN}/moments"
HIDDEN = (
    "moment_hidden",
    "“The goal” is hidden from everybody. Our moderators decide whether it is shown again.",
)


async def posted(member: SignedIn, title: str = "The goal") -> str:
    answer = await create(member, good_form(title=title))
    assert answer.status_code == 201
    return str(answer.json()["data"]["id"])


async def call(member: SignedIn, method: str, moment_id: object, what: str) -> httpx.Response:
    path = f"/api/v1/moment/{moment_id}/{what}"
    return await member.client.request(method, path, headers=member.headers)


async def share(member: SignedIn, moment_id: object) -> httpx.Response:
    return await call(member, "PUT", moment_id, "share")


async def applaud(member: SignedIn, moment_id: object) -> httpx.Response:
    return await call(member, "PUT", moment_id, "applause")


async def report(member: SignedIn, moment_id: object, reason: str = "abuse") -> httpx.Response:
    return await member.post(f"/api/v1/moment/{moment_id}/reports", {"reason": reason})


async def feed(member: SignedIn) -> list[dict[str, Any]]:
    answer = await member.get("/api/v1/moment/feed")
    assert answer.status_code == 200
    found: list[dict[str, Any]] = answer.json()["data"]
    return found


async def notifications_of(member: SignedIn) -> list[tuple[str, str]]:
    rows = (await member.get("/api/v1/notifications")).json()["data"]["rows"]
    return [(row["kind"], row["body"]) for row in rows]


async def seen(member: SignedIn) -> list[str]:
    return [one["id"] for one in await feed(member)]


@pytest.fixture
async def fan(app: RunningApp) -> SignedIn:
    """Another member of the same club."""
    return await app.member("fan", club_id=CLUB_A)


@pytest.fixture
async def moderator(app: RunningApp) -> OperatorClient:
    return await operator_client(app, "mo", Role.MODERATOR)


async def test_a_moment_is_private_until_it_is_shared_and_after_it_was_taken_back(
    member: SignedIn, fan: SignedIn, rival: SignedIn
) -> None:
    moment_id = await posted(member)
    assert (await posts(member))[0]["sharedAt"] is None
    assert await feed(fan) == []
    shared, again = await share(member, moment_id), await share(member, moment_id)
    assert (shared.status_code, again.json()) == (200, shared.json())
    assert (await posts(member))[0]["sharedAt"] == shared.json()["data"]["sharedAt"] is not None
    [shown] = await feed(fan)
    assert shown == {
        "id": moment_id,
        "title": "The goal",
        "content": shown["content"],
        "thumbnail": (await posts(member))[0]["thumbnail"],
        "video": (await posts(member))[0]["video"],
        "videoBytes": shown["videoBytes"],
        "by": {"id": str(member.id), "firstName": "Ada", "lastName": "Obi", "avatar": None},
        "applause": 0,
        "applauded": False,
        "mine": False,
        "sharedAt": shared.json()["data"]["sharedAt"],
    }
    assert shown["videoBytes"] > 0
    assert (await feed(member))[0]["mine"] is True
    assert await feed(rival) == []
    for _ in range(2):
        assert (await call(member, "DELETE", moment_id, "share")).status_code == 200
    assert await feed(fan) == []
    assert (await posts(member))[0]["sharedAt"] is None


async def test_what_is_taken_back_and_shared_again_that_day_rises_over_nothing(
    member: SignedIn, fan: SignedIn
) -> None:
    first, second = await posted(member), await posted(fan)
    shared = await share(member, first)
    assert (await share(fan, second)).status_code == 200

    await call(member, "DELETE", first, "share")
    again = await share(member, first)

    assert again.json()["data"]["sharedAt"] == shared.json()["data"]["sharedAt"]
    assert [one["id"] for one in await feed(fan)] == [second, first]


async def test_only_a_moment_of_ones_own_is_shared(member: SignedIn, fan: SignedIn) -> None:
    moment_id = await posted(member)
    for method in ("PUT", "DELETE"):
        for foreign in (moment_id, new_id(), "nonsense"):
            assert (await call(fan, method, foreign, "share")).status_code == 404


async def test_one_moment_a_day_is_shared_and_three_with_a_plan(
    app: RunningApp, member: SignedIn, rival: SignedIn
) -> None:
    for someone, max_shares in ((member, 1), (rival, 3)):
        if max_shares > 1:
            await app.subscribe(someone, battle_zone=False)
        moments = [await posted(someone, f"Goal {number}") for number in range(max_shares + 1)]
        for moment_id in moments[:max_shares]:
            assert (await share(someone, moment_id)).status_code == 200
        refused = await share(someone, moments[max_shares])
        assert (refused.status_code, refused.json()["error"]["code"]) == (409, "too_many_shares")
        await call(someone, "DELETE", moments[0], "share")
        assert (await share(someone, moments[max_shares])).status_code == 409
        assert (await share(someone, moments[0])).status_code == 200
        await call(someone, "DELETE", moments[0], "share")
        await remove(someone, moments[0])
        assert (await share(someone, moments[max_shares])).status_code == 409


async def test_the_next_day_of_lagos_another_is_shared(app: RunningApp, member: SignedIn) -> None:
    identity = app.asgi.state.services.chat._identity
    who: Member = await identity.member(member.token)
    first, second, third = [UUID(await posted(member, str(number))) for number in range(3)]
    midnight = clock.midnight(clock.lagos_day(clock.now()))
    await sharing.share(app.database, who, first, midnight - timedelta(seconds=1))
    await sharing.share(app.database, who, second, midnight)
    with pytest.raises(TooManySharesError):
        await sharing.share(app.database, who, third, midnight + timedelta(hours=23, minutes=59))


async def test_of_many_shared_at_once_one_is(member: SignedIn, fan: SignedIn) -> None:
    moments = [await posted(member, str(number)) for number in range(4)]
    answers = await asyncio.gather(*(share(member, one) for one in moments + moments))
    assert sorted({answer.status_code for answer in answers}) == [200, 409]
    assert len(await feed(fan)) == 1


async def test_the_first_share_earns_a_badge(member: SignedIn) -> None:
    await share(member, await posted(member))
    badges = (await member.get(f"/api/v1/badges/{member.id}")).json()["data"]
    [badge] = [one for one in badges if one["key"] == "first-shared"]
    assert badge["earnedAt"] is not None


async def test_applause_is_counted_once_a_member_and_taken_back(
    app: RunningApp, member: SignedIn, fan: SignedIn
) -> None:
    others = [await app.member(f"fan{number}", club_id=CLUB_A) for number in range(3)]
    moment_id = await posted(member)
    await share(member, moment_id)
    answers = await asyncio.gather(*(applaud(one, moment_id) for one in [fan, *others] * 2))
    assert {answer.status_code for answer in answers} == {200}
    assert (await applaud(fan, moment_id)).json()["data"] == {"applause": 4, "applauded": True}
    own = await applaud(member, moment_id)
    assert (own.status_code, own.json()["error"]["code"]) == (409, "own_moment")
    assert (await feed(fan))[0]["applause"] == 4
    assert [(one["applause"], one["applauded"]) for one in await feed(member)] == [(4, False)]
    for _ in range(2):
        taken = await call(fan, "DELETE", moment_id, "applause")
        assert taken.json()["data"] == {"applause": 3, "applauded": False}


async def test_what_the_club_does_not_see_is_neither_applauded_nor_reported(
    app: RunningApp, moderator: OperatorClient, member: SignedIn, fan: SignedIn, rival: SignedIn
) -> None:
    moment_id = await posted(member)

    async def refuse(someone: SignedIn) -> None:
        assert (await applaud(someone, moment_id)).status_code == 404
        assert (await call(someone, "DELETE", moment_id, "applause")).status_code == 404
        assert (await report(someone, moment_id)).status_code == 404

    await refuse(fan)
    await share(member, moment_id)
    await refuse(rival)
    assert (await applaud(fan, new_id())).status_code == 404
    assert (await applaud(fan, "nonsense")).status_code == 404
    hidden = await moderator.post(f"{MOMENTS}/{moment_id}/hide", {"reason": "Not football"})
    assert hidden.status_code == 200
    await refuse(fan)
    assert (await share(member, moment_id)).status_code == 404


def make_old(postgres: EmbeddedPostgres) -> None:
    """Make every account older than 72 hours: reports of younger ones count less."""
    postgres.run_sql("UPDATE user_account SET created_at = now() - interval '73 hours'", "fans")


async def test_three_reports_hide_a_moment_until_a_moderator_has_decided(
    app: RunningApp,
    moderator: OperatorClient,
    member: SignedIn,
    fan: SignedIn,
    postgres: EmbeddedPostgres,
) -> None:
    others = [await app.member(f"fan{number}", club_id=CLUB_A) for number in range(5)]
    make_old(postgres)
    moment_id = await posted(member)
    await share(member, moment_id)
    assert (await report(member, moment_id)).json()["error"]["code"] == "own_moment"
    assert (await report(fan, moment_id, "because")).status_code == 422
    first = await report(fan, moment_id, "spam")
    again = await report(fan, moment_id, "hate")
    assert [first.status_code, again.status_code] == [201, 200]
    assert again.json()["data"] == {"momentId": moment_id, "reason": "spam"}
    assert (await report(others[0], moment_id)).status_code == 201
    assert await seen(fan) == [moment_id]
    assert (await report(others[1], moment_id)).status_code == 201
    assert await feed(fan) == []
    assert await notifications_of(member) == [HIDDEN]
    assert (await report(others[1], moment_id)).status_code == 200
    today = (await moderator.get(f"{ADMIN}/today")).json()["data"]["waiting"]
    assert today["momentReports"] == 1
    [row] = (await moderator.get(f"{MOMENTS}?reported=true")).json()["data"]["rows"]
    assert (row["id"], row["state"], row["reports"]) == (moment_id, "hidden", 3)

    back = await moderator.post(f"{MOMENTS}/{moment_id}/restore", {"reason": "It is football"})
    assert (back.status_code, back.json()["data"]["reports"]) == (200, 0)
    assert await seen(fan) == [moment_id]
    for someone in others[2:4]:
        assert (await report(someone, moment_id)).status_code == 201
    assert await seen(fan) == [moment_id]
    await report(others[4], moment_id)
    assert await feed(fan) == []
    assert await notifications_of(member) == [HIDDEN] * 2
    kept = await moderator.post(f"{MOMENTS}/{moment_id}/hide", {"reason": "Not football"})
    assert (kept.status_code, kept.json()["data"]["state"]) == (200, "hidden")
    repeated = await moderator.post(f"{MOMENTS}/{moment_id}/hide", {"reason": "Not football"})
    assert repeated.status_code == 409
    assert (await moderator.get(f"{MOMENTS}?reported=true")).json()["data"]["rows"] == []
    assert await notifications_of(member) == [HIDDEN] * 2  # still hidden: no new notification


async def share_all(postgres: EmbeddedPostgres, member: SignedIn, *moments: str) -> None:
    """Share several moments with the club, one on each of the last days."""
    for days, moment_id in enumerate(reversed(moments)):
        assert (await share(member, moment_id)).status_code == 200
        postgres.run_sql(
            f"UPDATE moment_share SET day = day - {days + 1}; "
            f"UPDATE moment SET shared_at = now() - interval '{days} minutes' "
            f"WHERE id = '{moment_id}'",
            "fans",
        )


async def test_a_young_accounts_report_counts_half(
    app: RunningApp, member: SignedIn, postgres: EmbeddedPostgres
) -> None:
    old = [await app.member(f"old{number}", club_id=CLUB_A) for number in range(2)]
    make_old(postgres)
    young = [await app.member(f"young{number}", club_id=CLUB_A) for number in range(6)]
    first, second = [await posted(member) for _ in range(2)]
    await share_all(postgres, member, first, second)
    for someone in (*young[:4], old[0]):
        assert await seen(young[5]) == [second, first]
        await report(someone, first)
    assert await seen(young[5]) == [second]
    for someone in (*old, young[4]):
        assert await seen(young[5]) == [second]
        await report(someone, second)
    assert await seen(young[5]) == [second]


async def test_a_member_counts_once_for_an_author_and_day(
    app: RunningApp,
    moderator: OperatorClient,
    member: SignedIn,
    fan: SignedIn,
    postgres: EmbeddedPostgres,
) -> None:
    other = await app.member("other", club_id=CLUB_A)
    fans = [await app.member(f"fan{number}", club_id=CLUB_A) for number in range(3)]
    make_old(postgres)
    first, second, third = [await posted(member) for _ in range(3)]
    theirs = await posted(other)
    await share_all(postgres, member, first, second, third)
    await share(other, theirs)
    for moment_id in (first, second, theirs):
        for someone in fans[:2]:
            assert (await report(someone, moment_id)).status_code == 201
    await report(fans[2], second)
    assert len(await feed(fan)) == 4  # two of its three reporters had counted for the first
    await report(fans[2], theirs)
    assert theirs not in await seen(fan)  # by another author

    back = "UPDATE moment_report SET reported_at = reported_at - interval '1 day'"
    postgres.run_sql(f"{back} WHERE moment_id IN ('{first}', '{second}')", "fans")
    for someone in fans:
        assert third in await seen(fan)
        assert (await report(someone, third)).status_code == 201
    assert third not in await seen(fan)  # on another day


async def test_members_who_reported_before_a_restore_do_not_count_again(
    app: RunningApp,
    moderator: OperatorClient,
    member: SignedIn,
    fan: SignedIn,
    postgres: EmbeddedPostgres,
) -> None:
    fans = [await app.member(f"fan{number}", club_id=CLUB_A) for number in range(5)]
    make_old(postgres)
    moment_id = await posted(member)
    await share(member, moment_id)
    for someone in fans[:3]:
        await report(someone, moment_id)
    await moderator.post(f"{MOMENTS}/{moment_id}/restore", {"reason": "It is football"})
    for someone in (*fans[:3], *fans[3:]):
        await report(someone, moment_id)
        assert await seen(fan) == [moment_id]
    await report(fan, moment_id)
    assert await feed(fans[0]) == []


async def test_a_member_who_reports_everything_of_an_author_at_once_counts_once(
    app: RunningApp, member: SignedIn, fan: SignedIn, postgres: EmbeddedPostgres
) -> None:
    others = [await app.member(f"fan{number}", club_id=CLUB_A) for number in range(4)]
    make_old(postgres)
    moments = [await posted(member) for _ in range(2)]
    await share_all(postgres, member, *moments)
    for moment_id, pair in zip(moments, (others[:2], others[2:]), strict=True):
        for someone in pair:
            await report(someone, moment_id)
    answers = await asyncio.gather(*(report(fan, moment_id) for moment_id in moments))
    assert [answer.status_code for answer in answers] == [201, 201]
    assert len(await feed(others[0])) == 1


async def test_reports_that_come_at_once_hide_a_moment_once(
    app: RunningApp, member: SignedIn, fan: SignedIn, postgres: EmbeddedPostgres
) -> None:
    others = [await app.member(f"fan{number}", club_id=CLUB_A) for number in range(2)]
    make_old(postgres)
    moment_id = await posted(member)
    await share(member, moment_id)
    answers = await asyncio.gather(*(report(one, moment_id) for one in [fan, *others] * 2))
    assert {answer.status_code for answer in answers} <= {200, 201, 404}
    assert [answer.status_code for answer in answers].count(201) == 3
    assert await feed(fan) == []
    assert await notifications_of(member) == [HIDDEN]


async def test_who_left_the_club_or_is_kept_out_is_not_shown_there(
    app: RunningApp, member: SignedIn, fan: SignedIn, rival: SignedIn, postgres: EmbeddedPostgres
) -> None:
    moment_id = await posted(member)
    await share(member, moment_id)
    changes = (
        (f"club_id = '{CLUB_B}'", f"club_id = '{CLUB_A}'"),
        ("suspended_at = now()", "suspended_at = NULL"),
    )
    for change, undo in changes:
        postgres.run_sql(f"UPDATE user_account SET {change} WHERE id = '{member.id}'", "fans")
        assert await feed(fan) == []
        assert await feed(rival) == []
        assert (await applaud(fan, moment_id)).status_code == 404
        postgres.run_sql(f"UPDATE user_account SET {undo} WHERE id = '{member.id}'", "fans")
        assert await seen(fan) == [moment_id]
    ban = "INSERT INTO chat_ban (id, user_id, reason, banned_at) VALUES ($1, $2, 'Abuse', now())"
    await app.database.execute(ban, new_id(), member.id)
    assert await feed(fan) == []


async def test_a_club_sees_the_twenty_that_were_shared_last(
    app: RunningApp, member: SignedIn, fan: SignedIn, postgres: EmbeddedPostgres
) -> None:
    moments = [await posted(member, str(number)) for number in range(22)]
    share_all = (
        f"UPDATE moment SET shared_club_id = '{CLUB_A}', "
        "shared_at = now() + title::int * interval '1 second'"
    )
    postgres.run_sql(share_all, "fans")
    assert await seen(fan) == moments[:1:-1]


async def test_removing_a_moment_or_leaving_takes_applause_and_reports_along(
    app: RunningApp, member: SignedIn, fan: SignedIn
) -> None:
    async def rows(table: str) -> int:
        return int(await app.database.fetch_value(f"SELECT count(*) FROM {table}"))

    for _ in range(2):
        moment_id = await posted(member)
        await app.database.execute("DELETE FROM moment_share")
        await share(member, moment_id)
        await applaud(fan, moment_id)
        await report(fan, moment_id)
        removed, *_ = await asyncio.gather(
            remove(member, moment_id), applaud(fan, moment_id), report(fan, moment_id)
        )
        assert removed.status_code == 200
        assert [await rows("moment_applause"), await rows("moment_report")] == [0, 0]
    await app.database.execute("DELETE FROM moment_share")
    theirs, moment_id = await posted(fan), await posted(member)
    await share(fan, theirs)
    await share(member, moment_id)
    await applaud(fan, moment_id)
    await applaud(member, theirs)
    left = await fan.client.request(
        "DELETE", f"/api/v1/users/{fan.id}", json={"password": PASSWORD}, headers=fan.headers
    )
    assert left.status_code == 200
    assert [one["applause"] for one in await feed(member)] == [0]
    assert await rows("moment_applause") == 0
