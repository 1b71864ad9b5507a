"""Alembic's environment: one transaction, behind an advisory lock, over the async engine.

An upgrade ends by applying the functions, triggers and grants of their files
(``api.app.schema``), in the same transaction and also if no migration was pending.

The address comes from ``config.attributes["url"]`` (a ``%`` in a password would break the ini
parser), else from the settings, past any pooler; ``config.attributes["connection"]`` passes an open
connection, and ``config.attributes["runtime_role"]`` names another role, or "" for none;
``config.attributes["is_restored"]`` means that a dump was restored, which spells some definitions
differently.
"""

import asyncio

from alembic import context
from alembic.util import CommandError
from api.app.metadata import metadata
from api.app.schema.apply import apply
from api.app.schema.catalog import RECORDS
from api.foundation.core.config import Settings
from api.foundation.database.locks import AdvisoryLock
from api.foundation.jobs.queue import LIBRARY_TABLES
from sqlalchemy import Connection, pool, text
from sqlalchemy.engine import make_url
from sqlalchemy.ext.asyncio import create_async_engine

# Not maintained by the models: created by ``apply``, or as pgqueuer declares them
# (tests/foundation/jobs).
UNMODELLED = {RECORDS.name, *LIBRARY_TABLES}
given = context.config.attributes
LOCK_SECONDS = 5


def migrate(connection: Connection) -> None:
    context.configure(
        connection=connection,
        target_metadata=metadata(),
        compare_type=True,
        compare_server_default=True,
        include_name=lambda name, kind, _: kind != "table" or name not in UNMODELLED,
    )
    with context.begin_transaction():
        connection.execute(
            text("SELECT pg_advisory_xact_lock(:key)"), {"key": AdvisoryLock.MIGRATION}
        )
        # A migration that waits for a table lock blocks all others: members' calls would queue
        # behind a migration that waits for a backup's dump.
        connection.execute(text(f"SET LOCAL lock_timeout = '{LOCK_SECONDS}s'"))
        before = context.get_context().get_current_heads()
        context.run_migrations()
        if reaches_head():
            has_migrated = context.get_context().get_current_heads() != before
            has_migrated |= given.get("is_restored", False)
            role = given.get("runtime_role", Settings().database_runtime_role)
            apply(connection, role, has_migrated=has_migrated)


def reaches_head() -> bool:
    """Return whether this upgrades to the newest migration, and does not only inspect."""
    try:
        context.get_revision_argument()
    except KeyError:
        return False
    return set(context.get_context().get_current_heads()) == {context.get_head_revision()}


async def migrate_over_engine(url: str) -> None:
    engine = create_async_engine(
        make_url(url).set(drivername="postgresql+asyncpg"), poolclass=pool.NullPool
    )
    async with engine.connect() as connection:
        await connection.run_sync(migrate)
    await engine.dispose()


if given.get("connection") is not None:
    migrate(given["connection"])
else:
    address: str = given.get("url") or Settings().session_database_url
    if context.is_offline_mode():
        raise CommandError("Migrate against a database: its functions are not printed.")
    asyncio.run(migrate_over_engine(address))
