"""Restoring a backup: verified, restored into an empty database, then compared."""

import asyncio
import hashlib
import io
import secrets
from collections.abc import AsyncIterator
from pathlib import Path

import asyncpg
from alembic import command
from alembic.config import Config
from alembic.script import ScriptDirectory
from alembic.util import CommandError
from sqlalchemy import exc

from api.app.backup.errors import BackupError
from api.app.backup.folder import StoredBackup
from api.app.backup.manifest import DUMP, MEDIA, Medium
from api.app.backup.programs import feed, find_program, run_with_programs, variables
from api.app.backup.taking import Contents, connected, contents
from api.foundation.database.database import Database
from api.foundation.media.storage import MediaStore, NoSuchObjectError

ALEMBIC_INI = Path(__file__).resolve().parents[3] / "alembic.ini"
# Objects that belong neither to the server nor to an extension.
THINGS = """
SELECT (SELECT count(*) FROM pg_class WHERE relnamespace = s.oid)
     + (SELECT count(*) FROM pg_proc WHERE pronamespace = s.oid) AS things
  FROM pg_namespace s
 WHERE s.nspname !~ '^pg_' AND s.nspname <> 'information_schema'
   AND NOT EXISTS (SELECT FROM pg_depend d WHERE d.classid = 'pg_namespace'::regclass
                      AND d.objid = s.oid AND d.deptype = 'e')
"""


def require_whole(backup: StoredBackup) -> None:
    """Verify every byte of the dump, of the list of media, and of the listed media.

    Raises:
        BackupError: a file is damaged; the message names it.
    """
    damaged = list(backup.damaged_files())
    if damaged:
        raise BackupError(" ".join(damaged))
    backup.media()


async def restore_database(backup: StoredBackup, url: str, *, runtime_role: str) -> None:
    """Restore the dump into the empty database at ``url``, atomically, and migrate it.

    The login owns what is restored. An empty ``runtime_role`` grants nothing: for restore tests.

    Raises:
        BackupError: the database is not empty, or the restore failed.
    """
    newest = _require_known(backup.manifest.migration)
    async with connected(url) as connection:
        await _require_empty(connection)
        if runtime_role:
            await _require_role(connection, runtime_role)
        major = int(await connection.fetchval("SHOW server_version_num")) // 10_000
    program = await asyncio.to_thread(
        find_program, "pg_restore", max(major, backup.manifest.server_version // 10_000)
    )
    environment = variables(url)
    arguments = [
        *(program, "--no-password", "--single-transaction", "--exit-on-error"),
        *("--no-owner", f"--dbname={environment['PGDATABASE']}"),
        *(() if runtime_role else ("--no-privileges",)),
    ]
    await run_with_programs(lambda: feed(arguments, environment, backup.open(DUMP)))
    async with connected(url) as connection:
        try:
            found = await contents(connection)
        except asyncpg.UndefinedTableError:
            raise BackupError("What was restored is no database of ours.") from None
    _require_same(backup, found)
    if backup.manifest.migration != newest or runtime_role:
        try:
            await asyncio.to_thread(_migrate, url, runtime_role)
        except (exc.SQLAlchemyError, CommandError) as error:
            reason = str(getattr(error, "orig", error)).splitlines()[0]
            raise BackupError(f"What was restored cannot be migrated: {reason}.") from error


def _require_known(migration: str) -> str:
    """Return this release's newest migration.

    Raises:
        BackupError: this release does not know ``migration``.
    """
    scripts = ScriptDirectory.from_config(Config(ALEMBIC_INI))
    known = {script.revision for script in scripts.walk_revisions()}
    if migration not in known:
        raise BackupError(f"This release does not know the migration {migration}: use a newer one.")
    (newest,) = scripts.get_heads()
    return newest


async def _require_empty(connection: asyncpg.Connection) -> None:
    things = sum(row["things"] for row in await connection.fetch(THINGS))
    if things:
        raise BackupError(
            f"The database is not empty: it has {things} tables, indexes and functions. "
            "Nothing was changed."
        )


async def _require_role(connection: asyncpg.Connection, role: str) -> None:
    """Check that the role of the dump's grants exists; roles belong to the server."""
    if await connection.fetchval("SELECT to_regrole($1)", role) is not None:
        return
    try:
        await connection.execute(f"CREATE ROLE {role} NOLOGIN")
    except asyncpg.InsufficientPrivilegeError:
        raise BackupError(f"The server has no role {role}: run roles.sql first.") from None


def _require_same(backup: StoredBackup, found: Contents) -> None:
    written = backup.manifest
    wrong = [
        f"{table} has {found.counts.get(table, 0)} rows and had {rows}"
        for table, rows in written.counts.items()
        if found.counts.get(table) != rows
    ]
    if found.migration != written.migration:
        wrong.append(f"it is at the migration {found.migration} and was at {written.migration}")
    if (found.transfers, found.held_kobo) != (written.transfers, written.held_kobo):
        wrong.append("the wallets hold another sum")
    if wrong:
        raise BackupError(f"What was restored is not what was dumped: {'; '.join(wrong)}.")


def _migrate(url: str, runtime_role: str) -> None:
    config = Config(ALEMBIC_INI)
    config.attributes["url"] = url
    config.attributes["runtime_role"] = runtime_role
    config.attributes["is_restored"] = True
    command.upgrade(config, "head")


async def leads_to(database: Database, url: str) -> bool:
    """Return whether ``database`` is the one at ``url``, however the addresses are spelled.

    Compares them with an advisory lock, which is visible in a single database only.

    Raises:
        BackupError: the one at ``url`` is unavailable.
        DatabaseUnavailableError: ``database`` is unavailable.
    """
    key = secrets.randbits(63)
    async with connected(url) as connection, connection.transaction():
        await connection.execute("SELECT pg_advisory_xact_lock($1)", key)
        return not await database.fetch_value("SELECT pg_try_advisory_xact_lock($1)", key)


async def restore_media(backup: StoredBackup, store: MediaStore) -> list[str]:
    """Restore media that the store lacks; return sentences about missing and different ones."""
    damaged = {
        medium.key: sentence
        for medium, sentence in await asyncio.to_thread(lambda: list(backup.damaged_media()))
    }
    sentences = list(damaged.values())
    for medium in backup.media():
        if medium.key in damaged:
            continue
        found = await _digest_in(store, medium.key)
        if found is None and backup.manifest.has_media:
            content = b"".join(backup.open(f"{MEDIA}/{medium.key}"))
            await store.put(medium.key, io.BytesIO(content))
            found = await _digest_in(store, medium.key)
        if found is None:
            sentences.append(f"{medium.key} is missing in the media store.")
        elif found != medium:
            sentences.append(f"{medium.key} is another one in the media store.")
    return sentences


async def _digest_in(store: MediaStore, key: str) -> Medium | None:
    try:
        stored = await store.describe(key)
        chunks: AsyncIterator[bytes] = await store.read(key, 0, stored.size_bytes - 1)
    except NoSuchObjectError:
        return None
    digest = hashlib.sha256()
    async for chunk in chunks:
        digest.update(chunk)
    return Medium(key=key, size_bytes=stored.size_bytes, sha256=digest.hexdigest())
