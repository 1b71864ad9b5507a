"""Orders that wait for a bank transfer: at most three per member, expiring after three days."""

import asyncio
from datetime import datetime, timedelta
from typing import Any
from uuid import UUID

import httpx
import pytest
from api.foundation.core import clock
from api.foundation.core.ids import new_id
from api.foundation.core.metrics import Metrics
from api.foundation.core.supervisor import Supervisor
from api.foundation.metrics.snapshots import render
from api.shop.repository import checkout
from api.shop.service import orders
from api.shop.service import orders as orders_service

from tests.conftest import RunningApp, SignedIn
from tests.shop.carts import CHECKOUT, cart, count, stock
from tests.waiting import DEADLINE_SECONDS

OPEN_FIELDS = ("orderId", "orderNumber", "total", "payBy")
TRANSFER_WINDOW = timedelta(hours=72)


class Died(Exception):  # noqa: N818 what happened, not what was wrong
    """Stands for the death of the process here."""


async def order(
    member: SignedIn, product: UUID, quantity: int = 1, *, key: str | None = None
) -> httpx.Response:
    """Order by bank transfer."""
    wish = cart((product, quantity, None), paymentMethod="bank-transfer")
    return await member.post(CHECKOUT, wish, key=key)


async def purchases(member: SignedIn) -> list[dict[str, Any]]:
    answer = await member.get(f"/api/v1/products/user/{member.id}")
    found: list[dict[str, Any]] = answer.json()["data"]
    return found


async def age(app: RunningApp, by: timedelta) -> None:
    """Backdate every order, as only the tables' owner may."""
    async with app.database.transaction() as tx:
        await tx.execute("SET LOCAL ROLE NONE")
        await tx.execute(
            "UPDATE shop_order SET created_at = created_at - cast($1 AS interval), "
            "pay_by = pay_by - cast($1 AS interval)",
            by,
        )


async def age_members(app: RunningApp) -> None:
    """Backdate every account, so that the higher limits of unpaid stock apply."""
    async with app.database.transaction() as tx:
        await tx.execute("SET LOCAL ROLE NONE")
        await tx.execute("UPDATE user_account SET created_at = created_at - interval '72 hours'")


async def test_an_open_order_says_until_when_to_pay(app: RunningApp, member: SignedIn) -> None:
    scarf = await app.stock_product()

    placed = (await order(member, scarf)).json()["data"]

    (listed,) = await purchases(member)
    assert placed["payBy"] == listed["payBy"]
    pay_by = datetime.fromisoformat(listed["payBy"])
    assert pay_by - datetime.fromisoformat(listed["createdAt"]) == TRANSFER_WINDOW


async def test_an_order_that_nobody_pays_expires_and_gives_its_stock_back_once(
    app: RunningApp, member: SignedIn
) -> None:
    scarf = await app.stock_product(stock=5)
    jersey = await app.stock_product("Jersey", stock=5)
    both = cart((scarf, 2, None), (jersey, 3, None), paymentMethod="bank-transfer")
    assert (await member.post(CHECKOUT, both)).status_code == 201
    now = clock.now()

    early = await orders_service.expire_orders(
        app.database, now + TRANSFER_WINDOW - timedelta(minutes=1)
    )
    due = await orders_service.expire_orders(
        app.database, now + TRANSFER_WINDOW + timedelta(minutes=1)
    )
    again = await orders_service.expire_orders(
        app.database, now + TRANSFER_WINDOW + timedelta(minutes=1)
    )

    assert (early, due, again) == (0, 1, 0)
    (expired,) = await purchases(member)
    assert (expired["status"], expired["is_paid"]) == ("expired", False)
    assert (await stock(app, scarf), await stock(app, jersey)) == (5, 5)


async def test_what_is_paid_or_on_its_way_does_not_expire(
    app: RunningApp, member: SignedIn
) -> None:
    scarf = await app.stock_product()
    await app.give(member, 10_000)
    await member.post(CHECKOUT, cart((scarf, 1, None)))
    await order(member, scarf)
    async with app.database.transaction() as tx:
        await tx.execute("SET LOCAL ROLE NONE")
        await tx.execute("UPDATE shop_order SET is_paid = true, status = 'processing'")
    await age(app, TRANSFER_WINDOW * 2)

    assert await orders_service.expire_orders_once(app.database) == 0
    assert await stock(app, scarf) == 8


async def test_ten_sweeps_at_once_give_each_order_back_once(live_server: RunningApp) -> None:
    products = [await live_server.stock_product(f"{n}", stock=500) for n in range(4)]
    members = [await live_server.member(f"buyer{number}") for number in range(80)]
    await age_members(live_server)
    for n, buyer in enumerate(members):
        lines = [(one, 1, None) for one in (products[n % 4 :] + products[: n % 4])[:3]]
        wish = cart(*lines, paymentMethod="bank-transfer")
        answers = [await buyer.post(CHECKOUT, wish) for _ in range(2)]
        assert [answer.status_code for answer in answers] == [201, 201]
    assert await count(live_server, "shop_order") == 160
    await age(live_server, TRANSFER_WINDOW)

    expired = await asyncio.gather(
        *(orders_service.expire_orders_once(live_server.database) for _ in range(10))
    )

    assert sum(expired) == 160
    assert {await stock(live_server, product) for product in products} == {500}


async def test_a_sweep_that_dies_half_way_leaves_nothing_half_done(
    app: RunningApp, member: SignedIn
) -> None:
    scarf = await app.stock_product(stock=5)
    await order(member, scarf, 2)
    await age(app, TRANSFER_WINDOW)

    async def die_half_way() -> None:
        async with app.database.transaction() as tx:
            assert await orders_service.expire_batch(tx, clock.now(), 100) == 1
            # While this transaction holds the order, no other one takes it.
            other = asyncio.create_task(orders_service.expire_orders_once(app.database))
            assert await other == 0
            raise Died

    with pytest.raises(Died):
        await die_half_way()
    assert (await stock(app, scarf), (await purchases(member))[0]["status"]) == (3, "pending")

    assert await orders_service.expire_orders_once(app.database) == 1
    assert await stock(app, scarf) == 5


async def test_sweeps_and_checkouts_at_once_keep_the_stock_exact(live_server: RunningApp) -> None:
    products = [await live_server.stock_product(f"{n}", price_kobo=100, stock=40) for n in range(3)]
    buyers = [await live_server.member(f"buyer{number}") for number in range(12)]
    await age_members(live_server)
    for buyer in buyers:
        await live_server.give(buyer, 1000)
    for buyer in buyers:
        for _ in range(3):
            lines = [(product, 1, None) for product in products]
            assert (
                await buyer.post(CHECKOUT, cart(*lines, paymentMethod="bank-transfer"))
            ).status_code == 201
    await age(live_server, TRANSFER_WINDOW)

    async def sweep() -> int:
        async with live_server.database.transaction() as tx:
            return await orders_service.expire_batch(tx, clock.now(), 2)

    outcomes = await asyncio.gather(
        *(sweep() for _ in range(18)),
        *(
            buyer.post(CHECKOUT, cart(*[(one, 2, None) for one in reversed(products)]))
            for buyer in buyers
        ),
    )

    answers = [one for one in outcomes if isinstance(one, httpx.Response)]
    assert {answer.status_code for answer in answers} <= {201, 409}
    expired = sum(one for one in outcomes if isinstance(one, int))
    sold = sum(2 for answer in answers if answer.status_code == 201)
    expected = 40 - (36 - expired) - sold
    assert {await stock(live_server, product) for product in products} == {expected}


async def test_a_fourth_open_order_is_refused_with_the_three_that_are_open(
    app: RunningApp, member: SignedIn, rival: SignedIn
) -> None:
    scarf = await app.stock_product()
    await app.give(member, 10_000)
    placed = [(await order(member, scarf)).json()["data"] for _ in range(3)]

    fourth = await order(member, scarf, key="the-fourth-order")

    assert (fourth.status_code, fourth.json()["error"]["code"]) == (409, "too_many_open_orders")
    refused = fourth.json()["data"]
    assert refused["open"] == 3
    assert [{name: one[name] for name in OPEN_FIELDS} for one in refused["orders"]] == [
        {name: one[name] for name in OPEN_FIELDS} for one in placed
    ]
    assert all(datetime.fromisoformat(one["createdAt"]) for one in refused["orders"])
    assert await stock(app, scarf) == 7
    assert (await order(rival, scarf)).status_code == 201
    assert (await member.post(CHECKOUT, cart((scarf, 1, None)))).status_code == 201
    await age(app, TRANSFER_WINDOW)
    await orders_service.expire_orders_once(app.database)
    assert (await order(member, scarf, key="the-fourth-order")).status_code == 201


async def test_twenty_orders_at_once_leave_three_open(live_server: RunningApp) -> None:
    member = await live_server.member()
    scarf = await live_server.stock_product(stock=100)

    answers = await asyncio.gather(*(order(member, scarf) for _ in range(20)))

    assert sorted(answer.status_code for answer in answers) == [201] * 3 + [409] * 17
    assert {answer.json()["error"]["code"] for answer in answers if answer.status_code == 409} == {
        "too_many_open_orders"
    }
    assert await stock(live_server, scarf) == 97


async def test_an_order_waits_for_one_that_is_being_placed_before_it_counts_the_open_ones(
    app: RunningApp, member: SignedIn
) -> None:
    scarf, jersey = await app.stock_product(), await app.stock_product("Home Jersey")
    for _ in range(2):
        await order(member, scarf)
    now = clock.now()
    lines = [{"id": str(scarf), "quantity": 1}]
    third = checkout.NewOrder(
        *(new_id(), f"FC-{new_id()}", member.id, "bank-transfer", lines, {}, None, False),
        *(None, "", now, now + TRANSFER_WINDOW),
    )

    async with app.database.transaction() as tx:
        await checkout.lock_open_orders(tx, member.id)
        await checkout.place_order(tx, third)
        fourth = asyncio.create_task(order(member, jersey))
        await asyncio.wait({fourth}, timeout=0.5)
        assert not fourth.done()

    assert (await fourth).status_code == 409
    assert await stock(app, jersey) == 10


async def test_a_retry_of_the_third_order_is_still_the_third(
    app: RunningApp, member: SignedIn
) -> None:
    scarf = await app.stock_product()
    for number in range(3):
        await order(member, scarf, key=f"order-number-{number}")

    again = await order(member, scarf, key="order-number-2")

    assert again.status_code == 201
    assert again.headers["Idempotent-Replayed"] == "true"
    assert again.json()["data"]["payBy"] is not None
    assert await stock(app, scarf) == 7


async def test_a_failing_sweep_does_not_end_the_sweeping(
    app: RunningApp, member: SignedIn, monkeypatch: pytest.MonkeyPatch
) -> None:
    scarf = await app.stock_product(stock=5)
    await order(member, scarf)
    await age(app, TRANSFER_WINDOW)
    monkeypatch.setattr(orders, "EXPIRY_INTERVAL_SECONDS", 0.05)
    metrics = Metrics()
    sweeping = Supervisor(metrics)
    sweeping.add(orders_service.expire_job(app.database))
    async with app.database.transaction() as tx:
        await tx.execute("LOCK TABLE product_variant IN EXCLUSIVE MODE")
        sweeping.start()
        await asyncio.sleep(3.5)  # longer than the lock timeout
        assert 'job_failures_total{job="expire_orders"} 1.0' in render(metrics).decode()

    async with asyncio.timeout(DEADLINE_SECONDS):
        while await stock(app, scarf) != 5:  # noqa: ASYNC110 - the stock offers no event
            await asyncio.sleep(0.05)

    await sweeping.stop()
