"""The ledger's proof holds through a member's whole life, and finds a kobo moved by hand."""

import math
from email import message_from_bytes
from typing import Any

import asyncpg
import pytest
from api.app.factories import make_sealer
from api.foundation.core.config import Settings
from api.foundation.core.ids import new_id
from api.foundation.core.supervisor import Skipped
from api.foundation.jobs.queue import JobQueue
from api.foundation.security.rights import Role
from api.money.ledger_audit import service
from api.money.ledger_audit.repository import audit_run, fingerprints
from prometheus_client.parser import text_string_to_metric_families
from sqlalchemy.ext.asyncio import AsyncEngine

from tests.back_office import ADMIN, OperatorClient, operator_client
from tests.conftest import RunningApp, SignedIn
from tests.console.command_line import acts, run
from tests.mail_server import part_of
from tests.money.payments.test_desk import chargeback, funded, report, spend, success
from tests.money.subscriptions.place import offer_plan, subscribe
from tests.shop.test_orders import buy
from tests.shop.test_transfers import confirm, order

PROOFS = f"{ADMIN}/proofs"
NAMES = [
    "sum_zero",
    "wallet_cache",
    "wallet_chain",
    "wallet_seals",
    "orders_paid",
    "fundings_paid",
    "funding_cases",
    "subscriptions_paid",
    "refunds_capped",
    "stock_allocated",
    "provider_settled",
    "orders_total",
    "caused_credits",
    "transfers_in_bank",
]


@pytest.fixture
async def finance(app: RunningApp) -> OperatorClient:
    return await operator_client(app, "olu", Role.FINANCE)


async def live(app: RunningApp, member: SignedIn, finance: OperatorClient) -> str:
    """Fund, buy, subscribe, cancel, and be charged back; return the funding's reference."""
    reference = await funded(app, member, 20_000)
    await buy(app, member)
    cancelled = await buy(app, member)
    await member.post(f"/api/v1/orders/{cancelled['orderId']}/cancel", {})
    assert (await subscribe(member, await offer_plan(app))).status_code == 201
    await confirm(finance, await order(app, member), amount=6000)
    (case,) = (await finance.get(f"{ADMIN}/review-cases")).json()["data"]["rows"]
    await finance.post(f"{ADMIN}/review-cases/{case['id']}/accept", {"reason": "Asked"})
    await spend(app, member, int(await app.balance(member)) - 1000)
    answer = await finance.post(f"{ADMIN}/chargebacks", chargeback(reference))
    assert answer.json()["data"]["debt"] > 0
    await app.give(member, 500)
    await order(app, member)  # by bank transfer, and never paid
    await app.give(member, 5000)
    return reference


@pytest.fixture
async def lived(app: RunningApp, member: SignedIn, finance: OperatorClient) -> str:
    """A member with documents of every kind; the reference of their funding."""
    return await live(app, member, finance)


async def by_hand(owner: AsyncEngine, statement: str) -> None:
    """Change rows as the tables' owner, bypassing every trigger."""
    async with owner.begin() as connection:
        await connection.exec_driver_sql("SET LOCAL session_replication_role = replica")
        changed = await connection.exec_driver_sql(statement)
        assert changed.rowcount == 1


def broken(found: dict[str, Any]) -> dict[str, list[str]]:
    return {one["name"]: one["examples"] for one in found["checks"] if not one["ok"]}


@pytest.mark.usefixtures("lived")
async def test_a_whole_life_balances_and_the_look_is_kept(
    app: RunningApp, finance: OperatorClient
) -> None:
    answer = await finance.post(PROOFS, key="prove-only-once")
    again = await finance.post(PROOFS, key="prove-only-once")

    found = answer.json()["data"]
    assert answer.status_code == 201
    assert (found["ok"], found["difference"], broken(found)) == (True, 0, {})
    assert found["transfers"] == await app.database.fetch_value(
        "SELECT count(*) FROM ledger_transfer"
    )
    assert [one["name"] for one in found["checks"]] == NAMES
    assert {one["count"] for one in found["checks"]} == {0}
    assert again.json() == answer.json()
    (kept,) = (await finance.get(PROOFS)).json()["data"]["rows"]
    assert {name: kept[name] for name in found} == found
    assert kept["source"] == "back_office"
    audited = "SELECT count(*) FROM audit_entry WHERE action = 'prove'"
    assert await app.database.fetch_value(audited) == 1
    today = (await finance.get(f"{ADMIN}/today")).json()["data"]
    assert (today["ledger"]["ok"], today["ledger"]["difference"]) == (True, 0)


FUND = "kind = 'fund' AND reference LIKE 'FW-%%'"


BY_HAND: list[tuple[str, set[str], float]] = [
    (
        "UPDATE ledger_account SET balance_kobo = balance_kobo + 1 WHERE owner_id IS NOT NULL",
        {"sum_zero", "wallet_cache"},
        0.01,
    ),
    (
        f"UPDATE ledger_transfer SET amount_kobo = amount_kobo + 1 WHERE {FUND}",
        {"sum_zero", "fundings_paid"},
        0.01,
    ),
    (
        f"UPDATE ledger_transfer SET wallet_change_kobo = wallet_change_kobo + 1 WHERE {FUND}",
        {"sum_zero", "wallet_cache", "wallet_chain"},
        0.01,
    ),
    (
        f"UPDATE ledger_transfer SET wallet_after_kobo = wallet_after_kobo - 1 WHERE {FUND}",
        {"wallet_chain"},
        0,
    ),
    (
        "UPDATE funding SET amount_kobo = amount_kobo - 1 WHERE state = 'succeeded'",
        {"fundings_paid"},
        0,
    ),
    (
        "UPDATE bank_receipt SET credited_kobo = credited_kobo + 1",
        {"fundings_paid"},
        0,
    ),
    (
        "UPDATE shop_order SET total_kobo = total_kobo + 1 WHERE status = 'cancelled'",
        {"orders_paid", "orders_total"},
        0,
    ),
    (
        "UPDATE subscription SET amount_kobo = amount_kobo + 1",
        {"subscriptions_paid"},
        0,
    ),
    (
        "DELETE FROM subscription",
        {"subscriptions_paid"},
        0,
    ),
    (
        "UPDATE ledger_transfer SET amount_kobo = amount_kobo + 1 WHERE kind = 'refund'",
        {"sum_zero", "refunds_capped"},
        0.01,
    ),
    (
        "UPDATE chargeback SET taken_kobo = taken_kobo + 1",
        {"refunds_capped"},
        0,
    ),
    (
        "UPDATE debt SET amount_kobo = amount_kobo + 1",
        {"refunds_capped"},
        0,
    ),
    (
        "UPDATE funding SET gateway_transaction_id = NULL WHERE state = 'succeeded'",
        {"provider_settled"},
        0,
    ),
    (
        "UPDATE funding SET state = 'review', review_reason = 'amount' WHERE state = 'succeeded'",
        {"fundings_paid", "funding_cases"},
        0,
    ),
    (
        "UPDATE product_variant SET allocated = allocated + 1 WHERE id = "
        "(SELECT variant_id FROM order_line LIMIT 1)",
        {"stock_allocated"},
        0,
    ),
    (
        "UPDATE review_case SET user_id = (SELECT user_id FROM operator) WHERE kind = 'surplus'",
        {"fundings_paid", "caused_credits"},
        0,
    ),
    (
        "UPDATE shop_order SET is_paid = true, status = 'processing' WHERE status = 'pending'",
        {"orders_paid"},
        0,
    ),
    (
        "UPDATE review_case SET amount_kobo = amount_kobo + 1 WHERE kind = 'surplus'",
        {"fundings_paid", "caused_credits"},
        0,
    ),
    (
        "UPDATE shop_order SET user_id = (SELECT user_id FROM operator) "
        "WHERE payment_method = 'bank-transfer' AND is_paid",
        {"orders_paid", "fundings_paid", "caused_credits"},
        0,
    ),
    (
        "UPDATE chargeback SET id = gen_random_uuid()",
        {"refunds_capped"},
        0,
    ),
]


@pytest.mark.usefixtures("lived")
@pytest.mark.parametrize(("statement", "names", "difference"), BY_HAND)
async def test_what_was_changed_by_hand_is_found_and_named(
    finance: OperatorClient, owner: AsyncEngine, statement: str, names: set[str], difference: float
) -> None:
    await by_hand(owner, statement)

    found = (await finance.post(PROOFS)).json()["data"]

    assert (found["ok"], found["difference"]) == (False, difference)
    assert broken(found).keys() == names
    assert all(examples for examples in broken(found).values())


@pytest.mark.usefixtures("lived")
@pytest.mark.parametrize(
    ("statement", "is_equal"),
    [
        ("SELECT 1", True),
        ("UPDATE ledger_account SET entries = entries + 1 WHERE owner_id IS NOT NULL", False),
        ("UPDATE ledger_transfer SET wallet_id = credit_id WHERE kind = 'subscription'", False),
        (
            "UPDATE ledger_transfer SET reference = reference || '1' WHERE kind = 'fund' "
            "AND reference LIKE 'FW-%%'",
            False,
        ),
        ("UPDATE subscription SET user_id = (SELECT user_id FROM operator)", False),
        (
            "UPDATE shop_order SET is_paid = false WHERE payment_method = 'bank-transfer' "
            "AND is_paid",
            False,
        ),
        ("UPDATE review_case SET state = 'refused' WHERE kind = 'surplus'", False),
        (
            "DELETE FROM ledger_transfer WHERE kind = 'debt_repayment' AND reference LIKE '%%:0'",
            False,
        ),
    ],
)
async def test_fingerprints_are_equal_only_while_all_adds_up(
    app: RunningApp, owner: AsyncEngine, statement: str, is_equal: bool
) -> None:
    await by_hand(owner, statement)

    connection = await app.database.connect_alone()
    try:
        counted = [await fingerprints.count_proven(connection) for _ in range(3)]
    finally:
        await connection.close()

    held = await app.database.fetch_value("SELECT count(*) FROM ledger_transfer")
    assert counted == [held if is_equal else None] * 3


@pytest.mark.usefixtures("lived")
@pytest.mark.parametrize("halves", [1, (1 << 32) + 1])
async def test_what_goes_from_wallet_to_wallet_by_hand_is_found(
    app: RunningApp, rival: SignedIn, finance: OperatorClient, owner: AsyncEngine, halves: int
) -> None:
    rich = await app.member("chidi")
    await app.give(rich, 50_000_000)
    await app.give(rival, 1000)
    xored = (
        "UPDATE ledger_account SET balance_kobo = balance_kobo # {halves} WHERE owner_id = '{id}'"
    )
    for one in (rich, rival):
        await by_hand(owner, xored.format(halves=halves, id=one.id))

    found = broken((await finance.post(PROOFS)).json()["data"])

    assert len(found["wallet_cache"]) == 2


@pytest.mark.usefixtures("lived")
async def test_a_payment_in_the_middle_of_a_look_is_not_part_of_it(
    app: RunningApp, member: SignedIn, monkeypatch: pytest.MonkeyPatch
) -> None:
    held: list[int] = []

    async def count_slowly(connection: asyncpg.Connection) -> None:
        held.append(await connection.fetchval("SELECT count(*) FROM ledger_transfer"))
        await app.give(member, 1)

    monkeypatch.setattr(audit_run, "count_proven", count_slowly)

    found = await audit_run.audit(app.database)

    assert found.totals.transfers == held[0]


async def test_no_two_amounts_have_one_fingerprint_because_of_their_halves(app: RunningApp) -> None:
    place = fingerprints.PLACE.format(wallet="$2::uuid", kobo="$3::bigint", entry="1::bigint")
    wallet, halves = new_id(), (1 << 32) + 1

    for kobo in (0, 1, 250_050, 17_179_869_180, -5):
        found = [
            await app.database.fetch_value(f"SELECT {place}", 77, wallet, amount)
            for amount in (kobo, kobo ^ halves)
        ]
        assert found[0] != found[1]


async def test_the_wallet_and_the_funding_that_do_not_add_up_are_named(
    finance: OperatorClient, member: SignedIn, lived: str, owner: AsyncEngine
) -> None:
    await by_hand(owner, "UPDATE ledger_account SET balance_kobo = 7 WHERE owner_id IS NOT NULL")
    await by_hand(owner, "UPDATE funding SET amount_kobo = 7 WHERE state = 'succeeded'")

    found = broken((await finance.post(PROOFS)).json()["data"])

    assert str(member.id) in found["wallet_cache"][0]
    assert lived in found["fundings_paid"][0]


async def test_money_that_a_provider_reports_and_nobody_knows_is_found(
    app: RunningApp, finance: OperatorClient, owner: AsyncEngine
) -> None:
    await report(app, success("FW-NOWHERE"))
    early = (await finance.post(PROOFS)).json()["data"]
    await by_hand(owner, "UPDATE payment_event SET received_at = now() - interval '1 hour'")
    late = (await finance.post(PROOFS)).json()["data"]
    (listed,) = (await finance.get(f"{ADMIN}/webhooks")).json()["data"]["rows"]
    path = f"{ADMIN}/webhooks/{listed['id']}/ignore"
    await finance.post(path, {"reason": "Another shop of ours"})

    assert early["ok"] is True
    assert list(broken(late)) == ["provider_settled"]
    assert "FW-NOWHERE" in broken(late)["provider_settled"][0]
    assert (await finance.post(PROOFS)).json()["data"]["ok"] is True


@pytest.mark.usefixtures("lived")
async def test_the_console_proves_and_says_so_by_its_exit_code(
    app: RunningApp, settings: Settings, owner: AsyncEngine
) -> None:
    good = await run("prove", url=settings.database_url)
    await by_hand(owner, "UPDATE ledger_account SET balance_kobo = 7 WHERE owner_id IS NOT NULL")
    bad = await run("prove", url=settings.database_url)

    assert (good.returncode, bad.returncode) == (0, 1), good.stderr + bad.stderr
    lines = good.stdout.splitlines()
    assert [line.partition(":")[0] for line in lines[:-1]] == [f"ok {name}" for name in NAMES]
    assert lines[-1].startswith("The ledger balances: ")
    assert "FAIL wallet_cache: 1, such as " in bad.stdout
    assert acts(good) == []
    kept = await app.database.fetch_rows("SELECT source, ok FROM ledger_proof ORDER BY id")
    assert [(row["source"], row["ok"]) for row in kept] == [("console", True), ("console", False)]


async def test_the_clock_proves_once_an_hour_and_warns_once(
    app: RunningApp, finance: OperatorClient, member: SignedIn, owner: AsyncEngine
) -> None:
    await operator_client(app, "ada", Role.OWNER)
    await operator_client(app, "chidi", Role.SHOP)
    queue = JobQueue(make_sealer(app.settings))
    job = service.prove_job(app.database, queue)
    await app.give(member, 100)
    for path in app.outbox.glob("*.eml"):
        path.unlink()

    assert [await job.step(), isinstance(await job.step(), Skipped)] == [None, True]
    await by_hand(owner, "UPDATE ledger_account SET balance_kobo = 7 WHERE owner_id IS NOT NULL")
    await by_hand(owner, "UPDATE ledger_proof SET at = at - interval '1 hour'")
    assert await job.step() is None
    await app.settle()
    at_once = sorted(app.outbox.glob("*.eml"))
    await service.prove_by_clock(app.database, queue)
    await app.settle()

    assert sorted(app.outbox.glob("*.eml")) == at_once
    mails = [message_from_bytes(path.read_bytes()) for path in app.outbox.glob("*.eml")]
    assert sorted(mail["To"] for mail in mails) == ["ada@example.com", "olu@example.com"]
    assert {mail["Subject"] for mail in mails} == {"Ledger does not balance"}
    assert all("wallet_cache" in part_of(mail) for mail in mails)


async def test_the_last_look_is_among_the_figures(
    app: RunningApp, finance: OperatorClient, member: SignedIn, owner: AsyncEngine
) -> None:
    assert math.isnan((await figures(app))["ledger_difference_kobo"])
    await app.give(member, 100)
    await by_hand(
        owner, "UPDATE ledger_account SET balance_kobo = 10003 WHERE owner_id IS NOT NULL"
    )
    await finance.post(PROOFS)

    shown = await figures(app)

    assert (shown["ledger_difference_kobo"], shown["ledger_unmatched"]) == (3, 2)
    assert 0 <= shown["ledger_proof_age_seconds"] < 30


async def figures(app: RunningApp) -> dict[str, float]:
    reader = app.asgi.state.services.figures
    reader._fresh_until = 0.0
    text = (await app.client.get("/metrics")).text
    return {
        family.name: family.samples[0].value
        for family in text_string_to_metric_families(text)
        if family.name.startswith("ledger_")
    }


async def test_who_may_not_read_money_sees_no_proof(app: RunningApp) -> None:
    shop = await operator_client(app, "chidi", Role.SHOP)

    assert [(await shop.get(PROOFS)).status_code, (await shop.post(PROOFS)).status_code] == [
        404,
        404,
    ]
