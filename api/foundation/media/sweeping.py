"""Removes orphaned media: immediately if they are known, otherwise by a sweep."""

import asyncio
from collections.abc import Awaitable, Callable, Mapping, Sequence
from datetime import timedelta

import structlog

from api.foundation.core import clock
from api.foundation.core.supervisor import Job
from api.foundation.database.connections import CLOSE_SECONDS
from api.foundation.database.database import Database
from api.foundation.database.locks import AdvisoryLock
from api.foundation.media.storage import MediaStore, MediaUnavailableError

log = structlog.get_logger(__name__)

SWEEP_PAUSE_SECONDS = 1800.0
ORPHAN_AGE = timedelta(hours=1)  # longer than any upload takes to get its row
SWEEP_BATCH = 500

NamedKeys = Callable[[Database, Sequence[str]], Awaitable[set[str]]]
"""Which of these keys a domain's rows name."""


async def sweep_orphans(
    database: Database, store: MediaStore, owners: Mapping[str, NamedKeys]
) -> dict[str, int]:
    """Remove old orphans; return how many were removed from each folder.

    ``owners`` maps each folder to a function that returns the keys its rows refer to. One worker
    sweeps at a time; another one that starts meanwhile does nothing. The lock belongs to the
    session, so that no transaction waits for the store.
    """
    removed: dict[str, int] = {}
    connection = await database.connect_alone()
    try:
        if not await connection.fetchval(
            "SELECT pg_try_advisory_lock($1)", AdvisoryLock.MEDIA_SWEEP
        ):
            return removed
        for folder, named in owners.items():
            removed[folder] = await _sweep_folder(database, store, folder, named)
    finally:
        await connection.close(timeout=CLOSE_SECONDS)
    if any(removed.values()):
        log.info("orphaned media removed", **removed)
    return removed


async def _sweep_folder(
    database: Database, store: MediaStore, folder: str, named: NamedKeys
) -> int:
    removed = 0
    batch: list[str] = []

    async def remove_batch() -> int:
        kept = await named(database, batch)
        orphans = [key for key in batch if key not in kept]
        if orphans:
            await store.delete(orphans)
        batch.clear()
        return len(orphans)

    async for found in store.list_old(folder, clock.now() - ORPHAN_AGE):
        batch.append(found.key)
        if len(batch) >= SWEEP_BATCH:
            removed += await remove_batch()
    if batch:
        removed += await remove_batch()
    return removed


def media_sweep_job(database: Database, store: MediaStore, owners: Mapping[str, NamedKeys]) -> Job:
    """Return the job that sweeps."""

    async def step() -> None:
        await sweep_orphans(database, store, owners)

    return Job(
        name="media_sweep",
        step=step,
        every_seconds=SWEEP_PAUSE_SECONDS,
        limit_seconds=SWEEP_PAUSE_SECONDS,
    )


async def discard(store: MediaStore, keys: Sequence[str]) -> None:
    """Remove objects that no row refers to any more; failures are left to the sweep."""
    if not keys:
        return
    try:
        await asyncio.shield(store.delete(keys))
    except MediaUnavailableError:
        log.warning("media left to the sweep", keys=len(keys))
