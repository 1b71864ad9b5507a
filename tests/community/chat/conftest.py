"""Members who have joined the chat, and phones that chat over a real socket."""

from contextlib import AbstractAsyncContextManager
from dataclasses import replace
from typing import Any
from uuid import UUID

import pytest

from tests.conftest import CLUB_B, RunningApp, SignedIn
from tests.phone import Phone, connected

PATH = "/chat"
EVENTS = ("message", "message_hidden", "userList")
PUBLIC = "Public"


async def join(app: RunningApp, member: SignedIn, tab: str = PUBLIC) -> Any:
    """Join the chat and return the rooms in the response."""
    answer = await app.client.post(
        "/api/v1/join-chat",
        json={"clubName": tab, "id": str(member.id)},
        headers=member.headers,
    )
    assert answer.status_code == 200
    return answer.json()["data"]["rooms"]


@pytest.fixture
async def ada(live_server: RunningApp) -> SignedIn:
    """Return a member who has joined the chat."""
    member = await live_server.member("ada")
    await join(live_server, member)
    return member


@pytest.fixture
async def bello(live_server: RunningApp) -> SignedIn:
    """Return a member of another club who has joined the chat."""
    member = await live_server.member("bello", club_id=CLUB_B)
    await join(live_server, member)
    return member


def phone(app: RunningApp, member: SignedIn) -> AbstractAsyncContextManager[Phone]:
    """Connect a member's phone to the chat."""
    return connected(app, member, PATH, EVENTS)


async def other_device(app: RunningApp, member: SignedIn) -> SignedIn:
    """Return the same member, signed in a second time."""
    answer = (await app.sign_in(member.email)).json()
    return replace(member, token=answer["data"]["access_token"])


async def say(held: Phone, words: str, *, tab: str = PUBLIC, client_id: UUID | None = None) -> Any:
    """Send a message and return its acknowledgement."""
    content = {"club": tab, "chat_message": words}
    if client_id is not None:
        content["client_id"] = str(client_id)
    return await held.send("message", content)


async def history(app: RunningApp, member: SignedIn, tab: str = PUBLIC, **marks: Any) -> list[Any]:
    """Return a tab's history."""
    answer = await app.client.get(
        f"/api/v1/chat-messages/{tab}", headers=member.headers, params=marks
    )
    assert answer.status_code == 200
    messages: list[Any] = answer.json()["data"]
    return messages


async def fill(app: RunningApp, member: SignedIn, count: int, *, tab: str = PUBLIC) -> None:
    """Insert old messages straight into a room, bypassing the limits of posting."""
    room = UUID(int=0) if tab == PUBLIC else member.club_id
    async with app.database.transaction() as tx:
        await tx.execute(
            "WITH room AS (UPDATE chat_room SET last_seq = last_seq + $1 WHERE id = $2 "
            "RETURNING last_seq - $1 AS before) "
            "INSERT INTO chat_message "
            "(id, room_id, seq, user_id, client_id, content, sent_at) "
            "SELECT gen_random_uuid(), $2, room.before + n, $3, gen_random_uuid(), "
            "'old ' || n, now() - interval '1 day' + n * interval '1 second' "
            "FROM room, generate_series(1, $1) AS n",
            count,
            room,
            member.id,
        )
