"""Rolling restarts while members buy and chat: no keyed write fails or is done twice.

``python -m tests.endurance.rolls [--rolls N] [--sockets S] [--buyers B] [--pause SECONDS]``

Half of the restarts use SIGHUP, which replaces two workers on one port. The other half use SIGTERM
on two servers behind a balancer, which skips a server that is not ready. After each restart all
sockets reconnect.
"""

import argparse
import asyncio
import signal
import statistics
import sys
import tempfile
import time
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from dataclasses import dataclass
from pathlib import Path

from api.dev.postgres.embedded import EmbeddedPostgres
from api.dev.valkey import EmbeddedValkey
from api.foundation.core.config import Settings
from api.foundation.database.database import Database

from tests.endurance.crash import Tally, add_products, buy, open_wallets, reconcile
from tests.endurance.deployment import (
    Backend,
    Balancer,
    ServerProcess,
    ended_afterwards,
    server_environment,
)
from tests.endurance.phones import Phones
from tests.endurance.place import add_members, durable_postgres, open_sessions

BUYING_SECONDS = 1.0  # between two rolls
MAX_REJOIN_P99_SECONDS = 5.0
LEAST_ORDERS_PER_ROLL = 5


@dataclass(frozen=True)
class People:
    """The load during the rolls; a buyer pauses between two orders."""

    sockets: int
    buyers: int
    pause_seconds: float = 0.0


@dataclass
class Outcome:
    """Statistics of one kind of roll."""

    way: str
    rolls: int
    orders: int
    retries: int
    rejoins: list[float]
    early_refusals: int
    max_roll_seconds: float

    def rejoin_p99(self) -> float:
        """Return the 99th percentile of the seconds to reconnect."""
        return statistics.quantiles(self.rejoins, n=100)[98]

    def describe(self) -> str:
        """Return the figures as a sentence."""
        return (
            f"{self.rolls} rolls by {self.way} ({self.max_roll_seconds:.1f} s at most): "
            f"{self.orders} orders acknowledged, {self.retries} tries repeated, "
            f"{len(self.rejoins)} sockets came back, p50 {statistics.median(self.rejoins):.1f} s, "
            f"p99 {self.rejoin_p99():.1f} s, longest {max(self.rejoins):.1f} s; "
            f"{self.early_refusals} refusals before readiness said so"
        )


@asynccontextmanager
async def load(
    postgres: EmbeddedPostgres, base: str, people: People
) -> AsyncIterator[tuple[Tally, Phones]]:
    """Run buyers and chat sockets during the block; then check what is stored.

    Raises:
        AssertionError: something was lost, doubled or unbalanced.
    """
    role = Settings().database_runtime_role
    database = Database(postgres.url(), runtime_role=role, pool_size=4)
    members = await add_members(database, people.buyers + people.sockets)
    products = await add_products(database)
    wallets = await open_wallets(database, members[: people.buyers])
    phones = Phones(base, await open_sessions(database, members[people.buyers :]))
    await database.close()
    tally = Tally()
    shoppers = [
        asyncio.create_task(buy(base, token, products, tally, seed, people.pause_seconds))
        for seed, token in enumerate(wallets.values())
    ]
    await phones.join_rooms(members[people.buyers :])
    await phones.connect()
    try:
        yield tally, phones
        await phones.wait_until_all_joined()
    finally:
        tally.stop = True
        await asyncio.gather(*shoppers)
        await phones.close()
    await reconcile(Database(postgres.url(), runtime_role=role, pool_size=2), tally, people.buyers)


async def wait_for_orders(tally: Tally, count: int) -> None:
    """Wait until this many more orders were acknowledged."""
    wanted = len(tally.orders) + count
    while len(tally.orders) < wanted:  # noqa: ASYNC110 polled
        await asyncio.sleep(0.02)
    await asyncio.sleep(BUYING_SECONDS)


async def roll_by_sighup(
    postgres: EmbeddedPostgres, folder: Path, valkey_url: str, rolls: int, people: People
) -> Outcome:
    """Replace both workers of one server repeatedly."""
    environment = server_environment(postgres, folder, valkey_url=valkey_url, workers=2)
    server = ServerProcess(environment)
    max_seconds = 0.0
    with ended_afterwards([server]):
        server.start()
        await server.wait_until_ready()
        async with load(postgres, server.base, people) as (tally, phones):
            for _ in range(rolls):
                await wait_for_orders(tally, LEAST_ORDERS_PER_ROLL)
                before, began = set(server.workers()), time.monotonic()
                server.signal(signal.SIGHUP)
                async with asyncio.timeout(90):
                    while before & set(server.workers()) or len(server.workers()) != len(before):  # noqa: ASYNC110 polled
                        await asyncio.sleep(0.05)
                max_seconds = max(max_seconds, time.monotonic() - began)
                await phones.wait_until_all_joined()
    return Outcome(
        "SIGHUP", rolls, len(tally.orders), tally.retries, phones.rejoins, 0, max_seconds
    )


async def roll_by_sigterm(
    postgres: EmbeddedPostgres, folder: Path, valkey_url: str, rolls: int, people: People
) -> Outcome:
    """Stop and start two servers behind a balancer in turn, repeatedly."""
    environment = server_environment(postgres, folder, valkey_url=valkey_url)
    servers = [ServerProcess(environment), ServerProcess(environment)]
    balancer = Balancer([Backend(server.port) for server in servers])
    max_seconds = 0.0
    with ended_afterwards(servers):
        for server in servers:
            server.start()
        for server in servers:
            await server.wait_until_ready()
        listening = await balancer.serve()
        async with (
            listening,
            load(postgres, f"http://127.0.0.1:{balancer.port}", people) as (
                tally,
                phones,
            ),
        ):
            for _ in range(rolls):
                began = time.monotonic()
                for server in servers:
                    await wait_for_orders(tally, LEAST_ORDERS_PER_ROLL)
                    server.signal(signal.SIGTERM)
                    await server.wait_until_ended()
                    server.start()
                    await server.wait_until_ready()
                    await phones.wait_until_all_joined()
                max_seconds = max(max_seconds, time.monotonic() - began)
        balancer.close()
    refusals = balancer.early_refusals
    return Outcome(
        "SIGTERM", rolls, len(tally.orders), tally.retries, phones.rejoins, refusals, max_seconds
    )


def run(rolls: int, people: People) -> list[Outcome]:
    """Roll both ways, each in a separate environment; the command judges the durations.

    Raises:
        AssertionError: something was lost or refused too early, or too little happened.
    """
    outcomes = []
    for way in (roll_by_sighup, roll_by_sigterm):
        with (
            durable_postgres() as (postgres, folder),
            tempfile.TemporaryDirectory(prefix="kof-valkey-") as state,
            EmbeddedValkey(Path(state)) as valkey,
        ):
            outcome = asyncio.run(way(postgres, folder, valkey.url, (rolls + 1) // 2, people))
        print(outcome.describe(), flush=True)
        assert outcome.orders >= LEAST_ORDERS_PER_ROLL * outcome.rolls, "too few orders"
        assert len(outcome.rejoins) >= people.sockets * outcome.rolls // 2, (
            "too few sockets were rolled"
        )
        assert outcome.early_refusals == 0, "a server refused before it said that it stops"
        outcomes.append(outcome)
    return outcomes


def main() -> int:
    """Run the test from the command line."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--rolls", type=int, default=20)
    parser.add_argument("--sockets", type=int, default=500)
    parser.add_argument("--buyers", type=int, default=8)
    parser.add_argument("--pause", type=float, default=0.0, metavar="SECONDS")
    chosen = parser.parse_args()
    outcomes = run(chosen.rolls, People(chosen.sockets, chosen.buyers, chosen.pause))
    return int(any(one.rejoin_p99() > MAX_REJOIN_P99_SECONDS for one in outcomes))


if __name__ == "__main__":
    sys.exit(main())
