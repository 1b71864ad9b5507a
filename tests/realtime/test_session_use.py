"""Being used keeps a session alive, on sockets as over HTTP; lying unused ends its sockets."""

from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager
from dataclasses import replace
from datetime import timedelta
from uuid import UUID

import pytest
from api.auth.rules import SEEN_EVERY
from api.core import clock
from sqlalchemy import text
from sqlalchemy.ext.asyncio import AsyncEngine

from tests.chat.conftest import join
from tests.conftest import House, Pair, SignedIn
from tests.phone import Phone, connected

IDLE = timedelta(hours=72)
PAYMENT, CHAT = "/payment", "/chat"


@pytest.fixture
def later(monkeypatch: pytest.MonkeyPatch) -> Callable[[timedelta], None]:
    """Let time go by for the houses of this process."""
    passed = timedelta()
    real_now = clock.now

    def go_by(more: timedelta) -> None:
        nonlocal passed
        passed += more

    monkeypatch.setattr(clock, "now", lambda: real_now() + passed)
    return go_by


@asynccontextmanager
async def chatting(house: House, member: SignedIn) -> AsyncIterator[Phone]:
    """Connect a member's phone to the chat, where an event can be sent."""
    await join(house, member)
    async with connected(house, member, CHAT, ()) as phone:
        yield phone


async def look(house: House) -> None:
    """Look at the sockets of one worker, as is done every minute."""
    await house.app.state.services.identity_watch.check_sockets()


async def call(house: House, member: SignedIn) -> int:
    """Make a call that reads the session's row; what it notices is written down."""
    house.stop_remembering()
    answer = await house.client.get("/api/v1/banks", headers=member.headers)
    await house.app.state.services.activity.note()
    return answer.status_code


async def send(house: House, phone: Phone) -> int:
    """Send an event, which is refused as nothing that is known; what it notices is written down."""
    status: int = (await phone.send("message", {}))["status"]
    await house.app.state.services.activity.note()
    return status


async def unused_for(owner: AsyncEngine, member: SignedIn) -> timedelta:
    """Say how long ago the database saw any of the member's sessions used."""
    async with owner.connect() as connection:
        found = await connection.execute(
            text("SELECT max(last_seen_at) FROM session WHERE user_id = :id"), {"id": member.id}
        )
    seen_at = found.scalar_one()
    ago: timedelta = clock.now() - seen_at
    return ago


async def test_a_socket_whose_session_lies_unused_is_closed_like_an_expired_one(
    street: House, later: Callable[[timedelta], None]
) -> None:
    ada = await street.member("ada")
    async with chatting(street, ada) as phone:
        later(IDLE - timedelta(minutes=6))
        await look(street)
        assert await send(street, phone) == 422

        later(IDLE - timedelta(minutes=6))
        await look(street)
        assert phone.client.connected
        later(timedelta(minutes=7))
        await look(street)

        await phone.until_gone()
    assert await call(street, ada) == 401


async def test_an_event_on_a_socket_keeps_the_session_alive_for_calls(
    street: House, later: Callable[[timedelta], None], owner: AsyncEngine
) -> None:
    ada = await street.member("ada")
    async with chatting(street, ada) as phone:
        for _ in range(2):
            later(IDLE - timedelta(hours=1))
            assert await send(street, phone) == 422
            assert await unused_for(owner, ada) < timedelta(minutes=1)

        assert await call(street, ada) == 200


async def test_events_are_noted_at_most_every_five_minutes_a_session(
    street: House, later: Callable[[timedelta], None], monkeypatch: pytest.MonkeyPatch
) -> None:
    noticed: list[UUID] = []
    use = street.app.state.services.sockets.use
    monkeypatch.setattr(use, "_notice", noticed.append)
    ada = await street.member("ada")
    async with chatting(street, ada) as first, chatting(street, ada) as other:
        for _ in range(4):
            for phone in (first, other):
                await phone.send("message", {})
        assert noticed == []  # their handshakes were uses a moment ago
        later(SEEN_EVERY)
        for _ in range(4):
            for phone in (first, other):
                await phone.send("message", {})

    assert len(noticed) == 1


async def test_an_event_does_not_wake_a_session_that_has_ended_unused(
    street: House, later: Callable[[timedelta], None], owner: AsyncEngine
) -> None:
    ada = await street.member("ada")
    async with chatting(street, ada) as phone:
        later(IDLE + timedelta(minutes=1))

        answer = await phone.send("message", {})

        assert (answer["status"], answer["code"]) == (401, "token_invalid")
        await phone.until_gone()
        await street.app.state.services.activity.note()
    assert await unused_for(owner, ada) > IDLE
    assert await call(street, ada) == 401


async def test_a_session_that_is_used_by_calls_keeps_its_silent_socket(
    street: House, later: Callable[[timedelta], None]
) -> None:
    ada = await street.member("ada")
    async with connected(street, ada, PAYMENT, ()) as phone:
        for _ in range(2):
            later(IDLE - timedelta(hours=1))
            assert await call(street, ada) == 200
            await look(street)
            assert phone.client.connected

        later(IDLE + timedelta(minutes=6))
        await look(street)

        await phone.until_gone()


async def test_looking_at_sockets_is_no_use_of_their_sessions(
    street: House, later: Callable[[timedelta], None], owner: AsyncEngine
) -> None:
    ada = await street.member("ada")
    async with connected(street, ada, PAYMENT, ()) as phone:
        later(timedelta(hours=71))
        street.app.state.services.identity_watch.stop()
        street.app.state.services.identity_watch.start()  # as after a while without announcements
        await look(street)
        await street.app.state.services.activity.note()

        assert phone.client.connected
        assert await unused_for(owner, ada) > timedelta(hours=70)


async def test_two_namespaces_on_one_connection_are_one_use(
    street: House, later: Callable[[timedelta], None]
) -> None:
    ada = await street.member("ada")
    async with chatting(street, ada) as phone:
        await join_namespace(phone, PAYMENT, ada)
        later(IDLE - timedelta(hours=1))
        assert await send(street, phone) == 422
        later(IDLE - timedelta(hours=1))
        await look(street)
        assert phone.client.connected

        later(timedelta(hours=2))
        await look(street)

        await phone.until_gone()


async def join_namespace(phone: Phone, path: str, member: SignedIn) -> None:
    """Join another namespace on the same connection."""
    packet = phone.client.packet_class(0, namespace=path, data={"token": member.token})
    await phone.client._send_packet(packet)
    assert (await phone.send("message", {}))["status"] == 422  # served behind the join


async def test_use_on_one_worker_keeps_the_socket_on_another(
    pair: Pair, later: Callable[[timedelta], None]
) -> None:
    ada = await pair.one.member("ada")
    bello = await pair.one.member("bello")
    async with (
        chatting(pair.one, ada) as used,
        connected(pair.other, ada, PAYMENT, ()) as silent,
        connected(pair.other, bello, PAYMENT, ()) as unused,
    ):
        later(IDLE - timedelta(hours=1))
        assert await send(pair.one, used) == 422
        later(timedelta(hours=2))
        for house in (pair.one, pair.other):
            await look(house)

        await unused.until_gone()
        assert used.client.connected
        assert silent.client.connected


async def test_another_session_of_the_member_keeps_no_socket(
    street: House, later: Callable[[timedelta], None]
) -> None:
    ada = await street.member("ada")
    async with connected(street, ada, PAYMENT, ()) as phone:
        token = (await street.sign_in(ada.email)).json()["data"]["access_token"]
        later(IDLE - timedelta(hours=1))
        assert await call(street, replace(ada, token=token)) == 200
        later(timedelta(hours=2))
        assert await call(street, replace(ada, token=token)) == 200
        await look(street)

        await phone.until_gone()
