"""Alembic's commands for development: bring a database up, check it, write a migration."""

import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from alembic import command
from alembic.config import Config

from api.dev.postgres import EmbeddedPostgres

ROOT = Path(__file__).resolve().parents[2]


def alembic_config(url: str) -> Config:
    """Return the project's Alembic configuration for the database at ``url``."""
    config = Config(ROOT / "alembic.ini")
    config.attributes["url"] = url
    return config


def upgrade(url: str) -> None:
    """Bring the database at ``url`` to the newest migration; safe to call at once and twice."""
    command.upgrade(alembic_config(url), "head")


def check() -> None:
    """Compare the migrations' outcome with the models, in a database of its own.

    Raises:
        alembic.util.CommandError: they differ.
    """
    with throwaway_database() as url:
        upgrade(url)
        command.check(alembic_config(url))


def write(slug: str) -> None:
    """Write a migration from what the models say and the newest migration does not."""
    with throwaway_database() as url:
        upgrade(url)
        command.revision(alembic_config(url), message=slug, autogenerate=True)


@contextmanager
def throwaway_database() -> Iterator[str]:
    """Run a PostgreSQL that flushes nothing, and give the URL of an empty database in it."""
    with tempfile.TemporaryDirectory(prefix="king-of-fans-") as folder:
        Path(folder).chmod(0o711)  # as root, the server's account has to pass
        with EmbeddedPostgres(Path(folder) / "postgres", throwaway=True) as server:
            server.ensure_database("fans")
            yield server.url()
