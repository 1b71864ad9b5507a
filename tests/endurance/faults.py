"""Dependencies fail one after the other while members buy and read.

``python -m tests.endurance.faults [--only NAME ...]``

Reports for each fault the errors that members saw, the delay before a retry, the recovery time, and
the metrics that showed it. Nothing acknowledged may be lost, nothing done twice. ``disk_full``
mounts a small file system, which requires root.
"""

import argparse
import asyncio
import os
import signal
import subprocess
import sys
import tempfile
import time
from collections.abc import AsyncIterator, Callable, Iterator
from contextlib import (
    AbstractAsyncContextManager,
    ExitStack,
    asynccontextmanager,
    contextmanager,
    suppress,
)
from dataclasses import dataclass, field
from pathlib import Path

import httpx
from api.dev.migrations import upgrade
from api.dev.postgres.embedded import EmbeddedPostgres
from api.dev.valkey import EmbeddedValkey
from api.foundation.core.config import Settings
from api.foundation.database.database import Database

from tests.endurance.crash import Tally, add_products, buy, open_wallets, reconcile
from tests.endurance.deployment import ServerProcess, ended_afterwards, server_environment
from tests.endurance.phones import Phones
from tests.endurance.place import add_members, open_sessions
from tests.endurance.proxy import DatabaseProxy

BUYERS, READERS, SOCKETS = 4, 4, 40
QUIET_SECONDS = 4.0  # before a fault, and after it
FAULT_SECONDS = 8.0
READ_PAUSE_SECONDS = 0.02
MAX_SILENCE_SECONDS = 5.0  # until a caller may retry
MAX_RECOVERY_SECONDS = 10.0
DISK_BYTES = 700 * 1024 * 1024
BALLAST_LEFT_BYTES = 0


@dataclass
class Place:
    """Everything that a fault can affect."""

    postgres: EmbeddedPostgres
    server: ServerProcess
    proxy: DatabaseProxy
    valkey: EmbeddedValkey
    folder: Path


@dataclass(frozen=True)
class Answer:
    """One read: when it was sent, in seconds of the monotonic clock, and the response."""

    asked_at: float
    seconds: float
    status: int
    says_when: bool


@dataclass
class Watch:
    """What readers and probes observed."""

    answers: list[Answer] = field(default_factory=list)
    unready: int = 0
    probes: int = 0
    figures: list[dict[str, float]] = field(default_factory=list)  # of each scrape, summed
    stop: bool = False


Fault = Callable[[Place], AbstractAsyncContextManager[None]]


@dataclass(frozen=True)
class Scenario:
    """A fault, and the conditions while it lasts.

    ``found_by`` are metrics of ``/metrics`` of which at least one must have changed.
    """

    name: str
    fault: Fault
    reads_go_on: bool = False
    writes_go_on: bool = False
    is_unready: bool = True
    found_by: tuple[str, ...] = ()


@asynccontextmanager
async def postgres_restarted(place: Place) -> AsyncIterator[None]:
    """Stop PostgreSQL cleanly; it is restarted at the end."""
    os.kill(place.postgres.pid, signal.SIGINT)
    yield


@asynccontextmanager
async def postgres_killed(place: Place) -> AsyncIterator[None]:
    """Kill PostgreSQL; it restarts automatically and replays its log."""
    os.kill(place.postgres.pid, signal.SIGKILL)
    yield


@asynccontextmanager
async def postgres_read_only(place: Place) -> AsyncIterator[None]:
    """Make PostgreSQL read-only, as after a failover to a standby."""
    await _run_sql(place, "ALTER SYSTEM SET default_transaction_read_only = on")
    await _run_sql(place, "SELECT pg_reload_conf()")
    yield
    await _run_sql(
        place, "SET default_transaction_read_only = off; ALTER SYSTEM RESET ALL", alone=True
    )
    await _run_sql(place, "SELECT pg_reload_conf()")


async def _run_sql(place: Place, statement: str, *, alone: bool = False) -> None:
    statements = statement.split("; ") if alone else [statement]
    url = place.postgres.url("postgres")
    database = Database(url, runtime_role="", pool_size=1)
    try:
        connection = await database.connect_alone()
        try:
            for one in statements:
                await connection.execute(one)
        finally:
            await connection.close()
    finally:
        await database.close()


@asynccontextmanager
async def black_hole(place: Place) -> AsyncIterator[None]:
    """Drop all traffic to PostgreSQL silently."""
    place.proxy.is_silent = True
    yield
    place.proxy.is_silent = False
    place.proxy.drop_all()


@asynccontextmanager
async def far_away(place: Place) -> AsyncIterator[None]:
    """Add 200 ms of latency to PostgreSQL."""
    place.proxy.delay_seconds = 0.1
    yield
    place.proxy.delay_seconds = 0.0


@asynccontextmanager
async def disk_full(place: Place) -> AsyncIterator[None]:
    """Fill the disk of PostgreSQL's data."""
    ballast = place.folder / "ballast"
    with ballast.open("wb") as file, suppress(OSError):
        while True:
            file.write(bytes(1 << 20))
            file.flush()
    yield
    ballast.unlink()


@asynccontextmanager
async def valkey_away(place: Place) -> AsyncIterator[None]:
    """Stop the broker that connects the workers' sockets."""
    place.valkey.stop()
    yield
    await asyncio.to_thread(place.valkey.start)


@asynccontextmanager
async def worker_killed(place: Place) -> AsyncIterator[None]:
    """Kill one of the two server processes."""
    os.kill(place.server.workers()[0], signal.SIGKILL)
    yield


SCENARIOS = (
    Scenario(
        "postgres_restarted",
        postgres_restarted,
        is_unready=False,  # it is back too soon for every probe
        found_by=("dependency_restarts_total",),
    ),
    Scenario(
        "postgres_killed",
        postgres_killed,
        is_unready=False,
        found_by=("dependency_restarts_total",),
    ),
    Scenario("postgres_read_only", postgres_read_only, reads_go_on=True, found_by=("ready",)),
    Scenario("black_hole", black_hole, found_by=("ready", "database_figures_up")),
    Scenario(
        "far_away",
        far_away,
        reads_go_on=True,
        writes_go_on=True,
        is_unready=False,
        found_by=("database_wait_seconds_sum",),
    ),
    Scenario("disk_full", disk_full, reads_go_on=True, found_by=("ready",)),
    Scenario(
        "valkey_away",
        valkey_away,
        reads_go_on=True,
        writes_go_on=True,
        is_unready=False,
        found_by=("dependency_up",),
    ),
    Scenario(
        "worker_killed",
        worker_killed,
        reads_go_on=True,
        writes_go_on=True,
        is_unready=False,
        found_by=("server_process_starts_total",),
    ),
)


@contextmanager
def small_disk(folder: Path) -> Iterator[None]:
    """Mount a small file system at ``folder`` during the block."""
    options = ["-t", "tmpfs", "-o", f"size={DISK_BYTES},mode=0711", "tmpfs", str(folder)]
    subprocess.run(["mount", *options], check=True)  # noqa: S607 the system's own
    try:
        yield
    finally:
        subprocess.run(["umount", "--lazy", str(folder)], check=False)  # noqa: S607 as above


async def read(base: str, member: str, token: str, watch: Watch) -> None:
    """Request a balance repeatedly."""
    headers = {"Authorization": f"Bearer {token}"}
    while not watch.stop:
        asked_at = time.monotonic()
        status, says_when = 0, False
        with suppress(httpx.TransportError):
            async with httpx.AsyncClient(base_url=base, timeout=15) as client:
                answer = await client.get(
                    f"/api/v1/payment/wallet-balance/{member}", headers=headers
                )
                status, says_when = answer.status_code, "retry-after" in answer.headers
        watch.answers.append(Answer(asked_at, time.monotonic() - asked_at, status, says_when))
        await asyncio.sleep(READ_PAUSE_SECONDS)


async def probe(base: str, watch: Watch) -> None:
    """Request readiness and metrics as a balancer and a scraper do."""
    async with httpx.AsyncClient(base_url=base, timeout=10) as client:
        while not watch.stop:
            with suppress(httpx.TransportError):
                watch.unready += (await client.get("/readyz")).status_code == 503
                watch.probes += 1
                watch.figures.append(_read_figures((await client.get("/metrics")).text))
            await asyncio.sleep(0.25)


def _read_figures(text: str) -> dict[str, float]:
    sums: dict[str, float] = {}
    for line in text.splitlines():
        if not line.startswith("#"):
            name, _, value = line.rpartition(" ")
            bare = name.partition("{")[0]
            sums[bare] = sums.get(bare, 0.0) + float(value)
    return sums


async def rehearse(place: Place, scenario: Scenario) -> str:
    """Cause a fault and end it while members buy, read and chat; return what was observed.

    Raises:
        AssertionError: something was lost or doubled, or members got no response.
    """
    role = Settings().database_runtime_role
    database = Database(place.postgres.url(), runtime_role=role, pool_size=4)
    members = await add_members(database, BUYERS + SOCKETS)
    products = await add_products(database)
    wallets = await open_wallets(database, members[:BUYERS])
    tokens = await open_sessions(database, members[BUYERS:])
    await database.close()
    base, tally, watch = place.server.base, Tally(), Watch()
    phones = Phones(base, tokens)
    await phones.join_rooms(members[BUYERS:])
    await phones.connect()
    tasks = [
        asyncio.create_task(buy(base, token, products, tally, seed))
        for seed, token in enumerate(wallets.values())
    ]
    tasks += [
        asyncio.create_task(read(base, str(member), token, watch))
        for member, token in zip(members[BUYERS:][:READERS], tokens[:READERS], strict=True)
    ]
    tasks.append(asyncio.create_task(probe(base, watch)))
    await asyncio.sleep(QUIET_SECONDS)
    scrapes_before = len(watch.figures)
    orders_before = len(tally.orders)
    unready_before = watch.unready
    began = time.monotonic()
    async with scenario.fault(place):
        await asyncio.sleep(FAULT_SECONDS)
        orders_within = len(tally.orders) - orders_before
    ended = time.monotonic()
    recovery = await _recover(tally, watch, ended)
    await phones.wait_until_all_joined()
    await asyncio.sleep(QUIET_SECONDS)
    watch.stop = tally.stop = True
    await asyncio.gather(*tasks)
    await phones.close()
    await reconcile(Database(place.postgres.url(), runtime_role=role, pool_size=2), tally, BUYERS)
    within = [answer for answer in watch.answers if began <= answer.asked_at < ended]
    usual = watch.figures[scrapes_before - 1]
    found = [
        name
        for name in scenario.found_by
        if any(
            seen[name] != usual.get(name) for seen in watch.figures[scrapes_before:] if name in seen
        )
    ]
    _judge(scenario, within, orders_within, watch.unready - unready_before, found)
    statuses = sorted({answer.status for answer in within})
    counts = {status: sum(one.status == status for one in within) for status in statuses}
    return (
        f"{scenario.name}: reads {counts}, slowest {max(one.seconds for one in within):.1f} s; "
        f"{orders_within} orders within, {len(tally.orders)} in all, {tally.retries} tries "
        f"repeated; all well {recovery:.1f} s after its end; "
        f"unready in {watch.unready - unready_before} of {watch.probes} probes; "
        f"found by {', '.join(found) or 'nothing'}"
    )


async def _recover(tally: Tally, watch: Watch, ended: float) -> float:
    """Return how long after the fault's end a read and an order succeeded again, in seconds."""
    orders = len(tally.orders)

    def is_well() -> bool:
        reads = watch.answers[-20:]
        return len(tally.orders) > orders and any(
            read.asked_at > ended and read.status == 200 for read in reads
        )

    async with asyncio.timeout(60):
        while not is_well():  # noqa: ASYNC110 polled
            await asyncio.sleep(0.02)
    return time.monotonic() - ended


def _judge(
    scenario: Scenario, within: list[Answer], orders: int, unready: int, found: list[str]
) -> None:
    name = scenario.name
    assert len(within) >= READERS, f"{name}: too few reads to prove anything"
    strange = {one.status for one in within} - {0, 200, 503}
    assert not strange, f"{name}: members saw {strange}"
    untold = [one for one in within if one.status == 503 and not one.says_when]
    assert not untold, f"{name}: refusals without Retry-After"
    slowest = max(one.seconds for one in within)
    assert slowest <= MAX_SILENCE_SECONDS + 0.5, f"{name}: somebody waited {slowest:.1f} s"
    if scenario.reads_go_on:
        share = sum(one.status == 200 for one in within) / len(within)
        assert share > 0.9, f"{name}: reads did not go on: {share:.0%}"
    if scenario.writes_go_on:
        assert orders > 0, f"{name}: nobody could buy"
    if scenario.is_unready:
        assert unready > 0, f"{name}: readiness never failed"
    if scenario.found_by:
        assert found, f"{name}: no figure moved"


def run(scenario: Scenario) -> str:
    """Set up an environment for one scenario, run it, and return what was observed."""
    with ExitStack() as stack:
        folder = Path(stack.enter_context(tempfile.TemporaryDirectory(prefix="kof-faults-")))
        folder.chmod(0o711)
        if scenario.name == "disk_full":
            stack.enter_context(small_disk(folder))
        postgres = EmbeddedPostgres(folder / "postgres")
        stack.enter_context(postgres)
        postgres.ensure_database("fans")
        upgrade(postgres.url())
        valkey = EmbeddedValkey(folder / "valkey")
        stack.enter_context(valkey)
        return asyncio.run(_run(scenario, postgres, valkey, folder))


async def _run(
    scenario: Scenario, postgres: EmbeddedPostgres, valkey: EmbeddedValkey, folder: Path
) -> str:
    proxy = DatabaseProxy(postgres.url())
    async with proxy:
        environment = server_environment(postgres, folder, valkey_url=valkey.url, workers=2)
        environment["DATABASE_URL"] = proxy.url
        server = ServerProcess(environment)
        with ended_afterwards([server]):
            server.start()
            await server.wait_until_ready()
            return await rehearse(Place(postgres, server, proxy, valkey, folder), scenario)


def main() -> int:
    """Run all faults, or the named ones."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--only", nargs="*", choices=[one.name for one in SCENARIOS])
    chosen = parser.parse_args()
    failed = False
    for scenario in SCENARIOS:
        if chosen.only and scenario.name not in chosen.only:
            continue
        try:
            print(run(scenario), flush=True)
        except (AssertionError, TimeoutError) as error:
            failed = True
            print(f"{scenario.name}: FAILED: {error!r}", flush=True)
    return int(failed)


if __name__ == "__main__":
    sys.exit(main())
