"""Mail of notifications: by the member's switches, not at night, tried five times."""

import asyncio
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from datetime import UTC, datetime, timedelta
from email import message_from_bytes
from email.message import Message

import pytest
import time_machine
from api.app.adapters.smtp import SmtpMailer
from api.foundation.core import clock
from api.foundation.core.errors import UnavailableError
from api.foundation.jobs.figures import list_jobs
from api.foundation.jobs.kinds import Handler
from api.foundation.jobs.mail import Email
from api.foundation.jobs.queue import JobQueue
from api.foundation.jobs.working import Worker
from api.messaging.notifications import live
from api.messaging.notifications.enums import NotificationKind
from api.messaging.notifications.jobs import NOTIFY_BY_MAIL, NotificationMail
from api.messaging.notifications.live import NotificationMailer, send_mails
from api.messaging.notifications.service import notify

from tests.conftest import PASSWORD, RunningApp, SignedIn
from tests.foundation.jobs.conftest import Bench
from tests.mail_server import BUSY, MailServer, part_of, running
from tests.messaging.notifications.conftest import credit
from tests.waiting import until

NOON = datetime(2027, 3, 1, 11, 0, tzinfo=UTC)
NIGHT = datetime(2027, 3, 1, 21, 30, tzinfo=UTC)
SEVEN = datetime(2027, 3, 2, 6, 0, tzinfo=UTC)
SETTINGS = "/api/v1/notifications/settings"


def queue_of(app: RunningApp) -> JobQueue:
    queue: JobQueue = app.asgi.state.services.auth.queue
    return queue


def code_key(app: RunningApp) -> str:
    return app.settings.code_key.get_secret_value()


async def mute_chat(app: RunningApp, member: SignedIn, now: datetime) -> None:
    """Notify a member of something that may wait for the morning."""
    async with app.database.transaction() as tx:
        kind = NotificationKind.CHAT_MUTED
        await notify(tx, member.id, kind, "mute-1", now, until=now + timedelta(hours=1))


async def delivered(app: RunningApp, now: datetime) -> list[Message]:
    """Send what is due at a moment, and return everything that was ever sent."""
    with time_machine.travel(now, tick=True):
        await send_mails(app.database, queue_of(app))
        await app.settle()
    return [message_from_bytes(path.read_bytes()) for path in sorted(app.outbox.glob("*.eml"))]


async def due(app: RunningApp) -> list[datetime | None]:
    rows = await app.database.fetch_rows("SELECT mail_due_at FROM notification ORDER BY id")
    return [row["mail_due_at"] for row in rows]


@pytest.fixture
def empty_outbox(app: RunningApp) -> None:
    for path in app.outbox.glob("*.eml"):
        path.unlink()


@pytest.fixture(autouse=True)
def _no_clockwork(monkeypatch: pytest.MonkeyPatch) -> None:
    """Stop the periodic job, so that the tests decide when mails are enqueued."""
    monkeypatch.setattr(live, "SEND_SECONDS", 3600)


@pytest.mark.usefixtures("empty_outbox")
async def test_a_notification_is_mailed_once_to_its_member_with_a_way_to_look(
    app: RunningApp, member: SignedIn
) -> None:
    await credit(app.database, member, now=NOON)

    (letter,) = await delivered(app, NOON)
    assert await delivered(app, NOON + timedelta(hours=7)) != []

    assert letter["To"] == member.email
    assert len(list(app.outbox.glob("*.eml"))) == 1
    words = part_of(letter)
    assert words.startswith("Hello Ada,\n\nYour wallet has been credited with ₦5,000.")
    assert f"{app.settings.public_url}/wallet\n" in words
    assert f"{app.settings.public_url}/notifications\n" in words


@pytest.mark.usefixtures("empty_outbox")
async def test_a_group_that_is_switched_off_is_not_mailed_and_others_are(
    app: RunningApp, member: SignedIn
) -> None:
    mail = {"money": False, "orders": True, "plans": True, "community": True}
    await member.client.put(SETTINGS, json={"mail": mail}, headers=member.headers)

    await credit(app.database, member, now=NOON)
    await mute_chat(app, member, NOON)

    (letter,) = await delivered(app, NOON)
    assert letter["Subject"] == "You cannot write in the chat for now"


@pytest.mark.usefixtures("empty_outbox")
async def test_at_night_money_is_mailed_and_the_rest_at_seven(
    app: RunningApp, member: SignedIn
) -> None:
    await credit(app.database, member, now=NIGHT)
    await mute_chat(app, member, NIGHT)

    assert await due(app) == [NIGHT, SEVEN]
    assert len(await delivered(app, NIGHT)) == 1
    assert len(await delivered(app, SEVEN - timedelta(seconds=30))) == 1
    assert len(await delivered(app, SEVEN)) == 2


@pytest.mark.usefixtures("empty_outbox")
async def test_a_switch_that_goes_off_in_the_night_keeps_its_mail_from_leaving(
    app: RunningApp, member: SignedIn
) -> None:
    await mute_chat(app, member, NIGHT)
    mail = {"money": True, "orders": True, "plans": True, "community": False}
    await member.client.put(SETTINGS, json={"mail": mail}, headers=member.headers)

    assert await delivered(app, SEVEN) == []


@pytest.mark.usefixtures("empty_outbox")
async def test_mail_that_comes_late_waits_for_the_morning_too(
    app: RunningApp, member: SignedIn
) -> None:
    await mute_chat(app, member, NOON)

    assert await delivered(app, NIGHT) == []
    assert await due(app) == [SEVEN]
    assert len(await delivered(app, SEVEN)) == 1


@pytest.mark.usefixtures("empty_outbox")
async def test_who_has_left_gets_no_mail(app: RunningApp, member: SignedIn) -> None:
    await mute_chat(app, member, NIGHT)
    answer = await member.client.request(
        "DELETE",
        f"/api/v1/users/{member.id}",
        headers=member.headers,
        json={"password": PASSWORD},
    )
    assert answer.status_code == 200

    assert await delivered(app, SEVEN) == []


async def test_workers_that_look_at_once_store_each_mail_once(live_server: RunningApp) -> None:
    ada = await live_server.member()
    for number in range(30):
        await credit(live_server.database, ada, f"FW-{number}")

    found = await asyncio.gather(
        *(send_mails(live_server.database, queue_of(live_server)) for _ in range(10))
    )

    assert sum(found) == 30
    jobs = await list_jobs(live_server.database, 100)
    assert [job.kind for job in jobs] == [NOTIFY_BY_MAIL.name] * 30


async def test_a_mail_that_is_stored_in_a_step_that_fails_is_due_again(
    app: RunningApp, member: SignedIn, monkeypatch: pytest.MonkeyPatch
) -> None:
    now = clock.now()
    await credit(app.database, member, now=now)

    async def fail(*_: object, **__: object) -> None:
        raise UnavailableError

    with monkeypatch.context() as broken:
        broken.setattr(JobQueue, "enqueue", fail)
        with pytest.raises(UnavailableError):
            await send_mails(app.database, queue_of(app))

    assert await due(app) == [now]


def test_a_mail_is_tried_again_after_1_5_and_30_minutes_and_6_hours_and_then_no_more() -> None:
    pauses = [NOTIFY_BY_MAIL.retries.pause_after(tries) for tries in range(1, 6)]

    assert [pause and pause.total_seconds() / 60 for pause in pauses] == [1, 5, 30, 360, None]


@asynccontextmanager
async def mailer(
    app: RunningApp, server: MailServer, port: int
) -> AsyncIterator[NotificationMailer]:
    with running(server, port) as url:
        smtp = SmtpMailer(url, sender="no-reply@fans.example")
        yield NotificationMailer(
            app.database, smtp, public_url="https://fans.example", key=code_key(app)
        )


async def test_a_mail_server_that_is_busy_gets_the_mail_a_minute_later(
    app: RunningApp, member: SignedIn, unused_tcp_port: int
) -> None:
    server, bench = MailServer(answers=[BUSY]), Bench(app.database, queue_of(app))

    async def waits() -> bool:
        jobs = await list_jobs(app.database, 10)
        return [(job.state, job.tries) for job in jobs] == [("waiting", 1)]

    async def is_done() -> bool:
        return await list_jobs(app.database, 10) == []

    await credit(app.database, member)
    await send_mails(app.database, bench.queue)
    async with mailer(app, server, unused_tcp_port) as sender:
        worker = Worker(app.database, bench.queue, [Handler(NOTIFY_BY_MAIL, sender.send)])
        async with bench.working(worker):
            await until(waits)
            pause = await app.database.fetch_value(
                "SELECT extract(epoch FROM execute_after - now())::float FROM pgqueuer"
            )
            assert (server.taken, 50 < pause <= 60) == ([], True)
            await app.database.execute("UPDATE pgqueuer SET execute_after = now()")
            await until(is_done)

    assert [letter["To"] for letter in server.taken] == [member.email]


async def test_what_a_mail_says_is_read_when_it_leaves(app: RunningApp, member: SignedIn) -> None:
    sent: list[Email] = []

    class Keeping:
        async def send(self, email: Email) -> None:
            sent.append(email)

        async def reach(self) -> None:
            return None

    await credit(app.database, member, now=clock.now())
    await app.database.execute(
        "UPDATE user_account SET email = 'new@example.com' WHERE id = $1", member.id
    )
    sender = NotificationMailer(
        app.database, Keeping(), public_url="https://fans.example", key=code_key(app)
    )
    notification_id = await app.database.fetch_value("SELECT id FROM notification")

    await sender.send(NotificationMail(notification_id=notification_id))

    assert [email.to for email in sent] == ["new@example.com"]
