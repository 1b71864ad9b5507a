"""Refunds: requested by one operator, sent by another, credited once, never more than paid."""

import asyncio
from datetime import timedelta
from typing import Any
from uuid import UUID

import httpx
import pytest
import time_machine
from api.backoffice.refunds import repository
from api.backoffice.refunds.enums import RefundState
from api.foundation.core import clock
from api.foundation.security.rights import Role
from api.money.ledger_audit.repository.audit_run import broken_invariants_in

from tests.back_office import ADMIN, OperatorClient, operator_client
from tests.conftest import PASSWORD, RunningApp, SignedIn
from tests.money.subscriptions.place import offer_plan, subscribe
from tests.shop.carts import BILLING, CHECKOUT, sized_product, stock_and_allocated
from tests.shop.test_orders import buy, detail, kinds
from tests.shop.test_transfers import notification_kinds

PRICE = 2500.5


@pytest.fixture
async def shop(app: RunningApp) -> OperatorClient:
    return await operator_client(app, "olu", Role.SHOP)


@pytest.fixture
async def finance(app: RunningApp) -> OperatorClient:
    return await operator_client(app, "ife", Role.FINANCE)


async def jerseys(
    app: RunningApp, member: SignedIn, *, state: str | None = None
) -> tuple[dict[str, Any], dict[str, UUID]]:
    """Buy three M and one L from the wallet; return the order and the sizes."""
    product, sizes = await sized_product(app, {"M": 10, "L": 10})
    wish = {
        "carts": [
            {"id": str(product), "variantId": str(sizes["M"]), "quantity": 3},
            {"id": str(product), "variantId": str(sizes["L"]), "quantity": 1},
        ],
        "billing": BILLING | ({} if state is None else {"state": state}),
        "paymentMethod": "wallet",
    }
    placed = await member.post(CHECKOUT, wish)
    assert placed.status_code == 201, placed.text
    found: dict[str, Any] = placed.json()["data"]
    return found, sizes


async def ask(
    operator_client: OperatorClient,
    placed: dict[str, Any],
    *lines: tuple[int, int],
    restock: bool = True,
    key: str | None = None,
    **changes: Any,
) -> httpx.Response:
    named = [{"line": line, "quantity": quantity} for line, quantity in lines]
    body = {"lines": named, "restock": restock, "reason": "Torn on arrival"} | changes
    return await operator_client.post(f"{ADMIN}/orders/{placed['orderId']}/refunds", body, key=key)


async def send(operator_client: OperatorClient, refund: str) -> httpx.Response:
    return await operator_client.post(f"{ADMIN}/refunds/{refund}/send")


async def listed(operator_client: OperatorClient) -> list[dict[str, Any]]:
    found: list[dict[str, Any]] = (await operator_client.get(f"{ADMIN}/refunds")).json()["data"][
        "rows"
    ]
    return found


async def approval_ids(operator_client: OperatorClient) -> dict[str, str | None]:
    return {row["id"]: row["approvalId"] for row in await listed(operator_client)}


async def test_a_refund_moves_nothing_when_asked_and_money_and_stock_once_when_sent(
    app: RunningApp, member: SignedIn, shop: OperatorClient, finance: OperatorClient
) -> None:
    await app.give(member, 20_000)
    placed, sizes = await jerseys(app, member)
    before = await app.balance(member)

    asked = await ask(shop, placed, (1, 2))

    refund = asked.json()["data"]
    assert (asked.status_code, refund["amount"], refund["state"]) == (201, 2 * PRICE, "asked")
    assert await app.balance(member) == before
    assert await stock_and_allocated(app, sizes["M"]) == (10, 3)
    listed = (await finance.get(f"{ADMIN}/refunds?state=asked")).json()["data"]["rows"]
    assert [(row["id"], row["bought"]) for row in listed] == [
        (refund["id"], f"order {placed['orderNumber']}")
    ]

    sent = await send(finance, refund["id"])

    assert sent.json()["data"] == {"state": "sent", "balance": before + 2 * PRICE}
    assert await app.balance(member) == before + 2 * PRICE
    assert await stock_and_allocated(app, sizes["M"]) == (10, 1)
    order = await detail(member, placed["orderId"])
    assert order["refundedTotal"] == 2 * PRICE
    assert [line["refundedQuantity"] for line in order["product_meta_data"]] == [2, 0]
    assert (await kinds(member, placed["orderId"]))[-1] == ("refunded", "processing", "admin")
    assert await notification_kinds(member) == ["refund_sent"]
    assert await broken_invariants_in(app.database) == []


async def test_a_second_send_and_a_refusal_after_it_move_nothing(
    app: RunningApp, member: SignedIn, finance: OperatorClient
) -> None:
    await app.give(member, 20_000)
    placed, _ = await jerseys(app, member)
    refund = (await ask(finance, placed, (1, 1))).json()["data"]["id"]
    await send(finance, refund)
    balance = await app.balance(member)

    again = await send(finance, refund)
    refused = await finance.post(f"{ADMIN}/refunds/{refund}/refuse", {"reason": "No"})

    assert [(one.status_code, one.json()["data"]) for one in (again, refused)] == [
        (409, {"status": "sent"})
    ] * 2
    assert await app.balance(member) == balance


async def test_a_refusal_waits_for_who_is_sending_and_then_is_too_late(
    app: RunningApp, member: SignedIn, finance: OperatorClient
) -> None:
    await app.give(member, 20_000)
    placed, _ = await jerseys(app, member)
    refund = (await ask(finance, placed, (1, 1))).json()["data"]["id"]

    async with app.database.transaction() as tx:
        assert await repository.lock_refund(tx, UUID(refund)) is not None
        path = f"{ADMIN}/refunds/{refund}/refuse"
        refusing = asyncio.create_task(finance.post(path, {"reason": "No"}))
        await asyncio.wait({refusing}, timeout=0.5)
        assert not refusing.done()
        await repository.decide(tx, UUID(refund), RefundState.SENT, finance.id, clock.now())

    refused = await refusing
    assert (refused.status_code, refused.json()["data"]) == (409, {"status": "sent"})


async def test_a_refused_refund_makes_room_for_another(
    app: RunningApp, member: SignedIn, finance: OperatorClient
) -> None:
    await app.give(member, 20_000)
    placed, _ = await jerseys(app, member)
    first = (await ask(finance, placed, (1, 3))).json()["data"]["id"]

    full = await ask(finance, placed, (1, 1))
    refused = await finance.post(f"{ADMIN}/refunds/{first}/refuse", {"reason": "Looks worn"})
    free = await ask(finance, placed, (1, 1))

    assert (full.status_code, full.json()["error"]["code"]) == (409, "refund_too_much")
    assert refused.json()["data"] == {"state": "refused", "balance": await app.balance(member)}
    assert free.status_code == 201


@pytest.mark.parametrize(
    ("shipped", "restock", "left"),
    [(False, True, (10, 1)), (False, False, (8, 1)), (True, True, (9, 0)), (True, False, (7, 0))],
)
async def test_units_are_released_lost_or_put_back_by_where_they_are(
    app: RunningApp,
    member: SignedIn,
    shop: OperatorClient,
    finance: OperatorClient,
    shipped: bool,
    restock: bool,
    left: tuple[int, int],
) -> None:
    await app.give(member, 20_000)
    placed, sizes = await jerseys(app, member)
    if shipped:
        await shop.post(f"{ADMIN}/orders/{placed['orderId']}/ship", {})

    refund = (await ask(finance, placed, (1, 2), restock=restock)).json()["data"]["id"]
    await send(finance, refund)

    assert await stock_and_allocated(app, sizes["M"]) == left


async def test_what_was_refunded_is_not_sent_and_all_of_it_ends_the_order(
    app: RunningApp, member: SignedIn, shop: OperatorClient, finance: OperatorClient
) -> None:
    async with app.database.transaction() as tx:
        await tx.execute("UPDATE delivery_fee SET fee_kobo = 150_000 WHERE state = 'Lagos'")
    await app.give(member, 20_000)
    placed, sizes = await jerseys(app, member, state="Lagos")
    some = (await ask(finance, placed, (1, 3))).json()["data"]["id"]
    await send(finance, some)
    await shop.post(f"{ADMIN}/orders/{placed['orderId']}/ship", {})
    assert await stock_and_allocated(app, sizes["M"]) == (10, 0)
    assert await stock_and_allocated(app, sizes["L"]) == (9, 0)

    rest = (await ask(finance, placed, (2, 1), deliveryFee=True)).json()["data"]
    await send(finance, rest["id"])

    assert rest["amount"] == PRICE + 1500
    order = await detail(member, placed["orderId"])
    assert (order["status"], order["refundedTotal"]) == ("refunded", order["total"])
    assert await app.balance(member) == 20_000
    assert await stock_and_allocated(app, sizes["L"]) == (10, 0)


@pytest.mark.parametrize(
    ("lines", "changes", "status", "code"),
    [
        ([], {}, 422, "validation_failed"),
        ([(9, 1)], {}, 422, "validation_failed"),
        ([(1, 1), (1, 1)], {}, 422, "validation_failed"),
        ([(1, 0)], {}, 422, "validation_failed"),
        ([(1, 1)], {"reason": ""}, 422, "validation_failed"),
        ([(1, 1)], {"amount": 5}, 422, "validation_failed"),
        ([(1, 4)], {}, 409, "refund_too_much"),
        ([], {"deliveryFee": 0.01}, 409, "refund_too_much"),
        ([], {"deliveryFee": True}, 422, "validation_failed"),
    ],
)
async def test_what_cannot_be_refunded_is_refused(
    app: RunningApp,
    member: SignedIn,
    finance: OperatorClient,
    lines: list[tuple[int, int]],
    changes: dict[str, Any],
    status: int,
    code: str,
) -> None:
    await app.give(member, 20_000)
    placed, _ = await jerseys(app, member)

    answer = await ask(finance, placed, *lines, **changes)

    assert (answer.status_code, answer.json()["error"]["code"]) == (status, code)
    assert (await finance.get(f"{ADMIN}/refunds")).json()["data"]["rows"] == []


async def test_the_fee_of_a_delivery_is_given_back_once(
    app: RunningApp, member: SignedIn, finance: OperatorClient
) -> None:
    async with app.database.transaction() as tx:
        await tx.execute("UPDATE delivery_fee SET fee_kobo = 150_000 WHERE state = 'Lagos'")
    await app.give(member, 20_000)
    placed, _ = await jerseys(app, member, state="Lagos")

    first = await ask(finance, placed, (1, 1), deliveryFee=500)
    rest = await ask(finance, placed, (1, 1), deliveryFee=True)
    amounts = [one.json()["data"]["amount"] for one in (first, rest)]
    assert amounts == [PRICE + 500, PRICE + 1000]
    for is_sent in (False, True):
        if is_sent:
            await send(finance, rest.json()["data"]["id"])
        for lines, fee in (([], True), ([(2, 1)], True), ([(2, 1)], 0.01)):
            answer = await ask(finance, placed, *lines, deliveryFee=fee)
            refused = (answer.status_code, answer.json()["error"]["code"])
            assert refused == (409, "refund_too_much")


async def test_an_order_that_nobody_paid_has_nothing_to_refund(
    app: RunningApp, member: SignedIn, finance: OperatorClient
) -> None:
    placed = await buy(app, member, paymentMethod="bank-transfer")

    answer = await ask(finance, placed, (1, 1))

    assert (answer.status_code, answer.json()["error"]["code"]) == (409, "not_paid")


async def test_twenty_asks_and_twenty_sends_at_once_give_back_what_was_bought_once(
    live_server: RunningApp,
) -> None:
    member = await live_server.member()
    operator = await operator_client(live_server, "ife", Role.FINANCE)
    await live_server.give(member, 20_000)
    placed, sizes = await jerseys(live_server, member)

    asked = await asyncio.gather(*(ask(operator, placed, (1, 1)) for _ in range(20)))
    cases = [one.json()["data"]["id"] for one in asked if one.status_code == 201]
    sent = await asyncio.gather(*(send(operator, case) for case in cases for _ in range(7)))

    assert len(cases) == 3
    statuses = [one.status_code for one in sent]
    assert statuses.count(200) == 3
    assert set(statuses) <= {200, 409, 503}  # on a busy machine some may be refused
    assert await live_server.balance(member) == 20_000 - PRICE
    assert await stock_and_allocated(live_server, sizes["M"]) == (10, 0)
    assert await broken_invariants_in(live_server.database) == []


async def test_cancels_and_sends_at_once_give_back_no_more_than_was_paid(
    live_server: RunningApp,
) -> None:
    member = await live_server.member()
    operator = await operator_client(live_server, "ife", Role.FINANCE)
    await live_server.give(member, 20_000)
    placed, sizes = await jerseys(live_server, member)
    cases = [(await ask(operator, placed, (1, 1))).json()["data"]["id"] for _ in range(3)]
    cancel = f"/api/v1/orders/{placed['orderId']}/cancel"

    await asyncio.gather(
        *(send(operator, case) for case in cases * 5),
        *(member.post(cancel, {}) for _ in range(5)),
    )

    assert await live_server.balance(member) == 20_000
    assert await stock_and_allocated(live_server, sizes["M"]) == (10, 0)
    assert await stock_and_allocated(live_server, sizes["L"]) == (10, 0)
    assert await broken_invariants_in(live_server.database) == []


async def test_a_member_and_the_club_cancel_an_order_at_once_and_it_ends_once(
    live_server: RunningApp,
) -> None:
    operator = await operator_client(live_server, "olu", Role.OWNER)
    buyers = [await live_server.member(f"buyer{number}") for number in range(8)]
    for buyer in buyers:
        await live_server.give(buyer, 20_000)
    orders = [await jerseys(live_server, buyer) for buyer in buyers]

    answers = await asyncio.gather(
        *(
            call
            for buyer, (placed, _) in zip(buyers, orders, strict=True)
            for call in (
                buyer.post(f"/api/v1/orders/{placed['orderId']}/cancel", {}),
                operator.post(
                    f"{ADMIN}/orders/{placed['orderId']}/cancel", {"reason": "Not in stock"}
                ),
            )
        )
    )

    codes = [answer.status_code for answer in answers]
    pairs = [sorted(codes[at : at + 2]) for at in range(0, len(codes), 2)]
    assert all(pair == [200, 409] for pair in pairs), pairs
    for buyer, (placed, sizes) in zip(buyers, orders, strict=True):
        assert await live_server.balance(buyer) == 20_000
        assert await stock_and_allocated(live_server, sizes["M"]) == (10, 0)
        assert [kind for kind, *_ in await kinds(buyer, placed["orderId"])].count("cancelled") == 1
    assert await broken_invariants_in(live_server.database) == []


async def test_a_large_refund_waits_for_a_second_person(
    app: RunningApp, member: SignedIn, finance: OperatorClient
) -> None:
    other = await operator_client(app, "ada-finance", Role.FINANCE)
    stadium = await app.stock_product("Stadium", price_kobo=10_000_100)
    await app.give(member, 200_000)
    placed = (
        await member.post(
            CHECKOUT,
            {
                "carts": [{"id": str(stadium), "quantity": 1}],
                "billing": BILLING,
                "paymentMethod": "wallet",
            },
        )
    ).json()["data"]
    refund = (await ask(finance, placed, (1, 1))).json()["data"]["id"]

    assert await approval_ids(finance) == {refund: None}
    proposed = await send(finance, refund)
    assert proposed.status_code == 202
    approval = proposed.json()["data"]["approval"]
    assert await approval_ids(other) == {refund: approval["id"]}
    assert (approval["kind"], approval["content"]) == (
        "send-refund",
        {
            "refundId": refund,
            "amount": "₦100,001",
            "bought": f"order {placed['orderNumber']}",
        },
    )
    decision = {"digest": approval["digest"], "decision": "approve", "reason": "Seen"}
    decide = f"{ADMIN}/approvals/{approval['id']}/decide"
    own = await finance.post(decide, decision)
    approved = await asyncio.gather(*(other.post(decide, decision) for _ in range(5)))

    assert own.json()["error"]["code"] == "own_proposal"
    assert sorted(one.status_code for one in approved) == [200] + [409] * 4
    assert await app.balance(member) == 200_000
    assert await approval_ids(finance) == {refund: None}


async def test_without_a_second_person_a_large_refund_is_refused(
    app: RunningApp, member: SignedIn, finance: OperatorClient
) -> None:
    stadium = await app.stock_product("Stadium", price_kobo=10_000_100)
    await app.give(member, 200_000)
    wish = {
        "carts": [{"id": str(stadium), "quantity": 1}],
        "billing": BILLING,
        "paymentMethod": "wallet",
    }
    placed = (await member.post(CHECKOUT, wish)).json()["data"]
    refund = (await ask(finance, placed, (1, 1))).json()["data"]["id"]

    answer = await send(finance, refund)

    assert (answer.status_code, answer.json()["error"]["code"]) == (409, "second_person_needed")


async def test_the_shop_cancels_and_finance_sends_what_was_paid(
    app: RunningApp, member: SignedIn, shop: OperatorClient, finance: OperatorClient
) -> None:
    await app.give(member, 20_000)
    placed, sizes = await jerseys(app, member)
    path = f"{ADMIN}/orders/{placed['orderId']}/cancel"

    cancelled = await shop.post(path, {"reason": "The supplier let us down"})
    again = await shop.post(path, {"reason": "Twice"})

    answer = cancelled.json()["data"]
    assert answer["status"] == "cancelled"
    assert answer["refund"]["state"] == "asked"
    assert (again.status_code, again.json()["data"]) == (409, {"status": "cancelled"})
    assert await stock_and_allocated(app, sizes["M"]) == (10, 0)
    assert await app.balance(member) == 20_000 - 4 * PRICE
    await send(finance, answer["refund"]["id"])
    assert await app.balance(member) == 20_000
    order = await detail(member, placed["orderId"])
    assert (order["status"], order["refundedTotal"]) == ("cancelled", 4 * PRICE)
    assert await stock_and_allocated(app, sizes["M"]) == (10, 0)
    assert sorted(await notification_kinds(member)) == ["order_cancelled", "refund_sent"]


async def test_an_owner_who_cancels_sends_the_money_at_once(
    app: RunningApp, member: SignedIn
) -> None:
    owner = await operator_client(app, "olu", Role.OWNER)
    await app.give(member, 20_000)
    placed, _ = await jerseys(app, member)
    part = (await ask(owner, placed, (1, 1))).json()["data"]["id"]
    await send(owner, part)

    path = f"{ADMIN}/orders/{placed['orderId']}/cancel"
    answer = (await owner.post(path, {"reason": "Gone"})).json()["data"]

    assert answer["refund"] | {"id": ""} == {"id": "", "amount": 3 * PRICE, "state": "sent"}
    assert await app.balance(member) == 20_000


async def test_a_plan_is_refunded_in_part_and_ended(
    app: RunningApp, member: SignedIn, finance: OperatorClient
) -> None:
    await app.give(member, 20_000)
    plan = await offer_plan(app, "Terrace", amount_kobo=500_000)
    await subscribe(member, plan)
    (period,) = (await member.get(f"/api/v1/users/subscription/{member.id}")).json()["data"]
    path = f"{ADMIN}/subscriptions/{period['id']}/refunds"
    body = {"amount": period["amount"], "end": True, "reason": "Moved abroad"}
    balance = await app.balance(member)

    above = await finance.post(path, body | {"amount": period["amount"] + 0.01})
    refund = (await finance.post(path, body)).json()["data"]["id"]
    double = await finance.post(path, body | {"amount": 1})
    sent = await send(finance, refund)

    assert [one.json()["error"]["code"] for one in (above, double)] == ["refund_too_much"] * 2
    assert sent.json()["data"]["balance"] == balance + period["amount"]
    current_plan = (await member.get(f"/api/v1/users/plan/validate/{member.id}")).json()["data"]
    assert current_plan["state"] == "none"
    (ended,) = (await member.get(f"/api/v1/users/subscription/{member.id}")).json()["data"]
    assert ended["state"] == "ended"
    assert sorted(await notification_kinds(member)) == ["plan_ended", "refund_sent"]
    assert await broken_invariants_in(app.database) == []


async def test_each_right_opens_its_own_calls(
    app: RunningApp, member: SignedIn, shop: OperatorClient, finance: OperatorClient
) -> None:
    moderator = await operator_client(app, "mo", Role.MODERATOR)
    await app.give(member, 20_000)
    placed, _ = await jerseys(app, member)
    refund = (await ask(shop, placed, (1, 1))).json()["data"]["id"]

    assert (await ask(moderator, placed, (1, 1))).status_code == 404
    assert (await send(shop, refund)).status_code == 404
    with time_machine.travel(clock.now() + timedelta(seconds=301), tick=True):
        stale = await send(finance, refund)
    assert (stale.status_code, stale.json()["error"]["code"]) == (409, "fresh_code_needed")


async def test_what_the_club_cancels_is_owed_whatever_was_asked_for_before(
    app: RunningApp, member: SignedIn, shop: OperatorClient, finance: OperatorClient
) -> None:
    await app.give(member, 20_000)
    placed, _ = await jerseys(app, member)
    before = (await ask(finance, placed, (1, 2))).json()["data"]["id"]

    path = f"{ADMIN}/orders/{placed['orderId']}/cancel"
    owed = (await shop.post(path, {"reason": "The club folds"})).json()["data"]["refund"]
    can_refuse = {row["id"]: row["canRefuse"] for row in await listed(finance)}
    sent_before = await send(finance, before)
    refused = await finance.post(f"{ADMIN}/refunds/{owed['id']}/refuse", {"reason": "No"})
    await send(finance, owed["id"])

    assert (owed["amount"], owed["state"]) == (4 * PRICE, "asked")
    assert can_refuse == {owed["id"]: False, before: False}
    assert (sent_before.status_code, sent_before.json()["data"]) == (409, {"status": "refused"})
    assert (refused.status_code, refused.json()["data"]) == (409, {"status": "cancelled"})
    assert await app.balance(member) == 20_000


async def test_a_large_refund_in_small_parts_needs_a_second_person_too(
    app: RunningApp, member: SignedIn, finance: OperatorClient
) -> None:
    await operator_client(app, "ada-finance", Role.FINANCE)
    stadium = await app.stock_product("Stadium", price_kobo=6_000_000)
    await app.give(member, 200_000)
    wish = {
        "carts": [{"id": str(stadium), "quantity": 2}],
        "billing": BILLING,
        "paymentMethod": "wallet",
    }
    placed = (await member.post(CHECKOUT, wish)).json()["data"]
    halves = [(await ask(finance, placed, (1, 1))).json()["data"]["id"] for _ in range(2)]

    answers = [(await send(finance, part)).status_code for part in halves]

    assert answers == [200, 202]
    assert await app.balance(member) == 200_000 - 60_000


async def test_an_approval_of_another_amount_than_was_asked_for_does_nothing(
    app: RunningApp, member: SignedIn, finance: OperatorClient
) -> None:
    other = await operator_client(app, "ada-finance", Role.FINANCE)
    stadium = await app.stock_product("Stadium", price_kobo=10_000_100)
    await app.give(member, 200_000)
    wish = {
        "carts": [{"id": str(stadium), "quantity": 1}],
        "billing": BILLING,
        "paymentMethod": "wallet",
    }
    placed = (await member.post(CHECKOUT, wish)).json()["data"]
    refund = (await ask(finance, placed, (1, 1))).json()["data"]["id"]
    approval = (await send(finance, refund)).json()["data"]["approval"]
    path = f"{ADMIN}/approvals/{approval['id']}"
    content = approval["content"] | {"amount": "₦1"}
    changed = await finance.patch(path, {"content": content, "reason": "Looks small"})

    decision = {"decision": "approve", "reason": "Fine"}
    await app.database.execute(
        "UPDATE approval SET content = content || jsonb_build_object('amount', '₦1')"
    )
    answer = await other.post(f"{path}/decide", decision | {"digest": approval["digest"]})

    assert (changed.status_code, answer.status_code) == (422, 422)
    assert await app.balance(member) == 200_000 - 100_001


async def test_the_refund_of_a_member_who_left_can_be_refused(
    app: RunningApp, member: SignedIn, shop: OperatorClient, finance: OperatorClient
) -> None:
    await app.give(member, 20_000)
    placed, _ = await jerseys(app, member)
    await shop.post(f"{ADMIN}/orders/{placed['orderId']}/ship", {})
    refund = (await ask(finance, placed, (1, 1))).json()["data"]["id"]
    (before,) = await listed(finance)
    await member.client.request(
        "DELETE",
        f"/api/v1/users/{member.id}",
        json={"password": PASSWORD, "forfeitBalance": True},
        headers=member.headers,
    )

    sent = await send(finance, refund)
    refused = await finance.post(f"{ADMIN}/refunds/{refund}/refuse", {"reason": "They left"})

    (decided,) = await listed(finance)
    assert (sent.status_code, refused.status_code) == (404, 200)
    assert (before["canRefuse"], decided["canRefuse"]) == (True, False)


async def test_what_is_owed_to_a_member_who_left_can_be_refused(
    app: RunningApp, member: SignedIn, shop: OperatorClient, finance: OperatorClient
) -> None:
    await app.give(member, 20_000)
    placed, _ = await jerseys(app, member)
    await shop.post(f"{ADMIN}/orders/{placed['orderId']}/cancel", {"reason": "It folds"})
    await member.client.request(
        "DELETE",
        f"/api/v1/users/{member.id}",
        json={"password": PASSWORD, "forfeitBalance": True},
        headers=member.headers,
    )

    (owed,) = await listed(finance)
    refused = await finance.post(f"{ADMIN}/refunds/{owed['id']}/refuse", {"reason": "They left"})

    assert owed["canRefuse"] is True
    assert refused.status_code == 200
