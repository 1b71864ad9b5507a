"""Queries return rows of the types that they declare."""

import dataclasses
from dataclasses import dataclass
from uuid import UUID

import asyncpg
import pytest
from api.app.metadata import metadata
from api.foundation.database.statements import Query
from api.people.clubs.models import Club
from sqlalchemy import select
from sqlalchemy.ext.asyncio import AsyncEngine

from tests.conftest import CLUB_A, RunningApp
from tests.row_types import queries


@dataclass(frozen=True)
class NamedClub:
    name: str
    cc_name: str


NAMED_CLUB = Query("SELECT name, cc_name FROM club WHERE id = $1", NamedClub)


async def test_the_columns_of_every_query_are_the_fields_of_its_rows(owner: AsyncEngine) -> None:
    """Also while the tables have a newer version's columns, as in a rolling update."""
    different = []
    async with owner.connect() as connection:
        driver = (await connection.get_raw_connection()).driver_connection
        assert isinstance(driver, asyncpg.Connection)
        newer = driver.transaction()
        await newer.start()
        for table in metadata().sorted_tables:
            await driver.execute(f"ALTER TABLE {table.name} ADD COLUMN added_later int")
        for place, query in queries():
            if isinstance(query.statement, str) and dataclasses.is_dataclass(query.row):
                prepared = await driver.prepare(query.statement)
                columns = {attribute.name for attribute in prepared.get_attributes()}
                fields = {field.name for field in dataclasses.fields(query.row)}
                if columns != fields:
                    different.append((place, columns ^ fields))
        await newer.rollback()

    assert not different, "\n".join(map(str, different))


async def test_a_row_is_an_object_of_its_class(app: RunningApp) -> None:
    assert await app.database.fetch_row(NAMED_CLUB, CLUB_A) == NamedClub("Enyimba", "NPFL")
    assert await app.database.fetch_rows(NAMED_CLUB, CLUB_A) == [NamedClub("Enyimba", "NPFL")]
    assert await app.database.fetch_row(NAMED_CLUB, UUID(int=1)) is None
    assert await app.database.fetch_rows(NAMED_CLUB, UUID(int=1)) == []


async def test_an_expression_has_typed_rows_too(app: RunningApp) -> None:
    by_name = Query(select(Club.name, Club.cc_name).where(Club.id == CLUB_A), NamedClub)

    assert await app.database.fetch_row(by_name) == NamedClub("Enyimba", "NPFL")


async def test_a_query_with_another_column_than_its_rows_have_fails(app: RunningApp) -> None:
    with pytest.raises(TypeError, match="colour_a"):
        await app.database.fetch_row(Query("SELECT name, cc_name, colour_a FROM club", NamedClub))


async def test_a_statement_without_a_type_of_row_returns_records(app: RunningApp) -> None:
    """Its columns may share a name."""
    row = await app.database.fetch_row("SELECT max(1), max(2)")
    (other,) = await app.database.fetch_rows("SELECT 1 AS one, 2 AS two")

    assert row is not None
    assert list(row.values()) == [1, 2]
    assert dict(other) == {"one": 1, "two": 2}


async def test_a_single_column_needs_no_type_of_row(app: RunningApp) -> None:
    assert await app.database.fetch_column("SELECT n, -n FROM generate_series(1, 3) n") == [1, 2, 3]
    assert await app.database.fetch_column("SELECT 1 WHERE false") == []


async def test_the_tests_notice_a_value_that_its_field_does_not_allow(app: RunningApp) -> None:
    unnamed = Query("SELECT name, cc_name FROM club WHERE cc_name IS NULL", NamedClub)

    with pytest.raises(AssertionError, match=r"NamedClub\.cc_name is None"):
        await app.database.fetch_row(unnamed)
