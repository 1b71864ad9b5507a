"""Updates the functions, triggers and grants of a database from their files."""

from sqlalchemy import Connection, delete, func, tuple_
from sqlalchemy.dialects.postgresql import insert

from api.app.schema.catalog import (
    DEFINITIONS,
    RECORDS,
    Record,
    read_definitions,
    read_grants,
    read_records,
    spelling,
)
from api.app.schema.sources import MIGRATED, Kind, Source, digest, read_sources

# Two databases of one server may be migrated concurrently.
MAKE_ROLE = """
DO $$ BEGIN
  IF to_regrole('{role}') IS NULL THEN
    CREATE ROLE {role} NOLOGIN;
  END IF;
EXCEPTION WHEN duplicate_object OR unique_violation THEN NULL;
END $$
"""
JOIN_ROLE = """
DO $$ BEGIN
  IF NOT pg_has_role(current_user, '{role}', 'MEMBER') THEN
    EXECUTE format('GRANT {role} TO %I', current_user);
  END IF;
END $$
"""
DROP_FUNCTION = """
DO $$ DECLARE
  one regprocedure;
BEGIN
  FOR one IN SELECT oid FROM pg_proc
    WHERE proname = '{name}' AND pronamespace = 'public'::regnamespace
  LOOP
    EXECUTE format('DROP FUNCTION %s', one);
  END LOOP;
END $$
"""


def apply(connection: Connection, runtime_role: str, *, has_migrated: bool) -> None:
    """Apply changed sources and drop objects without a source, in the open transaction.

    Unchanged objects are not touched or locked. ``runtime_role`` is created if it does not exist;
    if it is empty, nothing is granted. ``has_migrated`` records again what migrations create.
    """
    connection.exec_driver_sql("SET LOCAL lock_timeout = '5s'")
    RECORDS.create(connection, checkfirst=True)
    if runtime_role:
        connection.exec_driver_sql(MAKE_ROLE.format(role=runtime_role))
        connection.exec_driver_sql(JOIN_ROLE.format(role=runtime_role))
    sources = read_sources(runtime_role)
    recorded = read_records(connection)
    found = _found(connection)
    named = {(source.kind, source.name) for source in sources}
    forgotten = sorted(key for key in recorded.keys() & found.keys() if key not in named)
    for kind, name in forgotten:
        if kind is Kind.TRIGGER:
            table, _, trigger = name.partition(".")
            connection.exec_driver_sql(f"DROP TRIGGER {trigger} ON {table}")
    for source in sources:
        key = (source.kind, source.name)
        if source.kind is not Kind.GRANTS and (
            recorded.get(key) != Record(source.digest, found.get(key, ""))
        ):
            _make(connection, source)
    for kind, name in forgotten:
        if kind is Kind.FUNCTION:
            connection.exec_driver_sql(DROP_FUNCTION.format(name=name))
    _grant(connection, sources, recorded, runtime_role)
    _record(connection, sources, recorded, has_migrated=has_migrated)


def _make(connection: Connection, source: Source) -> None:
    if source.kind is Kind.FUNCTION and not source.is_trigger_function:
        # Other arguments would create a second function; another return type is an error.
        connection.exec_driver_sql(DROP_FUNCTION.format(name=source.name))
    for statement in source.statements:
        connection.exec_driver_sql(statement)


def _grant(
    connection: Connection,
    sources: list[Source],
    recorded: dict[tuple[Kind, str], Record],
    runtime_role: str,
) -> None:
    """Replace all grants if a file of grants, or what is granted, has changed."""
    grants = [source for source in sources if source.kind is Kind.GRANTS]
    wanted = {grant for source in grants for grant in source.grants()}
    are_recorded = all(
        (Kind.GRANTS, source.name) in recorded
        and recorded[Kind.GRANTS, source.name].digest == source.digest
        for source in grants
    )
    if are_recorded and (not grants or wanted == read_grants(connection, runtime_role)):
        return
    connection.exec_driver_sql(
        f"REVOKE ALL ON ALL TABLES IN SCHEMA public FROM {runtime_role}, PUBLIC"
    )
    for source in grants:
        _make(connection, source)


def _record(
    connection: Connection,
    sources: list[Source],
    recorded: dict[tuple[Kind, str], Record],
    *,
    has_migrated: bool,
) -> None:
    """Record the digests of the current objects; unchanged records keep their time.

    What migrations create is recorded only after a migration, or if the catalog's spelling has
    changed. Otherwise the next upgrade would accept a manual change.
    """
    found = _found(connection)
    records = {
        (source.kind, source.name): Record(
            source.digest, found.get((source.kind, source.name), source.digest)
        )
        for source in sources
    }
    spelled = {(Kind.SPELLING, "catalog"): Record(*[digest(spelling(connection))] * 2)}
    if has_migrated or not spelled.items() <= recorded.items():
        records |= {key: Record(of, of) for key, of in found.items() if key[0] in MIGRATED}
    else:
        records |= {key: record for key, record in recorded.items() if key[0] in MIGRATED}
    records |= spelled
    for (kind, name), record in records.items():
        if recorded.get((kind, name)) != record:
            values = {**vars(record), "applied_at": func.now()}
            statement = insert(RECORDS).values(kind=kind.value, name=name, **values)
            connection.execute(
                statement.on_conflict_do_update(index_elements=["kind", "name"], set_=values)
            )
    gone = [(kind.value, name) for kind, name in recorded.keys() - records.keys()]
    if gone:
        connection.execute(delete(RECORDS).where(tuple_(RECORDS.c.kind, RECORDS.c.name).in_(gone)))


def _found(connection: Connection) -> dict[tuple[Kind, str], str]:
    return {
        (kind, name): digest(definition)
        for kind in DEFINITIONS
        for name, definition in read_definitions(connection, kind).items()
    }
