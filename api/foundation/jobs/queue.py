"""The job queue's interface: jobs are stored sealed, in the transaction that causes them."""

import asyncio
from typing import Self, TypeVar

from pgqueuer.adapters.persistence.qb import (
    QueryBuilderEnvironment,
    QueryQueueBuilder,
    QuerySchedulerBuilder,
)
from pgqueuer.core.tm import TaskManager
from pgqueuer.domain.settings import DBSettings, Durability
from pgqueuer.domain.types import Channel, JobId
from pgqueuer.ports.driver import Driver, NotifyCallback
from pgqueuer.queries import Queries
from pydantic import BaseModel
from typing_extensions import override

from api.foundation.database.database import Transaction
from api.foundation.jobs.kinds import JobKind, PayloadT
from api.foundation.security.sealing import Sealer

# Set explicitly, because the library would read them from variables as common as CHANNEL.
CHANNEL = Channel("ch_pgqueuer")
NAMES = DBSettings(
    prefix="",
    db_schema=None,
    channel=CHANNEL,
    function="fn_pgqueuer_changed",
    trigger="tg_pgqueuer_changed",
    queue_table="pgqueuer",
    queue_table_log="pgqueuer_log",
    queue_status_type="pgqueuer_status",
    statistics_table="pgqueuer_statistics",
    schedules_table="pgqueuer_schedules",
    durability=Durability.durable,
)
LOCK = "SELECT status::text FROM pgqueuer WHERE id = $1 FOR UPDATE"
LIBRARY_TABLES = frozenset(
    {
        NAMES.queue_table,
        NAMES.queue_table_log,
        NAMES.statistics_table,
        NAMES.schedules_table,
    }
)


class JobQueue:
    """Stores jobs and opens their sealed payloads."""

    def __init__(self, sealer: Sealer) -> None:
        self._sealer = sealer

    async def enqueue(
        self, tx: Transaction, kind: JobKind[PayloadT], payload: PayloadT, *, key: str
    ) -> None:
        """Store a job that starts once ``tx`` is committed; a rollback discards it.

        While one of the same kind and ``key`` waits or runs, nothing is stored. The key is readable
        in the database, so it must contain no personal data.
        """
        sealed = self._sealer.seal(payload.model_dump(mode="json"), _place(kind))
        await queries(_TransactionDriver(tx)).enqueue(
            kind.name, sealed, dedupe_key=f"{kind.name}:{key}", on_conflict="skip"
        )

    async def retry(self, tx: Transaction, job_id: int) -> bool:
        """Reset a dead letter for a new round of attempts; return False if it does not exist.

        Raises:
            UniqueViolation: another job of its kind and key waits or runs.
        """
        if await tx.fetch_value(LOCK, job_id) != "failed":
            return False
        await queries(_TransactionDriver(tx)).requeue_jobs([JobId(job_id)])
        return True

    def open(self, kind: JobKind[PayloadT], sealed: bytes | None) -> PayloadT:
        """Return a job's payload.

        Raises:
            UnsealableError: it was modified, or sealed with a key that is no longer configured.
        """
        return kind.payload.model_validate(self._sealer.open(sealed or b"", _place(kind)))


BaseT = TypeVar("BaseT", bound=BaseModel)


def _place(kind: JobKind[BaseT]) -> str:
    return f"job:{kind.name}"


def queries(driver: Driver) -> Queries:
    """Return the library's statements with our table names."""
    return Queries(
        driver,
        qbe=QueryBuilderEnvironment(NAMES),
        qbq=QueryQueueBuilder(NAMES),
        qbs=QuerySchedulerBuilder(NAMES),
    )


class _TransactionDriver(Driver):
    """Runs the library's statements inside our transaction."""

    def __init__(self, tx: Transaction) -> None:
        self._tx = tx
        self._shutdown = asyncio.Event()

    @override
    async def fetch(self, query: str, *args: object) -> list[dict[str, object]]:
        return [dict(row) for row in await self._tx.fetch_rows(query, *args)]

    @override
    async def execute(self, query: str, *args: object) -> str:
        await self._tx.execute(query, *args)
        return ""

    @override
    async def add_listener(self, channel: str, callback: NotifyCallback) -> None:
        raise NotImplementedError

    @override
    async def notify(self, channel: str, payload: str) -> None:
        raise NotImplementedError

    @property
    @override
    def shutdown(self) -> asyncio.Event:
        return self._shutdown

    @property
    @override
    def tm(self) -> TaskManager:
        return TaskManager()

    @override
    async def __aenter__(self) -> Self:
        return self

    @override
    async def __aexit__(self, *_: object) -> None:
        return None
