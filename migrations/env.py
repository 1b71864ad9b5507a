"""Alembic's environment: one transaction, behind an advisory lock, over the async engine.

The address comes from ``config.attributes["url"]`` (a ``%`` in a password would break the ini
parser), else from the settings; ``config.attributes["connection"]`` lends an open connection.
"""

import asyncio

from alembic import context
from api.core.config import Settings
from api.metadata import metadata
from sqlalchemy import Connection, pool, text
from sqlalchemy.engine import make_url
from sqlalchemy.ext.asyncio import create_async_engine

MIGRATION_LOCK = 7_226_331_104  # any number, the same in every process that migrates


def migrate(connection: Connection) -> None:
    context.configure(
        connection=connection,
        target_metadata=metadata(),
        compare_type=True,
        compare_server_default=True,
    )
    with context.begin_transaction():
        connection.execute(text("SELECT pg_advisory_xact_lock(:key)"), {"key": MIGRATION_LOCK})
        context.run_migrations()


async def migrate_over_engine(url: str) -> None:
    engine = create_async_engine(
        make_url(url).set(drivername="postgresql+asyncpg"), poolclass=pool.NullPool
    )
    async with engine.connect() as connection:
        await connection.run_sync(migrate)
    await engine.dispose()


def print_sql(url: str) -> None:
    context.configure(url=url, target_metadata=metadata(), literal_binds=True)
    with context.begin_transaction():
        context.run_migrations()


given = context.config.attributes
if given.get("connection") is not None:
    migrate(given["connection"])
else:
    address: str = given.get("url") or Settings().database_url
    if context.is_offline_mode():
        print_sql(address)
    else:
        asyncio.run(migrate_over_engine(address))
