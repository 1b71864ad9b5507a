"""Bank transfers that operators confirm: exact, partial, too large, late, and once."""

import asyncio
from datetime import timedelta
from typing import Any

import httpx
import pytest
import time_machine
from api.foundation.core import clock
from api.foundation.security.rights import Role
from api.money.ledger_audit.repository.audit_run import broken_invariants_in
from api.shop.service import orders

from tests.back_office import ADMIN, OperatorClient, operator_client
from tests.conftest import RunningApp, SignedIn
from tests.shop.carts import CHECKOUT, cart, stock
from tests.shop.test_open_orders import TRANSFER_WINDOW
from tests.shop.test_orders import buy, detail, kinds

LATELY = clock.lagos_day(clock.now()) - timedelta(days=3)
TRANSFER = {"bank": "058", "reference": "NIP 0001 abc", "amount": 5001, "paidOn": f"{LATELY}"}


@pytest.fixture
async def finance(app: RunningApp) -> OperatorClient:
    return await operator_client(app, "olu", Role.FINANCE)


async def order(app: RunningApp, member: SignedIn) -> dict[str, Any]:
    """Order for 5,001 naira by bank transfer."""
    return await buy(app, member, paymentMethod="bank-transfer")


async def confirm(
    operator_client: OperatorClient,
    placed: dict[str, Any],
    *,
    key: str | None = None,
    **changes: Any,
) -> httpx.Response:
    path = f"{ADMIN}/orders/{placed['orderId']}/confirm-transfer"
    return await operator_client.post(path, TRANSFER | changes, key=key)


async def agreed(second: OperatorClient, proposed: httpx.Response) -> httpx.Response:
    """Approve a proposal as a second person."""
    assert proposed.status_code == 202, proposed.text
    approval = proposed.json()["data"]["approval"]
    body = {"digest": approval["digest"], "decision": "approve", "reason": "Seen at the bank"}
    return await second.post(f"{ADMIN}/approvals/{approval['id']}/decide", body)


async def notification_kinds(member: SignedIn) -> list[str]:
    rows = (await member.get("/api/v1/notifications")).json()["data"]["rows"]
    return [row["kind"] for row in rows]


async def test_a_whole_transfer_pays_the_order_and_says_so_everywhere(
    app: RunningApp, member: SignedIn, finance: OperatorClient
) -> None:
    placed = await order(app, member)

    answer = await confirm(finance, placed)

    assert answer.json()["data"] == {
        "outcome": "paid",
        "status": "processing",
        "received": 5001,
        "missing": 0,
        "surplus": 0,
    }
    found = await detail(member, placed["orderId"])
    assert (found["status"], found["is_paid"], found["received"], found["transfer"]) == (
        *("processing", True, 5001),
        None,
    )
    assert (await kinds(member, placed["orderId"]))[1:] == [("paid", "processing", "admin")]
    assert await notification_kinds(member) == ["order_paid"]
    assert await app.balance(member) == 0
    statement = (await member.get(f"/api/v1/payment/statement/{member.id}")).json()["data"]
    assert [(row["kind"], row["amount"], row["reference"]) for row in statement] == [
        ("purchase", -5001, placed["orderId"]),
        ("fund", 5001, "transfer:058:NIP0001ABC"),
    ]
    entries = await operator_client(app, "ngozi", Role.OWNER)
    (entry,) = (await entries.get(f"{ADMIN}/audit?q=confirm-transfer")).json()["data"]["rows"]
    assert (entry["targetId"], entry["after"]["outcome"]) == (placed["orderId"], "paid")
    assert await broken_invariants_in(app.database) == []


async def test_a_confirmed_order_can_be_cancelled_and_its_money_is_in_the_wallet(
    app: RunningApp, member: SignedIn, finance: OperatorClient
) -> None:
    placed = await order(app, member)
    await confirm(finance, placed)

    answer = await member.post(f"/api/v1/orders/{placed['orderId']}/cancel", {})

    assert answer.json()["data"] == {"status": "cancelled", "refunded": 5001, "balance": 5001}
    assert await stock(app, placed["product"]) == 10
    assert await broken_invariants_in(app.database) == []


async def test_parts_add_up_and_move_no_money_before_all_is_there(
    app: RunningApp, member: SignedIn, finance: OperatorClient
) -> None:
    placed = await order(app, member)

    answer = await confirm(finance, placed, amount=2000.5)
    first = answer.json()["data"]

    assert answer.json()["message"].endswith("₦3,000.50 is still missing.")
    assert (first["outcome"], first["status"], first["received"], first["missing"]) == (
        *("short", "pending"),
        *(2000.5, 3000.5),
    )
    assert await app.balance(member) == 0
    assert (await detail(member, placed["orderId"]))["received"] == 2000.5
    second = (await confirm(finance, placed, reference="second", amount=3000.5)).json()["data"]
    assert (second["outcome"], second["received"]) == ("paid", 5001)
    assert await kinds(member, placed["orderId"]) == [
        ("placed", "pending", "member"),
        ("transfer_short", "pending", "admin"),
        ("paid", "processing", "admin"),
    ]
    assert await notification_kinds(member) == ["order_paid", "transfer_short"]
    assert await broken_invariants_in(app.database) == []


@pytest.mark.parametrize("ending", ["cancelled", "expired"])
async def test_parts_of_an_order_that_ends_otherwise_go_to_the_wallet_once(
    app: RunningApp, member: SignedIn, finance: OperatorClient, ending: str
) -> None:
    placed = await order(app, member)
    await confirm(finance, placed, amount=2000)

    for _ in range(2):
        if ending == "cancelled":
            await member.post(f"/api/v1/orders/{placed['orderId']}/cancel", {})
        else:
            await orders.expire_orders(app.database, clock.now() + TRANSFER_WINDOW)

    assert (await detail(member, placed["orderId"]))["status"] == ending
    assert await app.balance(member) == 2000
    assert await stock(app, placed["product"]) == 10
    assert await broken_invariants_in(app.database) == []


async def test_what_is_too_much_waits_for_a_person_and_is_credited_once(
    app: RunningApp, member: SignedIn, finance: OperatorClient
) -> None:
    placed = await order(app, member)

    answer = (await confirm(finance, placed, amount=6000)).json()["data"]

    assert (answer["outcome"], answer["surplus"], answer["status"]) == (
        *("surplus", 999),
        "processing",
    )
    assert await app.balance(member) == 0
    (case,) = (await finance.get(f"{ADMIN}/review-cases")).json()["data"]["rows"]
    assert (case["kind"], case["amount"], case["state"], case["subject"]) == (
        *("surplus", 999, "open"),
        placed["orderId"],
    )
    assert (await detail(member, placed["orderId"]))["underReview"] == 999
    assert (case["orderNumber"], case["fundingReference"], case["reports"]) == (
        *(placed["orderNumber"], None),
        [],
    )
    path = f"{ADMIN}/review-cases/{case['id']}"
    answers = [
        await finance.post(f"{path}/{record}", {"reason": "Member asked"})
        for record in ("accept", "accept", "refuse")
    ]
    assert [one.status_code for one in answers] == [200, 409, 409]
    assert (await detail(member, placed["orderId"]))["underReview"] == 0
    assert answers[1].json()["data"] == {"status": "accepted"}
    assert await app.balance(member) == 999
    assert await notification_kinds(member) == ["wallet_credited", "order_paid"]
    assert await broken_invariants_in(app.database) == []


async def test_a_refused_case_moves_nothing(
    app: RunningApp, member: SignedIn, finance: OperatorClient
) -> None:
    placed = await order(app, member)
    await confirm(finance, placed, amount=6000)
    (case,) = (await finance.get(f"{ADMIN}/review-cases?state=open")).json()["data"]["rows"]

    refused = await finance.post(
        f"{ADMIN}/review-cases/{case['id']}/refuse", {"reason": "Sent back by the bank"}
    )

    assert refused.json()["data"]["state"] == "refused"
    assert await app.balance(member) == 0
    assert (await finance.get(f"{ADMIN}/review-cases?state=open")).json()["data"]["rows"] == []


async def test_a_late_transfer_keeps_the_order_when_its_products_are_there(
    app: RunningApp, member: SignedIn, finance: OperatorClient
) -> None:
    placed = await order(app, member)
    await orders.expire_orders(app.database, clock.now() + TRANSFER_WINDOW)

    answer = (await confirm(finance, placed)).json()["data"]

    assert (answer["outcome"], answer["status"]) == ("paid", "processing")
    assert await stock(app, placed["product"]) == 8
    assert await broken_invariants_in(app.database) == []


@pytest.mark.parametrize("ending", ["sold out", "cancelled", "too little"])
async def test_a_late_transfer_that_cannot_keep_the_order_is_in_the_wallet(
    app: RunningApp, member: SignedIn, rival: SignedIn, finance: OperatorClient, ending: str
) -> None:
    placed = await order(app, member)
    if ending == "cancelled":
        await member.post(f"/api/v1/orders/{placed['orderId']}/cancel", {})
    else:
        await orders.expire_orders(app.database, clock.now() + TRANSFER_WINDOW)
    if ending == "sold out":
        await app.give(rival, 100_000)
        assert (await rival.post(CHECKOUT, cart((placed["product"], 9, None)))).status_code == 201
    amount = 100 if ending == "too little" else 5001

    confirmed = await confirm(finance, placed, amount=amount)

    assert confirmed.status_code == 200
    assert confirmed.json()["data"] | {"received": 0} == {
        "outcome": "wallet",
        "status": "cancelled" if ending == "cancelled" else "expired",
        "received": 0,
        "missing": 0,
        "surplus": 0,
    }
    assert await app.balance(member) == amount
    assert (await notification_kinds(member))[0] == "transfer_late"
    assert await broken_invariants_in(app.database) == []


@pytest.mark.parametrize("written", ["NIP 0001 abc", "nip0001ABC", " N I P 0 0 0 1 a b c "])
async def test_a_banks_reference_counts_once_for_ever_however_it_is_written(
    app: RunningApp, member: SignedIn, rival: SignedIn, finance: OperatorClient, written: str
) -> None:
    first, other = await order(app, member), await order(app, rival)
    assert (await confirm(finance, first)).status_code == 200

    again = await confirm(finance, other, reference=written)

    assert (again.status_code, again.json()["error"]["code"]) == (409, "bank_reference_used")
    assert (await detail(rival, other["orderId"]))["status"] == "pending"
    assert (await confirm(finance, other, bank="044", reference=written)).status_code == 200


async def test_a_key_answers_again_and_a_paid_order_takes_no_other_transfer(
    app: RunningApp, member: SignedIn, finance: OperatorClient
) -> None:
    placed = await order(app, member)

    first = await confirm(finance, placed, key="confirm-once")
    again = await confirm(finance, placed, key="confirm-once")
    other = await confirm(finance, placed, reference="another")

    assert again.json() == first.json()
    assert again.headers["Idempotent-Replayed"] == "true"
    assert (other.status_code, other.json()["data"]) == (409, {"status": "processing"})
    assert await app.balance(member) == 0


async def test_an_order_that_was_paid_and_cancelled_takes_no_other_transfer(
    app: RunningApp, member: SignedIn, finance: OperatorClient
) -> None:
    placed = await order(app, member)
    await confirm(finance, placed)
    await member.post(f"/api/v1/orders/{placed['orderId']}/cancel", {})

    other = await confirm(finance, placed, reference="another")

    assert (other.status_code, other.json()["data"]) == (409, {"status": "cancelled"})
    assert await app.balance(member) == 5001


async def test_a_transfer_of_today_is_one_of_lagos(app: RunningApp) -> None:
    midnight = clock.midnight(clock.lagos_day(clock.now()) + timedelta(days=2))
    with time_machine.travel(midnight + timedelta(minutes=10), tick=True):
        placed = await order(app, await app.member())
        finance = await operator_client(app, "olu", Role.FINANCE)
        today = clock.lagos_day(clock.now())
        tomorrow = await confirm(finance, placed, paidOn=f"{today + timedelta(days=1)}")
        now = await confirm(finance, placed, paidOn=f"{today}")

    assert (tomorrow.status_code, now.status_code) == (422, 200)


@pytest.mark.parametrize(
    ("field", "wrong"),
    [
        ("bank", "000"),
        ("bank", ""),
        ("reference", "abc"),
        ("reference", "a b c"),
        ("reference", "x" * 65),
        ("amount", 0),
        ("amount", -1),
        ("amount", 0.001),
        ("paidOn", "yesterday"),
        ("other", 1),
    ],
)
async def test_a_confirmation_that_does_not_fit_changes_nothing(
    app: RunningApp, member: SignedIn, finance: OperatorClient, field: str, wrong: Any
) -> None:
    placed = await order(app, member)

    answer = await confirm(finance, placed, **{field: wrong})

    assert answer.status_code == 422
    assert list(answer.json()["error"]["fields"]) == [field]
    assert (await detail(member, placed["orderId"]))["received"] == 0


async def test_a_wallet_order_takes_no_transfer_and_an_unknown_one_is_not_there(
    app: RunningApp, member: SignedIn, finance: OperatorClient
) -> None:
    await app.give(member, 10_000)
    paid = await buy(app, member)

    assert (await confirm(finance, paid)).status_code == 409
    unknown: dict[str, Any] = {"orderId": "00000000-0000-7000-8000-0000000000ff"}
    assert (await confirm(finance, unknown)).status_code == 404


async def test_twenty_confirmations_of_one_transfer_at_once_are_one(
    live_server: RunningApp,
) -> None:
    member = await live_server.member()
    operator = await operator_client(live_server, "olu", Role.FINANCE)
    placed = await order(live_server, member)

    answers = await asyncio.gather(*(confirm(operator, placed) for _ in range(20)))

    assert sorted(answer.status_code for answer in answers) == [200] + [409] * 19
    assert (await detail(member, placed["orderId"]))["received"] == 5001
    assert await broken_invariants_in(live_server.database) == []


async def test_a_confirmation_waits_for_the_clock_and_then_takes_the_products_again(
    app: RunningApp, member: SignedIn, finance: OperatorClient
) -> None:
    placed = await order(app, member)

    async with app.database.transaction() as tx:
        assert await orders.expire_batch(tx, clock.now() + TRANSFER_WINDOW, 1) == 1
        confirming = asyncio.create_task(confirm(finance, placed))
        await asyncio.wait({confirming}, timeout=0.5)
        assert not confirming.done()

    assert (await confirming).json()["data"]["status"] == "processing"
    assert await stock(app, placed["product"]) == 8


async def test_confirmations_cancellations_and_the_clock_at_once_lose_no_kobo(
    live_server: RunningApp,
) -> None:
    operator = await operator_client(live_server, "olu", Role.FINANCE)
    buyers = [await live_server.member(f"buyer{number}") for number in range(8)]
    placed = [await order(live_server, buyer) for buyer in buyers]

    await asyncio.gather(
        *(
            confirm(operator, one, reference=f"{part} of {number}", amount=2500.5)
            for number, one in enumerate(placed)
            for part in ("one half", "the other")
        ),
        *(
            buyer.post(f"/api/v1/orders/{one['orderId']}/cancel", {})
            for buyer, one in zip(buyers, placed, strict=True)
        ),
        *(
            orders.expire_orders(live_server.database, clock.now() + TRANSFER_WINDOW)
            for _ in range(4)
        ),
    )

    for buyer, one in zip(buyers, placed, strict=True):
        found = await detail(buyer, one["orderId"])
        kept = 5001 if found["is_paid"] and found["status"] == "processing" else 0
        assert found["received"] in {0, 2500.5, 5001}
        assert await live_server.balance(buyer) + kept == found["received"], found["events"]
    assert await broken_invariants_in(live_server.database) == []


async def test_what_comes_for_a_cancelled_order_is_credited_up_to_what_it_cost(
    app: RunningApp, member: SignedIn, finance: OperatorClient
) -> None:
    other = await operator_client(app, "ife", Role.FINANCE)
    placed = await order(app, member)
    await member.post(f"/api/v1/orders/{placed['orderId']}/cancel", {})

    first = await confirm(finance, placed, amount=4000)
    wish: dict[str, Any] = {"amount": 900_000, "confirmAmount": 900_000, "reference": "NIP 0002"}
    second = await agreed(other, await confirm(finance, placed, **wish))
    third = await confirm(finance, placed, amount=5000, reference="NIP 0003")

    answers = [
        first.json()["data"],
        second.json()["data"]["result"],
        third.json()["data"],
    ]
    assert [(one["outcome"], one["surplus"]) for one in answers] == [
        ("wallet", 0),
        ("wallet", 900_000 - 1001),
        ("wallet", 5000),
    ]
    assert await app.balance(member) == 5001
    cases = (await finance.get(f"{ADMIN}/review-cases")).json()["data"]["rows"]
    assert sorted(case["amount"] for case in cases) == [5000, 900_000 - 1001]
    assert await broken_invariants_in(app.database) == []


async def test_an_order_names_the_proposal_that_waits_to_confirm_its_transfer(
    app: RunningApp, member: SignedIn, finance: OperatorClient
) -> None:
    other = await operator_client(app, "bisi", Role.FINANCE)
    placed, untouched = await order(app, member), await order(app, member)

    async def waiting(placed: dict[str, Any]) -> str | None:
        answer = await other.get(f"{ADMIN}/orders/{placed['orderNumber']}")
        found: str | None = answer.json()["data"]["approvalId"]
        return found

    before = await waiting(placed)
    proposed = await confirm(finance, placed, amount=20_000, confirmAmount=20_000)
    during = await waiting(placed)
    await agreed(other, proposed)

    assert before is None
    assert during == proposed.json()["data"]["approval"]["id"]
    assert (await waiting(placed), await waiting(untouched)) == (None, None)


async def test_an_order_says_which_transfers_were_confirmed_and_what_waits_of_it(
    app: RunningApp, member: SignedIn, finance: OperatorClient
) -> None:
    shop = await operator_client(app, "bisi", Role.SHOP)
    placed = await order(app, member)
    path = f"{ADMIN}/orders/{placed['orderNumber']}"
    before = (await finance.get(path)).json()["data"]
    await confirm(finance, placed, amount=6000)
    body = {"lines": [{"line": 1, "quantity": 1}], "restock": False, "reason": "Torn"}
    asked = await finance.post(f"{ADMIN}/orders/{placed['orderId']}/refunds", body)
    refund = asked.json()["data"]
    (case,) = (await finance.get(f"{ADMIN}/review-cases")).json()["data"]["rows"]

    found = (await finance.get(path)).json()["data"]

    assert (before["transfers"], before["openReviewCases"], before["openRefunds"]) == ([], [], [])
    (transfer,) = found["transfers"]
    assert transfer.pop("confirmedAt") is not None
    assert transfer == {
        "bank": "058",
        "reference": "NIP0001ABC",
        "amount": 6000,
        "paidOn": f"{LATELY}",
        "confirmedBy": {"id": str(finance.id), "name": "Olu Obi"},
    }
    assert found["openReviewCases"] == [{"id": case["id"], "amount": 999}]
    assert found["openRefunds"] == [{"id": refund["id"], "amount": refund["amount"]}]
    of_shop = (await shop.get(path)).json()["data"]
    assert (of_shop["openReviewCases"], of_shop["openRefunds"]) == ([], found["openRefunds"])
    await finance.post(f"{ADMIN}/review-cases/{case['id']}/refuse", {"reason": "Sent back"})
    await finance.post(f"{ADMIN}/refunds/{refund['id']}/refuse", {"reason": "Not torn"})
    after = (await finance.get(path)).json()["data"]
    assert (after["openReviewCases"], after["openRefunds"]) == ([], [])
