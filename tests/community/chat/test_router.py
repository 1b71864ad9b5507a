"""The chat over HTTP: joining, reading back, reporting, moderating."""

from uuid import uuid4

import pytest
from api.foundation.core.ids import new_id
from api.foundation.security.rights import Role

from tests.back_office import operator_client_of
from tests.community.chat.conftest import PUBLIC, fill, history, join
from tests.conftest import CLUB_A, CLUB_B, RunningApp, SignedIn


async def club_name(app: RunningApp, member: SignedIn) -> str:
    row = await app.database.fetch_row("SELECT name FROM club WHERE id = $1", member.club_id)
    assert row is not None
    name: str = row["name"]
    return name


async def test_joining_opens_the_clubs_room_and_public(app: RunningApp, member: SignedIn) -> None:
    name = await club_name(app, member)
    rooms = await join(app, member, name)
    assert [room["club"] for room in rooms] == [name, PUBLIC]
    assert rooms == await join(app, member, PUBLIC)


async def test_a_club_is_named_by_its_id_as_well(app: RunningApp, member: SignedIn) -> None:
    rooms = await join(app, member, str(member.club_id))
    assert len(rooms) == 2
    await fill(app, member, 1, tab="club")
    assert len(await history(app, member, str(member.club_id))) == 1


@pytest.mark.parametrize("tab", ["Arsenal", str(CLUB_B), "public", "", "club:1"])
async def test_another_clubs_tab_does_not_exist(
    app: RunningApp, member: SignedIn, tab: str
) -> None:
    answer = await member.post("/api/v1/join-chat", {"clubName": tab, "id": str(member.id)})
    assert answer.status_code == 404
    if tab:
        assert (await member.get(f"/api/v1/chat-messages/{tab}")).status_code == 404


async def test_nobody_joins_for_somebody_else(
    app: RunningApp, member: SignedIn, rival: SignedIn
) -> None:
    answer = await member.post("/api/v1/join-chat", {"clubName": PUBLIC, "id": str(rival.id)})
    assert answer.status_code == 404
    assert await app.database.fetch_row("SELECT 1 FROM chat_membership") is None


async def test_history_is_the_newest_fifty_oldest_first(app: RunningApp, member: SignedIn) -> None:
    await join(app, member)
    await fill(app, member, 60)
    messages = await history(app, member)
    assert [message["seq"] for message in messages] == list(range(11, 61))
    first = messages[0]
    assert set(first) == {
        "id",
        "seq",
        "client_id",
        "user_id",
        "club",
        "chat_message",
        "firstname",
        "lastname",
        "avatar",
        "time",
        "reply_to",
        "mentions",
        "reactions",
        "mine",
    }
    assert (first["club"], first["user_id"]) == (PUBLIC, str(member.id))
    assert (first["lastname"], first["chat_message"]) == ("Obi", "old 11")


async def test_history_pages_back_and_catches_up(app: RunningApp, member: SignedIn) -> None:
    await join(app, member)
    await fill(app, member, 30)
    newest = await history(app, member, limit=5)
    assert [message["seq"] for message in newest] == [26, 27, 28, 29, 30]
    older = await history(app, member, before=newest[0]["id"], limit=5)
    assert [message["seq"] for message in older] == [21, 22, 23, 24, 25]
    missed = await history(app, member, after=older[-1]["id"], limit=3)
    assert [message["seq"] for message in missed] == [26, 27, 28]
    assert await history(app, member, after=newest[-1]["id"]) == []


async def test_marks_of_another_room_or_of_none_are_not_found(
    app: RunningApp, member: SignedIn
) -> None:
    await join(app, member)
    await fill(app, member, 1, tab="club")
    elsewhere = (await history(app, member, str(CLUB_A)))[0]["id"]
    for mark in (elsewhere, str(new_id()), "not-an-id"):
        answer = await member.get(f"/api/v1/chat-messages/{PUBLIC}", params={"after": mark})
        assert answer.status_code == 404
    both = {"after": elsewhere, "before": elsewhere}
    answer = await member.get(f"/api/v1/chat-messages/{CLUB_A}", params=both)
    assert answer.status_code == 422


@pytest.mark.parametrize("limit", ["0", "101", "many"])
async def test_a_page_has_one_to_a_hundred_messages(
    app: RunningApp, member: SignedIn, limit: str
) -> None:
    answer = await member.get(f"/api/v1/chat-messages/{PUBLIC}", params={"limit": limit})
    assert answer.status_code == 422


async def test_what_was_said_before_joining_is_not_unread(
    app: RunningApp, member: SignedIn, rival: SignedIn
) -> None:
    await join(app, rival)
    await fill(app, rival, 3)
    await join(app, member)
    await fill(app, rival, 120)
    rooms = (await member.get("/api/v1/chat-unread")).json()["data"]["rooms"]
    assert [room["unread"] for room in rooms] == [0, 100]
    own = (await rival.get("/api/v1/chat-unread")).json()["data"]["rooms"]
    assert [room["unread"] for room in own] == [0, 0]


async def test_before_the_first_join_nothing_is_unread(app: RunningApp, member: SignedIn) -> None:
    assert (await member.get("/api/v1/chat-unread")).json()["data"] == {"rooms": []}


async def test_a_message_is_reported_once_for_each_member(
    app: RunningApp, member: SignedIn, rival: SignedIn
) -> None:
    await join(app, rival)
    await fill(app, rival, 1)
    message_id = (await history(app, rival))[0]["id"]
    first = await member.post("/api/v1/chat-reports", {"messageId": message_id, "reason": "abuse"})
    again = await member.post("/api/v1/chat-reports", {"messageId": message_id, "reason": "spam"})
    assert (first.status_code, again.status_code) == (201, 201)
    assert again.json()["data"] == first.json()["data"]
    own = await rival.post("/api/v1/chat-reports", {"messageId": message_id, "reason": "spam"})
    assert (own.status_code, own.json()["error"]["code"]) == (409, "own_message")
    row = await app.database.fetch_row("SELECT count(*) AS reports FROM chat_report")
    assert row is not None
    assert row["reports"] == 1


async def test_what_a_member_cannot_see_cannot_be_reported(
    app: RunningApp, member: SignedIn, rival: SignedIn
) -> None:
    await join(app, rival)
    await fill(app, rival, 1, tab="club")
    hidden_from_others = (await history(app, rival, str(CLUB_B)))[0]["id"]
    for message_id in (hidden_from_others, str(uuid4())):
        answer = await member.post(
            "/api/v1/chat-reports", {"messageId": message_id, "reason": "spam"}
        )
        assert answer.status_code == 404
    unknown = await member.post(
        "/api/v1/chat-reports", {"messageId": hidden_from_others, "reason": "dull"}
    )
    assert unknown.status_code == 422


async def test_a_moderator_hides_a_reported_message_and_shows_it_again(
    app: RunningApp, member: SignedIn, rival: SignedIn
) -> None:
    await join(app, rival)
    await fill(app, rival, 2)
    message = (await history(app, rival))[0]
    await member.post("/api/v1/chat-reports", {"messageId": message["id"], "reason": "hate"})
    operator = await operator_client_of(app, member, Role.MODERATOR)
    reported = (await operator.get("/api/v1/admin/chat/reports")).json()["data"]["rows"]
    assert [(one["message"]["id"], one["reasons"]) for one in reported] == [
        (message["id"], ["hate"])
    ]
    hide = f"/api/v1/admin/chat/messages/{message['id']}/hide"
    assert (await operator.post(hide)).status_code == 200
    assert [one["seq"] for one in await history(app, rival)] == [2]
    assert (await operator.get("/api/v1/admin/chat/reports")).json()["data"]["rows"] == []
    assert (await operator.post(hide.replace("hide", "restore"))).status_code == 200
    assert [one["seq"] for one in await history(app, rival)] == [1, 2]
    deeds = await app.database.fetch_rows(
        "SELECT deed, operator_id, user_id FROM chat_moderation ORDER BY id"
    )
    assert [(row["deed"], row["operator_id"], row["user_id"]) for row in deeds] == [
        ("hide", member.id, rival.id),
        ("restore", member.id, rival.id),
    ]


async def test_dismissing_a_report_leaves_the_message(
    app: RunningApp, member: SignedIn, rival: SignedIn
) -> None:
    await join(app, rival)
    await fill(app, rival, 1)
    message_id = (await history(app, rival))[0]["id"]
    await member.post("/api/v1/chat-reports", {"messageId": message_id, "reason": "other"})
    operator = await operator_client_of(app, member, Role.MODERATOR)
    answer = await operator.post(f"/api/v1/admin/chat/messages/{message_id}/dismiss")
    assert answer.status_code == 200
    assert (await operator.get("/api/v1/admin/chat/reports")).json()["data"]["rows"] == []
    assert len(await history(app, rival)) == 1


async def test_moderators_calls_do_not_exist_for_members(
    app: RunningApp, member: SignedIn, rival: SignedIn
) -> None:
    await join(app, rival)
    await fill(app, rival, 1)
    message_id = (await history(app, rival))[0]["id"]
    mute = {"userId": str(rival.id), "minutes": 5, "reason": "spite"}
    answers = [
        await member.get("/api/v1/admin/chat/reports"),
        await member.post(f"/api/v1/admin/chat/messages/{message_id}/hide"),
        await member.post("/api/v1/admin/chat/mutes", mute),
        await member.client.delete(f"/api/v1/admin/chat/mutes/{rival.id}", headers=member.headers),
    ]
    assert [answer.status_code for answer in answers] == [404] * 4
    assert len(await history(app, rival)) == 1
    assert await app.database.fetch_row("SELECT 1 FROM chat_mute") is None


async def test_moderating_what_is_not_there_is_not_found(app: RunningApp, member: SignedIn) -> None:
    operator = await operator_client_of(app, member, Role.MODERATOR)
    answers = [
        await operator.post(f"/api/v1/admin/chat/messages/{new_id()}/hide"),
        await operator.post(f"/api/v1/admin/chat/messages/{new_id()}/burn"),
        await operator.post("/api/v1/admin/chat/messages/1/hide"),
        await operator.post(
            "/api/v1/admin/chat/mutes", {"userId": str(new_id()), "minutes": 5, "reason": "spam"}
        ),
        await operator.client.delete(
            f"/api/v1/admin/chat/mutes/{new_id()}", headers=operator.headers
        ),
    ]
    assert [answer.status_code for answer in answers] == [404] * 5
