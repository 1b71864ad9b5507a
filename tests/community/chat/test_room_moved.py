"""The menu's badge is updated over the socket of every screen: rarely, and soon enough."""

import asyncio
from contextlib import AbstractAsyncContextManager

import pytest
from api.community.chat.events import RoomAdvanced
from api.community.chat.live import rooms

from tests.community.chat.conftest import PUBLIC, join, say
from tests.community.chat.conftest import phone as chat_phone
from tests.conftest import CLUB_B, RunningApp, SignedIn, TwoWorkers
from tests.phone import Phone, connected
from tests.waiting import DEADLINE_SECONDS


def menu(app: RunningApp, member: SignedIn) -> AbstractAsyncContextManager[Phone]:
    """Connect the socket that updates a member's menu."""
    return connected(app, member, "/payment", ("room_moved", "verify_wallet_transaction"))


async def test_a_message_moves_the_room_for_its_members_alone(
    live_server: RunningApp, ada: SignedIn, bello: SignedIn
) -> None:
    async with (
        menu(live_server, ada) as hers,
        menu(live_server, bello) as his,
        chat_phone(live_server, ada) as talk,
    ):
        await say(talk, "for us", tab="Enyimba")
        assert await hers.next("room_moved") == {"club": "Enyimba", "last": 1}
        await say(talk, "for all")
        assert await hers.next("room_moved") == {"club": PUBLIC, "last": 1}
        assert await his.next("room_moved") == {"club": PUBLIC, "last": 1}
        await asyncio.sleep(1.5)
        assert [one["club"] for one in his.payloads("room_moved")] == [PUBLIC]


async def test_a_busy_room_is_told_once_in_a_while_and_its_last_word_after_that(
    live_server: RunningApp, ada: SignedIn, monkeypatch: pytest.MonkeyPatch
) -> None:
    assert (rooms.ROOM_POLL_INTERVAL_SECONDS, rooms.ROOM_ANNOUNCE_INTERVAL_SECONDS) == (1, 10)
    monkeypatch.setattr(rooms, "ROOM_ANNOUNCE_INTERVAL_SECONDS", 6.0)
    async with menu(live_server, ada) as screen, chat_phone(live_server, ada) as talk:
        for number in range(4):
            await say(talk, f"word {number}")
            await asyncio.sleep(1)
        first = await screen.next("room_moved")
        await say(talk, "the last word")

        second = await screen.next("room_moved")

        assert first["last"] < 5
        assert second == {"club": PUBLIC, "last": 5}
        assert screen.count("room_moved") == 2


async def test_a_room_is_not_told_again_before_its_ten_seconds_and_never_without_news(
    app: RunningApp, monkeypatch: pytest.MonkeyPatch
) -> None:
    member = await app.member("ada")
    await join(app, member)
    received: list[int] = []
    watch = rooms.RoomWatch(app.database)
    now = 0.0
    monkeypatch.setattr(rooms, "monotonic", lambda: now)

    async def publish(events: list[RoomAdvanced]) -> None:
        received.extend(event.last for event in events)

    monkeypatch.setattr(watch._database, "publish", publish)

    async def at(moment: float, last: int) -> None:
        nonlocal now
        now = moment
        await app.database.fetch_row(
            "UPDATE chat_room SET last_seq = $1 WHERE club_id IS NULL", last
        )
        await watch.poll()

    for moment, last in ((1, 0), (2, 1), (3, 2), (11.9, 3), (12, 4), (23, 4), (24, 5)):
        await at(moment, last)

    assert received == [1, 4, 5]


async def test_a_screen_that_is_gone_is_forgotten(live_server: RunningApp, ada: SignedIn) -> None:
    namespace = live_server.asgi.state.services.sockets.namespace_handlers["/payment"]
    async with menu(live_server, ada):
        assert [len(sids) for sids in namespace._sids.values()] == [1, 1]
    async with asyncio.timeout(DEADLINE_SECONDS):
        while any(namespace._sids.values()):  # noqa: ASYNC110 it has no such event
            await asyncio.sleep(0.01)


async def test_a_message_at_one_worker_moves_the_badge_at_the_other(
    two_workers: TwoWorkers,
) -> None:
    ada = await two_workers.one.member("ada")
    bello = await two_workers.one.member("bello", club_id=CLUB_B)
    for member in (ada, bello):
        await join(two_workers.one, member)
    async with (
        menu(two_workers.one, ada) as here,
        menu(two_workers.other, bello) as there,
        chat_phone(two_workers.one, ada) as talk,
    ):
        await say(talk, "hello")
        for screen in (here, there):
            assert await screen.next("room_moved") == {"club": PUBLIC, "last": 1}
        await asyncio.sleep(2.5)
        assert [screen.count("room_moved") for screen in (here, there)] == [1, 1]
