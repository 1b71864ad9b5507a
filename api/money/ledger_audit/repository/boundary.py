"""The moment before which a proof has seen everything, whatever commits later.

A transaction that a proof's snapshot does not contain has a number from the snapshot's ``xmin`` on.
Once every transaction with a number below ``end`` is over, a later snapshot contains them all, so
whatever it does not contain received its number, and wrote, after ``at``, when ``end`` was read.
"""

import asyncio
import time
from dataclasses import dataclass
from datetime import datetime

import asyncpg

WAIT_SECONDS = 5.0  # for transactions that are writing; a step of a job may take longer
POLL_INTERVAL_SECONDS = 0.02
# now() is the statement's start, before its snapshot is taken.
CHOOSE = """
SELECT now() AS at, pg_snapshot_xmax(pg_current_snapshot())::text AS end_number,
       system_identifier || ':' || (SELECT oid FROM pg_database WHERE datname = current_database())
         AS cluster
  FROM pg_control_system()
"""
IS_PASSED = "SELECT pg_snapshot_xmin(pg_current_snapshot()) >= $1::text::xid8"
# A failed proof counts until a whole one passes, even if one of new entries was stored after it.
READ_BASE = """
SELECT covered_until FROM (SELECT * FROM ledger_proof ORDER BY id DESC LIMIT 1) AS last
 WHERE ok AND cluster = $1 AND NOT EXISTS (
       SELECT FROM ledger_proof failed WHERE NOT failed.ok AND failed.id > (
              SELECT id FROM ledger_proof WHERE is_whole AND ok ORDER BY id DESC LIMIT 1))
"""


@dataclass(frozen=True)
class Boundary:
    """``at`` is by the database's clock; ``cluster`` names the database itself, not a copy."""

    at: datetime
    end_number: str
    cluster: str

    async def is_passed(self, connection: asyncpg.Connection) -> bool:
        """Return whether the current snapshot contains every transaction of before ``at``."""
        is_passed: bool = await connection.fetchval(IS_PASSED, self.end_number)
        return is_passed


async def choose_boundary(connection: asyncpg.Connection) -> Boundary:
    """Return the present moment, once the transactions that are writing are over.

    Waits for a few seconds: ``is_passed`` tells whether that was long enough.
    """
    (record,) = await connection.fetch(CHOOSE)
    boundary = Boundary(**record)
    deadline = time.monotonic() + WAIT_SECONDS
    while not await boundary.is_passed(connection) and time.monotonic() < deadline:
        await asyncio.sleep(POLL_INTERVAL_SECONDS)
    return boundary


async def read_base(connection: asyncpg.Connection, cluster: str) -> datetime | None:
    """Return until when the last proof covered everything.

    None if the next proof has to read everything: there was none, one failed and no whole one has
    passed since, or the last was made in the database whose backup was restored here.
    """
    base: datetime | None = await connection.fetchval(READ_BASE, cluster)
    return base
