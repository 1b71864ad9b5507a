"""Whom a reply notifies, and screens of a worker whose listener was down for a while."""

from contextlib import AbstractAsyncContextManager
from typing import Any

import pytest
from api.community.chat.live import reactions

from tests.community.chat.conftest import PATH, PUBLIC, fill, join
from tests.conftest import CLUB_A, CLUB_B, RunningApp, SignedIn
from tests.phone import Phone, connected

FEEL = """
INSERT INTO chat_reaction (message_id, user_id, key, reacted_at) VALUES ($1, $2, 'fire', now())
"""
MOVE = "UPDATE user_account SET club_id = $2 WHERE id = $1"


def phone(app: RunningApp, member: SignedIn) -> AbstractAsyncContextManager[Phone]:
    return connected(app, member, PATH, ("message", "reactions"))


async def write(held: Phone, words: str, tab: str, **more: Any) -> str:
    answer = await held.send("message", {"club": tab, "chat_message": words, **more})
    assert answer["status"] == 200, answer
    message_id: str = answer["data"]["id"]
    return message_id


async def kinds_of(member: SignedIn) -> list[str]:
    answer = await member.get("/api/v1/notifications")
    return [row["kind"] for row in answer.json()["data"]["rows"]]


async def joined(app: RunningApp, name: str) -> SignedIn:
    member = await app.member(name)
    await join(app, member)
    return member


async def test_who_has_moved_to_another_club_is_not_told_of_answers_in_the_old_one(
    live_server: RunningApp,
) -> None:
    ada, chi = await joined(live_server, "ada"), await joined(live_server, "chi")
    async with phone(live_server, ada) as hers:
        ours = await write(hers, "who comes?", str(CLUB_A))
        public = await write(hers, "hello all", PUBLIC)
    await live_server.database.execute(MOVE, ada.id, CLUB_B)

    async with phone(live_server, chi) as held:
        await write(held, "me", str(CLUB_A), reply_to=ours, mentions=[str(ada.id)])
        assert await kinds_of(ada) == []
        await write(held, "hello Ada", PUBLIC, reply_to=public)

    assert await kinds_of(ada) == ["reply"]


async def test_a_look_up_shows_eight_people_at_most(live_server: RunningApp) -> None:
    ada = await joined(live_server, "ada")
    for number in range(10):
        fan = await joined(live_server, f"fan{number}")
        await fill(live_server, fan, 1)

    answer = await ada.get(f"/api/v1/chat-people/{PUBLIC}", params={"q": "fan"})

    found = [one["firstName"] for one in answer.json()["data"]]
    assert len(set(found)) == 8
    assert found == sorted(found)


async def test_counts_that_changed_while_a_worker_heard_nothing_are_told_afterwards(
    live_server: RunningApp, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(reactions, "MAX_MESSAGES_ON_SCREEN", 2)
    ada, chi = await joined(live_server, "ada"), await joined(live_server, "chi")
    chat = live_server.asgi.state.services.chat
    async with phone(live_server, ada) as hers:
        old = await write(hers, "long ago", PUBLIC)
        felt = await write(hers, "GOAL", PUBLIC)
        ours = await write(hers, "our goal", str(CLUB_A))
        taken_back = await write(hers, "no goal", PUBLIC)
        await hers.send("react", {"club": PUBLIC, "id": taken_back, "key": "love"})
        assert (await hers.next("reactions"))["counts"] == {"love": 1}
        before = hers.count("reactions")

        chat.stop_listening()
        for message_id in (old, felt, ours):
            await live_server.database.execute(FEEL, message_id, chi.id)
        await live_server.database.execute("DELETE FROM chat_reaction WHERE key = 'love'")
        chat.start_listening()
        await hers.until("reactions", before + 3)

        news = {one["id"]: one for one in hers.payloads("reactions")[before:]}
    assert {key: one["counts"] for key, one in news.items()} == {
        felt: {"fire": 1},
        ours: {"fire": 1},
        taken_back: {},
    }
    assert (news[felt]["club"], news[ours]["club"]) == (PUBLIC, "Enyimba")
