"""Databases as the migrations make them, copied from one instead of migrated each."""

from api.dev.migrations import upgrade
from api.dev.postgres import EmbeddedPostgres

MIGRATED = "migrated"  # nobody connects to it, or it could not be copied


def make_template(server: EmbeddedPostgres) -> None:
    """Make the migrated database that others are copied from."""
    server.ensure_database(MIGRATED)
    upgrade(server.url(MIGRATED))


def copy_migrated(server: EmbeddedPostgres, name: str) -> str:
    """Make a migrated database and return its address."""
    server.run_sql(f"CREATE DATABASE {name} TEMPLATE {MIGRATED}")
    return server.url(name)
