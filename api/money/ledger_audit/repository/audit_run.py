from dataclasses import dataclass

import asyncpg

from api.foundation.core.money import Kobo
from api.foundation.database.connections import CLOSE_SECONDS
from api.foundation.database.database import Database
from api.foundation.database.statements import Query
from api.money.ledger_audit.repository.checks import (
    CHECKS,
    PROOF_SECONDS,
    SUM_UP,
    TOTALS,
    LedgerTotals,
    Violations,
    read_one,
)
from api.money.ledger_audit.repository.fingerprints import PROVEN, count_proven

MAX_EXAMPLES = 5
UNEXPLAINED = "what was moved differs from what it was moved for, and no check says where"
# For hash tables of every order and funding, which would otherwise spill to disk.
MEMORY = "SET LOCAL work_mem = '128MB'"


@dataclass(frozen=True)
class CheckResult:
    name: str
    count: int
    examples: list[str]


async def audit(database: Database) -> tuple[LedgerTotals, tuple[CheckResult, ...]]:
    """Return the ledger's totals and the result of each check, all as of one moment.

    Skips the checks that equal fingerprints have proven. Uses a separate connection, because it may
    take minutes and must not occupy a slot of the pool.
    """
    connection = await database.connect_alone()
    try:
        await connection.execute("SET statement_timeout = 0")
        async with connection.transaction(isolation="repeatable_read", readonly=True):
            await connection.execute(MEMORY)
            transfers = await count_proven(connection)
            if transfers is None:
                totals = await read_one(connection, TOTALS)
            else:
                totals = LedgerTotals(transfers, Kobo(0))
            found = [
                CheckResult(name, 0, [])
                if transfers is not None and name in PROVEN
                else await _check(connection, name, query)
                for name, query in CHECKS.items()
            ]
        if transfers is None and not any(one.count for one in found):
            found[0] = CheckResult(found[0].name, 1, [UNEXPLAINED])
        return totals, tuple(found)
    finally:
        await connection.close(timeout=CLOSE_SECONDS)


async def _check(connection: asyncpg.Connection, name: str, query: str) -> CheckResult:
    statement = SUM_UP.format(query=query, most=MAX_EXAMPLES)
    found = await read_one(connection, Query(statement, Violations))
    return CheckResult(name, found.count, found.examples or [])


async def broken_invariants_in(database: Database) -> list[str]:
    """Return the checks that fail, using a separate connection."""
    connection = await database.connect_alone()
    try:
        return await broken_invariants(connection)
    finally:
        await connection.close(timeout=CLOSE_SECONDS)


async def broken_invariants(connection: asyncpg.Connection) -> list[str]:
    """Return the checks that fail; on a large ledger it takes minutes."""
    await connection.execute("SET statement_timeout = 0", timeout=PROOF_SECONDS)
    return [
        name
        for name, query in CHECKS.items()
        if await connection.fetchrow(f"{query} LIMIT 1", timeout=PROOF_SECONDS) is not None
    ]
