"""The ledger enforces its rules against any writer and any number of repeats."""

import asyncio
from uuid import UUID

import asyncpg
import pytest
from api.foundation.core.ids import new_id
from api.foundation.core.money import Kobo
from api.money.ledger_audit.repository.audit_run import broken_invariants_in
from api.money.wallet.enums import TransferKind
from api.money.wallet.errors import (
    IllegalTransferError,
    InsufficientFundsError,
    ReferenceReusedError,
)
from api.money.wallet.service import ledger
from sqlalchemy import text
from sqlalchemy.exc import DBAPIError
from sqlalchemy.ext.asyncio import AsyncEngine

from tests.conftest import RunningApp, SignedIn

# These transfers pay for nothing and come from nowhere: other checks report that.
LEDGER = frozenset({"sum_zero", "wallet_cache", "wallet_chain", "refunds_capped"})


async def fund(app: RunningApp, member: SignedIn, kobo: int, reference: str) -> bool:
    async with app.database.transaction() as tx:
        return await ledger.credit(
            tx, member.id, Kobo(kobo), kind=TransferKind.FUND, reference=reference
        )


async def buy(app: RunningApp, member: SignedIn, kobo: int, reference: str) -> UUID:
    async with app.database.transaction() as tx:
        return await ledger.debit(
            tx, member.id, Kobo(kobo), kind=TransferKind.PURCHASE, reference=reference
        )


async def give_back(
    app: RunningApp, member: SignedIn, kobo: int, reverses: UUID, reference: str
) -> bool:
    async with app.database.transaction() as tx:
        return await ledger.refund(
            tx, member.id, Kobo(kobo), reverses=reverses, reference=reference
        )


async def test_a_wallet_nobody_funded_holds_nothing(app: RunningApp, member: SignedIn) -> None:
    assert await app.balance(member) == 0
    with pytest.raises(InsufficientFundsError) as refused:
        await buy(app, member, 100, "order:1")
    assert refused.value.content == {"shortfall": 1}


async def test_a_second_credit_with_the_same_reference_changes_nothing(
    app: RunningApp, member: SignedIn
) -> None:
    assert await fund(app, member, 500_000, "fund:1") is True
    assert await fund(app, member, 500_000, "fund:1") is False

    assert await app.balance(member) == 5000


async def test_a_reference_never_names_two_different_transfers(
    app: RunningApp, member: SignedIn, rival: SignedIn
) -> None:
    await fund(app, member, 500_000, "fund:1")
    await fund(app, rival, 100, "fund:2")

    with pytest.raises(ReferenceReusedError):
        await fund(app, member, 400_000, "fund:1")
    with pytest.raises(ReferenceReusedError):
        await fund(app, rival, 500_000, "fund:1")
    assert (await app.balance(member), await app.balance(rival)) == (5000, 1)


@pytest.mark.parametrize("held_kobo", [0, 700], ids=["a new wallet", "a wallet that is there"])
async def test_thirty_credits_of_one_reference_at_once_credit_once(
    app: RunningApp, member: SignedIn, held_kobo: int
) -> None:
    if held_kobo:
        await fund(app, member, held_kobo, "fund:0")

    outcomes = await asyncio.gather(*(fund(app, member, 100, "fund:1") for _ in range(30)))

    assert sorted(outcomes) == [False] * 29 + [True]
    assert await app.balance(member) == held_kobo / 100 + 1
    assert not LEDGER.intersection(await broken_invariants_in(app.database))


async def test_a_reference_racing_into_two_wallets_reaches_one(
    app: RunningApp, member: SignedIn, rival: SignedIn
) -> None:
    outcomes = await asyncio.gather(
        *(fund(app, someone, 100, "fund:1") for someone in (member, rival) * 10),
        return_exceptions=True,
    )

    assert sum(outcome is True for outcome in outcomes) == 1
    assert await app.balance(member) + await app.balance(rival) == 1
    assert not LEDGER.intersection(await broken_invariants_in(app.database))


async def test_refunds_mirror_their_purchase_and_never_exceed_it(
    app: RunningApp, member: SignedIn, rival: SignedIn
) -> None:
    await fund(app, member, 1000, "fund:1")
    await fund(app, rival, 1000, "fund:2")
    purchase = await buy(app, member, 800, "order:1")

    assert await give_back(app, member, 300, purchase, "unused:1") is True
    assert await give_back(app, member, 300, purchase, "unused:1") is False
    for owner, kobo, original in ((member, 501, purchase), (rival, 100, purchase)):
        with pytest.raises(IllegalTransferError):
            await give_back(app, owner, kobo, original, f"unused:{new_id()}")
    with pytest.raises(IllegalTransferError):
        await give_back(app, member, 100, new_id(), "unused:nothing")
    assert await app.balance(member) == 5
    assert not LEDGER.intersection(await broken_invariants_in(app.database))


async def test_refunds_racing_for_the_same_purchase_stop_at_its_amount(
    app: RunningApp, member: SignedIn
) -> None:
    await fund(app, member, 1000, "fund:1")
    purchase = await buy(app, member, 1000, "order:1")

    outcomes = await asyncio.gather(
        *(give_back(app, member, 300, purchase, f"unused:{n}") for n in range(10)),
        return_exceptions=True,
    )

    assert sum(outcome is True for outcome in outcomes) == 3
    assert await app.balance(member) == 9


@pytest.mark.parametrize(
    "statement",
    [
        "UPDATE ledger_account SET balance_kobo = 1",
        "DELETE FROM ledger_account",
        "INSERT INTO ledger_account (id, type, owner_id) VALUES (gen_random_uuid(), 'wallet', "
        "gen_random_uuid())",
        "UPDATE ledger_transfer SET amount_kobo = 1",
        "DELETE FROM ledger_transfer",
        "TRUNCATE ledger_transfer",
        "INSERT INTO ledger_transfer (id, kind, reference, debit_id, debit_type, credit_id, "
        "credit_type, amount_kobo) SELECT gen_random_uuid(), 'adjust', 'x', id, type, id, type, 1 "
        "FROM ledger_account",
    ],
)
async def test_the_running_role_cannot_touch_the_ledger_itself(
    app: RunningApp, member: SignedIn, statement: str
) -> None:
    await fund(app, member, 1000, "fund:1")

    with pytest.raises(asyncpg.PostgresError, match="permission denied"):
        async with app.database.transaction() as tx:
            await tx.execute(statement)

    assert await app.balance(member) == 10


@pytest.mark.parametrize(
    ("statement", "sentence"),
    [
        ("UPDATE ledger_transfer SET amount_kobo = 1", "append-only"),
        ("DELETE FROM ledger_transfer", "append-only"),
        ("TRUNCATE ledger_transfer CASCADE", "append-only"),
        ("UPDATE ledger_account SET balance_kobo = -1 WHERE type = 'wallet'", "no_overdraft"),
        (
            "INSERT INTO ledger_transfer (id, kind, reference, debit_id, debit_type, credit_id, "
            "credit_type, amount_kobo) SELECT gen_random_uuid(), 'fund', 'x', s.id, 'sales', w.id, "
            "'wallet', 1 FROM ledger_account s, ledger_account w WHERE s.type = 'sales' AND "
            "w.type = 'wallet'",
            "legal_flow",
        ),
    ],
)
async def test_even_the_tables_owner_is_held_to_the_rules(
    app: RunningApp, owner: AsyncEngine, member: SignedIn, statement: str, sentence: str
) -> None:
    await fund(app, member, 1000, "fund:1")

    with pytest.raises(DBAPIError, match=sentence):
        async with owner.begin() as connection:
            await connection.execute(text(statement))

    assert await app.balance(member) == 10


async def test_a_transfer_of_nothing_or_against_its_kind_is_refused(
    app: RunningApp, member: SignedIn
) -> None:
    await fund(app, member, 1000, "fund:1")

    for change, kind in ((0, "fund"), (-1, "fund"), (1, "purchase"), (10**11 + 1, "fund")):
        with pytest.raises(asyncpg.PostgresError, match="ck_ledger_transfer"):
            async with app.database.transaction() as tx:
                await tx.execute(
                    "SELECT post_wallet_transfer($1, $2, $3, 'x', $4, NULL)",
                    new_id(),
                    member.id,
                    kind,
                    change,
                )
    assert await app.balance(member) == 10


async def test_the_statement_pages_backwards_with_the_running_balance(
    app: RunningApp, member: SignedIn
) -> None:
    for number in range(1, 6):
        await fund(app, member, number * 100, f"fund:{number}")
    path = f"/api/v1/payment/statement/{member.id}"

    first = (await member.get(path, params={"limit": 2})).json()["data"]
    second = (await member.get(path, params={"limit": 10, "before": first[-1]["id"]})).json()

    assert [(row["amount"], row["balanceAfter"]) for row in first] == [(5, 15), (4, 10)]
    assert [(row["amount"], row["balanceAfter"]) for row in second["data"]] == [
        (3, 6),
        (2, 3),
        (1, 1),
    ]


async def test_another_members_wallet_is_not_found(
    app: RunningApp, member: SignedIn, rival: SignedIn
) -> None:
    await app.give(rival, 500)
    for path in ("wallet-balance", "statement"):
        for other_id in (rival.id, new_id(), "1", "x" * 64):
            answer = await member.get(f"/api/v1/payment/{path}/{other_id}")
            assert answer.status_code == 404
            assert answer.json()["message"] == "We could not find what you asked for."
