"""The ledger's audit compared with a plain sum of its entries, and payments during an audit."""

import asyncio
import re
import statistics
import threading
import time
from collections.abc import AsyncIterator, Iterator, Mapping
from contextlib import asynccontextmanager, contextmanager
from dataclasses import asdict
from datetime import timedelta
from unittest import mock
from uuid import uuid4

from api.foundation.core import clock
from api.foundation.core.config import Settings
from api.foundation.database.database import Database
from api.money.ledger_audit.enums import ProofSource
from api.money.ledger_audit.repository import scopes
from api.money.ledger_audit.repository.audit_run import (
    BY_INDEXES,
    MAX_EXAMPLES,
    MEMORY,
    UNBOUNDED,
    recent_checks,
)
from api.money.ledger_audit.repository.checks import CHECKS, PROOF_SECONDS, SUM_UP
from api.money.ledger_audit.repository.fingerprints import (
    LEDGER,
    LINE_TOTALS,
    ORDER_TOTALS,
    PROVEN,
    SEALED_ENTRIES,
    SEALS,
    WALLETS,
    list_causes,
)
from api.money.ledger_audit.repository.seals import COUNT
from api.money.ledger_audit.service import keep, prove

from bench import scale
from bench.checkout import checkouts
from bench.database import BenchDatabase, database
from bench.harness import BenchError, Server, Verdict, run_load
from bench.load import KEY, Summary, summarise
from bench.open_load import OpenPlan, Outcome
from bench.proof_fill import ENTRIES, add_night, fill
from bench.subjects import our_server, sign_in

PLAIN_SUM = "SELECT sum(amount_kobo) FROM ledger_transfer"
PLAIN_SUM_OF_NEW = "SELECT sum(amount_kobo) FROM ledger_transfer WHERE id >= '{first}'"
NIGHTS = 200  # with as many entries as there are
# The cost of each wallet's balance: printed for comparison with the least possible work.
SUM_OF_EACH = """
SELECT count(*), sum(moved) FROM (
  SELECT wallet_id, sum(wallet_change_kobo) AS moved FROM ledger_transfer GROUP BY wallet_id) AS w
"""
ROUNDS = 3
SHOPPERS = 16
RATE = 40.0  # checkouts a second: far below a server's capacity
SLICE_SECONDS = 25.0
TIMEOUT_SECONDS = 10.0
SLOWEST_STEPS = 3
LONG_LIST = r"\{[^}]{200,}\}"  # the wallets of a sample


def proof(verdict: Verdict) -> None:
    """Compare the audits with plain sums, and payments during them with payments alone."""
    with database() as rows:
        fill(rows, scale.rows(ENTRIES))
        compare_with_sum(verdict, rows)
        compare_nights(verdict, rows)
        print_slowest_steps(rows)
        compare_payments(verdict, rows)


def compare_with_sum(verdict: Verdict, rows: BenchDatabase) -> None:
    """Time sums and whole audits alternately, after one of each that does not count.

    That one also writes the first seals of all wallets.
    """
    taken: dict[str, list[float]] = {"plain sum": [], "sum of each wallet": [], "proof": []}
    for is_counted in (*[False] * scale.warm_ups(), *[True] * scale.rounds(ROUNDS)):
        for name, seconds in (
            ("plain sum", time_statement(rows, PLAIN_SUM)),
            ("sum of each wallet", time_statement(rows, SUM_OF_EACH)),
            ("proof", time_proof(rows, at_least=scale.rows(ENTRIES))),
        ):
            if is_counted:
                taken[name].append(seconds)
    for name, times in taken.items():
        print(
            f"{name:24} {statistics.median(times):8.2f} s  ({scale.rows(ENTRIES)} entries)",
            flush=True,
        )
    ratios = [
        whole / plain for whole, plain in zip(taken["proof"], taken["plain sum"], strict=True)
    ]
    verdict.at_most("whole_proof_over_plain_sum", statistics.median(ratios), 6.0)


def compare_nights(verdict: Verdict, rows: BenchDatabase) -> None:
    """Time an audit of what a night wrote, and a plain sum of that; the first does not count."""
    entries = scale.rows(ENTRIES)
    new = max(1, entries // NIGHTS)
    taken: dict[str, list[float]] = {"plain sum of new": [], "proof of new": []}
    # The rounds follow one another within minutes, and nights do not.
    with mock.patch.object(scopes, "MARGIN", timedelta()):
        for number in range(scale.warm_ups() + scale.rounds(ROUNDS)):
            first = add_night(rows, number, new, entries)
            plain = time_statement(rows, PLAIN_SUM_OF_NEW.format(first=first))
            if number == 0:
                print_recent_steps(rows)
            whole = time_proof(rows, is_whole=False, at_least=new)
            if number >= scale.warm_ups():
                taken["plain sum of new"].append(plain)
                taken["proof of new"].append(whole)
    for name, times in taken.items():
        print(f"{name:24} {statistics.median(times):8.3f} s  ({new} new)", flush=True)
    ratios = [
        one / plain
        for one, plain in zip(taken["proof of new"], taken["plain sum of new"], strict=True)
    ]
    verdict.at_most("nightly_proof_over_plain_sum_of_new", statistics.median(ratios), 3.0)


def print_recent_steps(rows: BenchDatabase) -> None:
    """Print the duration of each step of an audit of new entries, and the plans of the longest."""

    async def scope() -> scopes.Scope:
        async with opened(rows) as one:
            connection = await one.connect_alone()
            try:
                (base,) = await connection.fetch(
                    "SELECT covered_until FROM ledger_proof ORDER BY id DESC LIMIT 1"
                )
                sample = await scopes.sample_wallets(connection)
            finally:
                await connection.close()
        return scopes.written_since(base["covered_until"], clock.now(), sample)

    found = asyncio.run(scope())
    checks = {
        name: SUM_UP.format(query=query, most=MAX_EXAMPLES)
        for name, query in recent_checks(found).items()
    }
    print_plans(rows, {name: checks.pop(name) for name in UNBOUNDED})
    print_plans(rows, checks | {"count": COUNT.format_map(found)}, BY_INDEXES)


def time_statement(rows: BenchDatabase, statement: str) -> float:
    """Run a statement in a session like the audit's; return the seconds it took."""

    async def run() -> float:
        async with opened(rows) as one:
            connection = await one.connect_alone()
            try:
                await connection.execute("SET statement_timeout = 0")
                began = time.perf_counter()
                await connection.fetch(statement, timeout=PROOF_SECONDS)
                return time.perf_counter() - began
            finally:
                await connection.close()

    return asyncio.run(run())


def time_proof(rows: BenchDatabase, *, is_whole: bool = True, at_least: int = 1) -> float:
    """Audit the ledger once, and store the result; return the seconds that the audit took.

    It has to read ``at_least`` so many entries.

    Raises:
        BenchError: it found a fault, or did not read everything.
    """

    async def run() -> float:
        async with opened(rows) as one:
            found = await prove(one, ProofSource.CONSOLE, is_whole=is_whole)
            async with one.transaction() as tx:
                await keep(tx, found)
        read = found.audit.is_whole, found.transfers >= at_least
        if not found.ok or read != (is_whole, True):
            raise BenchError(f"the proof does not hold: {found}")
        return found.took_ms / 1000

    return asyncio.run(run())


@asynccontextmanager
async def opened(rows: BenchDatabase) -> AsyncIterator[Database]:
    """Open the database with the server's role."""
    role = Settings().database_runtime_role
    one = Database(rows.url, runtime_role=role, pool_size=3)
    try:
        yield one
    finally:
        await one.close()


def print_slowest_steps(rows: BenchDatabase) -> None:
    """Print the duration of each step of a passing audit, and the plans of the longest."""
    queries = {"ledger": str(LEDGER.statement), "wallets": str(WALLETS.statement)}
    queries |= {"sealed entries": str(SEALED_ENTRIES.statement), "seals": str(SEALS.statement)}
    queries |= {"orders": str(ORDER_TOTALS.statement), "lines": str(LINE_TOTALS.statement)}
    queries |= {f"causes {n} ({kind})": query for n, (kind, query) in enumerate(list_causes())}
    queries = {name: query.replace("$1", "1") for name, query in queries.items()} | {
        name: SUM_UP.format(query=query, most=MAX_EXAMPLES)
        for name, query in CHECKS.items()
        if name not in PROVEN | {"wallet_seals", "orders_total"}
    }
    print_plans(rows, queries, MEMORY)


def print_plans(rows: BenchDatabase, queries: Mapping[str, str], settings: str = "") -> None:
    """Print the duration of queries, and the plans of the longest."""
    plans = {
        name: rows.sql(f"{settings.replace('LOCAL ', '')}; EXPLAIN (ANALYZE) {query}")
        for name, query in queries.items()
    }
    seconds = {
        name: float(re.findall(r"Execution Time: ([\d.]+) ms", plan)[-1]) / 1000
        for name, plan in plans.items()
    }
    ordered = sorted(seconds, key=seconds.__getitem__, reverse=True)
    for name in ordered:
        print(f"{name:24} {seconds[name]:8.2f} s")
    for name in ordered[:SLOWEST_STEPS]:
        print(f"--- {name}\n{re.sub(LONG_LIST, '{…}', plans[name])}", flush=True)


def compare_payments(verdict: Verdict, rows: BenchDatabase) -> None:
    """Have members pay at a steady rate, with continuous audits and without."""
    rows.add_members(SHOPPERS)
    taken: dict[bool, list[Summary]] = {False: [], True: []}
    with our_server(rows, pinned=False) as ours:
        shoppers = [sign_in(ours, f"bench{n}@example.com") for n in range(1, SHOPPERS + 1)]
        orders = list(checkouts(rows, shoppers))
        pay(ours, orders)
        for _ in range(scale.rounds(ROUNDS)):
            taken[False].append(pay(ours, orders))
            with proving(rows):
                taken[True].append(pay(ours, orders))
    for is_beside, slices in taken.items():
        name = "checkouts beside a proof" if is_beside else "checkouts alone"
        p50, p99 = (
            statistics.median(getattr(one, figure) for one in slices)
            for figure in ("p50_ms", "p99_ms")
        )
        print(f"{name:24} {RATE:10.0f} ops/s  p50 {p50:7.2f} ms  p99 {p99:8.2f} ms", flush=True)
    ratios = [
        beside.p99_ms / alone.p99_ms
        for alone, beside in zip(taken[False], taken[True], strict=True)
    ]
    verdict.at_most("payments_p99_beside_a_proof", statistics.median(ratios), 1.5)


def pay(ours: Server, orders: list[str]) -> Summary:
    """Send checkouts at a steady rate, each with its own key; return the latencies.

    Raises:
        BenchError: a caller was not served.
    """
    seconds = scale.seconds(SLICE_SECONDS)
    total = int(RATE * seconds)
    requests = [
        orders[number % len(orders)].replace(KEY.decode(), str(uuid4())) for number in range(total)
    ]
    plan = OpenPlan(ours.port, RATE, seconds, TIMEOUT_SECONDS, requests)
    outcome = Outcome(**run_load("bench.open_load", asdict(plan), pinned=False))
    if len(outcome.answered_ms) != total:
        raise BenchError(f"{len(outcome.answered_ms)} of {total} were served: {outcome.others}")
    return summarise(outcome.answered_ms, seconds)


@contextmanager
def proving(rows: BenchDatabase) -> Iterator[None]:
    """Audit the ledger continuously during the block."""
    is_over, failed = threading.Event(), []

    def again_and_again() -> None:
        while not is_over.is_set():
            try:
                time_proof(rows)
            except BenchError as error:
                failed.append(error)
                return

    thread = threading.Thread(target=again_and_again)
    thread.start()
    try:
        yield
    finally:
        is_over.set()
        thread.join()
    if failed:
        raise failed[0]
