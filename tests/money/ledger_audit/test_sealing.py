"""Proofs seal what they found to be right, and the next one reads only what was written since."""

import asyncio
from dataclasses import dataclass
from datetime import UTC, date, datetime, timedelta
from typing import Any

import pytest
from api.app.factories import make_sealer
from api.foundation.core import clock
from api.foundation.core.ids import first_id_at, new_id
from api.foundation.core.money import Kobo
from api.foundation.database.locks import AdvisoryLock
from api.foundation.jobs.queue import JobQueue
from api.foundation.security.rights import Role
from api.money.ledger_audit import service
from api.money.ledger_audit.enums import ProofSource
from api.money.ledger_audit.repository import boundary, scopes
from api.money.ledger_audit.repository.keeping import ProofResult
from api.money.wallet.service import operator_credits
from sqlalchemy.exc import DBAPIError
from sqlalchemy.ext.asyncio import AsyncEngine

from tests.back_office import ADMIN, OperatorClient, operator_client
from tests.conftest import RunningApp, SignedIn
from tests.money.ledger_audit.test_proving import BY_HAND, PROOFS, by_hand, figures, live
from tests.money.payments.test_desk import chargeback, funded, spend
from tests.money.subscriptions.place import offer_plan, subscribe
from tests.shop.test_orders import buy
from tests.shop.test_transfers import confirm, order
from tests.waiting import until

LOCK_OBJECT = AdvisoryLock.LEDGER_PROOF % 2**32  # as pg_locks shows it


@pytest.fixture
async def finance(app: RunningApp) -> OperatorClient:
    return await operator_client(app, "olu", Role.FINANCE)


@pytest.fixture
def only_new(monkeypatch: pytest.MonkeyPatch) -> None:
    """Let proofs read only what is new: without a sample and without a margin.

    Ids are compared by the millisecond, so the one in which the last proof began is left out, too.
    """
    monkeypatch.setattr(scopes, "SAMPLED_WALLETS", 0)
    monkeypatch.setattr(scopes, "MARGIN", timedelta(milliseconds=-1))


@dataclass(frozen=True)
class Seal:
    last_entry: int
    after_kobo: int


async def prove(app: RunningApp, *, is_whole: bool = False) -> ProofResult:
    proof = await service.prove(app.database, ProofSource.CLOCK, is_whole=is_whole)
    async with app.database.transaction() as tx:
        await service.keep(tx, proof)
    return proof


async def seal(app: RunningApp, member: SignedIn) -> Seal:
    statement = """
SELECT last_entry, after_kobo FROM ledger_seal s
  JOIN ledger_account a ON a.id = s.wallet_id WHERE a.owner_id = $1"""
    (row,) = await app.database.fetch_rows(statement, member.id)
    return Seal(**row)


async def months(app: RunningApp, member: SignedIn) -> list[tuple[date, int, int]]:
    """Return the sealed months of a member, with the number of entries and their sum."""
    statement = """
SELECT month, s.entries, moved_kobo FROM ledger_seal_month s
  JOIN ledger_account a ON a.id = s.wallet_id WHERE a.owner_id = $1 ORDER BY month"""
    rows = await app.database.fetch_rows(statement, member.id)
    return [(row["month"], row["entries"], row["moved_kobo"]) for row in rows]


def broken(proof: ProofResult) -> set[str]:
    return {one.name for one in proof.found if one.count}


async def test_the_first_proof_reads_everything_and_seals_it(
    app: RunningApp, member: SignedIn, rival: SignedIn
) -> None:
    await app.give(member, 100)
    await app.give(member, 50)
    await app.give(rival, 7)

    proof = await prove(app)

    assert (proof.ok, proof.audit.is_whole, proof.transfers) == (True, True, 3)
    assert await seal(app, member) == Seal(2, 15_000)
    assert await seal(app, rival) == Seal(1, 700)


@pytest.mark.usefixtures("only_new")
async def test_the_next_proof_reads_only_what_was_written_since(
    app: RunningApp, member: SignedIn, rival: SignedIn
) -> None:
    await app.give(member, 100)
    await app.give(rival, 7)
    await prove(app)
    await app.give(member, 50)

    second = await prove(app)
    third = await prove(app)

    assert (second.ok, second.audit.is_whole, second.transfers) == (True, False, 1)
    assert (third.ok, third.audit.is_whole, third.transfers) == (True, False, 0)
    assert await seal(app, member) == Seal(2, 15_000)
    assert await seal(app, rival) == Seal(1, 700)


@pytest.mark.usefixtures("only_new")
@pytest.mark.parametrize(("statement", "names", "difference"), BY_HAND)
async def test_what_is_wrong_with_new_rows_is_found_and_named_without_reading_old_ones(
    app: RunningApp,
    member: SignedIn,
    finance: OperatorClient,
    owner: AsyncEngine,
    statement: str,
    names: set[str],
    difference: float,
) -> None:
    await app.give(member, 100)
    assert (await prove(app)).audit.is_whole
    await live(app, member, finance)
    await by_hand(owner, statement)

    proof = await prove(app)

    # Only a proof that reads all wallets adds them up; a wallet of its own says the same.
    sums = {"sum_zero"} if "ledger_account" in statement else set()
    assert not proof.audit.is_whole
    assert broken(proof) == names - sums
    assert proof.difference_kobo == difference * 100


@pytest.mark.usefixtures("only_new")
async def test_a_life_in_pieces_passes_each_proof_and_the_whole_one(
    app: RunningApp, member: SignedIn, finance: OperatorClient
) -> None:
    await prove(app)
    reference = await funded(app, member, 20_000)
    kinds = [await prove(app)]
    bought = await buy(app, member)
    by_transfer = await order(app, member)
    kinds.append(await prove(app))
    await member.post(f"/api/v1/orders/{bought['orderId']}/cancel", {})
    assert (await subscribe(member, await offer_plan(app))).status_code == 201
    kinds.append(await prove(app))
    await confirm(finance, by_transfer, amount=6000)
    kinds.append(await prove(app))
    (case,) = (await finance.get(f"{ADMIN}/review-cases")).json()["data"]["rows"]
    await finance.post(f"{ADMIN}/review-cases/{case['id']}/accept", {"reason": "Asked"})
    kinds.append(await prove(app))
    await spend(app, member, int(await app.balance(member)) - 1000)
    await finance.post(f"{ADMIN}/chargebacks", chargeback(reference))
    kinds.append(await prove(app))
    await app.give(member, 5000)  # repays the debt
    kinds.append(await prove(app))

    assert [(one.ok, one.audit.is_whole, one.transfers > 0) for one in kinds] == [
        (True, False, True)
    ] * len(kinds)
    assert (await prove(app, is_whole=True)).ok
    (repaid,) = await app.database.fetch_column(
        "SELECT id FROM ledger_transfer WHERE kind = 'debt_repayment'"
    )
    assert abs(datetime.fromtimestamp((repaid.int >> 80) / 1000, UTC) - clock.now()) < timedelta(
        hours=1
    )


@pytest.mark.usefixtures("only_new")
async def test_a_document_decided_long_after_it_was_written_is_new(
    app: RunningApp, member: SignedIn, owner: AsyncEngine
) -> None:
    reference = await funded(app, member)
    await prove(app)
    await by_hand(
        owner,
        "INSERT INTO funding (id, reference, user_id, gateway, amount_kobo, currency, state, "
        "gateway_transaction_id, decided_at, created_at) SELECT gen_random_uuid(), 'FW-OLD', "
        "user_id, gateway, amount_kobo, currency, state, 'other', now(), "
        f"now() - interval '1 year' FROM funding WHERE reference = '{reference}'",
    )

    proof = await prove(app)

    assert (proof.audit.is_whole, broken(proof)) == (False, {"fundings_paid"})


ONE = "(SELECT id FROM ledger_transfer WHERE kind = 'adjust' AND wallet_entry = 1)"
ALTERED = [
    (
        f"UPDATE ledger_transfer SET wallet_change_kobo = wallet_change_kobo + 1 WHERE id = {ONE}",
        {"sum_zero", "wallet_cache", "wallet_chain", "wallet_seals"},
    ),
    (
        f"UPDATE ledger_transfer SET wallet_after_kobo = wallet_after_kobo + 1 WHERE id = {ONE}",
        {"wallet_chain"},
    ),
    (
        f"DELETE FROM ledger_transfer WHERE id = {ONE}",
        {"sum_zero", "wallet_cache", "wallet_chain", "wallet_seals"},
    ),
    (
        "INSERT INTO ledger_transfer (id, kind, reference, debit_id, debit_type, credit_id, "
        "credit_type, amount_kobo, wallet_id, wallet_entry, wallet_change_kobo, "
        "wallet_after_kobo, created_at) SELECT '00000000-0000-7000-8000-000000000001', kind, "
        "'demo:old', debit_id, debit_type, credit_id, credit_type, amount_kobo, wallet_id, 3, "
        "wallet_change_kobo, 25000, created_at - interval '1 year' FROM ledger_transfer "
        f"WHERE id = {ONE}",
        {"sum_zero", "wallet_cache", "caused_credits"},
    ),
    (
        "UPDATE ledger_account SET balance_kobo = balance_kobo + 1 WHERE owner_id IS NOT NULL",
        {"sum_zero", "wallet_cache"},
    ),
    ("UPDATE ledger_seal SET after_kobo = after_kobo + 1", {"wallet_seals"}),
    ("UPDATE ledger_seal SET last_entry = last_entry - 1", {"wallet_seals"}),
    ("UPDATE ledger_seal SET last_entry = last_entry + 1", {"wallet_seals"}),
    ("UPDATE ledger_seal_month SET moved_kobo = moved_kobo + 1", {"wallet_seals"}),
    ("UPDATE ledger_seal_month SET moved_kobo = 9223372036854775807", {"wallet_seals"}),
    ("UPDATE ledger_seal_month SET entries = entries + 1", {"wallet_seals"}),
    ("UPDATE ledger_seal_month SET entries = 9223372036854775807", {"wallet_seals"}),
    ("UPDATE ledger_seal_month SET month = month - interval '1 month'", {"wallet_seals"}),
    ("DELETE FROM ledger_seal_month", {"wallet_seals"}),
    (
        f"UPDATE ledger_transfer SET created_at = created_at - interval '1 year' WHERE id = {ONE}",
        {"wallet_seals"},
    ),
]


@pytest.mark.usefixtures("only_new")
@pytest.mark.parametrize(("statement", "names"), ALTERED)
async def test_what_was_sealed_and_then_altered_is_found_by_a_sample_and_by_the_whole_proof(
    app: RunningApp,
    member: SignedIn,
    owner: AsyncEngine,
    monkeypatch: pytest.MonkeyPatch,
    statement: str,
    names: set[str],
) -> None:
    await app.give(member, 100)
    await app.give(member, 50)
    await prove(app)
    await by_hand(owner, statement)

    # What did not move is not new; then the wallet is in the sample, then everything is read.
    unseen = await service.prove(app.database, ProofSource.CLOCK, is_whole=False)
    monkeypatch.setattr(scopes, "SAMPLED_WALLETS", 200)
    sampled = await service.prove(app.database, ProofSource.CLOCK, is_whole=False)
    whole = await service.prove(app.database, ProofSource.CLOCK)

    assert (unseen.audit.is_whole, broken(unseen)) == (False, set())
    assert (sampled.audit.is_whole, broken(sampled)) == (False, names)
    assert (whole.audit.is_whole, broken(whole)) == (True, names)
    assert sampled.difference_kobo == whole.difference_kobo


async def test_a_wrong_seal_that_is_taken_off_is_written_again(
    app: RunningApp, member: SignedIn, owner: AsyncEngine
) -> None:
    await app.give(member, 100)
    await app.give(member, 50)
    await prove(app)
    before = await months(app, member)
    await by_hand(owner, "UPDATE ledger_seal SET after_kobo = after_kobo + 1")
    failed = await prove(app, is_whole=True)
    for table in ("ledger_seal", "ledger_seal_month"):
        await by_hand(owner, f"DELETE FROM {table}")

    repaired = await prove(app)

    assert (broken(failed), repaired.ok, repaired.audit.is_whole) == ({"wallet_seals"}, True, True)
    assert await seal(app, member) == Seal(2, 15_000)
    assert await months(app, member) == before


@pytest.mark.usefixtures("only_new")
@pytest.mark.parametrize(
    ("statement", "names"),
    [
        (
            "UPDATE ledger_account SET balance_kobo = balance_kobo + 1 WHERE owner_id IS NOT NULL",
            {"wallet_cache", "wallet_chain"},
        ),
        (
            "UPDATE ledger_seal SET after_kobo = after_kobo + 1",
            {"wallet_cache", "wallet_chain"},
        ),
        (
            "UPDATE ledger_seal SET last_entry = last_entry + 2",
            {"wallet_cache"},
        ),
    ],
)
async def test_a_wallet_that_moves_is_compared_with_its_seal(
    app: RunningApp, member: SignedIn, owner: AsyncEngine, statement: str, names: set[str]
) -> None:
    await app.give(member, 100)
    await prove(app)
    await by_hand(owner, statement)
    await app.give(member, 50)

    proof = await prove(app)

    assert (proof.audit.is_whole, broken(proof)) == (False, names)
    assert (await seal(app, member)).last_entry != 2  # what does not pass is not sealed


async def test_history_rewritten_without_a_contradiction_differs_from_its_seal(
    app: RunningApp, member: SignedIn, owner: AsyncEngine
) -> None:
    await app.give(member, 100)
    await app.give(member, 50)
    await prove(app)
    for change in (
        f"UPDATE ledger_transfer SET amount_kobo = 9000, wallet_change_kobo = 9000, "
        f"wallet_after_kobo = 9000 WHERE id = {ONE}",
        "UPDATE ledger_transfer SET wallet_after_kobo = 14000 WHERE wallet_entry = 2",
        "UPDATE ledger_account SET balance_kobo = 14000 WHERE owner_id IS NOT NULL",
    ):
        await by_hand(owner, change)

    sampled = await service.prove(app.database, ProofSource.CLOCK, is_whole=False)
    whole = await service.prove(app.database, ProofSource.CLOCK)

    assert broken(sampled) == {"wallet_cache", "wallet_seals"}  # the wallet has just moved, too
    assert broken(whole) == {"wallet_seals"}


@pytest.mark.usefixtures("only_new")
async def test_a_transfer_that_commits_after_a_proof_is_new_however_old_its_id_is(
    app: RunningApp, member: SignedIn, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(boundary, "WAIT_SECONDS", 0.0)
    await app.give(member, 100)
    first = await prove(app)
    late = await app.database.connect_alone()
    try:
        async with late.transaction():
            # A purchase without an order, so that the proof that reads it says so.
            await late.execute(
                "SELECT post_wallet_transfer($1, $2, 'purchase', 'late', -100, NULL)",
                new_id(),
                member.id,
            )
            during = await prove(app)
            again = await prove(app)
    finally:
        await late.close()

    after = await prove(app)

    assert [one.audit.is_whole for one in (first, during, again, after)] == [True, *[False] * 3]
    assert (during.ok, during.transfers, again.transfers) == (True, 0, 0)
    assert during.audit.covered_until == again.audit.covered_until == first.audit.covered_until
    assert (after.transfers, broken(after)) == (1, {"orders_paid"})


async def test_a_proof_waits_for_transactions_that_are_writing(
    app: RunningApp, member: SignedIn, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(boundary, "WAIT_SECONDS", 60.0)
    await app.give(member, 100)
    held = "SELECT EXISTS (SELECT FROM pg_locks WHERE locktype = 'advisory' AND objid = $1)"
    late = await app.database.connect_alone()
    try:
        async with late.transaction():
            await late.execute("SELECT lock_wallet($1)", member.id)
            pending = asyncio.create_task(prove(app))
            await until(lambda: app.database.fetch_value(held, LOCK_OBJECT))
        proof = await pending
    finally:
        await late.close()

    assert (proof.ok, proof.audit.covered_until is None) == (True, False)


@pytest.mark.parametrize(("minutes", "is_seen"), [(9, True), (60, False)])
async def test_an_id_may_be_minutes_older_than_its_transfer(
    app: RunningApp,
    member: SignedIn,
    owner: AsyncEngine,
    monkeypatch: pytest.MonkeyPatch,
    minutes: int,
    is_seen: bool,
) -> None:
    monkeypatch.setattr(scopes, "SAMPLED_WALLETS", 0)
    await app.give(member, 100)
    await by_hand(owner, "UPDATE ledger_transfer SET id = '00000000-0000-7000-8000-000000000001'")
    await prove(app)
    early = first_id_at(clock.now() - timedelta(minutes=minutes))
    async with app.database.transaction() as tx:
        await tx.execute(
            "SELECT post_wallet_transfer($1, $2, 'purchase', 'early', -100, NULL)", early, member.id
        )

    proof = await service.prove(app.database, ProofSource.CLOCK, is_whole=False)
    await app.give(member, 50)
    moved = await service.prove(app.database, ProofSource.CLOCK, is_whole=False)
    whole = await service.prove(app.database, ProofSource.CLOCK)

    assert (proof.transfers, broken(proof)) == ((1, {"orders_paid"}) if is_seen else (0, set()))
    # Whatever its id is, it is among the entries after the seal once the wallet moves.
    assert broken(moved) == {"orders_paid"}
    assert broken(whole) == {"orders_paid"}
    assert (await seal(app, member)).last_entry == 1


async def test_without_a_moment_that_covers_everything_the_next_proof_is_whole_again(
    app: RunningApp, member: SignedIn, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(boundary, "WAIT_SECONDS", 0.0)
    await app.give(member, 100)
    late = await app.database.connect_alone()
    try:
        async with late.transaction():
            await late.execute("SELECT lock_wallet($1)", member.id)
            first = await prove(app)
    finally:
        await late.close()
    second = await prove(app)
    third = await prove(app)

    assert [one.audit.is_whole for one in (first, second, third)] == [True, True, False]
    assert first.audit.covered_until is None


@pytest.mark.usefixtures("only_new")
async def test_a_proof_that_was_sealed_but_not_stored_is_made_again(
    app: RunningApp, member: SignedIn, owner: AsyncEngine
) -> None:
    await app.give(member, 100)
    await prove(app)
    await app.give(member, 50)
    reference = await funded(app, member)
    lost = await service.prove(app.database, ProofSource.CLOCK, is_whole=False)
    await by_hand(owner, f"UPDATE funding SET amount_kobo = 7 WHERE reference = '{reference}'")

    again = await prove(app)

    assert (lost.ok, lost.transfers) == (True, 2)
    assert (again.transfers, broken(again)) == (2, {"fundings_paid"})


async def test_proofs_at_once_wait_for_one_another_and_seal_once(
    app: RunningApp, member: SignedIn, rival: SignedIn
) -> None:
    await app.give(member, 100)
    await prove(app)
    for naira in (1, 2, 3):
        await app.give(member, naira)
        await app.give(rival, naira)

    proofs = await asyncio.gather(*(prove(app, is_whole=n == 2) for n in range(4)))

    assert all(one.ok for one in proofs)
    assert sorted(one.audit.is_whole for one in proofs) == [False, False, False, True]
    assert await seal(app, member) == Seal(4, 10_600)
    assert await seal(app, rival) == Seal(3, 600)


async def test_payments_beside_proofs_are_all_sealed_in_the_end(
    app: RunningApp, member: SignedIn, rival: SignedIn, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(scopes, "SAMPLED_WALLETS", 0)
    await prove(app)

    async def pay(one: SignedIn) -> None:
        for _ in range(15):
            await app.give(one, 1)

    async def keep_proving(paying: asyncio.Future[Any]) -> list[ProofResult]:
        made = []
        while not paying.done():
            made.append(await prove(app))
        return made

    paying = asyncio.gather(pay(member), pay(rival), pay(member))
    made = await keep_proving(paying)
    await paying
    last = await prove(app)

    assert all(one.ok for one in (*made, last))
    assert not any(one.audit.is_whole for one in (*made, last))
    assert await seal(app, member) == Seal(30, 3000)
    assert await seal(app, rival) == Seal(15, 1500)


async def test_the_first_proof_of_a_restored_database_reads_everything(
    app: RunningApp, member: SignedIn, owner: AsyncEngine
) -> None:
    await app.give(member, 100)
    assert [(await prove(app)).audit.is_whole, (await prove(app)).audit.is_whole] == [True, False]
    # A restored database has the rows of another one.
    async with owner.begin() as connection:
        await connection.exec_driver_sql("UPDATE ledger_proof SET cluster = '1:1'")

    restored = await prove(app)
    later = await prove(app)

    assert [restored.audit.is_whole, later.audit.is_whole] == [True, False]


async def test_entries_that_are_older_than_their_seals_are_found(
    app: RunningApp, member: SignedIn, owner: AsyncEngine
) -> None:
    await app.give(member, 100)
    await app.give(member, 50)
    await prove(app)
    # The ledger of before the last seal, with the seals of after it.
    await by_hand(owner, "DELETE FROM ledger_transfer WHERE wallet_entry = 2")
    await by_hand(
        owner,
        "UPDATE ledger_account SET balance_kobo = 10000, entries = 1 WHERE owner_id IS NOT NULL",
    )

    sampled = await service.prove(app.database, ProofSource.CLOCK, is_whole=False)
    whole = await service.prove(app.database, ProofSource.CLOCK)

    assert broken(sampled) == {"wallet_cache", "wallet_seals"}  # the wallet has just moved, too
    assert broken(whole) == {"wallet_seals"}


@pytest.mark.usefixtures("only_new")
async def test_after_a_failed_proof_all_are_whole_until_one_passes(
    app: RunningApp, member: SignedIn, owner: AsyncEngine
) -> None:
    await app.give(member, 100)
    await prove(app)
    await by_hand(
        owner, "UPDATE ledger_account SET balance_kobo = 10001 WHERE owner_id IS NOT NULL"
    )
    failed = await service.prove(app.database, ProofSource.CLOCK)
    passed_beside = await prove(app)  # on another worker, before the failed one is stored
    async with app.database.transaction() as tx:
        await service.keep(tx, failed)
    still = await prove(app)
    await by_hand(
        owner, "UPDATE ledger_account SET balance_kobo = 10000 WHERE owner_id IS NOT NULL"
    )
    repaired = await prove(app)
    next_one = await prove(app)

    made = [(one.ok, one.audit.is_whole) for one in (passed_beside, failed, still)]
    assert made == [(True, False), (False, True), (False, True)]
    assert [(one.ok, one.audit.is_whole) for one in (repaired, next_one)] == [
        (True, True),
        (True, False),
    ]


async def test_a_month_of_lagos_has_its_own_sum(
    app: RunningApp, member: SignedIn, owner: AsyncEngine
) -> None:
    for naira in (1, 2, 4, 8, 16):
        await app.give(member, naira)
    # The third began before midnight in Lagos, and got the wallet's lock after the second.
    for entry, at in enumerate(
        ("10-31T12:00", "10-31T23:30", "10-31T22:30", "11-30T22:59", "11-30T23:00"), start=1
    ):
        await by_hand(
            owner,
            f"UPDATE ledger_transfer SET created_at = '2026-{at}Z' WHERE wallet_entry = {entry}",
        )

    await prove(app)
    october = [(date(2026, 10, 1), 2, 500), (date(2026, 11, 1), 2, 1000)]
    assert await months(app, member) == [*october, (date(2026, 12, 1), 1, 1600)]
    for naira, at in ((32, "12-31T22:59"), (64, "10-31T12:00")):
        await app.give(member, naira)
        await by_hand(
            owner,
            f"UPDATE ledger_transfer SET created_at = '2026-{at}Z' "
            f"WHERE wallet_change_kobo = {naira * 100}",
        )
    await prove(app)

    assert await months(app, member) == [
        (date(2026, 10, 1), 3, 6900),
        (date(2026, 11, 1), 2, 1000),
        (date(2026, 12, 1), 2, 4800),
    ]
    assert await seal(app, member) == Seal(7, 12_700)
    assert (await prove(app, is_whole=True)).ok


@pytest.mark.parametrize(
    "statement",
    [
        "DELETE FROM ledger_seal",
        "DELETE FROM ledger_seal_month",
        "UPDATE ledger_seal SET last_entry = 1, after_kobo = 5000",
        "UPDATE ledger_seal SET after_kobo = 20000",
        "UPDATE ledger_seal SET wallet_id = gen_random_uuid(), last_entry = 3",
        "UPDATE ledger_seal_month SET moved_kobo = 0",
        "UPDATE ledger_seal_month SET month = '2020-01-01', entries = 3",
    ],
)
async def test_seals_are_never_removed_and_only_move_forwards(
    app: RunningApp, member: SignedIn, owner: AsyncEngine, statement: str
) -> None:
    await app.give(member, 100)
    await app.give(member, 50)
    await prove(app)

    async with owner.connect() as connection:
        with pytest.raises(
            DBAPIError,
            match="a seal",  # or a sealed month
        ):
            await connection.exec_driver_sql(statement)

    assert await seal(app, member) == Seal(2, 15_000)


@pytest.mark.parametrize(
    ("now", "due"),
    [
        ("2026-11-28T12:00", "2026-11-22T21:00"),
        ("2026-11-29T20:59", "2026-11-22T21:00"),
        ("2026-11-29T21:00", "2026-11-29T21:00"),
        ("2026-11-29T23:30", "2026-11-29T21:00"),
        ("2026-11-30T00:30", "2026-11-29T21:00"),
    ],
)
def test_a_whole_proof_is_due_on_sunday_evening_in_lagos(now: str, due: str) -> None:
    found = service.last_weekly_moment(datetime.fromisoformat(f"{now}Z"))

    assert found == datetime.fromisoformat(f"{due}Z")


async def test_the_clock_reads_everything_once_a_week(
    app: RunningApp, member: SignedIn, owner: AsyncEngine, finance: OperatorClient
) -> None:
    job = service.prove_job(app.database, JobQueue(make_sealer(app.settings)))
    earlier = "UPDATE ledger_proof SET at = at - interval '{}'"
    await app.give(member, 100)

    await job.step()
    async with owner.begin() as connection:
        await connection.exec_driver_sql(earlier.format("1 hour"))
    await job.step()
    async with owner.begin() as connection:
        await connection.exec_driver_sql(earlier.format("8 days"))
    shown = await figures(app)
    await job.step()

    rows = (await finance.get(PROOFS)).json()["data"]["rows"]
    last = "SELECT is_whole FROM ledger_proof ORDER BY id"
    assert await app.database.fetch_column(last) == [True, False, True]
    assert [row["isWhole"] for row in rows] == [True, False, True]
    hour, week = 3600, 8 * 24 * 3600
    assert week < shown["ledger_proof_age_seconds"] < week + hour
    assert week + hour <= shown["ledger_whole_proof_age_seconds"] < week + 2 * hour


async def test_a_sample_goes_round_all_wallets_and_counts_none_twice(
    app: RunningApp, member: SignedIn, rival: SignedIn, monkeypatch: pytest.MonkeyPatch
) -> None:
    third = await app.member("chidi")
    for one in (member, rival, third):
        async with app.database.transaction() as tx:
            await operator_credits.import_credit(
                tx, one.id, Kobo(100), f"demo:{new_id()}", clock.now()
            )
    every = set(
        await app.database.fetch_column("SELECT id FROM ledger_account WHERE type = 'wallet'")
    )
    connection = await app.database.connect_alone()
    try:
        all_of_them = await scopes.sample_wallets(connection)
        monkeypatch.setattr(scopes, "SAMPLED_WALLETS", 2)
        samples = [await scopes.sample_wallets(connection) for _ in range(100)]
    finally:
        await connection.close()

    assert (len(all_of_them), set(all_of_them)) == (3, every)
    assert {len(set(one)) for one in samples} == {2}
    assert {wallet for one in samples for wallet in one} == every
