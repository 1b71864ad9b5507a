"""Operation behind a pooler in transaction mode."""

import asyncio
from collections.abc import AsyncIterator
from pathlib import Path

import asyncpg
import pytest
from api.foundation.core.config import Settings
from api.foundation.core.errors import DatabaseUnavailableError
from api.foundation.core.metrics import Metrics
from api.foundation.database.connections import BEHIND_A_POOLER, DIRECT_BEHIND_A_POOLER
from api.foundation.database.database import Database
from api.foundation.database.listener import Listener
from api.foundation.database.role import UnsafeDatabaseError, require_plain_sign_in
from api.foundation.database.safety import SafetyCheck

from tests.community.chat.conftest import join, phone, say
from tests.conftest import RunningApp, client_of, create_running_app, served
from tests.transaction_pooler import transaction_pooler
from tests.waiting import DEADLINE_SECONDS

WHO = "SELECT current_user || ' ' || current_setting('statement_timeout') AS who"


@pytest.fixture
async def pooled(plain_settings: Settings, tmp_path: Path) -> AsyncIterator[Settings]:
    """The settings of a deployment behind such a pooler."""
    async with transaction_pooler(plain_settings.database_url, tmp_path) as (url, _):
        yield plain_settings.model_copy(
            update={"database_url": url, "database_direct_url": plain_settings.database_url}
        )


@pytest.fixture
async def behind(pooled: Settings) -> AsyncIterator[Database]:
    database = open_database(pooled)
    yield database
    await database.close()


def open_database(settings: Settings) -> Database:
    return Database(
        settings.database_url,
        direct_url=settings.database_direct_url,
        runtime_role=settings.database_runtime_role,
        pool_size=8,
    )


async def test_every_statement_and_transaction_has_role_and_limits(behind: Database) -> None:
    for _ in range(3):
        assert await behind.fetch_value(WHO) == "fans_runtime 5s"
        async with behind.transaction() as tx:
            assert await tx.fetch_value(WHO) == "fans_runtime 5s"
            assert await tx.fetch_value("SELECT $1::int + 1", 1) == 2


async def test_a_session_keeps_nothing_from_one_transaction_to_the_next(
    plain_settings: Settings, tmp_path: Path
) -> None:
    async with transaction_pooler(plain_settings.database_url, tmp_path) as (url, pooler):
        settings = plain_settings.model_copy(
            update={"database_url": url, "database_direct_url": plain_settings.database_url}
        )
        database = open_database(settings)
        await database.fetch_value("SELECT $1::int", 1)
        with pytest.raises(asyncpg.DivisionByZeroError):
            await database.fetch_value("SELECT $1::int / 0", 1)
        await database.fetch_value("SELECT $1::int", 1)
        await database.close()

    assert pooler.sessions == 1
    assert pooler.forgotten == 3


@pytest.mark.usefixtures("_empty_tables")
async def test_the_product_serves_behind_it(pooled: Settings) -> None:
    asgi = create_running_app(pooled)
    async with served(asgi) as base_url, client_of(base_url, timeout=30) as client:
        app = RunningApp(asgi, pooled, client, base_url)
        ada, bello = await app.member("ada"), await app.member("bello")
        await app.give(ada, 5_000)
        await app.subscribe(ada)
        await app.open_season()
        await app.add_questions(12, kind="trivia")
        paths = [
            "/api/v1/products",
            "/api/v1/leaderboard?period=day",
            f"/api/v1/users/{ada.id}",
            f"/api/v1/payment/wallet-balance/{ada.id}",
            f"/api/v1/products/user/{ada.id}",
            f"/api/v1/dashboard/statistics/{ada.id}",
            f"/api/v1/question/daily-trivial-question/{ada.club_id}/{ada.id}",
        ]
        answers = await asyncio.gather(*(ada.get(path) for path in paths * 5))
        assert {answer.status_code for answer in answers} == {200}, [
            answer.json() for answer in answers if answer.status_code != 200
        ][:2]
        balances = await asyncio.gather(*(app.balance(ada) for _ in range(40)))
        assert set(balances) == {5_000}
        for member in (ada, bello):
            await join(app, member)
        async with phone(app, ada) as hers, phone(app, bello) as his:
            assert (await say(hers, "behind a pooler"))["status"] == 200
            assert (await his.next("message"))["chat_message"] == "behind a pooler"
        ready = await client.get("/readyz")
        assert ready.status_code == 200


async def test_announcements_are_heard_past_it(behind: Database) -> None:
    received: asyncio.Queue[str] = asyncio.Queue()

    async def on_message(payload: str) -> None:
        received.put_nowait(payload)

    listener = Listener(
        behind, {"goals": on_message}, Metrics(), on_up=lambda: None, on_down=lambda: None
    )
    listening = asyncio.create_task(listener.listen())
    async with asyncio.timeout(DEADLINE_SECONDS):
        while received.empty():
            await behind.execute("SELECT pg_notify('goals', $1)", "one")
            await asyncio.sleep(0.05)
        await listening
    await listener.close()
    assert await received.get() == "one"


@pytest.mark.parametrize("drops_settings", [False, True])
async def test_a_server_that_was_not_told_of_it_refuses_with_a_sentence(
    plain_settings: Settings, tmp_path: Path, drops_settings: bool
) -> None:
    ended: list[bool] = []
    async with transaction_pooler(
        plain_settings.database_url, tmp_path, drops_settings=drops_settings
    ) as (url, _):
        database = open_database(plain_settings.model_copy(update={"database_url": url}))
        check = SafetyCheck(
            database,
            runtime_role="fans_runtime",
            is_needed=True,
            end=lambda: ended.append(True),
        )
        with pytest.raises(UnsafeDatabaseError) as refused:
            await check.make()
        await check.check()
        with pytest.raises(DatabaseUnavailableError):  # outside production, too
            await database.fetch_value("SELECT 1")
        await database.close()

    assert str(refused.value) == BEHIND_A_POOLER
    assert ended == [True]


async def test_a_direct_address_that_leads_through_it_is_refused(
    plain_settings: Settings, tmp_path: Path
) -> None:
    async with transaction_pooler(plain_settings.database_url, tmp_path, drops_settings=True) as (
        url,
        _,
    ):
        other = url + "&application_name=other"
        database = open_database(
            plain_settings.model_copy(update={"database_url": url, "database_direct_url": other})
        )
        check = SafetyCheck(database, runtime_role="fans_runtime", is_needed=True)
        with pytest.raises(UnsafeDatabaseError) as refused:
            await check.make()
        await database.close()

    assert str(refused.value) == DIRECT_BEHIND_A_POOLER


async def test_a_session_that_is_not_the_running_role_is_refused(
    plain_settings: Settings,
) -> None:
    database = Database(plain_settings.database_url, runtime_role="", pool_size=8)
    with pytest.raises(UnsafeDatabaseError, match="does not take on the role fans_runtime"):
        await require_plain_sign_in(database, "fans_runtime")
    await database.close()
