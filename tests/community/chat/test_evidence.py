"""Evidence: the messages around a reported one, hidden or erased, for 180 days."""

import asyncio
from typing import Any

import httpx
import pytest
from api.community.chat.rules import nearest
from api.dev.postgres.embedded import EmbeddedPostgres
from api.foundation.core.ids import new_id
from api.foundation.security.rights import Role

from tests.back_office import ADMIN, OperatorClient, operator_client
from tests.community.chat.conftest import fill, history, join
from tests.conftest import PASSWORD, RunningApp, SignedIn


async def read_evidence(operator: OperatorClient, message_id: object) -> httpx.Response:
    return await operator.get(f"{ADMIN}/chat/messages/{message_id}/evidence")


async def places(operator: OperatorClient, message_id: object) -> list[int]:
    shown = (await read_evidence(operator, message_id)).json()["data"]["messages"]
    return [one["message"]["seq"] for one in shown]


@pytest.fixture
async def moderator(app: RunningApp) -> OperatorClient:
    return await operator_client(app, "mo", Role.MODERATOR)


@pytest.fixture
async def written(app: RunningApp, rival: SignedIn) -> list[dict[str, Any]]:
    await join(app, rival)
    await fill(app, rival, 30)
    return await history(app, rival)


@pytest.mark.parametrize(
    ("before", "after", "shown"),
    [(10, 10, (5, 5)), (2, 10, (2, 8)), (10, 0, (10, 0)), (0, 10, (0, 10)), (3, 3, (3, 3))],
)
def test_ten_messages_are_around_one_from_both_sides_where_there_are_so_many(
    before: int, after: int, shown: tuple[int, int]
) -> None:
    assert nearest(before, after) == shown


async def test_a_message_is_shown_with_the_ten_around_it_hidden_ones_too(
    moderator: OperatorClient, written: list[dict[str, Any]]
) -> None:
    await moderator.post(f"{ADMIN}/chat/messages/{written[13]['id']}/hide")
    answer = (await read_evidence(moderator, written[14]["id"])).json()["data"]
    assert answer["messageId"] == written[14]["id"]
    shown = {one["message"]["seq"]: one for one in answer["messages"]}
    assert list(shown) == list(range(10, 21))
    assert [seq for seq, one in shown.items() if one["hidden"]] == [14]
    assert shown[14]["message"]["chat_message"] == "old 14"
    assert await places(moderator, written[0]["id"]) == list(range(1, 12))
    assert await places(moderator, written[29]["id"]) == list(range(20, 31))


async def test_looking_is_written_down(
    moderator: OperatorClient, written: list[dict[str, Any]]
) -> None:
    assert (await read_evidence(moderator, new_id())).status_code == 404
    await read_evidence(moderator, written[3]["id"])
    [entry] = (await moderator.get(f"{ADMIN}/audit")).json()["data"]["rows"]
    assert (entry["action"], entry["targetId"]) == ("look-at-evidence", written[3]["id"])


async def test_what_was_reported_is_there_when_its_author_has_left(
    app: RunningApp,
    moderator: OperatorClient,
    member: SignedIn,
    rival: SignedIn,
    written: list[dict[str, Any]],
) -> None:
    message_id = written[14]["id"]
    await member.post("/api/v1/chat-reports", {"messageId": message_id, "reason": "hate"})
    left = await rival.client.request(
        "DELETE",
        f"/api/v1/users/{rival.id}",
        json={"password": PASSWORD},
        headers=rival.headers,
    )
    assert left.status_code == 200
    shown = (await read_evidence(moderator, message_id)).json()["data"]["messages"]
    assert [one["message"]["chat_message"] for one in shown] == [
        f"old {number}" for number in range(10, 21)
    ]
    assert {one["message"]["firstname"] for one in shown} == {"Former"}
    others = (await read_evidence(moderator, written[29]["id"])).json()["data"]["messages"]
    assert {one["message"]["chat_message"] for one in others} == {"", "old 20"}


async def test_after_180_days_there_is_none_unless_it_was_kept(
    app: RunningApp,
    moderator: OperatorClient,
    written: list[dict[str, Any]],
    postgres: EmbeddedPostgres,
) -> None:
    aged = "UPDATE chat_message SET sent_at = now() - interval '{} days'"
    postgres.run_sql(aged.format(179), "fans")
    assert (await read_evidence(moderator, written[3]["id"])).status_code == 200
    postgres.run_sql(aged.format(181), "fans")
    assert (await read_evidence(moderator, written[3]["id"])).status_code == 404
    await moderator.post(f"{ADMIN}/chat/messages/{written[3]['id']}/hide")
    assert (await read_evidence(moderator, written[3]["id"])).status_code == 200
    await app.database.execute("UPDATE chat_evidence SET kept_at = now() - interval '181 days'")
    assert (await read_evidence(moderator, written[3]["id"])).status_code == 404


async def test_two_who_hide_a_message_at_once_hide_it_once(
    app: RunningApp, rival: SignedIn, moderator: OperatorClient, written: list[dict[str, Any]]
) -> None:
    path = f"{ADMIN}/chat/messages/{written[5]['id']}/hide"
    answers = await asyncio.gather(*(moderator.post(path) for _ in range(8)))
    assert sorted(answer.status_code for answer in answers) == [200] + [409] * 7
    hidden_at = "SELECT hidden_at FROM chat_message WHERE id = $1"
    first = await app.database.fetch_value(hidden_at, written[5]["id"])
    await moderator.post(path)
    assert await app.database.fetch_value(hidden_at, written[5]["id"]) == first
    await moderator.post(path.replace("hide", "restore"))
    assert len(await history(app, rival)) == 30
