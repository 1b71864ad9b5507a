"""Taking a backup: one snapshot of the database, then the media."""

import asyncio
import hashlib
import io
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from dataclasses import dataclass
from importlib.metadata import PackageNotFoundError, version
from pathlib import Path
from typing import BinaryIO, cast

import asyncpg
from sqlalchemy.engine import make_url

from api.app.backup.errors import BackupError
from api.app.backup.folder import NewBackup, StoredBackup, new_backup
from api.app.backup.manifest import (
    DUMP,
    MEDIA,
    MEDIA_LIST,
    Manifest,
    Medium,
    Part,
    write_media_list,
)
from api.app.backup.programs import find_program, output_of, run_with_programs, variables
from api.app.backup.sealing import Seal
from api.foundation.core import clock
from api.foundation.media.storage import FOLDERS, MediaStore, NoSuchObjectError

CONNECT_SECONDS = 10.0
LOST = (
    ConnectionError,
    asyncpg.PostgresConnectionError,
    asyncpg.OperatorInterventionError,
    asyncpg.InterfaceError,
    asyncpg.InternalClientError,
)
TABLES = """
SELECT quote_ident(c.relname) AS name FROM pg_class c
 WHERE c.relnamespace = 'public'::regnamespace AND c.relkind = 'r' AND c.relpersistence = 'p'
 ORDER BY 1
"""
LEDGER = """
SELECT (SELECT count(*) FROM ledger_transfer) AS transfers,
       (SELECT coalesce(sum(balance_kobo), 0) FROM ledger_account WHERE type = 'wallet')::bigint
       AS held_kobo
"""


@dataclass(frozen=True)
class Contents:
    """Counts of a database's contents, for comparison with its dump."""

    migration: str
    counts: dict[str, int]
    transfers: int
    held_kobo: int


@asynccontextmanager
async def connected(url: str) -> AsyncIterator[asyncpg.Connection]:
    """Yield a connection without a statement timeout.

    Raises:
        BackupError: the database is unavailable, rejects the login, or fails during the block.
    """
    address = make_url(url).set(drivername="postgresql").render_as_string(hide_password=False)
    try:
        connection = await asyncpg.connect(
            address, timeout=CONNECT_SECONDS, server_settings={"statement_timeout": "0"}
        )
    except (OSError, TimeoutError, asyncpg.PostgresError, asyncpg.InterfaceError) as error:
        raise BackupError(f"The database cannot be reached: {type(error).__name__}.") from error
    try:
        yield connection
        await connection.close()
    except LOST as error:
        raise BackupError(f"The database was lost half-way: {type(error).__name__}.") from error
    except asyncpg.PostgresError as error:
        raise BackupError(f"The database refuses: {str(error).splitlines()[0]}.") from error
    finally:
        connection.terminate()


async def contents(connection: asyncpg.Connection) -> Contents:
    """Count a database's contents."""
    tables = [row["name"] for row in await connection.fetch(TABLES)]
    counts = {
        name: await connection.fetchval(f"SELECT count(*) FROM {name}")  # noqa: S608 quoted above
        for name in tables
    }
    ledger = await connection.fetchrow(LEDGER)
    migration = await connection.fetchval("SELECT version_num FROM alembic_version")
    return Contents(migration, counts, ledger["transfers"], ledger["held_kobo"])


async def take_backup(
    url: str, store: MediaStore, place: Path, seal: Seal, *, copies_media: bool
) -> StoredBackup:
    """Create a backup at ``place`` and return it; on failure nothing remains.

    Raises:
        BackupError: it failed; the message says why.
        OSError: ``place`` cannot be written.
    """
    with new_backup(place, seal) as folder:
        taken_at = clock.now()
        async with connected(url) as connection:
            held, server_version = await _dump(connection, url, folder)
        # Media after the dump: unreferenced objects are swept, and a row without its file is
        # reported.
        media = await _copy_media(store, folder, copies_media=copies_media)
        folder.parts[MEDIA_LIST] = await asyncio.to_thread(
            folder.write, MEDIA_LIST, io.BytesIO(write_media_list(media))
        )
        folder.write_manifest(
            Manifest(
                product=product_version(),
                taken_at=taken_at,
                migration=held.migration,
                server_version=server_version,
                is_encrypted=seal.is_sealing,
                has_media=copies_media,
                media=len(media),
                counts=held.counts,
                transfers=held.transfers,
                held_kobo=held.held_kobo,
                parts=folder.parts,
            )
        )
    return StoredBackup(place, seal)


def product_version() -> str:
    """Return the installed product's version; an image has only the source."""
    try:
        return version("king-of-fans")
    except PackageNotFoundError:
        return "source"


async def _dump(
    connection: asyncpg.Connection, url: str, folder: NewBackup
) -> tuple[Contents, int]:
    """Write the dump and count the contents, both from one snapshot."""
    server_version = int(await connection.fetchval("SHOW server_version_num"))
    program = await asyncio.to_thread(find_program, "pg_dump", server_version // 10_000)
    async with connection.transaction(isolation="repeatable_read", readonly=True):
        snapshot = await connection.fetchval("SELECT pg_export_snapshot()")
        try:
            held = await contents(connection)
        except asyncpg.UndefinedTableError:
            raise BackupError("The database has no tables of ours: nothing to back up.") from None
        except asyncpg.InsufficientPrivilegeError:
            raise BackupError(
                "The login may not read all tables: set BACKUP_DATABASE_URL (docs/operations.md)."
            ) from None
        command = [
            *(program, "--format=custom", "--no-password", "--no-unlogged-table-data"),
            f"--snapshot={snapshot}",
        ]

        def write() -> Part:
            with output_of(command, variables(url)) as output:
                return folder.write(DUMP, output)

        folder.parts[DUMP] = await run_with_programs(write)
    return held, server_version


async def _copy_media(store: MediaStore, folder: NewBackup, *, copies_media: bool) -> list[Medium]:
    media = []
    for name in FOLDERS:
        async for found in store.list_all(name):
            try:
                chunks = await store.read(found.key, 0, found.size_bytes - 1)
                content = await _digested(chunks, found.key, folder if copies_media else None)
            except NoSuchObjectError:
                continue  # deleted concurrently, together with its row
            media.append(content)
    return sorted(media, key=lambda medium: medium.key)


async def _digested(chunks: AsyncIterator[bytes], key: str, folder: NewBackup | None) -> Medium:
    """Read an object once; media are small enough to hold one in memory."""
    digest, content = hashlib.sha256(), io.BytesIO()
    async for chunk in chunks:
        digest.update(chunk)
        content.write(chunk)
    size = content.tell()
    if folder is not None:
        content.seek(0)
        await asyncio.to_thread(folder.write, f"{MEDIA}/{key}", cast("BinaryIO", content))
    return Medium(key=key, size_bytes=size, sha256=digest.hexdigest())
