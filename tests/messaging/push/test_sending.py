"""Sending pushes: once each, encrypted, not at night, four a day, and services' responses."""

import asyncio
import json
from datetime import datetime, timedelta

import pytest
import time_machine
from api.app.adapters.push_services import PushServices
from api.foundation.core.clock import lagos_day
from api.foundation.core.errors import UnavailableError
from api.foundation.core.ids import new_id
from api.foundation.jobs.kinds import PermanentFailureError
from api.messaging.notifications.enums import NotificationKind
from api.messaging.notifications.rules.messages import Fact
from api.messaging.notifications.service import notify
from api.messaging.push import repository
from api.messaging.push.enums import PushGroup
from api.messaging.push.jobs import SEND_PUSH, PushTask
from api.messaging.push.live import PushSender
from api.messaging.push.ports import PushReceipt
from api.messaging.push.repository import CountedPush, count_push
from api.messaging.push.service import send_due

from tests.conftest import RunningApp, SignedIn
from tests.messaging.notifications.conftest import credit, credit_and_fail
from tests.messaging.push.conftest import (
    NIGHT,
    NOON,
    PATH,
    SEVEN,
    answer_call,
    pushed,
    queue_of,
    subscribed,
)

SETTINGS = "/api/v1/notifications/settings"
ALL_ON = {"money": True, "orders": True, "plans": True, "community": True}
DUE = "SELECT count(*) FROM notification WHERE push_due_at IS NOT NULL"
PERSONAL: dict[NotificationKind, dict[str, Fact]] = {
    NotificationKind.ORDER_SHIPPED: {"order_id": "1", "number": "FC-7K3Q9X"},
    NotificationKind.PLAN_ENDED: {"plan": "Terrace", "ends_at": NOON},
    NotificationKind.CLUB_CHANGED: {"club": "Enyimba"},
}
DELIVERIES = "SELECT count(*) FROM push_delivery"


async def notify_at(
    app: RunningApp,
    member: SignedIn,
    kind: NotificationKind,
    now: datetime,
    **facts: Fact,
) -> None:
    """Create a notification for a member."""
    async with app.database.transaction() as tx:
        await notify(tx, member.id, kind, new_id(), now, **facts)


async def count(app: RunningApp, statement: str) -> int:
    return int(await app.database.fetch_value(statement))


async def delivery_of(app: RunningApp) -> PushTask:
    """Claim what is due, and return the one delivery without sending it."""
    await send_due(app.database, queue_of(app), NOON)
    await app.database.execute("DELETE FROM pgqueuer")
    found = await app.database.fetch_value("SELECT id FROM push_delivery")
    return PushTask(delivery_id=found)


class Imitated:
    """A carrier that answers as configured, and counts."""

    def __init__(self, *receipts: PushReceipt) -> None:
        self._receipts = list(receipts)
        self.posts: list[dict[str, str]] = []
        self.gate = asyncio.Event()
        self.gate.set()
        self.began = asyncio.Event()

    async def post(self, _endpoint: str, headers: dict[str, str], _body: bytes) -> PushReceipt:
        self.posts.append(dict(headers))
        self.began.set()
        await self.gate.wait()
        return self._receipts.pop(0) if self._receipts else PushReceipt(201)


def sender_of(app: RunningApp, carrier: Imitated) -> PushSender:
    return PushSender(app.asgi.state.services.push, carrier)  # type: ignore[arg-type] # enough of one


async def test_a_notification_reaches_every_browser_of_its_member_once(
    pushing: RunningApp, ada: SignedIn
) -> None:
    bello = await pushing.member("bello")
    browsers = [await subscribed(pushing, ada) for _ in range(2)]
    elsewhere = await subscribed(pushing, bello)
    await credit(pushing.database, ada, now=NOON)

    for _ in range(3):
        await pushed(pushing, NOON)

    for browser in browsers:
        (shown,) = await browser.shown()
        assert set(shown) == {"title", "body", "path", "tag", "ttl"}
        assert (shown["title"], shown["path"]) == ("Money is in your wallet", "/wallet")
        assert shown["ttl"] == 24 * 3600
        assert "5,000" not in json.dumps(shown)
    assert await elsewhere.shown() == []
    assert await count(pushing, DELIVERIES) == 0


async def test_a_rollback_of_the_cause_pushes_nothing(pushing: RunningApp, ada: SignedIn) -> None:
    browser = await subscribed(pushing, ada)
    with pytest.raises(ZeroDivisionError):
        await credit_and_fail(pushing.database, ada)

    await pushed(pushing, NOON)

    assert await browser.shown() == []


async def test_groups_that_are_off_are_not_pushed_also_when_switched_off_meanwhile(
    pushing: RunningApp, ada: SignedIn
) -> None:
    browser = await subscribed(pushing, ada)
    await notify_at(
        pushing, ada, NotificationKind.PROMOTION, NOON, rank="Super Fan"
    )  # off at first
    await answer_call(pushing.database, ada, now=NIGHT)
    off = {"mail": ALL_ON, "push": {"community": False, "games": True}}
    await ada.client.put(SETTINGS, json=off, headers=ada.headers)

    await pushed(pushing, SEVEN)
    assert await browser.shown() == []

    await notify_at(pushing, ada, NotificationKind.QUEST_OPEN, SEVEN)
    await pushed(pushing, SEVEN)
    assert [(each["title"], each["ttl"]) for each in await browser.shown()] == [
        ("Today's quest is open", 6 * 3600)
    ]


async def test_at_night_money_comes_answers_wait_and_matches_are_dropped(
    pushing: RunningApp, ada: SignedIn
) -> None:
    browser = await subscribed(pushing, ada)
    await credit(pushing.database, ada, now=NIGHT)
    for number in range(3):
        await answer_call(pushing.database, ada, f"m-{number}", NIGHT)
    match = {"home": "Enyimba", "away": "Kano", "fixture_id": "f", "kick_off_at": "2027-03-01"}
    await notify_at(pushing, ada, NotificationKind.FIXTURE_SOON, NIGHT, **match)

    await pushed(pushing, NIGHT)
    assert [each["title"] for each in await browser.shown()] == ["Money is in your wallet"]
    await pushed(pushing, SEVEN - timedelta(seconds=30))
    assert len(await browser.shown()) == 1
    await pushed(pushing, SEVEN)

    assert [each["body"] for each in (await browser.shown())[1:]] == [
        "3 answers and mentions wait for you."
    ]
    assert await count(pushing, DUE) == 0


async def test_what_was_to_leave_by_day_and_comes_late_waits_for_the_morning(
    pushing: RunningApp, ada: SignedIn
) -> None:
    browser = await subscribed(pushing, ada)
    await answer_call(pushing.database, ada, now=NOON)

    await pushed(pushing, NIGHT)
    assert await browser.shown() == []
    await pushed(pushing, SEVEN)

    assert len(await browser.shown()) == 1


async def test_one_member_causes_two_pushes_a_day_to_another(
    pushing: RunningApp, ada: SignedIn
) -> None:
    browser = await subscribed(pushing, ada)
    bello, chi = await pushing.member("bello"), await pushing.member("chi")
    for number in range(4):
        await answer_call(pushing.database, ada, f"b-{number}", NOON, sender=bello)
    await pushed(pushing, NOON)
    assert len(await browser.shown()) == 2

    for number in range(3):
        await answer_call(pushing.database, ada, f"c-{number}", NOON, sender=chi)
    await pushed(pushing, NOON)
    assert len(await browser.shown()) == 4

    tomorrow = NOON + timedelta(days=1)
    await answer_call(pushing.database, ada, "b-9", tomorrow, sender=bello)
    await pushed(pushing, tomorrow)
    assert len(await browser.shown()) == 5


async def test_what_one_sender_wrote_at_night_is_one_push_of_theirs(
    pushing: RunningApp, ada: SignedIn
) -> None:
    browser = await subscribed(pushing, ada)
    bello, chi = await pushing.member("bello"), await pushing.member("chi")
    for number in range(3):
        await answer_call(pushing.database, ada, f"b-{number}", NIGHT, sender=bello)
    await pushed(pushing, SEVEN)
    for number in range(3, 6):
        await answer_call(pushing.database, ada, f"b-{number}", SEVEN, sender=bello)
    await answer_call(pushing.database, ada, "c-1", SEVEN, sender=chi)
    await pushed(pushing, SEVEN)

    assert len(await browser.shown()) == 3
    senders = await pushing.database.fetch_value("SELECT senders FROM push_day")
    assert senders == [bello.id, bello.id, chi.id]


async def test_matches_have_twelve_pushes_a_day_of_their_own(
    pushing: RunningApp, ada: SignedIn
) -> None:
    browser = await subscribed(pushing, ada)
    match = {"home": "Enyimba", "away": "Arsenal", "fixture_id": "f"}
    for _ in range(14):
        kind = NotificationKind.FIXTURE_SOON
        await notify_at(pushing, ada, kind, NOON, kick_off_at=NOON, **match)
    for number in range(5):
        await answer_call(pushing.database, ada, f"m-{number}", NOON)

    await pushed(pushing, NOON)

    shown = [one["body"] for one in await browser.shown()]
    assert len(shown) == 12 + 4
    assert shown.count("Kick-off is within the hour.") == 12


async def test_orders_plans_and_the_account_are_pushed_however_many_they_are(
    pushing: RunningApp, ada: SignedIn
) -> None:
    browser = await subscribed(pushing, ada)
    for number in range(5):
        await answer_call(pushing.database, ada, f"m-{number}", NOON)
    for _ in range(5):
        for kind, facts in PERSONAL.items():
            await notify_at(pushing, ada, kind, NOON, **facts)

    await pushed(pushing, NOON)

    assert len(await browser.shown()) == 4 + 15


async def test_counts_at_once_never_exceed_a_quota_whichever_day_a_worker_thinks_it_is(
    pushing: RunningApp, ada: SignedIn
) -> None:
    bello = await pushing.member("bello")
    today = lagos_day(NOON)

    async def count_one(number: int) -> bool:
        days = timedelta(days=number % 2)
        sender = bello.id if number % 3 == 0 else None
        one = CountedPush(ada.id, PushGroup.SOCIAL, today + days, sender, limit=4, sender_limit=2)
        async with pushing.database.transaction() as tx:
            return await count_push(tx, one)

    await count_one(1)
    counted = await asyncio.gather(*(count_one(number) for number in range(20)))

    assert sum(counted) == 3
    row = await pushing.database.fetch_row("SELECT pushed, senders, day FROM push_day")
    assert row is not None
    assert (row["pushed"], row["day"]) == (4, today + timedelta(days=1))
    assert row["senders"].count(bello.id) <= 2


async def test_a_day_has_four_pushes_and_money_on_top(pushing: RunningApp, ada: SignedIn) -> None:
    browser = await subscribed(pushing, ada)
    for number in range(6):
        await answer_call(pushing.database, ada, f"m-{number}", NOON)
    await pushed(pushing, NOON)
    assert len(await browser.shown()) == 4

    await credit(pushing.database, ada, now=NOON)
    await pushed(pushing, NOON)
    assert len(await browser.shown()) == 5

    tomorrow = NOON + timedelta(days=1)
    await answer_call(pushing.database, ada, "m-9", tomorrow)
    await pushed(pushing, tomorrow)
    assert len(await browser.shown()) == 6


@pytest.mark.parametrize("status", [404, 410])
async def test_a_browser_that_is_gone_is_forgotten_at_once(
    pushing: RunningApp, ada: SignedIn, status: int
) -> None:
    gone, there = await subscribed(pushing, ada), await subscribed(pushing, ada)
    await gone.answers(status)
    await credit(pushing.database, ada, now=NOON)

    await pushed(pushing, NOON)

    assert len((await ada.get(PATH)).json()["data"]) == 1
    assert len(await there.shown()) == 1
    assert await count(pushing, DELIVERIES) == 0


async def test_a_service_that_is_busy_is_asked_when_it_wants_to_be(
    pushing: RunningApp, ada: SignedIn
) -> None:
    browser = await subscribed(pushing, ada)
    await browser.answers(429)
    await credit(pushing.database, ada, now=NOON)

    await pushed(pushing, NOON)
    due_at = await pushing.database.fetch_value("SELECT due_at FROM push_delivery")
    assert timedelta(seconds=1) <= due_at - NOON < timedelta(seconds=10)
    await browser.answers(201)
    await pushed(pushing, NOON)
    assert await browser.shown() == []
    await pushed(pushing, due_at)

    assert len(await browser.shown()) == 1
    assert await count(pushing, DELIVERIES) == 0


async def test_what_a_busy_service_puts_off_too_long_is_let_go(
    pushing: RunningApp, ada: SignedIn
) -> None:
    await subscribed(pushing, ada)
    await answer_call(pushing.database, ada, now=NOON)
    carrier = Imitated(PushReceipt(429, timedelta(hours=20)))
    task, sender = await delivery_of(pushing), sender_of(pushing, carrier)

    with time_machine.travel(NOON, tick=True):
        await sender.send(task)
    with time_machine.travel(NOON + timedelta(hours=25), tick=True):
        await sender.send(task)

    assert len(carrier.posts) == 1
    assert await count(pushing, DELIVERIES) == 0


async def test_a_service_that_fails_is_asked_again_after_1_5_and_30_minutes(
    pushing: RunningApp, ada: SignedIn
) -> None:
    await subscribed(pushing, ada)
    await credit(pushing.database, ada, now=NOON)
    task, carrier = await delivery_of(pushing), Imitated(*[PushReceipt(503)] * 3)
    pauses = [SEND_PUSH.retries.pause_after(tries) for tries in range(1, 5)]

    at = NOON
    for pause in pauses[:3]:
        with time_machine.travel(at, tick=True), pytest.raises(UnavailableError):
            await sender_of(pushing, carrier).send(task)
        at += pause or timedelta()
    with time_machine.travel(at, tick=True):
        await sender_of(pushing, carrier).send(task)

    assert [pause and pause.total_seconds() / 60 for pause in pauses] == [1, 5, 30, None]
    assert len(carrier.posts) == 4
    assert await count(pushing, DELIVERIES) == 0


async def test_a_redirection_leads_nowhere_and_other_refusals_are_final(
    pushing: RunningApp, ada: SignedIn
) -> None:
    await subscribed(pushing, ada)
    await credit(pushing.database, ada, now=NOON)
    task = await delivery_of(pushing)

    for status in (301, 307, 400, 403, 413):
        await pushing.database.execute("UPDATE push_delivery SET claimed_at = NULL")
        with time_machine.travel(NOON, tick=True), pytest.raises(PermanentFailureError):
            await sender_of(pushing, Imitated(PushReceipt(status))).send(task)


async def test_two_workers_with_one_job_send_it_once(pushing: RunningApp, ada: SignedIn) -> None:
    await subscribed(pushing, ada)
    await credit(pushing.database, ada, now=NOON)
    task, carrier = await delivery_of(pushing), Imitated()
    carrier.gate.clear()

    with time_machine.travel(NOON, tick=True):
        first = asyncio.create_task(sender_of(pushing, carrier).send(task))
        await carrier.began.wait()
        with pytest.raises(UnavailableError):
            await sender_of(pushing, carrier).send(task)
        carrier.gate.set()
        await first
        await sender_of(pushing, carrier).send(task)

    assert len(carrier.posts) == 1


async def test_workers_that_look_at_once_put_each_push_on_its_way_once(
    pushing: RunningApp, ada: SignedIn
) -> None:
    await subscribed(pushing, ada)
    for number in range(12):
        await credit(pushing.database, ada, f"FW-{number}", now=NOON)

    found = await asyncio.gather(
        *(send_due(pushing.database, queue_of(pushing), NOON) for _ in range(8))
    )

    assert sum(found) == 12
    assert await count(pushing, DELIVERIES) == 12


async def test_a_worker_that_dies_before_it_strikes_sends_again_under_the_same_name(
    pushing: RunningApp, ada: SignedIn, monkeypatch: pytest.MonkeyPatch
) -> None:
    await subscribed(pushing, ada)
    await credit(pushing.database, ada, now=NOON)
    task, carrier = await delivery_of(pushing), Imitated()

    async def die(*_: object) -> None:
        raise ZeroDivisionError

    with monkeypatch.context() as killed, time_machine.travel(NOON, tick=True):
        killed.setattr(repository, "delete_delivery", die)
        with pytest.raises(ZeroDivisionError):
            await sender_of(pushing, carrier).send(task)
    soon = time_machine.travel(NOON + timedelta(seconds=5), tick=True)
    with soon, pytest.raises(UnavailableError):  # another worker may still be sending it
        await sender_of(pushing, carrier).send(task)
    with time_machine.travel(NOON + timedelta(seconds=70), tick=True):
        await sender_of(pushing, carrier).send(task)

    assert len(carrier.posts) == 2
    assert len({post["Topic"] for post in carrier.posts}) == 1
    assert await count(pushing, DELIVERIES) == 0


async def test_who_has_signed_out_meanwhile_is_sent_nothing(
    pushing: RunningApp, ada: SignedIn
) -> None:
    await subscribed(pushing, ada)
    await credit(pushing.database, ada, now=NOON)
    task, carrier = await delivery_of(pushing), Imitated()
    await ada.post("/api/v1/sign-out")

    await sender_of(pushing, carrier).send(task)

    assert carrier.posts == []


async def test_a_service_that_is_not_there_is_unavailable(unused_tcp_port: int) -> None:
    with pytest.raises(UnavailableError):
        await PushServices().post(f"http://127.0.0.1:{unused_tcp_port}/x", {}, b"")
