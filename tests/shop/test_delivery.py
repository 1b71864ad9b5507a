"""Deliveries: fees by state, and the saved address."""

import asyncio
from typing import Any

import httpx
import pytest
from api.money.ledger_audit.repository.audit_run import broken_invariants_in
from api.shop.rules import STATES

from tests.conftest import RunningApp, SignedIn
from tests.shop.carts import BILLING, CHECKOUT, cart, count, stock

OPTIONS = "/api/v1/products/checkout-options"


@pytest.fixture(autouse=True)
async def fees(app: RunningApp) -> None:
    async with app.database.transaction() as tx:
        await tx.execute("UPDATE delivery_fee SET fee_kobo = 150_050 WHERE state = 'Lagos'")


async def order(
    app: RunningApp, member: SignedIn, *, state: str | None = None, **changes: Any
) -> httpx.Response:
    """Order a scarf to a state, from the wallet."""
    scarf = await app.stock_product()
    billing = BILLING | ({} if state is None else {"state": state})
    wish = cart((scarf, 1, None), billing=billing, **changes)
    return await member.post(CHECKOUT, wish)


async def test_the_options_name_each_state_with_its_fee(app: RunningApp, member: SignedIn) -> None:
    options = (await member.get(OPTIONS)).json()["data"]

    fees = {one["state"]: one["fee"] for one in options["states"]}
    assert len(options["states"]) == len(fees) == 37
    assert [one["state"] for one in options["states"]] == sorted(fees)
    assert (fees["Lagos"], fees["Kano"]) == (1500.5, 0)
    assert options["stateRequired"] is False
    assert options["savedAddress"] is None


async def test_the_fee_of_the_state_is_paid_with_the_order(
    app: RunningApp, member: SignedIn
) -> None:
    await app.give(member, 10_000)

    placed = (await order(app, member, state="Lagos", deliveryFee=1500.5)).json()["data"]

    assert (placed["itemsTotal"], placed["deliveryFee"], placed["total"]) == (
        *(2500.5, 1500.5),
        4001,
    )
    assert await app.balance(member) == 10_000 - 4001
    detail = (await member.get(f"/api/v1/orders/{placed['orderId']}")).json()["data"]
    assert (detail["itemsTotal"], detail["deliveryFee"], detail["total"]) == (2500.5, 1500.5, 4001)
    assert detail["billing"]["state"] == "Lagos"


async def test_an_order_that_names_no_state_pays_no_fee(app: RunningApp, member: SignedIn) -> None:
    await app.give(member, 10_000)

    placed = (await order(app, member)).json()["data"]

    assert (placed["deliveryFee"], placed["total"]) == (0, 2500.5)


@pytest.mark.parametrize(("seen", "today"), [(0, 1500.5), (1500.49, 1500.5), (99_999, 1500.5)])
async def test_another_fee_than_was_seen_is_shown_before_it_is_charged(
    app: RunningApp, member: SignedIn, seen: float, today: float
) -> None:
    await app.give(member, 10_000)

    answer = await order(app, member, state="Lagos", deliveryFee=seen)

    assert (answer.status_code, answer.json()["error"]["code"]) == (409, "price_changed")
    assert answer.json()["data"]["deliveryFee"] == today
    assert answer.json()["data"]["lines"][0]["price"] == 2500.5
    assert await app.balance(member) == 10_000
    assert await count(app, "shop_order") == 0


@pytest.mark.parametrize("state", ["Accra", "lagos", "", "Lagos\u0000", 7])
async def test_a_state_that_there_is_not_is_refused_by_name(
    app: RunningApp, member: SignedIn, state: Any
) -> None:
    answer = await order(app, member, state=state)

    assert answer.status_code == 422
    assert "billing.state" in answer.json()["error"]["fields"]


async def test_an_address_is_kept_when_asked_replaced_by_the_next_and_forgotten(
    app: RunningApp, member: SignedIn
) -> None:
    await app.give(member, 100_000)
    await order(app, member, state="Lagos")
    assert (await member.get(OPTIONS)).json()["data"]["savedAddress"] is None

    await order(app, member, state="Lagos", saveAddress=True)
    assert (await member.get(OPTIONS)).json()["data"]["savedAddress"] == {
        **BILLING,
        "state": "Lagos",
    }
    await order(app, member, saveAddress=True)
    assert (await member.get(OPTIONS)).json()["data"]["savedAddress"]["state"] is None

    for _ in range(2):
        assert (await member.delete(f"/api/v1/users/{member.id}/address")).status_code == 200
    assert (await member.get(OPTIONS)).json()["data"]["savedAddress"] is None


async def test_an_order_that_was_refused_keeps_no_address(
    app: RunningApp, member: SignedIn
) -> None:
    refused = await order(app, member, state="Lagos", saveAddress=True)

    assert refused.status_code == 402
    assert await count(app, "saved_address") == 0


async def test_nobody_forgets_anothers_address(
    app: RunningApp, member: SignedIn, rival: SignedIn
) -> None:
    await app.give(member, 100_000)
    await order(app, member, saveAddress=True)

    answer = await rival.delete(f"/api/v1/users/{member.id}/address")

    assert answer.status_code == 404
    assert await count(app, "saved_address") == 1


async def test_a_fee_that_changes_meanwhile_is_the_one_seen_or_refused(
    live_server: RunningApp,
) -> None:
    member = await live_server.member()
    await live_server.give(member, 10_000_000)
    scarf = await live_server.stock_product(stock=100)
    wish = cart((scarf, 1, None), billing=BILLING | {"state": "Lagos"}, deliveryFee=1500.5)

    async def change(kobo: int) -> None:
        async with live_server.database.transaction() as tx:
            await tx.execute("UPDATE delivery_fee SET fee_kobo = $1 WHERE state = 'Lagos'", kobo)

    answers = await asyncio.gather(
        *(member.post(CHECKOUT, wish) for _ in range(10)),
        change(200_000),
        *(member.post(CHECKOUT, wish) for _ in range(10)),
    )

    placed = [one for one in answers if one is not None and one.status_code == 201]
    assert {one.json()["data"]["total"] for one in placed} <= {4001}
    assert {one.status_code for one in answers if one is not None} <= {201, 409}
    assert await stock(live_server, scarf) == 100 - len(placed)


async def test_there_is_a_fee_for_each_state_that_an_address_may_name(app: RunningApp) -> None:
    rows = await app.database.fetch_rows("SELECT state FROM delivery_fee")

    assert sorted(row["state"] for row in rows) == sorted(STATES)


async def test_an_order_with_a_delivery_fee_leaves_the_books_in_order(
    app: RunningApp, member: SignedIn
) -> None:
    await app.give(member, 10_000)

    assert (await order(app, member, state="Lagos")).status_code == 201

    assert await broken_invariants_in(app.database) == []
