"""Repeated moderation answers 409, changes nothing and adds no audit row."""

import asyncio
from collections.abc import Awaitable, Callable
from typing import Any

import httpx
import pytest
from api.foundation.security.rights import Role

from tests.back_office import ADMIN, OperatorClient, operator_client
from tests.community.chat.conftest import fill, history, join
from tests.conftest import RunningApp, SignedIn

MUTES = f"{ADMIN}/chat/mutes"
AT_ONCE = 10


@pytest.fixture
async def moderator(app: RunningApp) -> OperatorClient:
    return await operator_client(app, "mo", Role.MODERATOR)


async def written(app: RunningApp, author: SignedIn) -> str:
    """Return the id of a message in the club's tab."""
    await join(app, author)
    await fill(app, author, 1)
    message_id: str = (await history(app, author))[0]["id"]
    return message_id


async def mute(moderator: OperatorClient, member: SignedIn, minutes: int = 5) -> httpx.Response:
    body = {"userId": str(member.id), "minutes": minutes, "reason": "spam"}
    return await moderator.post(MUTES, body)


async def unmute(moderator: OperatorClient, member: SignedIn) -> httpx.Response:
    return await moderator.delete(f"{MUTES}/{member.id}")


async def audited(app: RunningApp) -> list[Any]:
    """Return action, before and after of every row, oldest first."""
    rows = await app.database.fetch_rows(
        "SELECT action, before_state, after_state FROM audit_entry ORDER BY id"
    )
    return [tuple(row.values()) for row in rows]


async def only_one_succeeds(call: Callable[[], Awaitable[httpx.Response]], status: str) -> None:
    """Send a call ten times at once, and once more: only one of them is performed."""
    answers = [*await asyncio.gather(*(call() for _ in range(AT_ONCE))), await call()]
    assert sorted(answer.status_code for answer in answers) == [200] + [409] * AT_ONCE
    refused = [answer.json() for answer in answers if answer.status_code == 409]
    assert {answer["error"]["code"] for answer in refused} == {"wrong_state"}
    assert [answer["data"] for answer in refused] == [{"status": status}] * AT_ONCE


async def test_a_message_is_hidden_and_restored_once(
    app: RunningApp, moderator: OperatorClient, member: SignedIn
) -> None:
    path = f"{ADMIN}/chat/messages/{await written(app, member)}"
    shown = await moderator.post(f"{path}/restore")
    assert (shown.status_code, shown.json()["data"]) == (409, {"status": "shown"})
    await only_one_succeeds(lambda: moderator.post(f"{path}/hide"), "hidden")
    assert await history(app, member) == []
    await only_one_succeeds(lambda: moderator.post(f"{path}/restore"), "shown")
    assert len(await history(app, member)) == 1
    assert await audited(app) == [
        ("hide", {"hidden": False}, {"hidden": True}),
        ("restore", {"hidden": True}, {"hidden": False}),
    ]
    assert await app.database.fetch_value("SELECT count(*) FROM chat_moderation") == 2


async def test_reports_of_a_message_that_its_author_took_back_are_settled_by_hiding_it(
    app: RunningApp, moderator: OperatorClient, member: SignedIn, rival: SignedIn
) -> None:
    message_id = await written(app, member)
    await rival.post("/api/v1/chat-reports", {"messageId": message_id, "reason": "hate"})
    await app.database.execute("UPDATE chat_message SET hidden_at = now(), content = ''")
    path = f"{ADMIN}/chat/messages/{message_id}/hide"
    await only_one_succeeds(lambda: moderator.post(path), "hidden")
    assert (await moderator.get(f"{ADMIN}/chat/reports")).json()["data"]["rows"] == []


async def test_a_member_is_muted_and_unmuted_once(
    app: RunningApp, moderator: OperatorClient, member: SignedIn
) -> None:
    free = await unmute(moderator, member)
    assert (free.status_code, free.json()["data"]) == (409, {"status": "not_muted"})
    await only_one_succeeds(lambda: mute(moderator, member), "muted")
    [row] = (await moderator.get(MUTES)).json()["data"]["rows"]
    refused = await mute(moderator, member, 60)
    assert refused.status_code == 409
    assert (await moderator.get(MUTES)).json()["data"]["rows"] == [row]
    await only_one_succeeds(lambda: unmute(moderator, member), "not_muted")
    first, second = await audited(app)
    assert (first[0], second[0]) == ("mute", "unmute")
    assert first[1] == second[2] == {"until": None}
    assert first[2] == second[1]
    assert first[2]["until"]
    notifications = (await member.get("/api/v1/notifications")).json()["data"]["rows"]
    assert [one["kind"] for one in notifications] == ["chat_muted"]
    assert await app.database.fetch_value("SELECT count(*) FROM chat_moderation") == 2


async def test_a_mute_that_has_ended_is_none(
    app: RunningApp, moderator: OperatorClient, member: SignedIn
) -> None:
    await mute(moderator, member)
    await app.database.execute("UPDATE chat_mute SET until = now() - interval '1 minute'")
    assert (await unmute(moderator, member)).status_code == 409
    assert (await mute(moderator, member)).status_code == 200
    assert (await unmute(moderator, member)).status_code == 200
