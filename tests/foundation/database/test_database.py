"""Statements outside transactions: on a pooled connection, whatever happens to it."""

import asyncio
from collections.abc import AsyncIterator

import asyncpg
import pytest
from api.foundation.core.config import Settings
from api.foundation.core.errors import DatabaseUnavailableError
from api.foundation.database import lanes
from api.foundation.database.database import Database
from api.foundation.database.lanes import Priority

from tests.waiting import DEADLINE_SECONDS

WHO = "SELECT pg_backend_pid() AS pid"


@pytest.fixture
async def narrow(settings: Settings) -> AsyncIterator[Database]:
    """A database behind one connection."""
    database = Database(
        settings.database_url, runtime_role=settings.database_runtime_role, pool_size=1
    )
    yield database
    await database.close()


async def pid(database: Database) -> int:
    row = await database.fetch_row(WHO)
    assert row is not None
    found: int = row["pid"]
    return found


async def test_statements_share_a_kept_connection(narrow: Database) -> None:
    assert await pid(narrow) == await pid(narrow)


async def test_a_statement_that_fails_keeps_its_connection(narrow: Database) -> None:
    before = await pid(narrow)
    with pytest.raises(asyncpg.DivisionByZeroError):
        await narrow.fetch_row("SELECT 1 / 0")
    assert await pid(narrow) == before


async def test_a_cancelled_statement_gives_nobody_its_connection(narrow: Database) -> None:
    before = await pid(narrow)
    sleeping = asyncio.create_task(narrow.fetch_row("SELECT pg_sleep(30)"))
    await asyncio.sleep(0.1)
    sleeping.cancel()
    with pytest.raises(asyncio.CancelledError):
        await sleeping
    assert await pid(narrow) != before


async def end(database: Database, backend: int) -> None:
    """Terminate another session, and return when its client can notice."""
    await database.fetch_row("SELECT pg_terminate_backend($1)", backend)
    gone = "SELECT 1 FROM pg_stat_activity WHERE pid = $1"
    async with asyncio.timeout(DEADLINE_SECONDS):
        while await database.fetch_row(gone, backend) is not None:  # noqa: ASYNC110 there is no event
            await asyncio.sleep(0.01)
    await asyncio.sleep(0.05)  # the socket is closed; the event loop has to read that


async def test_a_connection_that_the_server_ended_is_replaced(
    narrow: Database, settings: Settings
) -> None:
    before = await pid(narrow)
    other = Database(settings.database_url, runtime_role="", pool_size=1)
    await end(other, before)
    await other.close()
    assert await pid(narrow) != before


async def test_a_statement_whose_connection_dies_under_it_is_unavailable(
    narrow: Database, settings: Settings
) -> None:
    before = await pid(narrow)
    sleeping = asyncio.create_task(narrow.fetch_row("SELECT pg_sleep(30)"))
    await asyncio.sleep(0.1)
    other = Database(settings.database_url, runtime_role="", pool_size=1)
    await other.fetch_row("SELECT pg_terminate_backend($1)", before)
    await other.close()
    with pytest.raises(DatabaseUnavailableError):
        await sleeping
    assert await pid(narrow) != before


async def test_callers_are_served_in_the_order_they_came(narrow: Database) -> None:
    served: list[int] = []
    boards = narrow.lane(Priority.BOARDS)  # one slot

    async def call(number: int) -> None:
        await boards.fetch_row("SELECT pg_sleep(0.002)")
        served.append(number)

    await asyncio.gather(*(call(number) for number in range(40)))
    assert served == list(range(40))


async def test_a_database_that_does_not_exist_is_unavailable_and_leaves_its_place(
    narrow: Database,
) -> None:
    lost = Database("postgresql://nobody@127.0.0.1:1/none", runtime_role="", pool_size=1)
    for _ in range(3):
        with pytest.raises(DatabaseUnavailableError):
            await lost.fetch_row("SELECT 1")
    await lost.close()


async def test_transactions_notice_ended_connections_before_a_statement_pays_for_it(
    settings: Settings,
) -> None:
    lost: list[int] = []
    database = Database(
        settings.database_url,
        runtime_role=settings.database_runtime_role,
        pool_size=9,
        on_lost=lambda: lost.append(1),
    )
    both_are_open = asyncio.Barrier(2)

    async def hold() -> int:
        async with database.transaction() as tx:
            await both_are_open.wait()
            found: int = await tx.fetch_value(WHO)
            return found

    found = await asyncio.gather(hold(), hold())
    other_side = Database(settings.database_url, runtime_role="", pool_size=1)
    for backend in found:
        await end(other_side, backend)
    await other_side.close()

    for _ in range(3):
        async with database.transaction() as tx:
            assert await tx.fetch_value(WHO) not in found

    await database.close()
    assert len(lost) >= 1


async def test_connections_that_the_server_ended_are_counted(settings: Settings) -> None:
    lost: list[int] = []
    database = Database(
        settings.database_url, runtime_role="", pool_size=1, on_lost=lambda: lost.append(1)
    )
    other = Database(settings.database_url, runtime_role="", pool_size=1)
    await end(other, await pid(database))
    await pid(database)
    sleeping = asyncio.create_task(database.fetch_row("SELECT pg_sleep(30)"))
    await asyncio.sleep(0.1)
    sleeping.cancel()
    await asyncio.gather(sleeping, return_exceptions=True)
    await other.close()
    await database.close()

    assert len(lost) == 1


async def test_a_statement_a_lock_and_an_open_transaction_have_their_time(
    narrow: Database,
) -> None:
    row = await narrow.fetch_row(
        "SELECT current_setting('statement_timeout') AS statement, "
        "current_setting('lock_timeout') AS lock, "
        "current_setting('idle_in_transaction_session_timeout') AS idle"
    )

    assert row is not None
    assert (row["statement"], row["lock"], row["idle"]) == ("5s", "3s", "10s")


async def test_waiting_too_long_for_a_connection_answers_that_the_database_is_busy(
    narrow: Database, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(lanes, "MAX_WAIT_SECONDS", 0.05)
    boards = narrow.lane(Priority.BOARDS)  # one slot
    sleeping = asyncio.create_task(boards.fetch_row("SELECT pg_sleep(60)"))
    await asyncio.sleep(0)
    with pytest.raises(DatabaseUnavailableError):
        await boards.fetch_value("SELECT 1")

    sleeping.cancel()
    with pytest.raises(asyncio.CancelledError):
        await sleeping
    assert await boards.fetch_value("SELECT 1") == 1
