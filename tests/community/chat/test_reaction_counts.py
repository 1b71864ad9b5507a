"""Reaction counts of a message that is deleted at the same time."""

import asyncio
from collections.abc import Mapping
from typing import Any
from uuid import UUID, uuid4

import pytest
from api.community.chat.enums import ReactionKey
from api.community.chat.live.reactions import ReactionEmitter
from api.community.chat.repository import reactions

from tests.community.chat.conftest import PUBLIC
from tests.community.chat.test_addressed import delete, phone, react, write
from tests.conftest import RunningApp, SignedIn


async def test_nothing_is_told_of_a_message_after_it_was_taken_back(
    live_server: RunningApp, ada: SignedIn, bello: SignedIn
) -> None:
    async with phone(live_server, ada) as hers, phone(live_server, bello) as his:
        message_id = (await write(hers, "GOAL"))["data"]["id"]
        await react(his, message_id, "goal")
        await his.next("reactions")
        await react(his, message_id, "fire")  # is emitted after a second, like every second one
        await delete(hers, message_id)
        await his.next("message_hidden")
        await asyncio.sleep(1.5)

        last, payload = his.received[-1]
        assert (last, payload) == ("message_hidden", {"id": message_id, "club": PUBLIC})


async def test_a_message_that_goes_while_its_reactions_are_counted_is_not_told_of(
    live_server: RunningApp, monkeypatch: pytest.MonkeyPatch
) -> None:
    gone, kept, room_id = uuid4(), uuid4(), uuid4()
    emitted: list[UUID] = []

    async def emit(_room: UUID, message_id: UUID, _counts: Mapping[ReactionKey, int]) -> None:
        emitted.append(message_id)

    emitter = ReactionEmitter(live_server.database, emit)

    async def count(*_: Any) -> dict[UUID, dict[ReactionKey, int]]:
        emitter.discard(gone)
        return {gone: {}, kept: {}}

    monkeypatch.setattr(reactions, "count_shown_reactions", count)
    for message_id in (gone, kept):
        await emitter.on_announcement(f"{room_id} {message_id}")
    await emitter.show()

    assert emitted == [kept]
