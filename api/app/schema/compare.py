"""Reports where a database differs from its files. Only reads, so it is safe on a live one."""

from collections.abc import Iterator

from sqlalchemy import Connection, pool
from sqlalchemy.engine import make_url
from sqlalchemy.ext.asyncio import create_async_engine

from api.app.schema.catalog import (
    read_definitions,
    read_grants,
    read_memberships,
    read_records,
)
from api.app.schema.sources import MIGRATED, Kind, Source, digest, read_sources


async def differences_at(url: str, runtime_role: str) -> list[str]:
    """Return where the database at ``url`` differs from its files; empty if it does not.

    It is inspected as the running role, because a login may not inherit that role's rights.
    """
    engine = create_async_engine(
        make_url(url).set(drivername="postgresql+asyncpg"),
        poolclass=pool.NullPool,
        connect_args={"server_settings": {"role": runtime_role}} if runtime_role else {},
    )
    try:
        async with engine.connect() as connection:
            return await connection.run_sync(differences, runtime_role)
    finally:
        await engine.dispose()


def differences(connection: Connection, runtime_role: str) -> list[str]:
    """Return a sentence for each object, grant or membership that differs.

    Functions, triggers and grants are compared with the files; checks, constraints, indexes,
    columns and rules with their state after the last migration.
    """
    sources = read_sources(runtime_role)
    sentences = [
        *_compare_objects(connection, Kind.FUNCTION, sources),
        *_compare_objects(connection, Kind.TRIGGER, sources),
        *(sentence for kind in MIGRATED for sentence in _compare_migrated(connection, kind)),
    ]
    if runtime_role:
        sentences += _compare_grants(connection, runtime_role, sources)
        sentences += _compare_memberships(connection, runtime_role)
    return sentences


def _compare_objects(connection: Connection, kind: Kind, sources: list[Source]) -> Iterator[str]:
    wanted = {source.name: source for source in sources if source.kind is kind}
    found = read_definitions(connection, kind)
    recorded = read_records(connection)
    for name in sorted(wanted.keys() | found.keys()):
        record = recorded.get((kind, name))
        if name not in found:
            yield f"The {kind} {name} is missing in the database."
        elif name not in wanted:
            yield f"The {kind} {name} is in the database and in no file."
        elif record is None or record.digest != wanted[name].digest:
            yield f"The {kind} {name} is another one in its file: migrate."
        elif record.found != digest(found[name]):
            yield f"The {kind} {name} was changed in the database."


def _compare_migrated(connection: Connection, kind: Kind) -> Iterator[str]:
    recorded = {
        name: record.found
        for (of_kind, name), record in read_records(connection).items()
        if of_kind is kind
    }
    found = {
        name: digest(definition) for name, definition in read_definitions(connection, kind).items()
    }
    for name in sorted(recorded.keys() | found.keys()):
        if name not in found:
            yield f"The {kind} {name} is missing in the database."
        elif name not in recorded:
            yield f"The {kind} {name} is in the database and in no migration."
        elif recorded[name] != found[name]:
            yield f"The {kind} {name} was changed in the database."


def _compare_grants(
    connection: Connection, runtime_role: str, sources: list[Source]
) -> Iterator[str]:
    wanted = {
        grant for source in sources if source.kind is Kind.GRANTS for grant in source.grants()
    }
    found = read_grants(connection, runtime_role)
    for table, privilege in sorted(found - wanted):
        yield f"{runtime_role} may {privilege} on {table}, and no file grants it."
    for table, privilege in sorted(wanted - found):
        yield f"{runtime_role} may not {privilege} on {table}, and a file grants it."


def _compare_memberships(connection: Connection, runtime_role: str) -> Iterator[str]:
    for member, role in sorted(read_memberships(connection, runtime_role)):
        yield f"{member} is a member of {role}, and should not be."
