"""Housekeeping: rows that have served are removed, a batch at a time, by one worker at a time."""

import asyncio
from collections.abc import Sequence

import structlog

from api.core.database import Database
from api.core.errors import DatabaseUnavailableError

log = structlog.get_logger(__name__)

PAUSE_SECONDS = 600.0
BATCH = 5000
SWEEP_LOCK = 7_226_331_105  # any number, the same in every process that sweeps
# Table, then which of its rows have served. Keys outlive any retry by a day.
SERVED: tuple[tuple[str, str], ...] = (
    ("idempotency_key", "created_at < now() - interval '2 days'"),
    ("rate_limit", "window_started_at < now() - interval '1 day'"),
    ("sign_in_guard", "attempted_at < now() - interval '1 day'"),
    ("mailed_code", "created_at < now() - interval '30 days'"),
    ("session", "expires_at < now() - interval '30 days'"),
)


def _statement(table: str, served: str) -> str:
    return (
        f"WITH turn AS MATERIALIZED (SELECT pg_try_advisory_xact_lock({SWEEP_LOCK}) AS mine), "  # noqa: S608 our own words
        f"gone AS (DELETE FROM {table} WHERE ctid = ANY (ARRAY("
        f"SELECT ctid FROM {table}, turn WHERE turn.mine AND {served} LIMIT {BATCH})) RETURNING 1) "
        "SELECT count(*) AS removed FROM gone"
    )


async def tidy(database: Database, tables: Sequence[tuple[str, str]] = SERVED) -> dict[str, int]:
    """Remove one batch of served rows per table; return how many went from each."""
    removed = {}
    for table, served in tables:
        row = await database.fetch_row(_statement(table, served))
        removed[table] = 0 if row is None else int(row["removed"])
    return removed


async def tidy_forever(database: Database) -> None:
    """Tidy every ten minutes until cancelled; a database that is away is tried again."""
    while True:
        await asyncio.sleep(PAUSE_SECONDS)
        try:
            removed = await tidy(database)
        except DatabaseUnavailableError:
            continue
        if any(removed.values()):
            log.info("served rows removed", **removed)
