"""The chat on two workers: one order, one count, nothing lost when one of them stops."""

import asyncio
import time
from datetime import datetime, timedelta
from uuid import uuid4

import pytest
from api.community.chat.repository import presence
from api.community.chat.rules import PUBLIC_ROOM
from api.foundation.core import clock
from api.foundation.database.locks import AdvisoryLock

from tests.community.chat.conftest import PATH, PUBLIC, history, join, phone, say
from tests.community.chat.test_namespace import until_counts
from tests.conftest import CLUB_B, SignedIn, TwoWorkers
from tests.phone import connected
from tests.waiting import DEADLINE_SECONDS


@pytest.fixture
async def ada(two_workers: TwoWorkers) -> SignedIn:
    member = await two_workers.one.member("ada")
    await join(two_workers.one, member)
    return member


@pytest.fixture
async def bello(two_workers: TwoWorkers) -> SignedIn:
    member = await two_workers.one.member("bello", club_id=CLUB_B)
    await join(two_workers.one, member)
    return member


async def test_phones_on_both_workers_hear_everything_once(
    two_workers: TwoWorkers, ada: SignedIn, bello: SignedIn
) -> None:
    async with phone(two_workers.one, ada) as hers, phone(two_workers.other, bello) as his:
        await asyncio.gather(
            *(
                say(held, f"{number} {place}")
                for place, held in enumerate((hers, his))
                for number in range(5)
            )
        )
        for held in (hers, his):
            await held.until("message", 10)
        await asyncio.sleep(0.2)
        for held in (hers, his):
            assert sorted(one["seq"] for one in held.payloads("message")) == list(range(1, 11))
    stored = await history(two_workers.one, ada)
    assert [one["seq"] for one in stored] == list(range(1, 11))


async def test_a_retry_at_the_other_worker_is_the_same_message(
    two_workers: TwoWorkers, ada: SignedIn
) -> None:
    client_id = uuid4()
    async with phone(two_workers.one, ada) as one, phone(two_workers.other, ada) as other:
        answers = await asyncio.gather(
            *(say(held, "once", client_id=client_id) for held in (one, other, one, other))
        )
    assert len({answer["data"]["id"] for answer in answers}) == 1
    assert len(await history(two_workers.one, ada)) == 1


async def test_members_are_counted_over_both_workers(
    two_workers: TwoWorkers, ada: SignedIn, bello: SignedIn
) -> None:
    async with phone(two_workers.one, ada) as hers, phone(two_workers.other, ada):
        async with phone(two_workers.other, bello) as his:
            await until_counts(hers, {"public": 2, "club": 1})
            users = await until_counts(his, {"public": 2, "club": 1})
            assert {user["id"] for user in users[PUBLIC]} == {str(ada.id), str(bello.id)}
        await until_counts(hers, {"public": 1, "club": 1})


async def test_a_hidden_message_leaves_screens_of_both_workers(
    two_workers: TwoWorkers, ada: SignedIn, bello: SignedIn
) -> None:
    async with phone(two_workers.one, ada) as hers, phone(two_workers.other, bello) as his:
        message_id = (await say(hers, "ugly"))["data"]["id"]
        await two_workers.other.database.fetch_row(
            "SELECT pg_notify('chat_message_hidden', $1)",
            f"00000000-0000-0000-0000-000000000000 {message_id}",
        )
        for held in (hers, his):
            assert await held.next("message_hidden") == {"id": message_id, "club": PUBLIC}


async def test_reactions_at_both_workers_are_told_at_both_once_a_second(
    two_workers: TwoWorkers, ada: SignedIn, bello: SignedIn
) -> None:
    async with (
        connected(two_workers.one, ada, PATH, ("reactions",)) as hers,
        connected(two_workers.other, bello, PATH, ("reactions",)) as his,
    ):
        sent = await hers.send("message", {"club": PUBLIC, "chat_message": "GOAL"})
        message_id = sent["data"]["id"]
        began = time.monotonic()
        for key in ("goal", "fire", "clap", "love"):
            content = {"club": PUBLIC, "id": message_id, "key": key}
            answers = await asyncio.gather(*(one.send("react", content) for one in (hers, his)))
            assert {one["status"] for one in answers} == {200}
            await asyncio.sleep(0.2)
        for held in (hers, his):
            while (await held.next("reactions"))["counts"] != {"love": 2}:
                pass
            assert held.count("reactions") <= time.monotonic() - began + 1


async def test_members_of_a_worker_that_died_are_forgotten(
    two_workers: TwoWorkers, ada: SignedIn
) -> None:
    database = two_workers.one.database
    dead = uuid4()
    await database.fetch_row(
        "INSERT INTO chat_worker (id, seen_at) VALUES ($1, now() - interval '2 minutes')", dead
    )
    await database.fetch_row(
        "INSERT INTO chat_presence (worker_id, user_id, club_id) VALUES ($1, $2, $3)",
        dead,
        uuid4(),
        ada.club_id,
    )
    async with phone(two_workers.one, ada) as hers:
        await until_counts(hers, {"public": 1, "club": 1})
        await two_workers.one.asgi.state.services.chat.presence.beat()
    assert await database.fetch_row("SELECT 1 FROM chat_worker WHERE id = $1", dead) is None
    assert (
        await database.fetch_row("SELECT 1 FROM chat_presence WHERE worker_id = $1", dead) is None
    )


async def test_the_lists_of_who_is_online_are_drawn_once_for_all_workers(
    two_workers: TwoWorkers, ada: SignedIn
) -> None:
    database = two_workers.one.database
    now = clock.now()
    later = now + timedelta(seconds=1)

    async def draw(at: datetime, stale_before: datetime) -> datetime:
        seen_after = now - timedelta(seconds=45)
        await presence.refresh_online(
            database, at, seen_after=seen_after, stale_before=stale_before, limit=100
        )
        rows = await presence.list_online(database, [PUBLIC_ROOM, ada.club_id])
        assert [row.members for row in rows] == [1, 1]
        assert [row.user_id for row in rows] == [ada.id, ada.id]
        return rows[0].listed_at

    async with phone(two_workers.one, ada) as hers:
        await until_counts(hers, {"public": 1, "club": 1})
        for app in (two_workers.one, two_workers.other):
            await app.asgi.state.services.supervisor.stop()
        assert await draw(now, now + timedelta(minutes=1)) == now
        assert await draw(later, now - timedelta(seconds=1)) == now  # built recently
        async with two_workers.other.database.transaction() as drawing:
            assert await drawing.fetch_value(
                "SELECT pg_try_advisory_xact_lock($1)", AdvisoryLock.ONLINE_LISTS
            )
            meanwhile = asyncio.create_task(draw(later, later))
            assert await meanwhile == now  # another worker is building it
        assert await draw(later, later) == later


async def test_nobody_is_listed_when_the_last_member_has_gone(
    two_workers: TwoWorkers, ada: SignedIn
) -> None:
    database = two_workers.one.database
    async with phone(two_workers.one, ada) as hers:
        await until_counts(hers, {"public": 1, "club": 1})
    async with asyncio.timeout(DEADLINE_SECONDS):
        while True:
            rows = await presence.list_online(database, [PUBLIC_ROOM, ada.club_id])
            if [row.members for row in rows] == [0]:
                break
            await asyncio.sleep(0.05)
    assert [row.user_id for row in rows] == [None]
