"""Two workers: emits reach sockets on either, and a sign-out on one applies to the other."""

import asyncio
from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import asynccontextmanager
from uuid import UUID

import pytest
import socketio
from api.community.chat.namespace import room_name
from api.foundation.core.ids import new_id
from api.foundation.core.money import Kobo
from api.money.payments.enums import FundingState
from api.money.payments.events import FundingDecided
from valkey.asyncio import Valkey

from tests.community.chat.conftest import join, phone, say
from tests.conftest import CLUB_A, CLUB_B, RunningApp, TwoWorkers
from tests.waiting import DEADLINE_SECONDS


async def test_an_emit_on_one_worker_reaches_a_socket_on_the_other_once(
    two_workers: TwoWorkers,
) -> None:
    member = await two_workers.one.member("ada")
    outsider = await two_workers.one.member("bello")
    received: list[str] = []
    overheard: list[str] = []
    for who, seen in ((member, received), (outsider, overheard)):
        screen = socketio.AsyncClient(reconnection=False)
        screen.on(
            "verify_wallet_transaction",
            lambda payload, seen=seen: seen.append(payload["data"]["id"]),
            namespace="/payment",
        )
        await screen.connect(
            two_workers.other.base_url,
            auth={"token": who.token},
            namespaces=["/payment"],
            transports=["websocket"],
        )
    await asyncio.sleep(0.3)
    references = [f"FW-{new_id().hex}" for _ in range(20)]

    push = two_workers.one.asgi.state.services.sockets.namespace_handlers[
        "/payment"
    ].push_funding_decided
    for reference in references:
        await push(FundingDecided(reference, member.id, Kobo(100), FundingState.SUCCEEDED))
    async with asyncio.timeout(DEADLINE_SECONDS):
        while len(received) < len(references):  # noqa: ASYNC110 the client has no such event
            await asyncio.sleep(0.01)
    await asyncio.sleep(0.2)

    assert received == references
    assert overheard == []


async def test_a_sign_out_on_one_worker_is_heard_on_the_other(two_workers: TwoWorkers) -> None:
    member = await two_workers.one.member("ada")
    path = f"/api/v1/users/{member.id}"
    before = await two_workers.other.client.get(path, headers=member.headers)
    await member.post("/api/v1/sign-out")

    async with asyncio.timeout(DEADLINE_SECONDS):
        while True:
            after = await two_workers.other.client.get(path, headers=member.headers)
            if after.status_code == 401:
                break
            await asyncio.sleep(0.01)
    assert before.status_code == 200


async def test_a_worker_that_cannot_hear_revocations_asks_the_database(
    two_workers: TwoWorkers,
) -> None:
    member = await two_workers.one.member("ada")
    path = f"/api/v1/users/{member.id}"
    assert (await two_workers.other.client.get(path, headers=member.headers)).status_code == 200
    two_workers.other.disable_cache()

    await member.post("/api/v1/sign-out")

    assert (await two_workers.other.client.get(path, headers=member.headers)).status_code == 401


PUBLIC_CHANNEL = "king-of-fans:/chat:public"


def club_channel(club_id: UUID) -> str:
    return f"king-of-fans:/chat:{room_name(club_id)}"


@asynccontextmanager
async def valkey_of(two_workers: TwoWorkers) -> AsyncIterator[Valkey]:
    """Yield a connection to the Valkey between the two."""
    url = two_workers.one.settings.valkey_url
    assert url is not None
    async with Valkey.from_url(url) as client:
        yield client


async def until_received_by(valkey: Valkey, channel: str, workers: int) -> None:
    async with asyncio.timeout(DEADLINE_SECONDS):
        while (await valkey.pubsub_numsub(channel))[0][1] != workers:  # noqa: ASYNC110 it has no event
            await asyncio.sleep(0.01)


def count_messages(app: RunningApp, monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """Return the channels of a worker's Valkey messages, as they arrive."""
    channels = app.asgi.state.services.sockets.manager._channels
    on_message: Callable[[str, bytes], Awaitable[None]] = channels._on_message
    got: list[str] = []

    async def counted(channel: str, message: bytes) -> None:
        got.append(channel)
        await on_message(channel, message)

    monkeypatch.setattr(channels, "_on_message", counted)
    return got


async def test_a_worker_gets_the_events_of_the_rooms_it_has_members_in_and_no_others(
    two_workers: TwoWorkers, monkeypatch: pytest.MonkeyPatch
) -> None:
    ada = await two_workers.one.member("ada")
    bello = await two_workers.one.member("bello", club_id=CLUB_B)
    for member in (ada, bello):
        await join(two_workers.one, member)
    got = count_messages(two_workers.other, monkeypatch)
    async with valkey_of(two_workers) as valkey, phone(two_workers.one, ada) as hers:
        for number in range(3):
            await say(hers, f"alone {number}")
        assert got == []

        async with phone(two_workers.other, bello) as his:
            assert (await valkey.pubsub_numsub(PUBLIC_CHANNEL))[0][1] == 2
            assert (await valkey.pubsub_numsub(club_channel(CLUB_A)))[0][1] == 1
            await say(hers, "to my own club", tab="Enyimba")
            await say(hers, "to everybody")
            assert (await his.next("message"))["chat_message"] == "to everybody"
            assert got == [PUBLIC_CHANNEL]

        await until_received_by(valkey, PUBLIC_CHANNEL, 1)
        await say(hers, "alone again")
        await asyncio.sleep(0.1)
        assert got == [PUBLIC_CHANNEL]


async def test_the_events_of_a_room_come_in_the_order_of_their_worker(
    two_workers: TwoWorkers,
) -> None:
    ada = await two_workers.one.member("ada")
    await join(two_workers.one, ada)
    namespace = two_workers.one.asgi.state.services.chat
    async with phone(two_workers.other, ada) as hers:
        for number in range(300):
            await namespace.emit("message", {"seq": number}, room=room_name(CLUB_A))
        await hers.until("message", 300)
        assert [one["seq"] for one in hers.payloads("message")] == list(range(300))


async def test_an_event_right_after_the_handshake_is_not_missed(two_workers: TwoWorkers) -> None:
    ada = await two_workers.one.member("ada")
    await join(two_workers.one, ada)
    namespace = two_workers.one.asgi.state.services.chat
    for number in range(20):
        async with phone(two_workers.other, ada) as hers:
            await namespace.emit("message", {"seq": number}, room=room_name(CLUB_A))
            assert (await hers.next("message"))["seq"] == number


async def test_rooms_are_heard_again_after_the_connection_was_lost(two_workers: TwoWorkers) -> None:
    ada = await two_workers.one.member("ada")
    await join(two_workers.one, ada)
    async with (
        valkey_of(two_workers) as valkey,
        phone(two_workers.one, ada) as hers,
        phone(two_workers.other, ada) as again,
    ):
        await until_received_by(valkey, PUBLIC_CHANNEL, 2)
        await valkey.client_kill_filter(_type="pubsub")
        await until_received_by(valkey, PUBLIC_CHANNEL, 2)
        await say(hers, "back")
        for held in (hers, again):
            assert (await held.next("message"))["chat_message"] == "back"


async def test_members_of_one_worker_hear_each_other_while_valkey_is_away(
    two_workers: TwoWorkers,
) -> None:
    ada, chidi = await two_workers.one.member("ada"), await two_workers.one.member("chidi")
    for member in (ada, chidi):
        await join(two_workers.one, member)
    async with valkey_of(two_workers) as valkey, phone(two_workers.one, ada) as hers:
        await valkey.client_pause(3_000)
        async with asyncio.timeout(DEADLINE_SECONDS), phone(two_workers.one, chidi) as theirs:
            await say(hers, "are you there?")
            assert (await theirs.next("message"))["chat_message"] == "are you there?"


async def test_a_socket_of_another_worker_is_disconnected_after_what_it_is_told(
    two_workers: TwoWorkers,
) -> None:
    ada = await two_workers.one.member("ada")
    await join(two_workers.one, ada)
    screen = socketio.AsyncClient(reconnection=False)
    seen: list[str] = []
    gone = asyncio.Event()
    screen.on("session_taken_over", lambda _: seen.append("told"), namespace="/battle-ground")

    async def end(_reason: str) -> None:
        seen.append("gone")
        gone.set()

    screen.on("disconnect", end, namespace="/battle-ground")
    await screen.connect(
        two_workers.other.base_url,
        auth={"token": ada.token},
        namespaces=["/battle-ground"],
        transports=["websocket"],
    )
    sid = screen.get_sid("/battle-ground")
    await two_workers.one.asgi.state.services.battle._give_up_seat(sid)
    async with asyncio.timeout(DEADLINE_SECONDS):
        await gone.wait()
    assert seen == ["told", "gone"]
