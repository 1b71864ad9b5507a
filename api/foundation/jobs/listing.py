"""Pages of stored jobs for operators; payloads stay sealed."""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime
from enum import StrEnum

from api.foundation.database.database import Database, Transaction
from api.foundation.database.statements import Query


class StoredState(StrEnum):
    """The state of a stored job; a dead one is retried only by an operator."""

    WAITING = "waiting"
    RUNNING = "running"
    DEAD = "dead"


STATUS = {
    StoredState.WAITING: "queued",
    StoredState.RUNNING: "picked",
    StoredState.DEAD: "failed",
}
STATE_OF = {status: state for state, status in STATUS.items()}
COLUMNS = """
SELECT q.id, q.entrypoint AS kind, q.status::text AS status, q.created, q.execute_after,
       q.attempts, q.payload, last.error
  FROM pgqueuer q
  LEFT JOIN LATERAL (
    SELECT l.traceback ->> 'exception_message' AS error FROM pgqueuer_log l
     WHERE l.job_id = q.id AND l.traceback IS NOT NULL ORDER BY l.created DESC, l.id DESC LIMIT 1
  ) last ON true
"""
LIST = f"""{COLUMNS}
 WHERE q.entrypoint = ANY ($1) AND ($2::bigint IS NULL OR q.id < $2){{state}}
 ORDER BY q.id DESC LIMIT $3
"""


@dataclass(frozen=True)
class StoredJob:
    """A job in the queue, with its last error."""

    id: int
    kind: str
    status: str
    created: datetime
    execute_after: datetime
    attempts: int
    payload: bytes | None
    error: str | None


READ = Query(f"{COLUMNS} WHERE q.id = $1 FOR UPDATE OF q", StoredJob)
COUNT_DEAD = "SELECT count(*) FROM pgqueuer WHERE status = 'failed' AND entrypoint = ANY ($1)"


async def list_stored(
    database: Database,
    kinds: Sequence[str],
    state: StoredState | None,
    before: int | None,
    limit: int,
) -> Sequence[StoredJob]:
    """Return stored jobs of these kinds, in one state or in any, newest first."""
    # Separate queries, because each state has its own index.
    wanted = "" if state is None else f" AND q.status = '{STATUS[state]}'"
    stored = Query(LIST.format(state=wanted), StoredJob)
    return await database.fetch_rows(stored, list(kinds), before, limit)


async def lock_stored(tx: Transaction, job_id: int) -> StoredJob | None:
    """Lock and return a stored job; None if it is done or does not exist."""
    return await tx.fetch_row(READ, job_id)


async def count_dead(database: Database, kinds: Sequence[str]) -> int:
    """Count the dead jobs of these kinds."""
    return int(await database.fetch_value(COUNT_DEAD, list(kinds)))
