"""Retries of pushes: the night and the switches apply at each try, and retries end."""

from collections.abc import Awaitable, Callable
from dataclasses import replace
from datetime import datetime, timedelta

import pytest
import time_machine
from api.foundation.core import clock
from api.foundation.core.errors import UnavailableError
from api.foundation.jobs.kinds import FixedRetries, Handler
from api.foundation.jobs.working import Worker
from api.messaging.notifications.enums import NotificationKind
from api.messaging.push.jobs import SEND_PUSH, PushTask
from api.messaging.push.live import PushSender
from api.messaging.push.ports import PushReceipt
from api.messaging.push.service import send_due

from tests.conftest import RunningApp, SignedIn
from tests.messaging.notifications.conftest import credit
from tests.messaging.push.conftest import NIGHT, NOON, SEVEN, answer_call, queue_of, subscribed
from tests.messaging.push.test_sending import (
    ALL_ON,
    DELIVERIES,
    SETTINGS,
    Imitated,
    count,
    notify_at,
    sender_of,
)

EVENING = NIGHT - timedelta(minutes=35)  # 21:55 in Lagos
MATCH = {"home": "Enyimba", "away": "Kano", "fixture_id": "f", "kick_off_at": "2027-03-01"}
BUSY = PushReceipt(503)


async def on_its_way(app: RunningApp, now: datetime) -> PushTask:
    """Claim what is due, and return the one delivery without sending it."""
    await send_due(app.database, queue_of(app), now)
    await app.database.execute("DELETE FROM pgqueuer")
    return PushTask(delivery_id=await app.database.fetch_value("SELECT id FROM push_delivery"))


async def tried(sender: PushSender, task: PushTask, now: datetime) -> None:
    """Try a delivery at a moment, expecting the service to fail."""
    with time_machine.travel(now, tick=True):
        try:
            await sender.send(task)
        except UnavailableError:
            return


async def due_at(app: RunningApp) -> datetime | None:
    found: datetime | None = await app.database.fetch_value("SELECT due_at FROM push_delivery")
    return found


async def answered(app: RunningApp, ada: SignedIn) -> None:
    await answer_call(app.database, ada, now=EVENING)


async def paid(app: RunningApp, ada: SignedIn) -> None:
    await credit(app.database, ada, now=EVENING)


async def kicks_off(app: RunningApp, ada: SignedIn) -> None:
    await notify_at(app, ada, NotificationKind.FIXTURE_SOON, EVENING, **MATCH)


async def overtaken(app: RunningApp, ada: SignedIn) -> None:
    games = {"mail": ALL_ON, "push": {"games": True}}
    await ada.client.put(SETTINGS, json=games, headers=ada.headers)
    await notify_at(app, ada, NotificationKind.OVERTAKEN, EVENING, club="Enyimba")


@pytest.mark.parametrize(
    ("cause", "posts", "waits_until"),
    [(answered, 2, SEVEN), (overtaken, 2, SEVEN), (kicks_off, 2, None), (paid, 4, None)],
)
async def test_a_service_that_fails_into_the_night_is_asked_as_the_night_allows(
    pushing: RunningApp,
    ada: SignedIn,
    cause: Callable[[RunningApp, SignedIn], Awaitable[None]],
    posts: int,
    waits_until: datetime | None,
) -> None:
    await subscribed(pushing, ada)
    await cause(pushing, ada)
    task = await on_its_way(pushing, EVENING)
    carrier = Imitated(*[BUSY] * 3)
    sender = sender_of(pushing, carrier)

    for minutes in (0, 1, 6, 36):
        await tried(sender, task, EVENING + timedelta(minutes=minutes))

    assert len(carrier.posts) == posts
    assert await due_at(pushing) == waits_until
    if waits_until is not None:
        await tried(sender_of(pushing, carrier), task, waits_until)
        assert len(carrier.posts) == posts + 1


async def test_a_service_that_wants_to_be_asked_at_night_is_asked_in_the_morning(
    pushing: RunningApp, ada: SignedIn
) -> None:
    await subscribed(pushing, ada)
    await answered(pushing, ada)
    task = await on_its_way(pushing, EVENING)
    carrier = Imitated(PushReceipt(429, timedelta(hours=1)))
    sender = sender_of(pushing, carrier)

    await tried(sender, task, EVENING)
    asked_for = await due_at(pushing)
    await tried(sender, task, EVENING + timedelta(hours=1))

    assert asked_for is not None
    assert asked_for - EVENING >= timedelta(hours=1)
    assert (await due_at(pushing), len(carrier.posts)) == (SEVEN, 1)


async def test_a_push_of_a_kick_off_is_kept_by_its_service_for_half_an_hour_at_most(
    pushing: RunningApp, ada: SignedIn
) -> None:
    await subscribed(pushing, ada)
    await notify_at(pushing, ada, NotificationKind.FIXTURE_SOON, NOON, **MATCH)
    task, carrier = await on_its_way(pushing, NOON), Imitated(BUSY, BUSY)
    sender = sender_of(pushing, carrier)

    for minutes in (0, 1, 6, 36):
        await tried(sender, task, NOON + timedelta(minutes=minutes))

    assert [int(post["TTL"]) for post in carrier.posts] == [1800] * 3
    assert await count(pushing, DELIVERIES) == 0


async def test_a_group_that_is_switched_off_meanwhile_is_not_tried_again(
    pushing: RunningApp, ada: SignedIn
) -> None:
    await subscribed(pushing, ada)
    await answer_call(pushing.database, ada, now=NOON)
    task, carrier = await on_its_way(pushing, NOON), Imitated(BUSY)
    await tried(sender_of(pushing, carrier), task, NOON)

    off = {"mail": ALL_ON, "push": {"community": False}}
    await ada.client.put(SETTINGS, json=off, headers=ada.headers)
    await tried(sender_of(pushing, carrier), task, NOON + timedelta(minutes=1))

    assert len(carrier.posts) == 1
    assert await count(pushing, DELIVERIES) == 0


@pytest.mark.parametrize("status", [403, 503])
async def test_what_is_refused_for_good_leaves_a_dead_letter_and_no_delivery(
    pushing: RunningApp, ada: SignedIn, status: int
) -> None:
    await subscribed(pushing, ada)
    await credit(pushing.database, ada)
    sender = sender_of(pushing, Imitated(PushReceipt(status)))
    last_try = replace(SEND_PUSH, retries=FixedRetries(()))
    handler = Handler(last_try, sender.send, sender.give_up)

    await send_due(pushing.database, queue_of(pushing), clock.now())
    await Worker(pushing.database, queue_of(pushing), [handler]).drain()

    letters = "SELECT count(*) FROM pgqueuer WHERE status = 'failed'"
    assert (await count(pushing, DELIVERIES), await count(pushing, letters)) == (0, 1)
