"""An embedded PostgreSQL server for development and tests."""

from api.dev.postgres.embedded import EmbeddedPostgres, running_url
from api.dev.postgres.install import PostgresError
from api.dev.postgres.place import PostgresBusyError, make_passable
from api.dev.postgres.server import command_line

__all__ = [
    "EmbeddedPostgres",
    "PostgresBusyError",
    "PostgresError",
    "command_line",
    "make_passable",
    "running_url",
]
