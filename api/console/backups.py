"""``backup``, ``restore`` and ``backups``: take, restore and list backups."""

import asyncio
from argparse import Namespace

import asyncpg

from api.app.backup.errors import BackupError, describe
from api.app.backup.folder import StoredBackup
from api.app.backup.nightly import back_up, make_seal, source_url
from api.app.backup.pruning import name_of
from api.app.backup.restoring import leads_to, require_whole, restore_database, restore_media
from api.app.factories import make_media_store
from api.console.acts import record_act
from api.console.check import check
from api.console.opened import open_database, unseen_database
from api.foundation.core import clock
from api.foundation.core.config import Settings
from api.foundation.core.errors import DatabaseUnavailableError, DomainError
from api.foundation.jobs.runs import BACKUP, RESTORE_PROOF, list_runs

MAX_LISTED = 28  # two weeks of backups and proofs


def why_not_plain(settings: Settings, options: Namespace) -> str | None:
    """Return why a backup must not be unencrypted; None if it may be, or is encrypted."""
    if not settings.is_production or settings.backup_key is not None or options.plain:
        return None
    return "Production needs BACKUP_KEY to encrypt the backup, or --plain to leave it unencrypted."


async def take_backup(settings: Settings, options: Namespace) -> bool:
    """Create a backup; print its path, or the error.

    Raises:
        OSError: it cannot be written.
    """
    default = (settings.backup_dir or settings.var_dir / "backups") / name_of(clock.now())
    place = options.to or default
    store = make_media_store(settings)
    try:
        async with open_database(settings) as database:
            backup = await back_up(settings, database, store, place)
    except BackupError as error:
        print(error)
        return False
    finally:
        await store.aclose()
    manifest = backup.manifest
    print(
        f"{place}: {sum(manifest.counts.values())} rows and {manifest.media} media at migration "
        f"{manifest.migration}, {'encrypted' if manifest.is_encrypted else 'not encrypted'}."
    )
    if not manifest.has_media:
        print("The media were listed and not copied: BACKUP_BUCKET_MEDIA=true copies them, too.")
    return True


async def restore(settings: Settings, options: Namespace) -> bool:
    """Restore a backup into an empty database, then run all checks.

    Raises:
        OSError: it cannot be read.
    """
    try:
        backup = await asyncio.to_thread(StoredBackup, options.folder, make_seal(settings))
        await asyncio.to_thread(require_whole, backup)
        await restore_database(
            backup, source_url(settings), runtime_role=settings.database_runtime_role
        )
    except BackupError as error:
        print(error)
        return False
    manifest = backup.manifest
    print(
        f"{sum(manifest.counts.values())} rows and {manifest.transfers} transfers of "
        f"{manifest.taken_at.isoformat()} were restored."
    )
    are_media_back = await _restore_media(settings, backup)
    record_act("restore", backup=options.folder.name)
    refusal = await _why_not_checked(settings)
    if refusal is not None:
        print(refusal)
        return False
    return await check(settings, options) and are_media_back


async def _restore_media(settings: Settings, backup: StoredBackup) -> bool:
    """Restore media, print those that differ, and return whether all match."""
    store = make_media_store(settings)
    try:
        sentences = await restore_media(backup, store)
    except (BackupError, DomainError, OSError) as error:
        print(f"Not all media were put back: {describe(error)}")
        return False
    finally:
        await store.aclose()
    for sentence in sentences:
        print(sentence)
    count = backup.manifest.media
    print(f"{count - len(sentences)} of {count} media are as they were.")
    return not sentences


async def _why_not_checked(settings: Settings) -> str | None:
    """Return a sentence if a check would not use the restored database."""
    try:
        async with unseen_database(settings) as database:
            if await leads_to(database, source_url(settings)):
                return None
    except (BackupError, DatabaseUnavailableError, asyncpg.PostgresError):
        return "Nothing was checked: the database of DATABASE_URL does not answer."
    return (
        "Nothing was checked: DATABASE_URL leads to another database than the one that was "
        "restored. Name that one, then run python -m api.console check."
    )


async def show_backups(settings: Settings, _options: Namespace) -> bool:
    """Print the results of the last backups and restore tests, newest first."""
    async with open_database(settings) as database:
        runs = await list_runs(database, [BACKUP, RESTORE_PROOF], MAX_LISTED)
    if not runs:
        print("No backup was taken yet.")
    for run in runs:
        when = run.started_at.astimezone(clock.LAGOS)
        print(
            f"{when:%Y-%m-%d %H:%M}  {run.kind:13}  {'ok' if run.succeeded else 'FAIL':4}  "
            f"{run.size_bytes / 2**20:9.1f} MiB  {run.seconds:8.1f} s  {run.subject}: {run.outcome}"
        )
    return True
