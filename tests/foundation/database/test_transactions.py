"""Transactions: atomic however they end, and never with a second connection."""

import asyncio
from collections.abc import AsyncIterator
from contextlib import suppress
from dataclasses import dataclass
from uuid import UUID

import asyncpg
import pytest
from api.foundation.core import clock
from api.foundation.core.config import Settings
from api.foundation.core.errors import DatabaseUnavailableError
from api.foundation.core.events import Bus, DomainEvent
from api.foundation.core.ids import new_id
from api.foundation.database.database import Database, Transaction
from api.people.users.enums import Gender
from api.people.users.models import User
from api.people.users.repository import insert_user
from sqlalchemy import select

from tests.conftest import CLUB_A, RunningApp
from tests.waiting import DEADLINE_SECONDS

INSERT_CLUB = (
    "INSERT INTO club (id, name, colour_a, colour_b) VALUES ($1, $2, '#000000', '#FFFFFF')"
)
WHO = "SELECT pg_backend_pid()"


@dataclass(frozen=True)
class ClubAdded(DomainEvent):
    """A club was added."""

    id: UUID


@pytest.fixture
async def narrow(settings: Settings, _empty_tables: None) -> AsyncIterator[Database]:
    """A database with one slot for members' transactions, in which clubs may be added."""
    database = Database(settings.database_url, runtime_role="", pool_size=1)
    yield database
    await database.close()


async def is_there(database: Database, club_id: UUID) -> bool:
    return await database.fetch_row("SELECT FROM club WHERE id = $1", club_id) is not None


async def add_club(tx: Transaction) -> UUID:
    club_id = new_id()
    await tx.execute(INSERT_CLUB, club_id, str(club_id))
    return club_id


async def test_what_is_written_is_seen_inside_at_once_and_outside_after_the_commit(
    narrow: Database,
) -> None:
    seen: list[bool] = []
    async with narrow.transaction() as tx:
        club_id = await add_club(tx)
        inside = await tx.fetch_value("SELECT count(*) FROM club WHERE id = $1", club_id)
        seen.append(await asyncio.create_task(is_there_elsewhere(narrow, club_id)))
    assert inside == 1
    assert seen == [False]
    assert await is_there(narrow, club_id)


async def is_there_elsewhere(database: Database, club_id: UUID) -> bool:
    """Query from another task, which is not in the transaction."""
    return await is_there(database, club_id)


async def test_an_error_of_the_block_undoes_everything_and_is_told_as_it_is(
    narrow: Database,
) -> None:
    added: list[UUID] = []
    with pytest.raises(FileNotFoundError):  # not reported as an unavailable database
        await write_and_fail(narrow, added)
    assert not await is_there(narrow, added[0])


async def write_and_fail(database: Database, added: list[UUID]) -> None:
    async with database.transaction() as tx:
        added.append(await add_club(tx))
        raise FileNotFoundError


async def test_a_failed_statement_that_was_swallowed_cannot_be_committed(narrow: Database) -> None:
    added: list[UUID] = []

    async def swallow() -> None:
        async with narrow.transaction() as tx:
            added.append(await add_club(tx))
            with suppress(asyncpg.PostgresError):
                await tx.execute("SELECT 1 / 0")

    with pytest.raises(RuntimeError, match="a statement failed"):
        await swallow()
    assert not await is_there(narrow, added[0])
    assert await narrow.fetch_value("SELECT 1") == 1


async def test_a_statement_beside_the_own_open_transaction_is_refused(narrow: Database) -> None:
    async def ask_beside() -> None:
        async with narrow.transaction():
            await narrow.fetch_row("SELECT 1")

    async def begin_beside() -> None:
        async with narrow.transaction(), narrow.transaction():
            pass

    with pytest.raises(RuntimeError, match="beside the open transaction"):
        await ask_beside()
    with pytest.raises(RuntimeError, match="beside the open transaction"):
        await begin_beside()
    async with (
        asyncio.timeout(DEADLINE_SECONDS),
        narrow.transaction() as tx,
    ):  # its slot is free again
        assert await tx.fetch_value("SELECT 1") == 1


async def test_a_transaction_that_has_ended_takes_nothing_more(narrow: Database) -> None:
    async with narrow.transaction() as tx:
        club_id = await add_club(tx)

    with pytest.raises(RuntimeError, match="has ended"):
        await tx.execute("DELETE FROM club WHERE id = $1", club_id)
    with pytest.raises(RuntimeError, match="has ended"):
        tx.record(ClubAdded(club_id))
    assert await is_there(narrow, club_id)


async def test_a_transaction_that_is_left_open_and_closed_by_another_task_gives_its_place_back(
    narrow: Database,
) -> None:
    async def within() -> AsyncIterator[UUID]:
        async with narrow.transaction() as tx:
            yield await add_club(tx)

    added = []
    for _ in range(5):
        left = within()
        added.append(await anext(left))
        await asyncio.create_task(left.aclose())  # type: ignore[attr-defined] # it is a generator

    async with asyncio.timeout(DEADLINE_SECONDS), narrow.transaction() as tx:
        assert await tx.fetch_value("SELECT count(*) FROM club WHERE id = ANY ($1)", added) == 0
    idle = "SELECT count(*) FROM pg_stat_activity WHERE state = 'idle in transaction'"
    assert await narrow.fetch_value(idle) == 0


@pytest.mark.parametrize("moment", ["during a statement", "between statements"])
async def test_a_cancelled_transaction_leaves_nothing_and_its_place(
    narrow: Database, moment: str
) -> None:
    added: list[UUID] = []

    async def write_and_wait() -> None:
        async with narrow.transaction() as tx:
            added.append(await add_club(tx))
            if moment == "during a statement":
                await tx.execute("SELECT pg_sleep(30)")
            await asyncio.sleep(30)

    writing = asyncio.create_task(write_and_wait())
    async with asyncio.timeout(DEADLINE_SECONDS):
        while not added:  # noqa: ASYNC110 there is no event
            await asyncio.sleep(0.01)
    await asyncio.sleep(0.2)
    writing.cancel()
    with pytest.raises(asyncio.CancelledError):
        await writing

    async with asyncio.timeout(DEADLINE_SECONDS), narrow.transaction() as tx:
        assert not await tx.fetch_value("SELECT count(*) FROM club WHERE id = $1", added[0])


async def test_a_connection_lost_inside_is_unavailable_and_replaced(narrow: Database) -> None:
    async def lose() -> None:
        async with narrow.transaction() as tx:
            backend = await tx.fetch_value(WHO)
            await asyncio.create_task(end(narrow, backend))
            await tx.fetch_value("SELECT 1")

    with pytest.raises(DatabaseUnavailableError):
        await lose()
    async with narrow.transaction() as tx:
        assert await tx.fetch_value("SELECT 1") == 1


async def end(database: Database, backend: int) -> None:
    await database.execute("SELECT pg_terminate_backend($1)", backend)
    await asyncio.sleep(0.1)


@pytest.mark.usefixtures("_empty_tables")
async def test_events_are_told_after_the_commit_and_never_after_a_rollback(
    settings: Settings,
) -> None:
    bus, received = Bus(), []
    database = Database(settings.database_url, runtime_role="", pool_size=1, bus=bus)

    async def on_event(event: ClubAdded) -> None:
        received.append((event.id, await is_there(database, event.id)))

    bus.subscribe(ClubAdded, on_event)

    async def add(*, fails: bool) -> UUID:
        async with database.transaction() as tx:
            club_id = await add_club(tx)
            tx.record(ClubAdded(club_id))
            if fails:
                raise ZeroDivisionError
        return club_id

    with pytest.raises(ZeroDivisionError):
        await add(fails=True)
    club_id = await add(fails=False)
    await database.close()

    assert received == [(club_id, True)]


async def test_a_statement_put_together_is_written_and_read_by_its_types(app: RunningApp) -> None:
    values = {
        "id": new_id(),
        "club_id": CLUB_A,
        "first_name": "Ada",
        "last_name": "Obi",
        "email": "types@example.com",
        "phone": "+2348000000001",
        "gender": Gender.FEMALE,
        "terms_accepted_at": clock.now(),
        "activated_at": clock.now(),
    }
    statement = select(User.gender, User.created_at).where(User.id.in_([values["id"], new_id()]))
    async with app.database.transaction() as tx:
        is_new = await insert_user(tx, values)
        again = await insert_user(tx, values)
        inside = await tx.fetch_rows(statement)
    outside = await app.database.fetch_row(statement)

    assert (is_new, again) == (True, False)
    assert outside is not None
    assert [row["gender"] for row in (*inside, outside)] == [Gender.FEMALE, Gender.FEMALE]
    assert inside[0]["created_at"].tzinfo is not None


async def test_of_two_that_lock_each_other_one_is_told_that_the_database_is_busy(
    app: RunningApp,
) -> None:
    both_hold = asyncio.Barrier(2)

    async def lock(first: int, second: int) -> UUID:
        async with app.database.transaction() as tx:
            await tx.execute("SELECT pg_advisory_xact_lock($1)", first)
            await both_hold.wait()
            await tx.execute("SELECT pg_advisory_xact_lock($1)", second)
            return new_id()

    async with asyncio.timeout(DEADLINE_SECONDS):
        outcomes = await asyncio.gather(lock(1, 2), lock(2, 1), return_exceptions=True)

    assert sorted(type(one) is UUID for one in outcomes) == [False, True]
    assert any(isinstance(one, DatabaseUnavailableError) for one in outcomes)
