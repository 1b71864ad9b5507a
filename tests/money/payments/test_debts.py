"""Debts after chargebacks: the next credits of the wallet repay them first."""

import asyncio
from uuid import UUID

import pytest
from api.foundation.core import clock
from api.foundation.security.rights import Role
from api.money.ledger_audit.repository.audit_run import broken_invariants_in
from api.money.payments.enums import DebtState
from api.money.payments.repository import chargebacks
from sqlalchemy import text
from sqlalchemy.ext.asyncio import AsyncEngine

from tests.back_office import ADMIN, OperatorClient, operator_client
from tests.conftest import RunningApp, SignedIn
from tests.home.privacy.test_privacy import leave
from tests.money.payments.test_desk import WHY, chargeback, funded, report, rows, spend, success
from tests.money.subscriptions.place import offer_plan, subscribe
from tests.money.wallet.test_operator_credits import WAYS, ordered
from tests.shop.test_transfers import confirm


@pytest.fixture
async def finance(office: RunningApp) -> OperatorClient:
    return await operator_client(office, "olu", Role.OWNER)


async def owe(
    app: RunningApp,
    member: SignedIn,
    finance: OperatorClient,
    naira: float = 1500,
    case: str = "77",
) -> UUID:
    """Have a member spend the whole balance and owe ``naira`` after a chargeback."""
    reference = await funded(app, member)
    await spend(app, member, round(await app.balance(member)))
    taken = await finance.post(f"{ADMIN}/chargebacks", chargeback(reference, naira, case))
    assert taken.json()["data"]["debt"] == naira, taken.text
    return UUID((await rows(finance, "debts"))[0]["id"])


async def holdings(member: SignedIn) -> tuple[float, float]:
    """Return what a member reads of the balance and the debt."""
    answer = await member.get(f"/api/v1/payment/wallet-balance/{member.id}")
    data = answer.json()["data"]
    return data["balance"], data["debt"]


async def movements(member: SignedIn, limit: int = 2) -> list[tuple[str, float, float]]:
    """Return the newest movements of a wallet: kind, amount, and what it held after it."""
    answer = await member.get(f"/api/v1/payment/statement/{member.id}", params={"limit": limit})
    return [(row["kind"], row["amount"], row["balanceAfter"]) for row in answer.json()["data"]]


async def test_a_funding_repays_the_debt_first_as_a_row_of_its_own(
    office: RunningApp, member: SignedIn, finance: OperatorClient
) -> None:
    await owe(office, member, finance)
    before = await holdings(member)

    await funded(office, member, 1000)
    halfway = await holdings(member)
    await funded(office, member, 1000)

    assert [before, halfway, await holdings(member)] == [(0, 1500), (0, 500), (500, 0)]
    assert await movements(member, 4) == [
        *[("debt_repayment", -500, 500), ("fund", 1000, 1000)],
        *[("debt_repayment", -1000, 0), ("fund", 1000, 1000)],
    ]
    (debt,) = await rows(finance, "debts")
    assert (debt["state"], debt["debt"]) == ("collected", 0)
    (case,) = await rows(finance, "review-cases")
    assert case["state"] == "accepted"
    assert await broken_invariants_in(office.database) == []


@pytest.mark.parametrize("name", [name for name in WAYS if name != "gift"])
async def test_every_kind_of_operator_credit_repays_the_debt_first(
    office: RunningApp, member: SignedIn, finance: OperatorClient, name: str
) -> None:
    credit = await WAYS[name](office, member, finance, 2000)
    await owe(office, member, finance)

    answer = await credit()

    assert answer.status_code in {200, 201}, answer.text
    assert await holdings(member) == (500, 0)
    if name != "cancellation":  # the member reads of the cancelled order first
        assert "₦1,500 of" in (await read_notices(member))[0][1]
    assert (await movements(member, 1))[0] == ("debt_repayment", -1500, 500)
    if name in {"adjustment", "refund"}:  # these responses contain the balance after the repayment
        assert answer.json()["data"]["balance"] == 500
    assert await broken_invariants_in(office.database) == []


async def test_a_member_who_cancels_an_order_repays_with_it(
    office: RunningApp, member: SignedIn, finance: OperatorClient
) -> None:
    placed = await ordered(office, member, 2000)
    await owe(office, member, finance)

    answer = await member.post(f"/api/v1/orders/{placed['orderId']}/cancel", {})

    assert answer.json()["data"]["balance"] == 500
    assert await holdings(member) == (500, 0)


async def test_a_transfer_for_an_order_pays_the_order_before_any_debt(
    office: RunningApp, member: SignedIn, finance: OperatorClient
) -> None:
    placed = await ordered(office, member, 2000, "bank-transfer")
    await owe(office, member, finance)

    answer = await confirm(finance, placed, amount=2000)

    assert answer.json()["data"]["outcome"] == "paid", answer.text
    assert await holdings(member) == (0, 1500)
    assert await broken_invariants_in(office.database) == []


async def test_a_plan_switch_is_paid_with_the_old_plans_rest_and_the_remainder_repays_the_debt(
    office: RunningApp, member: SignedIn, finance: OperatorClient
) -> None:
    large = await offer_plan(office, "Large", amount_kobo=400_000)
    small = await offer_plan(office, "Small", amount_kobo=100_000)
    await office.give(member, 4000)
    bought = await subscribe(member, large)
    assert bought.status_code == 201, bought.text
    await owe(office, member, finance, 5000)

    changed = await subscribe(member, small)

    credited = changed.json()["data"]["credited"]
    assert changed.status_code == 201, changed.text
    assert await holdings(member) == (0, 5000 - (credited - 1000))
    kinds = [kind for kind, *_ in await movements(member, 3)]
    assert kinds == ["debt_repayment", "subscription", "refund"]


async def test_the_oldest_debt_is_repaid_first(
    office: RunningApp, member: SignedIn, finance: OperatorClient
) -> None:
    old = await owe(office, member, finance, 1000, "old")
    reference = await funded(office, member)  # repays the old one
    assert await holdings(member) == (4000, 0)
    await spend(office, member, 4000)
    for number in range(2):
        await finance.post(f"{ADMIN}/chargebacks", chargeback(reference, 1000, f"new {number}"))

    await office.give(member, 1200)

    debts = {row["caseId"]: (row["state"], row["debt"]) for row in await rows(finance, "debts")}
    assert debts == {
        "OLD": ("collected", 0),
        "NEW0": ("collected", 0),
        "NEW1": ("open", 800),
    }
    assert await movements(member, 3) == [
        ("debt_repayment", -200, 0),
        ("debt_repayment", -1000, 200),
        ("adjust", 1200, 1200),
    ]
    late = await finance.post(f"{ADMIN}/debts/{old}/collect", WHY)
    assert (late.status_code, late.json()["data"]) == (409, {"status": "collected"})


async def test_a_case_that_was_looked_at_before_stays_as_it_was_decided(
    office: RunningApp, member: SignedIn, finance: OperatorClient
) -> None:
    await owe(office, member, finance)
    (case,) = await rows(finance, "review-cases")
    await finance.post(f"{ADMIN}/review-cases/{case['id']}/refuse", WHY)

    await office.give(member, 1500)

    (after,) = await rows(finance, "review-cases")
    assert (after["state"], after["reason"]) == ("refused", WHY["reason"])
    assert (await rows(finance, "debts"))[0]["state"] == "collected"


async def test_money_from_before_the_rule_is_collected_by_hand(
    office: RunningApp, member: SignedIn, finance: OperatorClient, owner: AsyncEngine
) -> None:
    debt_id = await owe(office, member, finance)
    path = f"{ADMIN}/debts/{debt_id}/collect"
    nothing = await finance.post(path, WHY)
    async with owner.begin() as connection:
        await connection.execute(text("ALTER TABLE ledger_transfer DISABLE TRIGGER repay_debts"))
    await office.give(member, 1000)
    async with owner.begin() as connection:
        await connection.execute(text("ALTER TABLE ledger_transfer ENABLE TRIGGER repay_debts"))

    some = await finance.post(path, WHY)

    assert nothing.json()["data"] == {"taken": 0, "debt": 1500}
    assert some.json()["data"] == {"taken": 1000, "debt": 500}
    assert (await read_notices(member))[0] == (
        "₦1,000 was used to repay your debt",
        "We took ₦1,000 from your wallet. You still owe ₦500.",
    )
    assert (await movements(member, 1))[0] == ("debt_repayment", -1000, 0)
    await office.give(member, 1000)
    assert await holdings(member) == (500, 0)
    assert await broken_invariants_in(office.database) == []


async def test_a_credit_waits_for_a_concurrent_settlement_of_the_debt_and_stays_with_the_member(
    office: RunningApp, member: SignedIn, finance: OperatorClient
) -> None:
    debt_id = await owe(office, member, finance)

    async with office.database.transaction() as tx:
        assert await chargebacks.lock_debt(tx, debt_id) is not None
        crediting = asyncio.create_task(office.give(member, 2000))
        collecting = asyncio.create_task(finance.post(f"{ADMIN}/debts/{debt_id}/collect", WHY))
        await asyncio.wait({crediting, collecting}, timeout=0.5)
        assert not crediting.done()
        assert not collecting.done()
        await chargebacks.change_debt(tx, debt_id, 150_000, DebtState.WRITTEN_OFF, clock.now())

    await crediting
    collected = await collecting
    assert (collected.status_code, collected.json()["data"]) == (409, {"status": "written_off"})
    assert await holdings(member) == (2000, 0)


async def test_a_debt_is_written_off_by_a_second_person(
    office: RunningApp, member: SignedIn, finance: OperatorClient
) -> None:
    debt_id = await owe(office, member, finance)
    path = f"{ADMIN}/debts/{debt_id}/write-off"
    alone = await finance.post(path, WHY)
    other = await operator_client(office, "bisi", Role.OWNER)

    proposed = await finance.post(path, WHY)
    approval = proposed.json()["data"]["approval"]
    decision = {"digest": approval["digest"], "decision": "approve", **WHY}
    own = await finance.post(f"{ADMIN}/approvals/{approval['id']}/decide", decision)
    decided = await other.post(f"{ADMIN}/approvals/{approval['id']}/decide", decision)

    assert (alone.status_code, alone.json()["error"]["code"]) == (409, "second_person_needed")
    assert (proposed.status_code, own.json()["error"]["code"]) == (202, "own_proposal")
    assert decided.json()["data"]["result"]["writtenOff"] == 1500
    (debt,) = await rows(finance, "debts?state=written_off")
    assert debt["debt"] == 1500
    (case,) = await rows(finance, "review-cases")
    assert case["state"] == "refused"
    for record in ("collect", "write-off"):
        late = await finance.post(f"{ADMIN}/debts/{debt_id}/{record}", WHY)
        assert (late.status_code, late.json()["data"]) == (409, {"status": "written_off"})


async def read_notices(member: SignedIn) -> list[tuple[str, str]]:
    """Return the title and the body of a member's notifications, newest first."""
    found = (await member.get("/api/v1/notifications")).json()["data"]["rows"]
    return [(row["title"], row["body"]) for row in found]


async def test_a_chargeback_says_what_was_taken_and_what_is_owed(
    office: RunningApp, member: SignedIn, finance: OperatorClient
) -> None:
    first = await funded(office, member)
    await finance.post(f"{ADMIN}/chargebacks", chargeback(first, 2000, "76"))
    covered = await read_notices(member)
    await spend(office, member, 2500)
    await finance.post(f"{ADMIN}/chargebacks", chargeback(first, 2000, "77"))
    short = await read_notices(member)
    await finance.post(f"{ADMIN}/chargebacks", chargeback(first, 1000, "78"))

    assert covered[0] == (
        "₦2,000 was charged back",
        "Your bank or card provider took back ₦2,000 that you had paid. "
        "We took it from your wallet.",
    )
    assert short[0] == (
        "₦2,000 was charged back",
        "Your bank or card provider took back ₦2,000 that you had paid. Your wallet covered ₦500. "
        "You now owe ₦1,500; the next money that comes into your wallet repays it.",
    )
    empty = (await read_notices(member))[0]
    assert empty[1].endswith(
        "Your wallet covered ₦0. "
        "You now owe ₦2,500; the next money that comes into your wallet repays it."
    )


async def test_a_funding_that_repays_a_debt_says_how_much_of_it_did(
    office: RunningApp, member: SignedIn, finance: OperatorClient
) -> None:
    await owe(office, member, finance)

    await funded(office, member, 1000)
    some = await read_notices(member)
    await funded(office, member, 2000)
    rest = await read_notices(member)
    await funded(office, member, 700)

    assert some[0] == (
        "₦1,000 came into your wallet",
        "₦1,000 of it repaid what you owed. You still owe ₦500.",
    )
    assert rest[0] == (
        "₦2,000 came into your wallet",
        "₦500 of it repaid what you owed. You still owe ₦0.",
    )
    assert (await read_notices(member))[0][0] == "₦700 is in your wallet"


async def test_a_debt_names_the_proposal_that_waits_to_write_it_off(
    office: RunningApp, member: SignedIn, finance: OperatorClient
) -> None:
    debt_id = await owe(office, member, finance)
    other = await operator_client(office, "bisi", Role.OWNER)
    (before,) = await rows(finance, "debts")

    first, second = [
        (await finance.post(f"{ADMIN}/debts/{debt_id}/write-off", WHY)).json()["data"]["approval"]
        for _ in range(2)
    ]
    (waiting,) = await rows(other, "debts")
    refusal = {"decision": "refuse", **WHY}
    for approval in (second, first):
        decision = {"digest": approval["digest"]} | refusal
        await other.post(f"{ADMIN}/approvals/{approval['id']}/decide", decision)
        (left,) = await rows(other, "debts")
        assert left["approvalId"] == (first["id"] if approval is second else None)

    assert (before["approvalId"], waiting["approvalId"]) == (None, second["id"])


async def test_the_page_of_a_member_says_what_they_owe(
    office: RunningApp, member: SignedIn, finance: OperatorClient
) -> None:
    async def owed() -> float:
        page = (await finance.get(f"{ADMIN}/members/{member.id}")).json()["data"]
        found: float = page["wallet"]["debt"]
        return found

    before = await owed()
    await owe(office, member, finance)

    assert (before, await owed()) == (0, 1500)


async def test_a_proposal_to_write_off_that_has_expired_does_not_wait(
    office: RunningApp, member: SignedIn, finance: OperatorClient, owner: AsyncEngine
) -> None:
    debt_id = await owe(office, member, finance)
    await operator_client(office, "bisi", Role.OWNER)
    await finance.post(f"{ADMIN}/debts/{debt_id}/write-off", WHY)
    async with owner.begin() as connection:
        await connection.exec_driver_sql("UPDATE approval SET expires_at = now()")

    (debt,) = await rows(finance, "debts")

    assert debt["approvalId"] is None


async def test_an_operator_cannot_be_the_second_person_for_their_own_debt(
    office: RunningApp, finance: OperatorClient
) -> None:
    debtor = await operator_client(office, "dayo", Role.OWNER)
    debt_id = await owe(office, debtor.member, finance)
    path = f"{ADMIN}/debts/{debt_id}/write-off"
    alone = await finance.post(path, WHY)
    other = await operator_client(office, "bisi", Role.OWNER)

    proposed = await finance.post(path, WHY)
    approval = proposed.json()["data"]["approval"]
    decision = {"digest": approval["digest"], "decision": "approve", **WHY}
    decide = f"{ADMIN}/approvals/{approval['id']}/decide"
    own = await debtor.post(decide, decision)

    assert (alone.status_code, alone.json()["error"]["code"]) == (409, "second_person_needed")
    assert (own.status_code, own.json()["error"]["code"]) == (409, "own_proposal")
    assert (await rows(finance, "debts"))[0]["state"] == "open"
    asked = await debtor.post(path, WHY)
    assert asked.json()["data"]["approval"]["reasons"] == ["own"]
    assert (await other.post(decide, decision)).status_code == 200


async def test_operators_cannot_record_a_chargeback_of_their_own_payment(
    office: RunningApp, finance: OperatorClient
) -> None:
    debtor = await operator_client(office, "dayo", Role.FINANCE)
    reference = await funded(office, debtor.member)

    own = await debtor.post(f"{ADMIN}/chargebacks", chargeback(reference, 10))

    assert (own.status_code, own.json()["error"]["code"]) == (409, "own_proposal")
    assert await office.balance(debtor.member) == 5000
    done = await finance.post(f"{ADMIN}/chargebacks", chargeback(reference, 10))
    assert done.status_code == 201, done.text


async def test_a_debt_that_was_paid_meanwhile_is_not_written_off(
    office: RunningApp, member: SignedIn, finance: OperatorClient
) -> None:
    debt_id = await owe(office, member, finance)
    other = await operator_client(office, "bisi", Role.OWNER)
    proposed = await finance.post(f"{ADMIN}/debts/{debt_id}/write-off", WHY)
    approval = proposed.json()["data"]["approval"]
    await office.give(member, 100)

    answer = await other.post(
        f"{ADMIN}/approvals/{approval['id']}/decide",
        {"digest": approval["digest"], "decision": "approve", **WHY},
    )

    assert (answer.status_code, answer.json()["error"]["code"]) == (409, "wrong_state")
    (debt,) = await rows(finance, "debts?state=open")
    assert debt["debt"] == 1400


async def test_a_member_who_leaves_forfeits_only_the_balance_after_the_debt(
    office: RunningApp, member: SignedIn, finance: OperatorClient
) -> None:
    await ordered(office, member, 2000)
    await owe(office, member, finance, 1500)

    leaving = await leave(member)

    assert leaving.json()["data"] == {"balance": 500}, leaving.text


async def test_twenty_chargebacks_and_credits_at_once_lose_and_repay_nothing_twice(
    live_server: RunningApp,
) -> None:
    member = await live_server.member("ada")
    operator = await operator_client(live_server, "olu", Role.FINANCE)
    prepared = await member.post("/api/v1/payment/prepare-wallet-funding", {"amount": 5000})
    reference = prepared.json()["data"]["reference"]
    await report(live_server, success(reference))
    await spend(live_server, member, 4000)

    same = await asyncio.gather(
        *(operator.post(f"{ADMIN}/chargebacks", chargeback(reference)) for _ in range(20))
    )
    (debt,) = await rows(operator, "debts")
    charged = await asyncio.gather(
        *(
            operator.post(f"{ADMIN}/chargebacks", chargeback(reference, 1000, f"case {number}"))
            for number in range(10)
        ),
        *(operator.post(f"{ADMIN}/debts/{debt['id']}/collect", WHY) for _ in range(5)),
        *(live_server.give(member, 70) for _ in range(10)),
    )

    assert sorted(answer.status_code for answer in same) == [201] + [409] * 19
    assert sorted(answer.status_code for answer in charged[:10] if answer) == [201] * 3 + [409] * 7
    assert await holdings(member) == (0, 5000 - 1000 - 700)
    assert await broken_invariants_in(live_server.database) == []
