"""``python -m bench.service_load MEMBERS CALLERS SECONDS [one-product]``: our checkout service.

With ``one-product`` every caller has their own wallet and all buy the same product.
"""

import asyncio
import json
import random
import sys
import time
from collections.abc import Sequence
from dataclasses import asdict
from decimal import Decimal
from uuid import UUID, uuid4

import uvloop
from api.foundation.core.config import Settings
from api.foundation.database.database import Database
from api.foundation.database.statements import Row
from api.shop.schemas.checkout import CheckoutInput
from api.shop.service import checkout, placing

from bench.checkout import BILLING
from bench.harness import Slice, figures
from bench.load import summarise

CONNECTIONS = 16
SEED = 20_261_121


async def run(members: int, callers: int, seconds: float, *, one_product: bool) -> Slice:
    """Call ``check_out`` from ``callers`` tasks for ``seconds`` and return the figures."""
    settings = Settings()
    database = Database(
        settings.database_url, runtime_role=settings.database_runtime_role, pool_size=CONNECTIONS
    )
    people = [
        row["id"]
        for row in await database.fetch_rows(
            "SELECT id FROM bench_member WHERE n <= $1 ORDER BY n", members
        )
    ]
    products = await database.fetch_rows("SELECT id, price_kobo FROM bench_product ORDER BY n")
    placer = placing.OrderPlacer(database)
    chance = random.Random(SEED)  # noqa: S311 - the same carts in every run
    latencies: list[float] = []
    cpu_before, started = time.process_time(), time.perf_counter()

    async def caller(own: UUID) -> None:
        while time.perf_counter() - started < seconds:
            call_started = time.perf_counter()
            user_id: UUID = own if one_product else chance.choice(people)
            wanted = cart(products[:1], chance) if one_product else cart(products, chance)
            form = CheckoutInput.model_validate(wanted)
            await checkout.check_out(placer, settings, user_id, form, str(uuid4()))
            latencies.append((time.perf_counter() - call_started) * 1000)

    async with asyncio.TaskGroup() as group:
        for number in range(callers):
            group.create_task(caller(people[number % len(people)]))
    elapsed, cpu = time.perf_counter() - started, time.process_time() - cpu_before
    await database.close()
    return figures(summarise(latencies, elapsed), cpu)


def cart(products: Sequence[Row], chance: random.Random) -> dict[str, object]:
    """Return a checkout of two different products, or the only one, at the displayed prices."""
    chosen = chance.sample(list(products), min(2, len(products)))
    lines = [
        {"id": str(row["id"]), "quantity": quantity, "price": Decimal(row["price_kobo"]) / 100}
        for quantity, row in enumerate(chosen, start=1)
    ]
    return {"carts": lines, "billing": BILLING, "paymentMethod": "wallet"}


if __name__ == "__main__":
    words = sys.argv[1:]
    load = run(*map(int, words[:2]), float(words[2]), one_product=words[3:] == ["one-product"])
    print(json.dumps(asdict(uvloop.run(load))))
