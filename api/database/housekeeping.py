"""Housekeeping: rows that have served are removed, a batch at a time, by one worker at a time."""

from collections.abc import Sequence

import asyncpg
import structlog

from api.core import clock
from api.core.errors import DomainError
from api.core.supervisor import TAKEN, Job, Taken
from api.database.database import Database

log = structlog.get_logger(__name__)

PAUSE_SECONDS = 600.0
BATCH = 5000
SWEEP_LOCK = 7_226_331_105  # any number, the same in every process that sweeps
# Table, then which of its rows have served at $1. Keys outlive any retry by a day.
SERVED: tuple[tuple[str, str], ...] = (
    ("idempotency_key", "created_at < $1::timestamptz - interval '2 days'"),
    ("rate_limit", "window_started_at < $1::timestamptz - interval '1 day'"),
    ("sign_in_guard", "attempted_at < $1::timestamptz - interval '1 day'"),
    ("mailed_code", "created_at < $1::timestamptz - interval '30 days'"),
    ("sign_up_attempt", "expires_at < $1::timestamptz"),
    ("known_origin", "seen_at < $1::timestamptz - interval '90 days'"),
    ("session", "expires_at < $1::timestamptz - interval '30 days'"),
    ("heartbeat", "beat_at < $1::timestamptz - interval '1 day'"),
    ("job_worker", "beat_at < $1::timestamptz - interval '1 day'"),
    # Of stored jobs: what became of them, and dead letters that nobody wanted.
    ("pgqueuer_log", "created < $1::timestamptz - interval '30 days'"),
    ("pgqueuer", "status = 'failed' AND updated < $1::timestamptz - interval '30 days'"),
)


def _statement(table: str, served: str) -> str:
    return (
        f"WITH turn AS MATERIALIZED (SELECT pg_try_advisory_xact_lock({SWEEP_LOCK}) AS mine), "  # noqa: S608 our own words
        f"gone AS (DELETE FROM {table} WHERE ctid = ANY (ARRAY("
        f"SELECT ctid FROM {table}, turn WHERE turn.mine AND {served} LIMIT {BATCH})) RETURNING 1) "
        "SELECT turn.mine, (SELECT count(*) FROM gone) AS removed FROM turn"
    )


def tidy_job(database: Database) -> Job:
    """Return what tidies again and again."""

    async def step() -> Taken | None:
        return TAKEN if None in (await tidy(database)).values() else None

    return Job(name="tidy", step=step, every_seconds=PAUSE_SECONDS)


async def tidy(
    database: Database, tables: Sequence[tuple[str, str]] = SERVED
) -> dict[str, int | None]:
    """Remove one batch of served rows per table; return how many went from each.

    None stands for a table that another worker is at. A table that cannot be tidied keeps no
    other from it.

    Raises:
        ExceptionGroup: some could not be tidied.
    """
    removed: dict[str, int | None] = {}
    failures: list[Exception] = []
    for table, served in tables:
        try:
            row = await database.fetch_row(_statement(table, served), clock.now())
        except (DomainError, asyncpg.PostgresError) as error:
            failures.append(error)
        else:
            removed[table] = row["removed"] if row is not None and row["mine"] else None
    if any(removed.values()):
        log.info("served rows removed", **removed)
    if failures:
        raise ExceptionGroup("some tables could not be tidied", failures)
    return removed
