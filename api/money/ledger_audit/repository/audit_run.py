from dataclasses import dataclass
from datetime import datetime

import asyncpg

from api.foundation.core import clock
from api.foundation.core.money import Kobo
from api.foundation.database.connections import CLOSE_SECONDS
from api.foundation.database.database import Database
from api.foundation.database.locks import AdvisoryLock
from api.foundation.database.statements import Query
from api.money.ledger_audit.repository import seals
from api.money.ledger_audit.repository.boundary import Boundary, choose_boundary, read_base
from api.money.ledger_audit.repository.checks import (
    CHECKS,
    PROOF_SECONDS,
    SUM_UP,
    TEMPLATES,
    TOTALS,
    LedgerTotals,
    Violations,
    read_one,
)
from api.money.ledger_audit.repository.fingerprints import (
    PROVEN,
    count_proven,
    orders_add_up,
    seals_hold,
)
from api.money.ledger_audit.repository.scopes import Scope, sample_wallets, written_since
from api.money.ledger_audit.repository.seals import FROM_SEALS

MAX_EXAMPLES = 5
UNEXPLAINED = "what was moved differs from what it was moved for, and no check says where"
# For hash tables of every order and funding, which would otherwise spill to disk.
MEMORY = "SET LOCAL work_mem = '128MB'"
# New rows are few, and each is looked up by an index: the planner, which knows neither how few nor
# that the pages are in memory, would read whole tables to join them.
BY_INDEXES = """
SET LOCAL enable_seqscan = off; SET LOCAL enable_hashjoin = off; SET LOCAL enable_mergejoin = off;
SET LOCAL random_page_cost = 1.1; SET LOCAL jit = off; SET LOCAL max_parallel_workers_per_gather = 0
"""
# A proof waits for the one before it, and reads for as long as it takes.
WITHOUT_LIMITS = "SET statement_timeout = 0; SET lock_timeout = 0"
LOCK = "SELECT pg_advisory_lock($1)"


ORDER = tuple(CHECKS)
UNBOUNDED = ("stock_allocated",)  # reads what is open, and nothing that is over


@dataclass(frozen=True)
class CheckResult:
    name: str
    count: int
    examples: list[str]


@dataclass(frozen=True)
class Audit:
    """What an audit read and found.

    Every transfer that it did not see has an id of ``covered_until`` or later, but for a margin.
    That is None if it could not be established. ``cluster`` is the database that was read.
    """

    is_whole: bool
    totals: LedgerTotals
    found: tuple[CheckResult, ...]
    covered_until: datetime | None
    cluster: str

    @property
    def ok(self) -> bool:
        """Whether every check passed."""
        return not any(one.count for one in self.found) and self.totals.difference_kobo == 0


async def audit(database: Database, *, is_whole: bool = True) -> Audit:
    """Return the ledger's totals and the result of each check, all as of one moment.

    Reads everything, or if ``is_whole`` is false what was written since the last proof, provided
    that it passed in this database. What passes is sealed. One audit runs at a time.

    Uses a separate connection, because it may take minutes and must not occupy a slot of the pool.
    """
    connection = await database.connect_alone()
    try:
        await connection.execute(WITHOUT_LIMITS)
        await connection.execute(LOCK, AdvisoryLock.LEDGER_PROOF)  # until the connection closes
        boundary = await choose_boundary(connection)
        base = await read_base(connection, boundary.cluster)
        async with connection.transaction(isolation="repeatable_read"):
            await connection.execute(MEMORY)
            covered_until = boundary.at if await boundary.is_passed(connection) else base
            if is_whole or base is None:
                return await _audit_all(connection, boundary, covered_until)
            return await _audit_recent(connection, boundary, base, covered_until)
    finally:
        await connection.close(timeout=CLOSE_SECONDS)


async def _audit_all(
    connection: asyncpg.Connection, boundary: Boundary, covered_until: datetime | None
) -> Audit:
    """Check everything; skips the checks that equal fingerprints have proven."""
    transfers = await count_proven(connection)
    if transfers is None:
        totals = await read_one(connection, TOTALS)
    else:
        totals = LedgerTotals(transfers, Kobo(0))
    proven = frozenset[str]() if transfers is None else PROVEN
    if await seals_hold(connection):
        proven |= {"wallet_seals"}
    if await orders_add_up(connection):
        proven |= {"orders_total"}
    found = [
        CheckResult(name, 0, []) if name in proven else await _check(connection, name, query)
        for name, query in CHECKS.items()
    ]
    if transfers is None and not any(one.count for one in found):
        found[0] = CheckResult(found[0].name, 1, [UNEXPLAINED])
    result = Audit(True, totals, tuple(found), covered_until, boundary.cluster)
    if result.ok:
        await seals.seal_all(connection, boundary.at)
    return result


async def _audit_recent(
    connection: asyncpg.Connection,
    boundary: Boundary,
    base: datetime,
    covered_until: datetime | None,
) -> Audit:
    """Check what was written since ``base``, and a sample of all wallets."""
    scope = written_since(base, clock.now(), await sample_wallets(connection))
    queries = recent_checks(scope)
    found = [await _check(connection, name, queries.pop(name)) for name in UNBOUNDED]
    await connection.execute(BY_INDEXES)
    found += [await _check(connection, name, query) for name, query in queries.items()]
    found.sort(key=lambda one: ORDER.index(one.name))
    transfers = await seals.count_new(connection, scope)
    is_broken = any(one.count for one in found)
    difference = await seals.read_difference(connection, scope) if is_broken else Kobo(0)
    totals = LedgerTotals(transfers, difference)
    result = Audit(False, totals, tuple(found), covered_until, boundary.cluster)
    if result.ok:
        await seals.seal_moved(connection, scope, boundary.at)
    return result


def recent_checks(scope: Scope) -> dict[str, str]:
    """Return the checks of what was written since the last proof, and of the sample."""
    queries = {name: TEMPLATES[name].format_map(scope) for name in TEMPLATES}
    for name in FROM_SEALS:
        queries[name] += f" UNION {FROM_SEALS[name].format_map(scope)}"
    return queries


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
