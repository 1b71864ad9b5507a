"""The moment before which a proof has seen everything, whatever commits later.

Transactions are numbered when they begin to write. A short one receives a number after ``at``; once
every transaction with a lower number is over, a later snapshot contains them all. So whatever that
snapshot does not contain began to write after ``at``. (A snapshot's own ``xmax`` is no such number:
it counts from the last transaction that ended, and may be that of one which is writing.)
"""

import asyncio
import time
from dataclasses import dataclass
from datetime import datetime

import asyncpg

WAIT_SECONDS = 5.0  # for transactions that are writing; a step of a job may take longer
POLL_INTERVAL_SECONDS = 0.02
# now() is the statement's start, before it receives its number.
CHOOSE = """
SELECT now() AS at, pg_current_xact_id()::text AS number,
       system_identifier || ':' || timeline_id || ':'
         || (SELECT oid FROM pg_database WHERE datname = current_database()) AS cluster
  FROM pg_control_system(), pg_control_checkpoint()
"""
IS_PASSED = "SELECT pg_snapshot_xmin(pg_current_snapshot()) > $1::text::xid8"
# A failed proof counts until a whole one passes, even if one of new entries was stored after it.
READ_BASE = """
SELECT covered_until FROM (SELECT * FROM ledger_proof ORDER BY id DESC LIMIT 1) AS last
 WHERE ok AND cluster = $1 AND NOT EXISTS (
       SELECT FROM ledger_proof failed WHERE NOT failed.ok AND failed.id > (
              SELECT id FROM ledger_proof WHERE is_whole AND ok ORDER BY id DESC LIMIT 1))
"""


@dataclass(frozen=True)
class Boundary:
    """``at`` is by the database's clock.

    ``cluster`` names the database itself: a restored or promoted one has another. A copy of its
    files that was started as it is cannot be told from it.
    """

    at: datetime
    number: str
    cluster: str

    async def is_passed(self, connection: asyncpg.Connection) -> bool:
        """Return whether the current snapshot contains every transaction of before ``at``."""
        is_passed: bool = await connection.fetchval(IS_PASSED, self.number)
        return is_passed


async def choose_boundary(connection: asyncpg.Connection) -> Boundary:
    """Return the present moment, once the transactions that are writing are over.

    Waits for a few seconds: ``is_passed`` tells whether that was long enough.
    """
    (record,) = await connection.fetch(CHOOSE)
    boundary = Boundary(**record)
    deadline = time.monotonic() + WAIT_SECONDS
    while not await boundary.is_passed(connection):
        if time.monotonic() >= deadline:
            break
        await asyncio.sleep(POLL_INTERVAL_SECONDS)
    return boundary


async def read_base(connection: asyncpg.Connection, cluster: str) -> datetime | None:
    """Return until when the last proof covered everything.

    None if the next proof has to read everything: there was none, one failed and no whole one has
    passed since, or the last was made in the database whose backup was restored here.
    """
    base: datetime | None = await connection.fetchval(READ_BASE, cluster)
    return base
