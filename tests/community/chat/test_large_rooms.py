"""Large rooms: what a phone gets in a second, and how often a member may write."""

import asyncio
from collections.abc import Sequence
from contextlib import AbstractAsyncContextManager, AsyncExitStack
from dataclasses import replace
from datetime import timedelta
from typing import Any
from uuid import UUID, uuid4

import pytest
from api.community.chat import rules
from api.community.chat.live import delivery_limit
from api.community.chat.rules import LIMITS, PUBLIC_ROOM, OutgoingMessage, RefusedPost
from api.community.chat.schemas import SendMessage
from api.community.chat.service import messages as messages_service
from api.community.chat.service import rooms as rooms_service
from api.foundation.core import clock
from api.foundation.core.config import Settings

from tests.community.chat.conftest import PATH, PUBLIC, history, join, say
from tests.community.chat.test_namespace import until_counts
from tests.conftest import RunningApp, SignedIn, TwoWorkers
from tests.phone import Phone, connected
from tests.waiting import DEADLINE_SECONDS, until

ENYIMBA = "Enyimba"


def phone(app: RunningApp, member: SignedIn) -> AbstractAsyncContextManager[Phone]:
    return connected(app, member, PATH, ("message", "messages_skipped", "userList"))


class Second:
    """The clock of the limit: it stands still, however slow the machine is."""

    def __init__(self) -> None:
        self.now = 100.0

    def end(self) -> None:
        """Let a second pass."""
        self.now += delivery_limit.SECOND


@pytest.fixture
def second(monkeypatch: pytest.MonkeyPatch) -> Second:
    held = Second()
    monkeypatch.setattr(delivery_limit, "monotonic", lambda: held.now)
    return held


async def authors(app: RunningApp, count: int) -> list[SignedIn]:
    """Return members who have joined the chat."""
    members = [await app.member(f"author{number}") for number in range(count)]
    for member in members:
        await join(app, member)
    return members


def seqs(held: Phone) -> list[int]:
    return [message["seq"] for message in held.payloads("message")]


async def test_of_twelve_messages_a_phone_gets_ten_and_the_number_of_the_others(
    live_server: RunningApp, ada: SignedIn, second: Second
) -> None:
    members = await authors(live_server, 3)
    async with AsyncExitStack() as stack:
        reader = await stack.enter_async_context(phone(live_server, ada))
        held = [await stack.enter_async_context(phone(live_server, one)) for one in members]
        for number in range(12):
            assert (await say(held[number // 4], f"goal {number}"))["status"] == 200
        second.end()

        skipped = {"club": PUBLIC, "count": 2, "from": 11, "to": 12}
        for one in (reader, *held):
            assert await one.next("messages_skipped") == skipped
        assert seqs(reader) == list(range(1, 11))
        assert seqs(held[0]) == list(range(1, 11))
        assert seqs(held[2]) == list(range(1, 13))  # the author of the last four

        await say(held[0], "after that second")
        await reader.until("message", 11)
        assert seqs(reader) == [*range(1, 11), 13]
        assert reader.count("messages_skipped") == 1
    stored = await history(live_server, ada)
    assert [message["seq"] for message in stored] == list(range(1, 14))


@pytest.mark.usefixtures("second")
async def test_a_clubs_room_is_not_limited(live_server: RunningApp, ada: SignedIn) -> None:
    members = await authors(live_server, 3)
    async with AsyncExitStack() as stack:
        reader = await stack.enter_async_context(phone(live_server, ada))
        for member in members:
            held = await stack.enter_async_context(phone(live_server, member))
            for number in range(4):
                await say(held, f"goal {number} of {member.id}", tab=ENYIMBA)
        await reader.until("message", 12)
        assert seqs(reader) == list(range(1, 13))
        assert reader.count("messages_skipped") == 0


async def test_the_limit_holds_for_messages_of_all_workers(
    two_workers: TwoWorkers, second: Second
) -> None:
    members = await authors(two_workers.one, 3)
    async with AsyncExitStack() as stack:
        sides = (two_workers.one, two_workers.other, two_workers.one)
        held = [
            await stack.enter_async_context(phone(app, member))
            for app, member in zip(sides, members, strict=True)
        ]
        readers = [
            await stack.enter_async_context(phone(app, members[0]))
            for app in (two_workers.one, two_workers.other)
        ]
        for number in range(12):
            assert (await say(held[number // 4], f"goal {number}"))["status"] == 200
        apps = (two_workers.one, two_workers.other)
        limits = [app.asgi.state.services.chat.public_limit for app in apps]
        await until(lambda: all(limit._skipped == {11, 12} for limit in limits))
        second.end()
        for reader in readers:
            skipped = await reader.next("messages_skipped")
            assert skipped == {"club": PUBLIC, "count": 2, "from": 11, "to": 12}
            assert sorted(seqs(reader)) == list(range(1, 11))  # a local one may overtake
        await held[2].until("message", 12)


@pytest.mark.usefixtures("second")
async def test_an_author_gets_their_message_on_every_worker(two_workers: TwoWorkers) -> None:
    members = await authors(two_workers.one, 3)
    async with AsyncExitStack() as stack:
        held = [
            await stack.enter_async_context(phone(two_workers.one, member)) for member in members
        ]
        tablet = await stack.enter_async_context(phone(two_workers.other, members[2]))
        for number in range(12):
            await say(held[number // 4], f"goal {number}")
        await tablet.until("message", 12)
        assert seqs(tablet) == list(range(1, 13))


async def test_zero_turns_the_limit_off(live_server: RunningApp, ada: SignedIn) -> None:
    live_server.asgi.state.services.chat.public_limit._per_second = 0
    members = await authors(live_server, 3)
    async with AsyncExitStack() as stack:
        reader = await stack.enter_async_context(phone(live_server, ada))
        for member in members:
            held = await stack.enter_async_context(phone(live_server, member))
            for number in range(4):
                await say(held, f"goal {number} of {member.id}")
        await reader.until("message", 12)
        assert reader.count("messages_skipped") == 0


def test_the_limit_and_slow_mode_are_settings(settings: Settings) -> None:
    assert (settings.chat_messages_per_second, settings.chat_slow_mode) == (10, True)


@pytest.mark.parametrize(
    ("online", "seconds"), [(0, 0), (199, 0), (200, 5), (1_999, 5), (2_000, 15), (90_000, 15)]
)
def test_slow_mode_depends_on_the_members_online(online: int, seconds: int) -> None:
    assert LIMITS.slow_seconds(online) == seconds
    assert replace(LIMITS, slow_mode=()).slow_seconds(online) == 0


async def set_online(app: RunningApp, members: int, room_id: UUID = PUBLIC_ROOM) -> None:
    """Store how many members are online in a room, as a worker does."""
    async with app.database.transaction() as tx:
        await tx.execute(
            "INSERT INTO chat_online (room_id, members, listed, listed_at) "
            "VALUES ($1, $2, '{}', now() + interval '1 hour') "  # no worker counts again
            "ON CONFLICT (room_id) DO UPDATE SET members = excluded.members",
            room_id,
            members,
        )


async def age(app: RunningApp, seconds: float) -> None:
    """Move the members' last messages in slow mode into the past."""
    async with app.database.transaction() as tx:
        await tx.execute(
            "UPDATE chat_membership SET wrote_at = wrote_at - $1::interval",
            timedelta(seconds=seconds),
        )


class Writer:
    """A member who posts to the database, without sockets that change who is online."""

    def __init__(self, app: RunningApp, member: SignedIn) -> None:
        self._app = app
        self._member = member

    async def outgoing(
        self,
        words: str,
        *,
        tab: str = PUBLIC,
        client_id: UUID | None = None,
        clock_error: float = 0,
    ) -> OutgoingMessage:
        member = await self._app.asgi.state.services.identity.member(self._member.token)
        seat = await rooms_service.take_seat(self._app.database, member, clock.now())
        message = SendMessage(club=tab, chat_message=words, client_id=client_id)
        at = clock.now() + timedelta(seconds=clock_error)
        return messages_service.outgoing_message(seat, message, at)

    async def post(self, words: str, **options: Any) -> tuple[str, float]:
        """Post a message; return the outcome, and the seconds until it may be repeated."""
        message = await self.outgoing(words, **options)
        [posted] = await messages_service.post_all(self._app.database, [message])
        return outcome(posted, message)


def outcome(posted: Any, message: OutgoingMessage) -> tuple[str, float]:
    if not isinstance(posted, RefusedPost):
        return "stored", 0
    until = posted.until or message.received_at
    return posted.outcome.value, (until - message.received_at).total_seconds()


@pytest.fixture
async def writer(app: RunningApp) -> Writer:
    member = await app.member("ada")
    await join(app, member)
    return Writer(app, member)


@pytest.mark.parametrize(("online", "pause"), [(200, 5), (1_999, 5), (2_000, 15)])
async def test_a_second_message_too_soon_is_refused_in_slow_mode(
    app: RunningApp, writer: Writer, online: int, pause: int
) -> None:
    await set_online(app, online)
    assert await writer.post("one") == ("stored", 0)
    refused, seconds = await writer.post("two")
    assert refused == "slow_mode"
    assert 0 < seconds <= pause
    await age(app, pause)
    assert await writer.post("two") == ("stored", 0)


async def test_there_is_no_slow_mode_below_two_hundred(app: RunningApp, writer: Writer) -> None:
    await set_online(app, 199)
    outcomes = [await writer.post(f"word {number}") for number in range(3)]
    assert outcomes == [("stored", 0)] * 3


async def test_slow_mode_counts_for_each_room_and_member(app: RunningApp, writer: Writer) -> None:
    bello = await app.member("bello")
    await join(app, bello)
    await set_online(app, 500)
    await set_online(app, 500, bello.club_id)
    assert await writer.post("one") == ("stored", 0)
    assert await writer.post("one", tab=ENYIMBA) == ("stored", 0)
    assert await Writer(app, bello).post("hello") == ("stored", 0)
    assert (await writer.post("two", tab=ENYIMBA))[0] == "slow_mode"


async def test_a_repeat_of_the_same_message_is_not_refused_in_slow_mode(
    app: RunningApp, writer: Writer
) -> None:
    await set_online(app, 500)
    client_id = uuid4()
    assert await writer.post("one", client_id=client_id) == ("stored", 0)
    assert await writer.post("one", client_id=client_id) == ("stored", 0)
    assert (await writer.post("two"))[0] == "slow_mode"


@pytest.mark.parametrize("clock_error", [-3600, -60, 60, 3600])
async def test_a_workers_wrong_clock_does_not_change_slow_mode(
    app: RunningApp, writer: Writer, clock_error: float
) -> None:
    await set_online(app, 500)
    assert await writer.post("one", clock_error=clock_error) == ("stored", 0)
    for other_clock in (0, clock_error):
        refused, seconds = await writer.post("two", clock_error=other_clock)
        assert refused == "slow_mode"
        assert 0 < seconds <= 5
    await age(app, 5)
    assert await writer.post("two") == ("stored", 0)


async def test_a_database_whose_clock_went_back_keeps_nobody_waiting(
    app: RunningApp, writer: Writer
) -> None:
    await set_online(app, 500)
    assert await writer.post("one") == ("stored", 0)
    await age(app, -3600)  # as if it had been stored an hour ahead
    assert await writer.post("two") == ("stored", 0)
    assert (await writer.post("three"))[0] == "slow_mode"


async def test_of_messages_sent_at_once_slow_mode_stores_one(
    app: RunningApp, writer: Writer
) -> None:
    await set_online(app, 500)
    together = [await writer.outgoing(f"batch {number}") for number in range(3)]
    posted = await messages_service.post_all(app.database, together)
    assert [outcome(*one)[0] for one in zip(posted, together, strict=True)] == [
        "stored",
        "slow_mode",
        "slow_mode",
    ]
    await age(app, 5)
    raced = await asyncio.gather(*(writer.post(f"race {number}") for number in range(6)))
    assert sorted(result for result, _ in raced).count("stored") == 1


async def test_a_refused_message_does_not_begin_the_pause_again(
    app: RunningApp, writer: Writer
) -> None:
    await set_online(app, 500)
    await writer.post("one")
    _, first = await writer.post("two")
    await age(app, 2)
    _, second = await writer.post("two")
    assert second <= first - 2


async def test_slow_mode_can_be_off(app: RunningApp, writer: Writer) -> None:
    await set_online(app, 500)
    limits = replace(LIMITS, slow_mode=())
    for number in range(3):
        message = await writer.outgoing(f"word {number}")
        [posted] = await messages_service.post_all(app.database, [message], limits)
        assert outcome(posted, message) == ("stored", 0)


def lower_crowds(apps: Sequence[RunningApp]) -> None:
    """Have slow mode begin with two members online."""
    limits = replace(LIMITS, slow_mode=(rules.SlowMode(2, timedelta(seconds=5)),))
    for app in apps:
        chat = app.asgi.state.services.chat
        chat.dispatcher._limits = limits
        chat.presence._limits = limits


async def test_slow_mode_counts_members_of_all_workers_and_phones_are_told(
    two_workers: TwoWorkers,
) -> None:
    ada, bello = [await two_workers.one.member(name) for name in ("ada", "bello")]
    for member in (ada, bello):
        await join(two_workers.one, member)
    lower_crowds([two_workers.one, two_workers.other])
    async with phone(two_workers.one, ada) as hers, phone(two_workers.other, ada) as hers_too:
        users = await until_counts(hers, {"public": 1, "club": 1})
        assert users["slow"] == {ENYIMBA: 0, PUBLIC: 0}
        async with phone(two_workers.other, bello) as his:
            for held in (hers, his):
                users = await until_counts(held, {"public": 2, "club": 2})
                assert users["slow"] == {ENYIMBA: 5, PUBLIC: 5}
            assert (await say(hers, "one"))["status"] == 200
            refused = await say(hers_too, "two")
            assert (refused["status"], refused["code"]) == (429, "slow_mode")
            assert 0 < refused["data"]["retryAfter"] <= 5
            assert refused["message"] == "Slow mode is on. Wait a moment before your next message."
            assert (await say(his, "three"))["status"] == 200


async def test_a_user_list_in_a_lively_room_is_not_ahead_of_what_phones_were_sent(
    live_server: RunningApp, ada: SignedIn, bello: SignedIn
) -> None:
    services = live_server.asgi.state.services
    async with phone(live_server, ada) as hers:
        async with phone(live_server, bello):
            before = await until_counts(hers, {"public": 2, "club": 1})
            await services.supervisor.stop()
        await until(lambda: len(services.chat.presence._seats) == 1, DEADLINE_SECONDS)
        assert before["last"][PUBLIC] == 0
        async with live_server.database.transaction() as tx:
            await tx.execute("UPDATE chat_room SET last_seq = 7 WHERE club_id IS NULL")
            await tx.execute("UPDATE chat_online SET listed_at = listed_at - interval '1 minute'")

        await services.chat.presence.show()
        during = await until_counts(hers, {"public": 1, "club": 1})
        await services.chat.presence.show()
        after = await hers.next("userList")

    assert (during["last"][PUBLIC], after["last"][PUBLIC]) == (0, 7)
