"""The nightly backup and its restore test; each result is stored in the database."""

import asyncio
from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import asynccontextmanager, suppress
from datetime import datetime, time, timedelta
from pathlib import Path

import asyncpg
import structlog

from api.app.backup.errors import BackupError, NotNotedError, describe
from api.app.backup.folder import StoredBackup
from api.app.backup.proving import prove
from api.app.backup.pruning import list_backups, name_of, prune
from api.app.backup.sealing import Seal
from api.app.backup.taking import take_backup
from api.foundation.core import clock
from api.foundation.core.config import Settings
from api.foundation.core.errors import DatabaseUnavailableError, DomainError
from api.foundation.core.supervisor import SKIPPED, Job, Skipped
from api.foundation.database.connections import CLOSE_SECONDS
from api.foundation.database.database import Database
from api.foundation.database.locks import AdvisoryLock
from api.foundation.jobs.clockwork import DEFAULT_TIME_LIMIT, shown_running
from api.foundation.jobs.figures import record_beat, record_failure, record_success
from api.foundation.jobs.requests import read_asked, record_done
from api.foundation.jobs.runs import BACKUP, RESTORE_PROOF, Run, last_run, last_success, record_run
from api.foundation.media.storage import MediaStore

log = structlog.get_logger(__name__)

POLL_INTERVAL_SECONDS = 60.0
ASKED_SECONDS = 2.0  # interval of checks for operators' requests
BEAT_SECONDS = 10.0
RETRY_AFTER = timedelta(minutes=30)
Outcome = tuple[int, str]
"""How many bytes there are, and a sentence."""


def make_seal(settings: Settings) -> Seal:
    """Return the seal that encrypts backups, if one is configured."""
    return Seal(None if settings.backup_key is None else settings.backup_key.get_secret_value())


def source_url(settings: Settings) -> str:
    """Return the address for dumps and restores: a direct session, past any pooler."""
    return settings.backup_database_url or settings.session_database_url


def last_due(now: datetime, hour: int) -> datetime:
    """Return the last instant before ``now`` at which it was this hour in Lagos."""
    due = datetime.combine(clock.lagos_day(now), time(hour), clock.LAGOS)
    return due if due <= now else due - timedelta(days=1)


async def back_up(
    settings: Settings, database: Database, store: MediaStore, place: Path
) -> StoredBackup:
    """Create a backup and record the result if ``place`` is in ``backup_dir``.

    A manual backup elsewhere does not count as the nightly run.

    Raises:
        BackupError: it failed; or it succeeded, but the result could not be recorded.
        OSError: ``place`` cannot be written.
    """
    taken: list[StoredBackup] = []

    async def take() -> Outcome:
        copies = settings.s3_bucket is None or settings.backup_bucket_media
        backup = await take_backup(
            source_url(settings), store, place, make_seal(settings), copies_media=copies
        )
        taken.append(backup)
        rows = sum(backup.manifest.counts.values())
        size = await asyncio.to_thread(lambda: backup.size_bytes)
        media = "copied" if copies else "listed"
        return size, f"{rows} rows, {backup.manifest.media} media {media}."

    if settings.backup_dir is not None and place.parent.resolve() == settings.backup_dir.resolve():
        await _recorded(database, BACKUP, place.name, take)
    else:
        await take()
    return taken[0]


class NightlyBackup:
    """Backs up after ``BACKUP_HOUR``, or on request, and tests the newest backup; one at a time.

    The process that took a backup tests it immediately, others at their next check.
    """

    def __init__(
        self, settings: Settings, folder: Path, database: Database, store: MediaStore
    ) -> None:
        self._settings = settings
        self._folder = folder
        self._database = database
        self._store = store
        self._backing_up, self._proving = (
            Job(
                name=name,
                step=step,
                every_seconds=POLL_INTERVAL_SECONDS,
                begins_at_once=True,
                limit_seconds=None,
                max_backoff_seconds=POLL_INTERVAL_SECONDS,
            )
            for name, step in ((BACKUP, self.back_up), (RESTORE_PROOF, self.prove))
        )

    def jobs(self) -> list[Job]:
        """Return the periodic jobs."""
        return [self._backing_up, self._proving, *self.jobs_when_asked()]

    def jobs_when_asked(self) -> list[Job]:
        """Return the job that backs up when an operator requests it, and tests the backup."""
        asked = Job(
            name="asked_backup",
            step=self.answer,
            every_seconds=ASKED_SECONDS,
            limit_seconds=None,
            max_backoff_seconds=POLL_INTERVAL_SECONDS,
        )
        beat = Job(
            name="backup_beat", step=self._beat, every_seconds=BEAT_SECONDS, begins_at_once=True
        )
        return [asked, beat]

    async def answer(self) -> Skipped | None:
        """Create and test a backup if an operator has requested one."""
        asked_at = await read_asked(self._database, BACKUP)
        if asked_at is None:
            return None
        async with _turn(self._database) as is_ours:
            if not is_ours:
                return SKIPPED
            try:
                await self._back_up_and_prune()
            except (BackupError, DomainError, OSError):
                await record_done(self._database, BACKUP, asked_at)
                raise
            await record_done(self._database, BACKUP, asked_at)
        await self.prove()
        return None

    async def back_up(self) -> Skipped | None:
        """Create the nightly backup if it is due, and delete expired ones."""
        if not await self._is_backup_due():
            return None
        async with _turn(self._database) as is_ours:
            if not is_ours:
                return SKIPPED
            if await self._is_backup_due():
                await self._back_up_and_prune()
        self._proving.wake.set()
        return None

    async def _back_up_and_prune(self) -> None:
        place = self._folder / name_of(clock.now())
        await back_up(self._settings, self._database, self._store, place)
        now = clock.now()
        proven = await last_success(self._database, RESTORE_PROOF, now)
        removed = await asyncio.to_thread(
            prune, self._folder, None if proven is None else proven.subject, now
        )
        log.info("backup taken", backup=place.name, removed=removed)

    async def prove(self) -> Skipped | None:
        """Restore the newest backup beside the live database, unless it has been tested."""
        if await self._unproven() is None:
            return None
        async with _turn(self._database) as is_ours:
            if not is_ours:
                return SKIPPED
            name = await self._unproven()
            if name is not None:
                await _recorded(self._database, RESTORE_PROOF, name, lambda: self._prove(name))
                log.info("backup proven", backup=name)
        return None

    async def _prove(self, name: str) -> Outcome:
        backup = await asyncio.to_thread(
            StoredBackup, self._folder / name, make_seal(self._settings)
        )
        server = self._settings.backup_proof_url or source_url(self._settings)
        sentence = await prove(backup, server)
        return await asyncio.to_thread(lambda: backup.size_bytes), sentence

    async def _is_backup_due(self) -> bool:
        now = clock.now()
        done = await last_success(self._database, BACKUP, now)
        due = last_due(now, self._settings.backup_hour)
        is_done = done is not None and due <= done.started_at
        return not is_done and not await self._was_tried_lately(BACKUP, now)

    async def _unproven(self) -> str | None:
        """Return the newest backup's name, unless it was tested or has just been tried."""
        now = clock.now()
        names = await asyncio.to_thread(list_backups, self._folder, now)
        done = await last_success(self._database, RESTORE_PROOF, now)
        if not names or (done is not None and done.subject == names[0]):
            return None
        return None if await self._was_tried_lately(RESTORE_PROOF, now) else names[0]

    async def _was_tried_lately(self, kind: str, now: datetime) -> bool:
        last = await last_run(self._database, kind, now)
        return last is not None and not last.succeeded and now - last.started_at < RETRY_AFTER

    async def _beat(self) -> None:
        await record_beat(self._database, [BACKUP, RESTORE_PROOF])


async def _recorded(
    database: Database, kind: str, subject: str, work: Callable[[], Awaitable[Outcome]]
) -> None:
    """Run the work and record its result; an interrupted run leaves no record."""
    started_at = clock.now()

    async def record(outcome: str, size_bytes: int, *, succeeded: bool) -> None:
        run = Run(
            kind=kind,
            subject=subject,
            started_at=started_at,
            seconds=round((clock.now() - started_at).total_seconds(), 3),
            size_bytes=size_bytes,
            succeeded=succeeded,
            outcome=outcome,
        )
        await record_run(database, run)
        if succeeded:
            await record_success(database, kind)
        else:
            await record_failure(database, kind)

    try:
        async with shown_running(database, kind, DEFAULT_TIME_LIMIT):
            size_bytes, outcome = await work()
    except (BackupError, DomainError, OSError) as error:
        with suppress(DatabaseUnavailableError, asyncpg.PostgresError):  # keep the first error
            await record(describe(error), 0, succeeded=False)
        raise
    try:
        await record(outcome, size_bytes, succeeded=True)
    except (DatabaseUnavailableError, asyncpg.PostgresError) as error:
        raise NotNotedError(
            f"{subject}: {outcome} It was done, and the database did not take the note of it."
        ) from error


@asynccontextmanager
async def _turn(database: Database) -> AsyncIterator[bool]:
    """Yield whether this process holds the lock, which ends with its session."""
    connection = await database.connect_alone()
    try:
        yield await connection.fetchval("SELECT pg_try_advisory_lock($1)", AdvisoryLock.BACKUP)
    finally:
        await connection.close(timeout=CLOSE_SECONDS)
