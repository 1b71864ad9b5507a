"""``python -m api.dev.migrations``: check the migrations, write one, seal new ones."""

import asyncio
import hashlib
import sys
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from alembic import command
from alembic.config import Config
from alembic.util import CommandError
from sqlalchemy import Connection
from sqlalchemy.ext.asyncio import create_async_engine
from sqlalchemy.pool import NullPool

from api.app.metadata import metadata
from api.app.schema.catalog import read_definitions
from api.app.schema.compare import differences_at
from api.app.schema.sources import Kind
from api.dev.postgres.embedded import EmbeddedPostgres
from api.foundation.core.config import Settings

ROOT = Path(__file__).resolve().parents[2]
MIGRATIONS = ROOT / "migrations"
DIGESTS = "digests.txt"


def alembic_config(url: str) -> Config:
    """Return the project's Alembic configuration for the database at ``url``."""
    config = Config(ROOT / "alembic.ini")
    config.attributes["url"] = url
    return config


def upgrade(url: str) -> None:
    """Upgrade the database at ``url`` to the newest migration; idempotent and safe concurrently."""
    command.upgrade(alembic_config(url), "head")


def check() -> list[str]:
    """Return sentences about differences between migrations, sources and models; empty if none.

    The migrations run in a scratch database, which is compared with the models and with the files
    of functions, triggers and grants; merged migrations are compared with their digests.
    """
    with throwaway_database() as url:
        upgrade(url)
        return [*merged_differences(), *differences(url)]


def differences(url: str) -> list[str]:
    """Return where the migrated database at ``url`` differs from the models and the sources."""
    sentences = asyncio.run(differences_at(url, Settings().database_runtime_role))
    sentences += asyncio.run(_check_differences(url))
    try:
        command.check(alembic_config(url))
    except CommandError as error:
        sentences.append(str(error))
    return sentences


async def _check_differences(url: str) -> list[str]:
    """Compare check constraints with the models, which Alembic does not."""
    engine = create_async_engine(url, poolclass=NullPool)
    try:
        async with engine.connect() as connection:
            return await connection.run_sync(_compare_checks)
    finally:
        await engine.dispose()


def _compare_checks(connection: Connection) -> list[str]:
    """Build the models' tables in a schema that is rolled back, and compare their checks."""
    built = read_definitions(connection, Kind.CHECK)
    connection.exec_driver_sql("ALTER SCHEMA public RENAME TO migrated")
    connection.exec_driver_sql("CREATE SCHEMA public")
    metadata().create_all(connection)
    wanted = read_definitions(connection, Kind.CHECK)
    connection.rollback()
    return [
        f"The check {name} is {_or_missing(built, name)} in the migrations "
        f"and {_or_missing(wanted, name)} in the models."
        for name in sorted(built.keys() | wanted.keys())
        if built.get(name) != wanted.get(name)
    ]


def _or_missing(checks: dict[str, str], name: str) -> str:
    return checks.get(name, "missing")


def merged_differences(folder: Path = MIGRATIONS) -> list[str]:
    """Return a sentence for each merged migration that was edited or removed, or is not sealed."""
    sealed, present = _sealed(folder), _present(folder)
    sentences = []
    for name in sorted(sealed.keys() | present.keys()):
        if name not in sealed:
            sentences.append(f"The migration {name} has no digest: run python3 run.py seal.")
        elif name not in present:
            sentences.append(f"The merged migration {name} was removed.")
        elif sealed[name] != present[name]:
            sentences.append(f"The merged migration {name} was edited: write a new one.")
    return sentences


def seal(folder: Path = MIGRATIONS) -> None:
    """Record the digests of new migrations, which must not be edited afterwards."""
    digests = {**_present(folder), **_sealed(folder)}
    lines = [f"{digest}  versions/{name}\n" for name, digest in sorted(digests.items())]
    (folder / DIGESTS).write_text("".join(lines), encoding="utf-8")


def _sealed(folder: Path) -> dict[str, str]:
    """Return the digests of merged migrations by file, in the format of ``sha256sum``."""
    lines = (folder / DIGESTS).read_text(encoding="utf-8").splitlines()
    return {Path(name).name: digest for digest, name in (line.split() for line in lines)}


def _present(folder: Path) -> dict[str, str]:
    return {
        path.name: hashlib.sha256(path.read_bytes()).hexdigest()
        for path in (folder / "versions").glob("*.py")
    }


def write(slug: str) -> None:
    """Write a migration with the differences between the models and the newest migration."""
    with throwaway_database() as url:
        upgrade(url)
        command.revision(alembic_config(url), message=slug, autogenerate=True)


@contextmanager
def throwaway_database() -> Iterator[str]:
    """Run a PostgreSQL without fsync, and yield the URL of an empty database in it."""
    with tempfile.TemporaryDirectory(prefix="king-of-fans-") as folder:
        Path(folder).chmod(0o711)  # as root: the server's account needs to pass
        with EmbeddedPostgres(Path(folder) / "postgres", throwaway=True) as server:
            server.ensure_database("fans")
            yield server.url()


def main(arguments: list[str]) -> int:
    """Run ``check``, ``write NAME`` or ``seal``; return 0 if there are no differences."""
    match arguments:
        case ["check"]:
            sentences = check()
            print("".join(f"{sentence}\n" for sentence in sentences), end="")
            return 1 if sentences else 0
        case ["write", _, *_]:
            write("_".join(arguments[1:]))
            return 0
        case ["seal"]:
            seal()
            return 0
    print("usage: python3 run.py migration what_it_changes | seal", file=sys.stderr)
    return 2


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
