"""Invites over HTTP: from the link to the points of both members."""

import asyncio
import json
import re
from datetime import timedelta
from typing import Any
from urllib.parse import quote
from uuid import UUID

import pytest
from api.foundation.core import clock
from api.foundation.core.config import Settings
from api.foundation.core.ids import new_id
from api.foundation.core.money import Kobo
from api.foundation.security.rights import Role
from api.games.achievements.enums import BadgeKey
from api.games.invites import service
from api.money.wallet.enums import TransferKind
from api.money.wallet.service import ledger

from tests.back_office import operator_client_of
from tests.conftest import CLUB_B, RunningApp, SignedIn
from tests.conftest import PASSWORD as HOUSE_PASSWORD
from tests.games.trivia.conftest import pair, questions, submit
from tests.people.auth.letters import FORM, codes
from tests.waiting import until_blocked

PASSWORD = FORM["password"]
PHONES = iter(range(10_000))


@pytest.fixture(autouse=True)
async def _season(app: RunningApp) -> None:
    for path in app.outbox.glob("*.eml"):
        path.unlink()
    await app.open_season()
    await app.add_questions(5, kind="trivia")


async def invite_of(member: SignedIn) -> dict[str, Any]:
    answer = await member.get(f"/api/v1/invites/{member.id}")
    assert answer.status_code == 200, answer.text
    data: dict[str, Any] = answer.json()["data"]
    return data


async def joined(
    app: RunningApp, name: str, invite: object, *, cookie: str = "", days: int = 2
) -> SignedIn:
    """Sign up with an invite, activate by the mailed code, sign in, and play on ``days`` days."""
    email = f"{name}@example.com"
    headers = {"Content-Type": "application/json"} | ({"Cookie": cookie} if cookie else {})
    form = FORM | {"email": email, "phone": f"+23480555{next(PHONES):05d}", "invite": invite}
    content = json.dumps(form)  # with escapes: an unpaired surrogate has no other form
    signed_up = await app.client.post("/api/v1/signup", content=content, headers=headers)
    assert signed_up.status_code == 201, signed_up.text
    await app.settle()
    user_id = signed_up.json()["data"]["id"]
    entered = {"userId": user_id, "code": codes(app, email)[-1]}
    activated = await app.client.post("/api/v1/signup/validate-token", json=entered)
    assert activated.status_code == 200, activated.text
    credentials = {"username": email, "password": PASSWORD}
    answer = await app.client.post(
        "/api/v1/sign-in/username-password", json=credentials, headers=headers
    )
    token = answer.json()["data"]["access_token"]
    friend = SignedIn(UUID(user_id), UUID(form["club"]), email, token, app.client)
    await played(app, friend, days)
    return friend


async def play(member: SignedIn) -> None:
    """Complete today's quest."""
    asked = await questions(member)
    answer = await submit(member, [pair(one) for one in asked])
    assert answer.status_code == 201, answer.text


async def played(app: RunningApp, member: SignedIn, days: int) -> None:
    """Store that a member played on the days before today."""
    await app.database.execute(
        "INSERT INTO streak_day (user_id, day) SELECT $1, $2::date - n "
        "FROM generate_series(1, $3::int) AS n ON CONFLICT DO NOTHING",
        member.id,
        clock.lagos_day(clock.now()),
        days,
    )


async def pay(app: RunningApp, member: SignedIn) -> None:
    """Credit a wallet as an external payment does."""
    async with app.database.transaction() as tx:
        amount, reference = Kobo(100_000), f"FW-{new_id()}"
        kind = TransferKind.FUND
        await ledger.credit(tx, member.id, amount, kind=kind, reference=reference)


async def won(member: SignedIn) -> list[tuple[int, str]]:
    """Return the rewards of a member's invites."""
    rows = (await member.get(f"/api/v1/points/{member.id}")).json()["data"]
    return [(row["points"], row["title"]) for row in rows if row["source"] == "invite"]


async def test_a_friend_joins_plays_on_three_days_and_both_win_once(
    app: RunningApp, member: SignedIn
) -> None:
    invite = await invite_of(member)
    assert invite == {
        "code": invite["code"],
        "link": f"{app.settings.public_url}/i/{invite['code']}",
        "pending": 0,
        "rewarded": 0,
        "cap": 5,
        "pointsEach": 10,
    }
    friend = await joined(app, "friend", invite["code"].lower())
    assert (await invite_of(member))["pending"] == 1
    assert await won(member) == []

    await play(friend)

    status = await invite_of(member)
    assert (status["code"], status["pending"], status["rewarded"]) == (invite["code"], 0, 1)
    assert await won(member) == [(10, "A friend joined by your invite")]
    assert await won(friend) == [(10, "Joined by an invite")]
    badges = (await member.get(f"/api/v1/badges/{member.id}")).json()["data"]
    assert next(one for one in badges if one["key"] == BadgeKey.INVITER)["earnedAt"]
    today = (await member.get("/api/v1/today")).json()["data"]["me"]
    assert {"source": "invite", "points": 10} in today["sources"]
    assert today["battlePoints"] == 0


async def rewards(app: RunningApp, *members: SignedIn) -> list[int]:
    """Grant the due rewards twice; return how often each member was rewarded."""
    for _ in range(2):
        await service.reward_due(app.database, clock.now())
    return [len(await won(member)) for member in members]


async def test_two_days_are_not_enough_and_the_third_need_not_be_a_quest(
    app: RunningApp, member: SignedIn
) -> None:
    friend = await joined(app, "friend", (await invite_of(member))["code"], days=1)
    await play(friend)
    assert await rewards(app, member, friend) == [0, 0]
    assert (await invite_of(member))["pending"] == 1
    await played(app, friend, days=2)  # as if by a battle
    assert await rewards(app, member, friend) == [1, 1]
    assert (await invite_of(member))["pending"] == 0


async def test_a_friend_who_pays_once_need_not_play(app: RunningApp, member: SignedIn) -> None:
    friend = await joined(app, "friend", (await invite_of(member))["code"], days=0)
    await app.give(friend, 5000)  # an operator's gift is not a payment of the member's
    assert await rewards(app, member, friend) == [0, 0]
    await pay(app, friend)
    assert await rewards(app, member, friend) == [1, 1]
    await pay(app, friend)
    await played(app, friend, days=2)
    await play(friend)
    assert await rewards(app, member, friend) == [1, 1]


@pytest.mark.parametrize("how", ["erased_at", "suspended_at"])
async def test_a_deleted_or_suspended_friend_wins_nothing(
    app: RunningApp, member: SignedIn, how: str
) -> None:
    friend = await joined(app, "friend", (await invite_of(member))["code"])
    await pay(app, friend)
    gone = f"UPDATE user_account SET {how} = $2 WHERE id = $1"
    await app.database.execute(gone, friend.id, clock.now())
    assert await rewards(app, member) == [0]
    await app.database.execute(gone, friend.id, None)
    assert await rewards(app, member) == [1]


async def test_a_payment_and_a_third_day_at_once_win_once(
    app: RunningApp, member: SignedIn
) -> None:
    friend = await joined(app, "friend", (await invite_of(member))["code"])
    await pay(app, friend)
    due = [service.reward_due(app.database, clock.now()) for _ in range(5)]
    await asyncio.gather(*due, play(friend))
    assert await rewards(app, member, friend) == [1, 1]


async def test_who_has_a_code_may_read_who_invites_and_see_the_page(
    app: RunningApp, member: SignedIn
) -> None:
    code = (await invite_of(member))["code"]

    answer = await app.client.get(f"/api/v1/invites/code/{code}")
    page = await app.client.get(f"/i/{code.lower()}")
    unknown = await app.client.get("/i/ABCDEFGH")

    club = (await app.client.get("/api/v1/clubs")).json()["data"]
    own = next(one for one in club if one["id"] == str(member.club_id))
    assert answer.json()["data"] == {
        "clubId": own["id"],
        "clubName": own["name"],
        "emblem": own["emblem"],
        "firstName": "Ada",
    }
    assert page.status_code == 200
    assert f'<meta property="og:title" content="Ada invites you to {own["name"]}">' in page.text
    picture = re.search(r'og:image" content="([^"]+)"', page.text)
    assert picture is not None
    assert picture[1].startswith(f"{app.settings.public_url}/og/invite/{code}.jpg?v=")
    assert f"/signup?invite={code}" in page.text
    assert (unknown.status_code, "/signup?invite" in unknown.text) == (404, False)
    for name in ("ABCDEFGH", "x", "%00", code + "A"):
        refused = await app.client.get(f"/api/v1/invites/code/{name}")
        assert refused.status_code == 404, refused.text


async def test_a_code_is_the_same_however_it_is_typed(app: RunningApp, member: SignedIn) -> None:
    code = (await invite_of(member))["code"]
    typed = (code, code.lower(), f"  {code.title()} ", f"\t{code}\n")

    read = [await app.client.get(f"/api/v1/invites/code/{quote(each, safe='')}") for each in typed]
    for number, each in enumerate(typed):
        await joined(app, f"friend{number}", each)

    assert [answer.json()["data"]["firstName"] for answer in read] == ["Ada"] * 4
    for each in typed:
        page = await app.client.get(f"/i/{quote(each, safe='')}")
        assert f'href="/signup?invite={code}"' in page.text
    assert (await invite_of(member))["pending"] == 4


async def test_names_on_the_page_are_text(app: RunningApp, member: SignedIn) -> None:
    await app.database.execute(
        "UPDATE user_account SET first_name = $2 WHERE id = $1", member.id, '"><script>alert(1)'
    )

    page = await app.client.get(f"/i/{(await invite_of(member))['code']}")

    assert "<script" not in page.text


async def test_who_was_suspended_until_now_invites_again(app: RunningApp, member: SignedIn) -> None:
    code = (await invite_of(member))["code"]
    friend = await joined(app, "friend", code)
    await app.database.execute(
        "UPDATE user_account SET suspended_at = $2, suspended_until = $3 WHERE id = $1",
        member.id,
        clock.now() - timedelta(days=2),
        clock.now() - timedelta(seconds=1),
    )

    asked = await app.client.get(f"/api/v1/invites/code/{code}")
    await play(friend)

    assert asked.status_code == 200
    assert [points for points, _ in await won(member)] == [10]


async def test_an_invite_is_its_members_own(member: SignedIn, rival: SignedIn) -> None:
    assert (await rival.get(f"/api/v1/invites/{member.id}")).status_code == 404
    assert (await rival.get(f"/api/v1/invites/{new_id()}")).status_code == 404
    assert (await rival.get("/api/v1/invites/me")).status_code == 404


async def test_many_who_ask_for_one_invite_get_one_code(member: SignedIn) -> None:
    found = await asyncio.gather(*(invite_of(member) for _ in range(10)))

    assert len({one["code"] for one in found}) == 1


@pytest.mark.parametrize(
    "invite", ["ABCDEFGH", "bad", "", "x" * 500, "\x00", "\ud800", "KÖN", None, True, 1, {"a": 1}]
)
async def test_a_bad_invite_is_ignored(app: RunningApp, invite: object) -> None:
    friend = await joined(app, "friend", invite)

    await play(friend)

    assert await won(friend) == []


async def test_whose_inviter_plays_for_another_club_wins_too(
    app: RunningApp, member: SignedIn
) -> None:
    inviter = await app.member("inviter", club_id=CLUB_B)
    friend = await joined(app, "friend", (await invite_of(inviter))["code"])

    await play(friend)

    assert (len(await won(inviter)), len(await won(friend))) == (1, 1)
    assert await won(member) == []


async def test_who_has_moved_meanwhile_wins_for_the_club_they_are_of_now(
    app: RunningApp, member: SignedIn
) -> None:
    friend = await joined(app, "friend", (await invite_of(member))["code"])
    await app.database.execute(
        "UPDATE user_account SET club_id = $2 WHERE id = $1", member.id, CLUB_B
    )

    await play(friend)

    rows = await app.database.fetch_rows(
        "SELECT user_id, club_id FROM point_entry WHERE source = 'invite'"
    )
    assert {row["user_id"]: row["club_id"] for row in rows} == {
        member.id: CLUB_B,
        friend.id: friend.club_id,
    }


async def test_between_seasons_both_win_and_the_next_season_counts_anew(
    app: RunningApp, member: SignedIn
) -> None:
    code = (await invite_of(member))["code"]
    early, late = await joined(app, "early", code), await joined(app, "late", code)
    opens = "UPDATE season SET starts_at = $1"
    await app.database.execute(opens, clock.now() + timedelta(days=1))

    await play(early)
    between = await invite_of(member)
    await app.database.execute(opens, clock.now() - timedelta(days=1))
    await play(late)

    assert (between["pending"], between["rewarded"]) == (1, 1)
    assert (await invite_of(member))["rewarded"] == 1
    assert [len(await won(one)) for one in (member, early, late)] == [2, 1, 1]


async def test_five_friends_a_season_are_rewarded_the_sixth_alone_wins(
    app: RunningApp, member: SignedIn
) -> None:
    code = (await invite_of(member))["code"]
    friends = [await joined(app, f"friend{number}", code) for number in range(7)]
    asked = [await questions(friend) for friend in friends]

    # Concurrently: the cap holds in any order.
    await asyncio.gather(
        *(
            submit(friend, [pair(one) for one in shown])
            for friend, shown in zip(friends, asked, strict=True)
        )
    )

    status = await invite_of(member)
    assert (status["pending"], status["rewarded"]) == (0, 5)
    assert len(await won(member)) == 5
    assert [len(await won(friend)) for friend in friends] == [1] * 7


async def test_who_plays_while_the_fifth_reward_is_written_waits_and_is_the_sixth(
    app: RunningApp, member: SignedIn
) -> None:
    code = (await invite_of(member))["code"]
    friends = [await joined(app, f"friend{number}", code) for number in range(6)]
    *first, fifth, sixth = friends
    for friend in first:
        await play(friend)
    asked = [pair(one) for one in await questions(sixth)]

    await played(app, fifth, days=3)
    async with app.database.transaction() as tx:
        await service.reward(tx, fifth.id, clock.now())
        playing = asyncio.create_task(submit(sixth, asked))
        await until_blocked(app.database, playing)
        assert not playing.done()
    assert (await playing).status_code == 201

    status = await invite_of(member)
    assert (status["pending"], status["rewarded"]) == (0, 5)
    assert len(await won(member)) == 5
    assert [len(await won(friend)) for friend in friends] == [1] * 6


async def test_two_accounts_of_one_browser_win_nothing(app: RunningApp, member: SignedIn) -> None:
    code = (await invite_of(member))["code"]
    here = (await signed_in_at(app, member)).split(";")[0]
    same = await joined(app, "same", code, cookie=here)
    other = await joined(app, "other", code)

    await play(same)
    await play(other)

    assert (await won(same), len(await won(other))) == ([], 1)
    assert len(await won(member)) == 1


async def signed_in_at(app: RunningApp, member: SignedIn, **headers: str) -> str:
    """Sign in on a device and return the cookie that is set."""
    credentials = {"username": member.email, "password": HOUSE_PASSWORD}
    answer = await app.client.post(
        "/api/v1/sign-in/username-password", json=credentials, headers=headers
    )
    assert answer.status_code == 200
    cookie: str = answer.headers["set-cookie"]
    return cookie


async def test_the_server_names_a_device_and_no_script_reads_it(
    app: RunningApp, member: SignedIn
) -> None:
    cookie = await signed_in_at(app, member)
    named = re.fullmatch(
        r"device=([A-Za-z0-9_-]{22}); HttpOnly; Max-Age=34560000; Path=/; SameSite=lax",
        cookie,
    )
    assert named
    assert await signed_in_at(app, member, Cookie=f"device={named[1]}") == cookie
    for foreign in ("one-and-the-same", named[1] + "=", named[1] + "A", ""):
        assert (await signed_in_at(app, member, Cookie=f"device={foreign}")) != cookie
    other = await signed_in_at(app, member, **{"X-Browser-Id": "one and the same"})
    assert other != cookie


async def test_the_cookie_travels_encrypted_in_production(
    app: RunningApp, member: SignedIn, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(Settings, "is_production", True)
    cookie = await signed_in_at(app, member)
    assert re.fullmatch(
        r"__Host-device=[\w-]{22}; HttpOnly; Max-Age=34560000; Path=/; SameSite=lax; Secure", cookie
    )
    assert await signed_in_at(app, member, Cookie=cookie.split(";")[0]) == cookie


async def test_operators_win_nothing_by_inviting(app: RunningApp, member: SignedIn) -> None:
    code = (await invite_of(member))["code"]
    await operator_client_of(app, member, Role.MODERATOR)
    friend = await joined(app, "friend", code)

    await play(friend)

    assert (await won(friend), await won(member)) == ([], [])


@pytest.mark.parametrize("how", ["left", "suspended"])
async def test_whoever_is_gone_invites_nobody_more(
    app: RunningApp, member: SignedIn, how: str
) -> None:
    code = (await invite_of(member))["code"]
    friend = await joined(app, "friend", code)
    column = "erased_at" if how == "left" else "suspended_at"
    await app.database.execute(
        f"UPDATE user_account SET {column} = $2 WHERE id = $1", member.id, clock.now()
    )

    await play(friend)

    assert (await app.client.get(f"/api/v1/invites/code/{code}")).status_code == 404
    assert len(await won(friend)) == 1
    rows = await app.database.fetch_rows("SELECT FROM point_entry WHERE user_id = $1", member.id)
    assert rows == []


async def test_a_first_quest_and_the_leaving_of_who_invited_do_not_wait_for_each_other(
    app: RunningApp, member: SignedIn
) -> None:
    friend = await joined(app, "chidi", (await invite_of(member))["code"])
    asked = await questions(friend)
    async with app.database.transaction() as tx:  # members lock first
        await tx.execute("SELECT FROM user_account WHERE id = $1 FOR UPDATE", member.id)
        handing_in = asyncio.create_task(submit(friend, [pair(one) for one in asked]))
        await until_blocked(app.database, handing_in)
        await tx.execute("SET LOCAL lock_timeout = '2s'")
        await tx.execute("SELECT FROM invite WHERE user_id = $1 FOR UPDATE", member.id)
        await tx.execute("SELECT FROM invitation WHERE inviter_id = $1 FOR UPDATE", member.id)

    assert (await handing_in).status_code == 201
    assert len(await won(friend)) == 1
