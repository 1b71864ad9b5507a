"""A shop that is killed while it sells: nothing acknowledged is lost, nothing is done twice.

``python -m tests.endurance.crash [--kills N] [--buyers B]``

Buyers send checkouts with an idempotency key and repeat each until it has a final response.
Meanwhile the server is killed repeatedly with SIGKILL; every fourth time it is PostgreSQL instead.
"""

import argparse
import asyncio
import os
import random
import signal
import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any
from uuid import UUID, uuid4

import httpx
from api.dev.postgres.embedded import EmbeddedPostgres
from api.foundation.core import clock
from api.foundation.core.config import Settings
from api.foundation.core.ids import new_id
from api.foundation.core.money import Kobo
from api.foundation.database.database import Database
from api.money.ledger_audit.repository.audit_run import broken_invariants_in
from api.money.wallet.service import operator_credits

from tests.conftest import client_of, free_port
from tests.endurance.place import (
    add_members,
    durable_postgres,
    open_sessions,
)
from tests.preloaded import PreloadedPopen

OPENING_KOBO = 10_000_000_000  # enough for a soak of hours
PRICE_KOBO = 12_345
PRODUCTS = 5
STOCK = 1_000_000
POSTGRES_EVERY = 4
LEAST_ORDERS_PER_KILL = 1.0
FINAL = {201, 402, 409, 422}

SERVE = """
import sys, uvicorn
from api.main import create_app
uvicorn.run(create_app(), port=int(sys.argv[1]), log_config=None, access_log=False)
"""


@dataclass
class Tally:
    """What the buyers observed."""

    orders: dict[str, str] = field(default_factory=dict)
    retries: int = 0
    refused: int = 0
    stop: bool = False


class Shop:
    """The server under test: killed and restarted."""

    def __init__(self, environment: dict[str, str], port: int) -> None:
        self._environment = environment
        self._process: PreloadedPopen | None = None
        self.port = port

    def start(self) -> None:
        self._process = PreloadedPopen(
            [sys.executable, "-c", SERVE, str(self.port)], env=self._environment
        )

    def kill(self) -> None:
        assert self._process is not None
        self._process.kill()
        self._process.wait()


@contextmanager
def preloaded_server(url: str, folder: Path) -> Iterator[Shop]:
    """Run a server on a free port."""
    port = free_port()
    environment = {
        **os.environ,
        "DATABASE_URL": url,
        "VAR_DIR": str(folder / "var"),
        "APP_ENV": "test",
        "LOG_LEVEL": "ERROR",
        "PUBLIC_URL": f"http://127.0.0.1:{port}",
    }
    shop = Shop(environment, port)
    shop.start()
    try:
        yield shop
    finally:
        shop.kill()


async def add_products(database: Database) -> list[UUID]:
    """Insert a few products."""
    products = [new_id() for _ in range(PRODUCTS)]
    async with database.transaction() as tx:
        for one in products:
            await tx.execute(
                "INSERT INTO product (id, name, description, price_kobo, image, thumbnail, star, "
                "position) VALUES ($1, 'Scarf', '', $2, '', '', 5, 1)",
                one,
                PRICE_KOBO,
            )
            await tx.execute(
                "INSERT INTO product_variant (id, product_id, is_default, stock) "
                "VALUES ($1, $2, true, $3)",
                new_id(),
                one,
                STOCK,
            )
    return products


async def open_wallets(database: Database, members: list[UUID]) -> dict[UUID, str]:
    """Fund every member and sign them in; return their tokens."""
    async with database.transaction() as tx:
        for member in members:
            reference = f"open:{member}"
            await operator_credits.import_credit(
                tx, member, Kobo(OPENING_KOBO), reference, clock.now()
            )
    return dict(zip(members, await open_sessions(database, members), strict=True))


async def buy(
    base: str,
    token: str,
    products: list[UUID],
    tally: Tally,
    seed: int,
    pause_seconds: float = 0.0,
) -> None:
    """Place order after order, each repeated under its key until the response is final."""
    chance = random.Random(seed)  # noqa: S311 a workload must be replayable
    while not tally.stop:
        key = str(uuid4())
        wish = {
            "carts": [{"id": str(chance.choice(products)), "quantity": chance.randint(1, 3)}],
            "billing": {"firstName": "A", "lastName": "B", "phone": "08031234567", "address": "x"},
            "paymentMethod": "wallet",
        }
        answer = await final_answer(base, token, key, wish, tally)
        if answer.status_code == 201:
            tally.orders[key] = answer.json()["data"]["orderId"]
        else:
            tally.refused += 1
        await asyncio.sleep(pause_seconds)


async def final_answer(
    base: str, token: str, key: str, wish: dict[str, Any], tally: Tally
) -> httpx.Response:
    """Send a checkout until the server has given a final response."""
    headers = {"Authorization": f"Bearer {token}", "Idempotency-Key": key}
    while True:
        try:
            async with client_of(base, timeout=10) as client:
                for _ in range(1000):
                    answer = await client.post(
                        "/api/v1/products/checkout", json=wish, headers=headers
                    )
                    if answer.status_code in FINAL:
                        return answer
                    tally.retries += 1
                    await asyncio.sleep(0.05)
        except httpx.TransportError:
            tally.retries += 1
            await asyncio.sleep(0.02)


async def kill_again_and_again(
    shop: Shop, postgres: EmbeddedPostgres, kills: int, tally: Tally, seed: int
) -> int:
    """Kill the server, or PostgreSQL, ``kills`` times at random moments; return PostgreSQL's."""
    chance = random.Random(seed)  # noqa: S311 a workload must be replayable
    database_kills = 0
    for number in range(1, kills + 1):
        had = len(tally.orders)
        began = time.monotonic()
        while len(tally.orders) <= had and time.monotonic() - began < 10:  # noqa: ASYNC110 polled
            await asyncio.sleep(0.01)
        await asyncio.sleep(chance.uniform(0, 0.15))
        if number % POSTGRES_EVERY == 0:
            os.kill(postgres.pid, signal.SIGKILL)
            await asyncio.to_thread(restart, postgres)
            database_kills += 1
        else:
            shop.kill()
            shop.start()
    return database_kills


def restart(postgres: EmbeddedPostgres) -> None:
    """Restart a killed PostgreSQL on its own data."""
    postgres.stop()
    postgres.start()


async def prove(
    shop: Shop, postgres: EmbeddedPostgres, base: str, kills: int, buyers: int
) -> tuple[Tally, int]:
    """Run buyers and killer, then compare the database with the buyers' responses.

    Raises:
        AssertionError: something was lost, doubled or unbalanced, or too little happened.
    """
    role = Settings().database_runtime_role
    database = Database(postgres.url(), runtime_role=role, pool_size=4)
    members = await add_members(database, buyers)
    products = await add_products(database)
    tokens = await open_wallets(database, members)
    tally = Tally()
    tasks = [
        asyncio.create_task(buy(base, tokens[member], products, tally, seed))
        for seed, member in enumerate(members)
    ]
    database_kills = await kill_again_and_again(shop, postgres, kills, tally, seed=2026)
    tally.stop = True
    await asyncio.gather(*tasks)
    await database.close()
    await reconcile(Database(postgres.url(), runtime_role=role, pool_size=2), tally, buyers)
    assert len(tally.orders) >= LEAST_ORDERS_PER_KILL * kills, "too few orders to prove anything"
    assert tally.retries >= kills // 2, "too few interrupted checkouts to prove anything"
    return tally, database_kills


async def reconcile(database: Database, tally: Tally, buyers: int) -> None:
    """Compare orders, money and stock with what was acknowledged."""
    try:
        rows = await database.fetch_rows("SELECT id FROM shop_order")
        stored = {str(row["id"]) for row in rows}
        acknowledged = set(tally.orders.values())
        assert acknowledged - stored == set(), "acknowledged orders are lost"
        assert stored - acknowledged == set(), "orders exist that nobody was told of"
        assert len(stored) == len(tally.orders), "a key made two orders"
        sums = await database.fetch_row(
            "SELECT (SELECT coalesce(sum(total_kobo), 0) FROM shop_order) AS sold, "
            "(SELECT coalesce(sum(amount_kobo), 0) FROM ledger_transfer WHERE kind = 'purchase') "
            "AS paid, (SELECT sum(balance_kobo) FROM ledger_account) AS held, "
            "(SELECT coalesce(sum(quantity), 0) FROM order_line) AS shipped, "
            "(SELECT sum(stock - allocated) FROM product_variant) AS left_over, "
            "(SELECT count(*) FROM idempotency_key WHERE answer IS NOT NULL) AS answered"
        )
        assert sums is not None
        assert sums["sold"] == sums["paid"], "orders and money differ"
        assert sums["held"] == buyers * OPENING_KOBO - sums["paid"], "money went elsewhere"
        assert sums["left_over"] == PRODUCTS * STOCK - sums["shipped"], "stock went elsewhere"
        assert sums["answered"] == len(tally.orders), "keys and orders differ"
        broken = await broken_invariants_in(database)
        assert not broken, broken
    finally:
        await database.close()


def run(kills: int, buyers: int) -> tuple[Tally, int]:
    """Set up the environment, run the test, and return what was observed."""
    with (
        durable_postgres() as (postgres, folder),
        preloaded_server(postgres.url(), folder) as shop,
    ):
        base = f"http://127.0.0.1:{shop.port}"
        return asyncio.run(prove(shop, postgres, base, kills, buyers))


def main() -> int:
    """Run the test from the command line."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--kills", type=int, default=200)
    parser.add_argument("--buyers", type=int, default=8)
    chosen = parser.parse_args()
    began = time.monotonic()
    tally, database_kills = run(chosen.kills, chosen.buyers)
    print(
        f"{chosen.kills} kills ({database_kills} of PostgreSQL), {len(tally.orders)} orders "
        f"acknowledged, {tally.retries} retries, {tally.refused} refused, "
        f"{time.monotonic() - began:.0f} s: nothing lost, nothing doubled, every kobo accounted for"
    )
    return 0


if __name__ == "__main__":
    sys.exit(main())
