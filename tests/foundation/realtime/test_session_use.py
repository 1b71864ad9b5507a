"""Use keeps a session alive, on sockets as over HTTP; without use its sockets end."""

from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager
from dataclasses import replace
from datetime import timedelta
from uuid import UUID

import pytest
from api.foundation.core import clock
from api.people.auth.rules import SEEN_EVERY
from sqlalchemy import text
from sqlalchemy.ext.asyncio import AsyncEngine

from tests.community.chat.conftest import join
from tests.conftest import RunningApp, SignedIn, TwoWorkers
from tests.phone import Phone, connected

IDLE = timedelta(hours=72)
PAYMENT, CHAT = "/payment", "/chat"


@pytest.fixture
def later(monkeypatch: pytest.MonkeyPatch) -> Callable[[timedelta], None]:
    """Advance the clock of this process's apps."""
    passed = timedelta()
    real_now = clock.now

    def go_by(more: timedelta) -> None:
        nonlocal passed
        passed += more

    monkeypatch.setattr(clock, "now", lambda: real_now() + passed)
    return go_by


@asynccontextmanager
async def chatting(app: RunningApp, member: SignedIn) -> AsyncIterator[Phone]:
    """Connect a member's phone to the chat, where an event can be sent."""
    await join(app, member)
    async with connected(app, member, CHAT, ()) as phone:
        yield phone


async def check_once(app: RunningApp) -> None:
    """Check the sockets of one worker, as the job does every minute."""
    await app.asgi.state.services.identity_watch.check_sockets()


async def call(app: RunningApp, member: SignedIn) -> int:
    """Send a request that reads the session's row; its recorded use is written."""
    app.disable_cache()
    answer = await app.client.get("/api/v1/banks", headers=member.headers)
    await app.asgi.state.services.activity.note()
    return answer.status_code


async def send(app: RunningApp, phone: Phone) -> int:
    """Send an event, which is refused as unknown; its recorded use is written."""
    status: int = (await phone.send("message", {}))["status"]
    await app.asgi.state.services.activity.note()
    return status


async def unused_for(owner: AsyncEngine, member: SignedIn) -> timedelta:
    """Return how long ago the database recorded a use of any of the member's sessions."""
    async with owner.connect() as connection:
        found = await connection.execute(
            text("SELECT max(last_seen_at) FROM session WHERE user_id = :id"), {"id": member.id}
        )
    seen_at = found.scalar_one()
    ago: timedelta = clock.now() - seen_at
    return ago


async def test_a_socket_whose_session_lies_unused_is_closed_like_an_expired_one(
    live_server: RunningApp, later: Callable[[timedelta], None]
) -> None:
    ada = await live_server.member("ada")
    async with chatting(live_server, ada) as phone:
        later(IDLE - timedelta(minutes=6))
        await check_once(live_server)
        assert await send(live_server, phone) == 422

        later(IDLE - timedelta(minutes=6))
        await check_once(live_server)
        assert phone.client.connected
        later(timedelta(minutes=7))
        await check_once(live_server)

        await phone.until_gone()
    assert await call(live_server, ada) == 401


async def test_an_event_on_a_socket_keeps_the_session_alive_for_calls(
    live_server: RunningApp, later: Callable[[timedelta], None], owner: AsyncEngine
) -> None:
    ada = await live_server.member("ada")
    async with chatting(live_server, ada) as phone:
        for _ in range(2):
            later(IDLE - timedelta(hours=1))
            assert await send(live_server, phone) == 422
            assert await unused_for(owner, ada) < timedelta(minutes=1)

        assert await call(live_server, ada) == 200


async def test_events_are_noted_at_most_every_five_minutes_a_session(
    live_server: RunningApp, later: Callable[[timedelta], None], monkeypatch: pytest.MonkeyPatch
) -> None:
    noticed: list[UUID] = []
    use = live_server.asgi.state.services.sockets.use
    monkeypatch.setattr(use, "_notice", noticed.append)
    ada = await live_server.member("ada")
    async with chatting(live_server, ada) as first, chatting(live_server, ada) as other:
        for _ in range(4):
            for phone in (first, other):
                await phone.send("message", {})
        assert noticed == []  # their handshakes were uses just before
        later(SEEN_EVERY)
        for _ in range(4):
            for phone in (first, other):
                await phone.send("message", {})

    assert len(noticed) == 1


async def test_an_event_does_not_wake_a_session_that_has_ended_unused(
    live_server: RunningApp, later: Callable[[timedelta], None], owner: AsyncEngine
) -> None:
    ada = await live_server.member("ada")
    async with chatting(live_server, ada) as phone:
        later(IDLE + timedelta(minutes=1))

        answer = await phone.send("message", {})

        assert (answer["status"], answer["code"]) == (401, "token_invalid")
        await phone.until_gone()
        await live_server.asgi.state.services.activity.note()
    assert await unused_for(owner, ada) > IDLE
    assert await call(live_server, ada) == 401


async def test_a_session_that_is_used_by_calls_keeps_its_silent_socket(
    live_server: RunningApp, later: Callable[[timedelta], None]
) -> None:
    ada = await live_server.member("ada")
    async with connected(live_server, ada, PAYMENT, ()) as phone:
        for _ in range(2):
            later(IDLE - timedelta(hours=1))
            assert await call(live_server, ada) == 200
            await check_once(live_server)
            assert phone.client.connected

        later(IDLE + timedelta(minutes=6))
        await check_once(live_server)

        await phone.until_gone()


async def test_looking_at_sockets_is_no_use_of_their_sessions(
    live_server: RunningApp, later: Callable[[timedelta], None], owner: AsyncEngine
) -> None:
    ada = await live_server.member("ada")
    async with connected(live_server, ada, PAYMENT, ()) as phone:
        later(timedelta(hours=71))
        # as after a while without announcements
        live_server.asgi.state.services.identity_watch.stop()
        live_server.asgi.state.services.identity_watch.start()
        await check_once(live_server)
        await live_server.asgi.state.services.activity.note()

        assert phone.client.connected
        assert await unused_for(owner, ada) > timedelta(hours=70)


async def test_two_namespaces_on_one_connection_are_one_use(
    live_server: RunningApp, later: Callable[[timedelta], None]
) -> None:
    ada = await live_server.member("ada")
    async with chatting(live_server, ada) as phone:
        await join_namespace(phone, PAYMENT, ada)
        later(IDLE - timedelta(hours=1))
        assert await send(live_server, phone) == 422
        later(IDLE - timedelta(hours=1))
        await check_once(live_server)
        assert phone.client.connected

        later(timedelta(hours=2))
        await check_once(live_server)

        await phone.until_gone()


async def join_namespace(phone: Phone, path: str, member: SignedIn) -> None:
    """Join another namespace on the same connection."""
    packet = phone.client.packet_class(0, namespace=path, data={"token": member.token})
    await phone.client._send_packet(packet)
    assert (await phone.send("message", {}))["status"] == 422  # served after the join


async def test_use_on_one_worker_keeps_the_socket_on_another(
    two_workers: TwoWorkers, later: Callable[[timedelta], None]
) -> None:
    ada = await two_workers.one.member("ada")
    bello = await two_workers.one.member("bello")
    async with (
        chatting(two_workers.one, ada) as used,
        connected(two_workers.other, ada, PAYMENT, ()) as silent,
        connected(two_workers.other, bello, PAYMENT, ()) as unused,
    ):
        later(IDLE - timedelta(hours=1))
        assert await send(two_workers.one, used) == 422
        later(timedelta(hours=2))
        for app in (two_workers.one, two_workers.other):
            await check_once(app)

        await unused.until_gone()
        assert used.client.connected
        assert silent.client.connected


async def test_another_session_of_the_member_keeps_no_socket(
    live_server: RunningApp, later: Callable[[timedelta], None]
) -> None:
    ada = await live_server.member("ada")
    async with connected(live_server, ada, PAYMENT, ()) as phone:
        token = (await live_server.sign_in(ada.email)).json()["data"]["access_token"]
        later(IDLE - timedelta(hours=1))
        assert await call(live_server, replace(ada, token=token)) == 200
        later(timedelta(hours=2))
        assert await call(live_server, replace(ada, token=token)) == 200
        await check_once(live_server)

        await phone.until_gone()
