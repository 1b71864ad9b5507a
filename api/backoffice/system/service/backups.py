"""Backups made and tested by the nightly process, and requests for one now."""

import asyncio

from api.backoffice.oversight.service.context import RunnableJob
from api.backoffice.system.errors import NoBackupProcessError
from api.backoffice.system.schemas import AskedBackup, BackupRow
from api.foundation.audit import writing as audit
from api.foundation.audit.writing import AuditRecord
from api.foundation.core import clock
from api.foundation.core.errors import NotFoundError
from api.foundation.database.database import Database, Transaction
from api.foundation.jobs import requests, runs
from api.foundation.jobs.runs import BackupRun
from api.foundation.security.operators import AdminRequest
from api.foundation.wire.results import AdminResult, Page

LARGEST_ID = 2**63 - 1
WAIT_SECONDS = 20.0  # a response waits this long for a requested backup
POLL_INTERVAL_SECONDS = 0.25


async def list_backups(database: Database, *, before: str | None, limit: int) -> Page[BackupRow]:
    """Return the last backups, newest first, including failed ones.

    Raises:
        NotFoundError: ``before`` cannot be a backup's id.
    """
    last = None if before is None else _number(before)
    rows = await runs.list_backups(database, last, limit + 1)
    return Page.of(rows, limit, _answer)


async def ask_for_backup(database: Database, admin: AdminRequest) -> AdminResult:
    """Request a backup from the process that makes them, and wait up to ``WAIT_SECONDS``.

    Concurrent requests share one backup.

    Raises:
        NoBackupProcessError: no such process has sent a heartbeat lately.
    """

    async def work(tx: Transaction) -> AdminResult:
        asked_at = await requests.ask(tx, runs.BACKUP)
        if asked_at is None:
            raise NoBackupProcessError
        await audit.audited(tx, admin, AuditRecord("back-up", "backup", asked_at.isoformat()))
        asked = AskedBackup(asked_at=asked_at)
        return AdminResult.of(asked, status=201, message="A backup is being taken.")

    done = await audit.perform(database, admin, {}, work)
    await _wait(database)
    return done


def backup_job(database: Database) -> RunnableJob:
    """Return the job that operators start under the name of the nightly one."""

    async def ask(tx: Transaction) -> None:
        if await requests.ask(tx, runs.BACKUP) is None:
            raise NoBackupProcessError

    async def step() -> None:
        await _wait(database)

    return RunnableJob(step, ask)


async def _wait(database: Database) -> None:
    """Wait until the requested backup is done, at most ``WAIT_SECONDS``."""
    for _ in range(int(WAIT_SECONDS / POLL_INTERVAL_SECONDS)):
        if await requests.read_asked(database, runs.BACKUP) is None:
            return
        await asyncio.sleep(POLL_INTERVAL_SECONDS)


def _number(backup_id: str) -> int:
    if not (backup_id.isascii() and backup_id.isdigit()) or len(backup_id) > len(str(LARGEST_ID)):
        raise NotFoundError
    return min(int(backup_id), LARGEST_ID)


def _answer(row: BackupRun) -> BackupRow:
    return BackupRow(
        id=str(row.id),
        at=row.started_at,
        name=row.subject,
        size=row.size_bytes,
        age=max(0, int((clock.now() - row.started_at).total_seconds())),
        seconds=row.seconds,
        proven=bool(row.proven),
        error=_error(row),
    )


def _error(row: BackupRun) -> str | None:
    """Return why a backup failed, or else why its restore test did."""
    error = row.proof_outcome if row.proven is False else None
    return error if row.succeeded else row.outcome
