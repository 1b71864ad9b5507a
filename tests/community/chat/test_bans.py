"""Bans: the chat is closed to a member on every worker, until the ban ends."""

import asyncio
from datetime import timedelta
from typing import Any

import httpx
import socketio
from api.foundation.core import clock
from api.foundation.core.ids import new_id
from api.foundation.security.rights import Role

from tests.back_office import ADMIN, OperatorClient, operator_client
from tests.community.chat.conftest import PUBLIC, join, phone, say
from tests.conftest import RunningApp, SignedIn, TwoWorkers
from tests.foundation.realtime.test_identity_changed import screen
from tests.waiting import DEADLINE_SECONDS

BANS = f"{ADMIN}/chat/bans"
MUTES = f"{ADMIN}/chat/mutes"


async def ban(operator: OperatorClient, member: SignedIn, **body: Any) -> httpx.Response:
    return await operator.post(BANS, {"userId": str(member.id), "reason": "Hate"} | body)


async def try_join(app: RunningApp, member: SignedIn) -> httpx.Response:
    body = {"clubName": PUBLIC, "id": str(member.id)}
    return await app.client.post("/api/v1/join-chat", json=body, headers=member.headers)


async def refusal_of(app: RunningApp, member: SignedIn) -> str:
    """Connect a phone that is refused; return the error code."""
    client = socketio.AsyncClient(reconnection=False)
    refusals: asyncio.Queue[Any] = asyncio.Queue()
    client.on("connect_error", refusals.put_nowait, namespace="/chat")
    await client.connect(
        app.base_url,
        auth={"token": member.token},
        namespaces=["/chat"],
        transports=["websocket"],
        wait=False,
    )
    async with asyncio.timeout(DEADLINE_SECONDS):
        refusal = await refusals.get()
    await client.disconnect()
    code: str = refusal["data"]["code"]
    return code


async def test_a_banned_member_cannot_join_nor_read_until_the_ban_is_lifted(
    app: RunningApp, member: SignedIn
) -> None:
    await join(app, member)
    moderator = await operator_client(app, "mo", Role.MODERATOR)
    answer = await ban(moderator, member)
    assert answer.json()["data"] == {"userId": str(member.id), "until": None, "reason": "Hate"}

    refused = await try_join(app, member)
    assert (refused.status_code, refused.json()["error"]["code"]) == (409, "banned")
    assert refused.json()["data"] == {"until": None}
    assert (await member.get(f"/api/v1/chat-messages/{PUBLIC}")).status_code == 409
    assert (await member.get("/api/v1/chat-unread")).json()["data"]["rooms"] == []
    [notification] = (await member.get("/api/v1/notifications")).json()["data"]["rows"]
    assert (notification["kind"], notification["body"]) == (
        "chat_banned",
        "A moderator has blocked you from the chat until further notice.",
    )

    assert (await moderator.delete(f"{BANS}/{member.id}")).status_code == 200
    assert (await try_join(app, member)).status_code == 200
    assert (await moderator.delete(f"{BANS}/{member.id}")).status_code == 404


async def test_a_ban_ends_by_itself_and_the_next_replaces_it(
    app: RunningApp, member: SignedIn
) -> None:
    moderator = await operator_client(app, "mo", Role.MODERATOR)
    until = (clock.now() + timedelta(hours=1)).isoformat(timespec="milliseconds")
    until = until.replace("+00:00", "Z")
    await ban(moderator, member)
    assert (await ban(moderator, member, until=until)).status_code == 200
    assert (await try_join(app, member)).json()["data"] == {"until": until}
    [row] = (await moderator.get(BANS)).json()["data"]["rows"]
    assert (row["member"]["id"], row["until"], row["reason"]) == (str(member.id), until, "Hate")

    await app.database.execute("UPDATE chat_ban SET until = now()")
    assert (await try_join(app, member)).status_code == 200
    assert (await moderator.get(BANS)).json()["data"] == {"rows": [], "next": None}


async def test_what_is_in_force_is_listed_newest_first_by_pages(app: RunningApp) -> None:
    moderator = await operator_client(app, "mo", Role.MODERATOR)
    members = [await app.member(name) for name in ("ada", "bello", "chi")]
    for one in members:
        await ban(moderator, one)
        await moderator.post(MUTES, {"userId": str(one.id), "minutes": 5, "reason": "Spam"})
    for path in (BANS, MUTES):
        first = (await moderator.get(path, params={"limit": 2})).json()["data"]
        rest = (await moderator.get(path, params={"before": first["next"]})).json()["data"]
        ids = [row["member"]["id"] for row in first["rows"] + rest["rows"]]
        assert (ids, rest["next"]) == ([str(one.id) for one in reversed(members)], None)


async def test_only_who_exists_is_banned(app: RunningApp, member: SignedIn) -> None:
    moderator = await operator_client(app, "mo", Role.MODERATOR)
    unknown = await moderator.post(BANS, {"userId": str(new_id()), "reason": "Hate"})
    assert unknown.status_code == 404
    past = await ban(moderator, member, until="2020-01-01T00:00:00Z")
    assert past.status_code == 422
    assert (await ban(moderator, member, reason="")).status_code == 422
    assert await app.database.fetch_value("SELECT count(*) FROM audit_entry") == 0


async def test_a_ban_closes_the_chat_on_both_workers_and_nothing_else(
    two_workers: TwoWorkers,
) -> None:
    member, friend = await two_workers.one.member("ada"), await two_workers.one.member("bello")
    for one in (member, friend):
        await join(two_workers.one, one)
    moderator = await operator_client(two_workers.one, "mo", Role.MODERATOR)
    async with (
        phone(two_workers.one, member) as near,
        phone(two_workers.other, member) as far,
        phone(two_workers.other, friend) as his,
        screen(two_workers.other, member) as paying,
    ):
        assert (await ban(moderator, member)).status_code == 200
        for held in (near, far):
            await held.until_gone()
        assert (await say(his, "still here"))["status"] == 200
        assert paying.connected
        for app in (two_workers.one, two_workers.other):
            assert await refusal_of(app, member) == "banned"


async def test_a_socket_that_hears_nothing_of_the_ban_writes_nothing(
    two_workers: TwoWorkers,
) -> None:
    member = await two_workers.one.member("ada")
    await join(two_workers.one, member)
    moderator = await operator_client(two_workers.one, "mo", Role.MODERATOR)
    chat = two_workers.other.asgi.state.services.chat
    async with phone(two_workers.other, member) as held:
        chat.on_banned, original = _ignore, chat.on_banned
        await two_workers.one.database.execute(
            "INSERT INTO chat_ban (id, user_id, reason, banned_at) VALUES ($1, $2, 'Hate', now())",
            new_id(),
            member.id,
        )
        await two_workers.one.database.execute(
            "DELETE FROM chat_membership WHERE user_id = $1", member.id
        )
        answer = await say(held, "one more thing")
        assert answer["code"] == "not_joined"
        chat.stop_listening()
        chat.start_listening()
        await held.until_gone(20)
        chat.on_banned = original
    assert (await moderator.delete(f"{BANS}/{member.id}")).status_code == 200


async def _ignore(_payload: str) -> None:
    """Ignore a ban."""


async def test_a_ban_and_a_join_at_once_leave_nobody_in_the_rooms(live_server: RunningApp) -> None:
    moderator = await operator_client(live_server, "mo", Role.MODERATOR)
    for number in range(5):
        member = await live_server.member(f"fan{number}")
        banned, *joined = await asyncio.gather(
            ban(moderator, member), *(try_join(live_server, member) for _ in range(6))
        )
        assert banned.status_code == 200
        assert {answer.status_code for answer in joined} <= {200, 409}
        left = "SELECT count(*) FROM chat_membership WHERE user_id = $1"
        assert await live_server.database.fetch_value(left, member.id) == 0
        assert (await try_join(live_server, member)).status_code == 409
