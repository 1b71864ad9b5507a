"""Open screens receive notifications and reads, whichever process wrote them."""

import asyncio
from collections.abc import AsyncIterator

import pytest
from api.foundation.core.errors import DatabaseUnavailableError
from api.foundation.core.ids import new_id
from api.foundation.database import listener
from api.foundation.database.database import Database
from api.messaging.notifications.live import NotificationEmitter
from api.messaging.notifications.repository import notifications as repository
from api.messaging.notifications.schemas import NotificationNews
from sqlalchemy import text
from sqlalchemy.ext.asyncio import AsyncEngine

from tests.conftest import CLUB_B, RunningApp, SignedIn, TwoWorkers
from tests.messaging.notifications.conftest import credit, credit_and_fail, listed, screen

READ_ALL = "/api/v1/notifications/read-all"


@pytest.fixture
async def elsewhere(live_server: RunningApp) -> AsyncIterator[Database]:
    """The database as seen by a process without sockets, such as the worker."""
    settings = live_server.settings
    database = Database(
        settings.database_url, runtime_role=settings.database_runtime_role, pool_size=4
    )
    yield database
    await database.close()


async def test_a_members_screens_hear_what_another_process_wrote_and_nobody_else_does(
    live_server: RunningApp, elsewhere: Database
) -> None:
    ada = await live_server.member("ada")
    bello = await live_server.member("bello", club_id=CLUB_B)
    async with (
        screen(live_server, ada) as phone,
        screen(live_server, ada) as laptop,
        screen(live_server, bello) as foreign,
    ):
        await credit(elsewhere, ada)

        received = [await one.next("notification") for one in (phone, laptop)]
        await credit(elsewhere, bello, naira=1)
        his = await foreign.next("notification")

    (row,) = (await listed(ada))["rows"]
    sent = {key: row[key] for key in ("id", "kind", "title")}
    assert received == [{"unread": 1, "notification": sent}] * 2
    assert his["notification"]["title"] == "₦1 is in your wallet"
    assert foreign.count("notification") == 1


async def test_screens_on_all_workers_hear_of_it_and_of_its_reading_once(
    two_workers: TwoWorkers,
) -> None:
    ada = await two_workers.one.member("ada")
    async with screen(two_workers.one, ada) as one, screen(two_workers.other, ada) as other:
        await credit(two_workers.one.database, ada)
        for phone in (one, other):
            assert (await phone.next("notification"))["unread"] == 1
        await ada.post(READ_ALL)
        for phone in (one, other):
            read = {"unread": 0, "notification": None}
            assert await phone.next("notification") == read
        await ada.post(READ_ALL)
        await credit(two_workers.other.database, ada, "FW-2")
        for phone in (one, other):
            assert (await phone.next("notification"))["unread"] == 1
        assert [one.count("notification"), other.count("notification")] == [3, 3]


async def test_what_is_taken_back_is_not_heard(
    live_server: RunningApp, elsewhere: Database
) -> None:
    ada = await live_server.member()
    async with screen(live_server, ada) as phone:
        with pytest.raises(ZeroDivisionError):
            await credit_and_fail(elsewhere, ada)
        await credit(elsewhere, ada, "FW-2")

        assert (await phone.next("notification"))["unread"] == 1
        assert phone.count("notification") == 1


async def test_of_many_that_come_at_once_the_last_one_heard_has_the_newest_count(
    live_server: RunningApp, elsewhere: Database
) -> None:
    ada = await live_server.member()
    async with screen(live_server, ada) as phone:
        await asyncio.gather(*(credit(elsewhere, ada, f"FW-{n}") for n in range(30)))
        await phone.until("notification", 30)

        counts = [received["unread"] for received in phone.payloads("notification")]
        assert counts == sorted(counts)
        assert counts[-1] == 30


async def test_a_worker_that_could_not_listen_for_a_while_tells_the_count_anew(
    live_server: RunningApp,
    elsewhere: Database,
    owner: AsyncEngine,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(listener, "CHECK_SECONDS", 0.2)
    ada = await live_server.member()
    async with screen(live_server, ada) as phone:
        await credit(elsewhere, ada)
        await phone.next("notification")
        async with owner.connect() as connection:
            await connection.execute(
                text(
                    "SELECT pg_terminate_backend(pid) FROM pg_stat_activity "
                    "WHERE application_name = 'king-of-fans' AND pid <> pg_backend_pid()"
                )
            )

        assert await phone.next("notification") == {"unread": 1, "notification": None}


async def test_news_that_could_not_be_read_are_told_when_they_can(
    app: RunningApp, member: SignedIn, monkeypatch: pytest.MonkeyPatch
) -> None:
    sent: list[int] = []
    is_away = True
    list_news = repository.list_news

    async def emit(_user_id: object, news: NotificationNews) -> None:
        sent.append(news.unread)

    async def read(*arguments: object) -> object:
        if is_away:
            raise DatabaseUnavailableError
        return await list_news(*arguments)  # type: ignore[arg-type] # handed on

    monkeypatch.setattr(repository, "list_news", read)
    emitter = NotificationEmitter(
        app.database, is_here=lambda _: True, members=lambda: [member.id], emit=emit
    )
    await credit(app.database, member)
    await emitter.on_announcement(f"{member.id} {new_id()}")
    with pytest.raises(DatabaseUnavailableError):
        await emitter.show()
    is_away = False

    await emitter.show()

    assert sent == [1]
