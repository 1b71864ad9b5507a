"""An hour of ordinary use: memory and descriptors stay flat, and no call fails.

``python -m tests.endurance.soak [--minutes M] [--sockets S]``

Members buy and read, and their sockets connect and disconnect. The server processes' memory and
descriptors are sampled. Their slope is printed and checked, without the first quarter of the time,
while caches fill.
"""

import argparse
import asyncio
import statistics
import sys
import tempfile
import time
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path

import httpx
from api.dev.postgres.embedded import EmbeddedPostgres
from api.dev.valkey import EmbeddedValkey
from api.foundation.core.config import Settings
from api.foundation.database.database import Database

from tests.endurance.crash import Tally, add_products, buy, open_wallets, reconcile
from tests.endurance.deployment import ServerProcess, ended_afterwards, server_environment
from tests.endurance.phones import Phones
from tests.endurance.place import add_members, durable_postgres, open_sessions

BUYERS, VISITORS = 3, 3
SAMPLES = 120
PAUSE_SECONDS = 0.1  # between two calls of a visitor
VISIT_SECONDS = 20.0  # after which a group of sockets reconnects
MAX_MEGABYTES_PER_HOUR = 15.0  # of all processes together
MAX_DESCRIPTORS_PER_HOUR = 10.0
PAGES = (
    "/api/v1/products",
    "/api/v1/clubs",
    "/api/v1/payment/wallet-balance/{user}",
    "/api/v1/users/{user}",
    "/api/v1/products/user/{user}",
    "/api/v1/moments",
    "/readyz",
    "/metrics",
)


@dataclass(frozen=True)
class Sample:
    """A sample of the processes: seconds, resident bytes, open descriptors."""

    seconds: float
    resident_bytes: int
    descriptors: int


def sample(pids: list[int], began: float) -> Sample:
    """Sample the processes."""
    resident = descriptors = 0
    for pid in pids:
        status = Path(f"/proc/{pid}/status").read_text(encoding="utf-8")
        resident += int(status.split("VmRSS:")[1].split()[0]) * 1024
        descriptors += len(list(Path(f"/proc/{pid}/fd").iterdir()))
    return Sample(time.monotonic() - began, resident, descriptors)


def slope(samples: list[Sample], figure: str) -> float:
    """Return a figure's growth per hour, fitted to the last three quarters."""
    later = samples[len(samples) // 4 :]
    values = [float(getattr(one, figure)) for one in later]
    fitted = statistics.linear_regression([one.seconds for one in later], values)
    return fitted.slope * 3600


async def visit(base: str, member: str, token: str, tally: Tally, failures: list[str]) -> None:
    """Visit one page after the other."""
    headers = {"Authorization": f"Bearer {token}"}
    while not tally.stop:
        async with httpx.AsyncClient(base_url=base, timeout=20) as client:
            for page in PAGES:
                answer = await client.get(page.format(user=member), headers=headers)
                if answer.status_code >= 500:
                    failures.append(f"{page}: {answer.status_code}")
                await asyncio.sleep(PAUSE_SECONDS)


async def come_and_go(phones: Phones, tally: Tally) -> None:
    """Disconnect and reconnect."""
    while not tally.stop:
        await phones.connect()
        await asyncio.sleep(VISIT_SECONDS)
        await phones.close()
        phones.joined = 0


async def prove(
    postgres: EmbeddedPostgres, folder: Path, valkey_url: str, minutes: float, sockets: int
) -> str:
    """Run members through the product, and return the samples.

    Raises:
        AssertionError: something grew, failed or was lost.
    """
    role = Settings().database_runtime_role
    database = Database(postgres.url(), runtime_role=role, pool_size=4)
    members = await add_members(database, BUYERS + VISITORS + 2 * sockets)
    products = await add_products(database)
    wallets = await open_wallets(database, members[:BUYERS])
    others = members[BUYERS:]
    tokens = await open_sessions(database, others)
    await database.close()
    server = ServerProcess(server_environment(postgres, folder, valkey_url=valkey_url, workers=2))
    failures: list[str] = []
    tally, samples = Tally(), list[Sample]()
    with ended_afterwards([server]):
        server.start()
        await server.wait_until_ready()
        base = server.base
        connected = Phones(base, tokens[VISITORS : VISITORS + sockets])
        moving = Phones(base, tokens[VISITORS + sockets :])
        await connected.join_rooms(others[VISITORS : VISITORS + sockets])
        await moving.join_rooms(others[VISITORS + sockets :])
        await connected.connect()
        tasks = [
            asyncio.create_task(buy(base, token, products, tally, seed))
            for seed, token in enumerate(wallets.values())
        ]
        tasks += [
            asyncio.create_task(visit(base, str(member), token, tally, failures))
            for member, token in zip(others[:VISITORS], tokens[:VISITORS], strict=True)
        ]
        tasks.append(asyncio.create_task(come_and_go(moving, tally)))
        began = time.monotonic()
        pids = server.workers()
        while (elapsed := time.monotonic() - began) < minutes * 60:
            samples.append(sample(pids, began))
            await asyncio.sleep(min(minutes * 60 / SAMPLES, max(0.1, minutes * 60 - elapsed)))
        tally.stop = True
        with suppress(asyncio.CancelledError):
            await asyncio.gather(*tasks)
        assert server.workers() == pids, "a process was replaced"
        await connected.close()
    await reconcile(Database(postgres.url(), runtime_role=role, pool_size=2), tally, BUYERS)
    megabytes = slope(samples, "resident_bytes") / 1e6
    descriptors = slope(samples, "descriptors")
    usual, last = samples[len(samples) // 4], samples[-1]
    sentence = (
        f"{minutes:g} minutes, {len(tally.orders)} orders, {tally.retries} tries repeated, "
        f"{len(failures)} answers of 5xx; memory "
        f"{usual.resident_bytes / 1e6:.0f} to {last.resident_bytes / 1e6:.0f} MB, "
        f"slope {megabytes:+.1f} MB an hour; "
        f"descriptors {usual.descriptors} to {last.descriptors}, "
        f"slope {descriptors:+.1f} an hour"
    )
    assert not failures, f"{sentence}: {failures[:5]}"
    if minutes >= 30:  # a slope over less says little
        assert megabytes <= MAX_MEGABYTES_PER_HOUR, sentence
        assert descriptors <= MAX_DESCRIPTORS_PER_HOUR, sentence
    return sentence


def run(minutes: float, sockets: int) -> str:
    """Set up an environment and use it."""
    with (
        durable_postgres() as (postgres, folder),
        tempfile.TemporaryDirectory(prefix="kof-valkey-") as state,
        EmbeddedValkey(Path(state)) as valkey,
    ):
        return asyncio.run(prove(postgres, folder, valkey.url, minutes, sockets))


def main() -> int:
    """Run the test from the command line."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--minutes", type=float, default=60)
    parser.add_argument("--sockets", type=int, default=50)
    chosen = parser.parse_args()
    print(run(chosen.minutes, chosen.sockets))
    return 0


if __name__ == "__main__":
    sys.exit(main())
