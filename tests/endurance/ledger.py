"""Random ledger operations from sixteen workers, compared with a model that adds up the responses.

``python -m tests.endurance.ledger [--operations N] [--seed S]``
"""

import argparse
import asyncio
import random
import sys
import time
from collections import Counter, defaultdict
from collections.abc import Awaitable, Callable
from dataclasses import dataclass, field
from uuid import UUID

import asyncpg
from api.foundation.core.config import Settings
from api.foundation.core.ids import new_id
from api.foundation.core.money import Kobo
from api.foundation.database.database import Database
from api.foundation.database.errors import DatabaseRefusal
from api.money.ledger_audit.repository.audit_run import broken_invariants_in
from api.money.wallet.enums import TransferKind
from api.money.wallet.errors import (
    IllegalTransferError,
    InsufficientFundsError,
    ReferenceReusedError,
)
from api.money.wallet.service import ledger as wallet_ledger

from tests.endurance.place import add_members, durable_postgres
from tests.money.wallet.test_ledger import LEDGER

WORKERS = 16
MAX_MEMBERS = 200
# An empty wallet can buy nothing: with fewer operations per member, most are refused.
OPERATIONS_A_MEMBER = 20
LEAST_APPLIED = 0.4
LEAST_REFUSED = 0.15
REFUSALS = (
    InsufficientFundsError,
    ReferenceReusedError,
    IllegalTransferError,
    DatabaseRefusal,
    asyncpg.PostgresError,
)


@dataclass
class Ledger:
    """The workload's own ledger: the sums of all responses."""

    database: Database
    members: list[UUID]
    chance: random.Random
    balances: dict[UUID, int] = field(default_factory=lambda: defaultdict(int))
    funded: list[tuple[UUID, int, str]] = field(default_factory=list)
    bought: list[tuple[UUID, int, UUID]] = field(default_factory=list)
    outcomes: Counter[str] = field(default_factory=Counter)

    def member(self) -> UUID:
        return self.chance.choice(self.members)

    async def fund(self) -> bool:
        member, kobo, reference = self.member(), self.chance.randint(1, 500_000), f"f:{new_id()}"
        return await self._credit(member, kobo, reference)

    async def fund_again(self) -> bool:
        """Repeat a funding that succeeded: nothing may change."""
        if not self.funded:
            return False
        member, kobo, reference = self.chance.choice(self.funded)
        if await self._credit(member, kobo, reference):
            raise AssertionError("a repeated reference credited again")
        return False

    async def fund_differently(self) -> bool:
        """Use a known reference for another amount or wallet: refused."""
        if not self.funded:
            return False
        _, kobo, reference = self.chance.choice(self.funded)
        return await self._credit(self.member(), kobo + 1, reference)

    async def buy(self) -> bool:
        member = self.member()
        kobo = self.chance.randint(1, max(1, self.balances[member] // 2))
        return await self._debit(member, kobo)

    async def overspend(self) -> bool:
        member = self.member()
        return await self._debit(member, self.balances[member] + self.chance.randint(10**9, 10**10))

    async def refund(self) -> bool:
        if not self.bought:
            return False
        member, kobo, purchase = self.chance.choice(self.bought)
        return await self._refund(member, self.chance.randint(1, kobo), purchase)

    async def refund_too_much(self) -> bool:
        if not self.bought:
            return False
        member, kobo, purchase = self.chance.choice(self.bought)
        return await self._refund(member, kobo + 1, purchase)

    async def refund_to_another_member(self) -> bool:
        if not self.bought:
            return False
        member, kobo, purchase = self.chance.choice(self.bought)
        other = self.chance.choice([one for one in self.members if one != member])
        return await self._refund(other, kobo, purchase)

    async def break_a_flow(self) -> bool:
        kind, change = self.chance.choice((("fund", -5), ("purchase", 5), ("fund", 0)))
        async with self.database.transaction() as tx:
            await tx.execute(
                "SELECT post_wallet_transfer($1, $2, $3, $4, $5, NULL)",
                new_id(),
                self.member(),
                kind,
                f"x:{new_id()}",
                change,
            )
        return True

    async def tamper(self) -> bool:
        statement = self.chance.choice(
            (
                "UPDATE ledger_account SET balance_kobo = balance_kobo + 1",
                "DELETE FROM ledger_transfer",
                "UPDATE ledger_transfer SET amount_kobo = 1",
            )
        )
        async with self.database.transaction() as tx:
            await tx.execute(statement)
        return True

    async def _credit(self, member: UUID, kobo: int, reference: str) -> bool:
        async with self.database.transaction() as tx:
            posted = await wallet_ledger.credit(
                tx, member, Kobo(kobo), kind=TransferKind.FUND, reference=reference
            )
        if posted:
            self.balances[member] += kobo
            self.funded.append((member, kobo, reference))
        return posted

    async def _debit(self, member: UUID, kobo: int) -> bool:
        async with self.database.transaction() as tx:
            purchase = await wallet_ledger.debit(
                tx,
                member,
                Kobo(kobo),
                kind=TransferKind.PURCHASE,
                reference=f"o:{new_id()}",
            )
        self.balances[member] -= kobo
        self.bought.append((member, kobo, purchase))
        return True

    async def _refund(self, member: UUID, kobo: int, purchase: UUID) -> bool:
        async with self.database.transaction() as tx:
            posted = await wallet_ledger.refund(
                tx, member, Kobo(kobo), reverses=purchase, reference=f"r:{new_id()}"
            )
        self.balances[member] += kobo
        return posted


MIX: tuple[tuple[str, int], ...] = (
    ("fund", 30),
    ("fund_again", 8),
    ("fund_differently", 4),
    ("buy", 28),
    ("overspend", 7),
    ("refund", 10),
    ("refund_too_much", 5),
    ("refund_to_another_member", 4),
    ("break_a_flow", 2),
    ("tamper", 2),
)
MUST_FAIL = {"fund_differently", "overspend", "refund_too_much", "refund_to_another_member"} | {
    "break_a_flow",
    "tamper",
}


async def work(ledger: Ledger, operations: int) -> None:
    """Run one worker's share."""
    names = [name for name, weight in MIX for _ in range(weight)]
    for _ in range(operations):
        name = ledger.chance.choice(names)
        operation: Callable[[], Awaitable[bool]] = getattr(ledger, name)
        try:
            applied = await operation()
        except REFUSALS:
            ledger.outcomes[f"{name} refused"] += 1
            continue
        if applied and name in MUST_FAIL:
            raise AssertionError(f"{name} was applied")
        ledger.outcomes[f"{name} {'applied' if applied else 'changed nothing'}"] += 1


async def prove(url: str, operations: int, seed: int) -> Ledger:
    """Run the workload and check it.

    Raises:
        AssertionError: the ledger and the model differ, or too little happened.
    """
    role = Settings().database_runtime_role
    database = Database(url, runtime_role=role, pool_size=WORKERS)
    try:
        chance = random.Random(seed)  # noqa: S311 a workload must be replayable
        members = min(MAX_MEMBERS, max(2, operations // OPERATIONS_A_MEMBER))
        ledger = Ledger(database, await add_members(database, members), chance)
        await asyncio.gather(*(work(ledger, operations // WORKERS) for _ in range(WORKERS)))
        await check(ledger)
    finally:
        await database.close()
    return ledger


async def check(ledger: Ledger) -> None:
    """Compare the database with the model, and check that enough happened."""
    rows = await ledger.database.fetch_rows(
        "SELECT owner_id, balance_kobo FROM ledger_account WHERE type = 'wallet'"
    )
    stored = {row["owner_id"]: row["balance_kobo"] for row in rows}
    expected = {member: kobo for member, kobo in ledger.balances.items() if member in stored}
    assert stored == expected, "balances differ from the model"
    # Money moves here without purchases or payments: other checks report that.
    broken = LEDGER.intersection(await broken_invariants_in(ledger.database))
    assert not broken, broken
    total = sum(ledger.outcomes.values())
    applied = sum(n for name, n in ledger.outcomes.items() if name.endswith("applied"))
    refused = sum(n for name, n in ledger.outcomes.items() if name.endswith("refused"))
    assert applied >= LEAST_APPLIED * total, f"only {applied} of {total} applied"
    assert refused >= LEAST_REFUSED * total, f"only {refused} of {total} refused"
    for name, _ in MIX:
        assert any(key.startswith(name) for key in ledger.outcomes), f"{name} never happened"


def main() -> int:
    """Run the test from the command line."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--operations", type=int, default=100_000)
    parser.add_argument("--seed", type=int, default=2026)
    chosen = parser.parse_args()
    began = time.monotonic()
    with durable_postgres() as (server, _):
        ledger = asyncio.run(prove(server.url(), chosen.operations, chosen.seed))
    seconds = time.monotonic() - began
    for name, count in sorted(ledger.outcomes.items()):
        print(f"{count:8} {name}")
    total = sum(ledger.outcomes.values())
    print(f"{total} operations, seed {chosen.seed}, {seconds:.0f} s: the ledger equals the model")
    return 0


if __name__ == "__main__":
    sys.exit(main())
