"""Dependencies of oversight, and the registries that domains fill."""

from collections.abc import Awaitable, Callable, Mapping
from dataclasses import dataclass
from typing import TypeAlias

from api.foundation.approvals.kinds import Executors
from api.foundation.core.supervisor import Step
from api.foundation.database.database import Database, Transaction
from api.foundation.security.rights import Right
from api.foundation.wire.schemas import Content

CountWaiting: TypeAlias = Callable[[Database], Awaitable[int]]
ReadFigure: TypeAlias = Callable[[Database], Awaitable[Content | None]]


@dataclass(frozen=True)
class Waiting:
    """A count of open tasks in the back office, for operators with its right."""

    name: str
    right: Right
    count: CountWaiting


async def _unknown(_database: Database) -> Content | None:
    return None


@dataclass(frozen=True)
class TodayFigures:
    """The figures of ``admin/today`` besides open proposals; domains register theirs."""

    waiting: tuple[Waiting, ...] = ()
    ledger: ReadFigure = _unknown
    bank: ReadFigure = _unknown
    backup: ReadFigure = _unknown
    shop: ReadFigure = _unknown


async def _no_gateway(_tx: Transaction) -> None:
    """Notify no other process: the job runs in this one."""


@dataclass(frozen=True)
class RunnableJob:
    """A job that operators may start immediately.

    ``ask`` requests it from another process, in the transaction of the audit entry; ``step`` runs
    it, or waits a while for that process.
    """

    step: Step
    ask: Callable[[Transaction], Awaitable[None]] = _no_gateway


@dataclass(frozen=True)
class OversightContext:
    """Dependencies of oversight, built once per process.

    ``jobs`` are the scheduled jobs that may be started immediately, by their name in the API.
    """

    database: Database
    executors: Executors
    figures: TodayFigures
    jobs: Mapping[str, RunnableJob]
