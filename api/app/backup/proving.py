"""Restore tests: a backup is restored into a scratch database, where the ledger is verified."""

import asyncio
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager

import asyncpg
from sqlalchemy.engine import make_url

from api.app.backup.errors import BackupError
from api.app.backup.folder import StoredBackup
from api.app.backup.restoring import require_whole, restore_database
from api.app.backup.taking import connected
from api.money.ledger_audit.repository.audit_run import broken_invariants
from api.money.ledger_audit.repository.checks import CHECKS

SUFFIX = "_restore_proof"


async def prove(backup: StoredBackup, server_url: str) -> str:
    """Restore a backup into a scratch database of a server, verify it, and drop it.

    Returns a sentence about what was verified.

    Raises:
        BackupError: the backup is damaged, cannot be restored, or its ledger is inconsistent.
    """
    await asyncio.to_thread(require_whole, backup)
    damaged = await asyncio.to_thread(lambda: [sentence for _, sentence in backup.damaged_media()])
    if damaged:
        raise BackupError(" ".join(damaged[:5]))
    async with scratch_database(server_url) as url:
        await restore_database(backup, url, runtime_role="")
        async with connected(url) as connection:
            broken = await broken_invariants(connection)
    if broken:
        raise BackupError(f"Its ledger fails these checks: {', '.join(broken)}.")
    manifest = backup.manifest
    media = f"{manifest.media} media are whole" if manifest.has_media else "media were not copied"
    return (
        f"{backup.place.name} was restored and migrated: {sum(manifest.counts.values())} rows, "
        f"{manifest.transfers} transfers, {len(CHECKS)} checks of the ledger hold; {media}."
    )


@asynccontextmanager
async def scratch_database(server_url: str) -> AsyncIterator[str]:
    """Yield the address of an empty database, and drop it at the end; also drops stale ones.

    Raises:
        BackupError: the login may not create databases.
    """
    address = make_url(server_url)
    name = f"{address.database}{SUFFIX}"
    quoted = '"' + name.replace('"', '""') + '"'
    async with connected(server_url) as connection:
        try:
            await connection.execute(f"DROP DATABASE IF EXISTS {quoted} WITH (FORCE)")
            await connection.execute(f"CREATE DATABASE {quoted} TEMPLATE template0")
        except asyncpg.InsufficientPrivilegeError:
            raise BackupError(
                "The login may make no database to restore into: give it CREATEDB."
            ) from None
        try:
            yield address.set(database=name).render_as_string(hide_password=False)
        finally:
            await connection.execute(f"DROP DATABASE IF EXISTS {quoted} WITH (FORCE)")
