"""Housekeeping: deletes expired rows in batches, one worker at a time."""

import asyncio
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime

import asyncpg
import structlog

from api.foundation.core import clock
from api.foundation.core.errors import DomainError
from api.foundation.core.ids import first_id_at
from api.foundation.core.supervisor import SKIPPED, Job, Skipped
from api.foundation.database.database import Database
from api.foundation.database.locks import AdvisoryLock
from api.foundation.database.retention import REMOVED, Retention
from api.foundation.database.statements import Query

log = structlog.get_logger(__name__)

PAUSE_SECONDS = 600.0
TURN_SECONDS = 20.0  # no new batch after that; the next turn starts immediately
BREATH_SECONDS = 0.05  # between batches, so that other writers proceed
BATCH = 5000


@dataclass(frozen=True)
class RemovedRows:
    """How many rows a batch deleted; ``mine`` unless another worker holds the lock."""

    mine: bool
    removed: int


@dataclass(frozen=True)
class Tidied:
    """Deleted rows per table; None where another worker holds the lock.

    ``is_done`` is False if expired rows remain after this turn.
    """

    removed: Mapping[str, int | None]
    is_done: bool


def removal(rule: Retention, batch: int = BATCH) -> str:
    """Return SQL that deletes a batch, oldest first, and returns whether it got the lock."""
    lock = f"pg_try_advisory_xact_lock({AdvisoryLock.ROW_RETENTION})"
    return (
        f"WITH turn AS MATERIALIZED (SELECT {lock} AS mine), "  # noqa: S608 our own words
        f"gone AS (DELETE FROM {rule.table} WHERE ctid = ANY (ARRAY("
        f"SELECT ctid FROM {rule.table} WHERE (SELECT mine FROM turn) AND {rule.served} "
        f"ORDER BY {rule.order} LIMIT {batch})) RETURNING 1) "
        "SELECT mine, (SELECT count(*) FROM gone) AS removed FROM turn"
    )


def parameters(rule: Retention, now: datetime) -> list[object]:
    """Return a rule's parameters: the cutoff, and its smallest id where the rule needs one."""
    moment = now - rule.age
    return [moment, first_id_at(moment)] if "$2" in rule.served else [moment]


def tidy_job(database: Database, *, batch: int = BATCH) -> Job:
    """Return the job that runs ``tidy``, immediately again while rows remain."""
    more = asyncio.Event()

    async def step() -> Skipped | None:
        tidied = await tidy(database, batch=batch)
        if not tidied.is_done:
            more.set()
        return SKIPPED if None in tidied.removed.values() else None

    return Job(name="tidy", step=step, every_seconds=PAUSE_SECONDS, wake=more)


async def tidy(
    database: Database, rules: Sequence[Retention] = REMOVED, *, batch: int = BATCH
) -> Tidied:
    """Delete expired rows, one batch per table in turn, until none remain or time is up.

    Uses the earlier of our clock and the database's, so that a machine with a fast clock deletes
    nothing too early. A table that fails does not stop the others.

    Raises:
        ExceptionGroup: the errors of the tables that failed.
    """
    removed: dict[str, int | None] = {}
    failures: list[Exception] = []
    now = min(clock.now(), await database.fetch_value("SELECT now()"))
    waiting = list(rules)
    until = asyncio.get_running_loop().time() + TURN_SECONDS
    while waiting and asyncio.get_running_loop().time() < until:
        full = []
        for rule in waiting:
            try:
                removing = Query(removal(rule, batch), RemovedRows)
                row = await database.fetch_row(removing, *parameters(rule, now))
            except (DomainError, asyncpg.PostgresError) as error:
                failures.append(error)
                continue
            if row is None or not row.mine:
                removed.setdefault(rule.table, None)
                continue
            removed[rule.table] = (removed.get(rule.table) or 0) + row.removed
            if row.removed == batch:
                full.append(rule)
                await asyncio.sleep(BREATH_SECONDS)
        waiting = full
    if any(removed.values()):
        log.info("served rows removed", **{table: n for table, n in removed.items() if n})
    if failures:
        raise ExceptionGroup("some tables could not be tidied", failures)
    return Tidied(removed, is_done=not waiting)
