"""A placed order: read, cancelled, expired, each event recorded once."""

import asyncio
from datetime import timedelta
from typing import Any
from uuid import UUID

import httpx
import pytest
from api.foundation.core import clock
from api.foundation.core.ids import new_id
from api.money.ledger_audit.repository.audit_run import broken_invariants_in
from api.people.users.service import account as users_account
from api.shop.service import cancelling, orders
from sqlalchemy import text
from sqlalchemy.exc import DBAPIError
from sqlalchemy.ext.asyncio import AsyncEngine

from tests.conftest import RunningApp, SignedIn
from tests.shop.carts import BILLING, CHECKOUT, cart, stock
from tests.shop.test_open_orders import TRANSFER_WINDOW, age, order
from tests.waiting import until_blocked


async def buy(app: RunningApp, member: SignedIn, **changes: Any) -> dict[str, Any]:
    """Order two scarves at 2,500.50 each."""
    scarf = await app.stock_product()
    answer = await member.post(CHECKOUT, cart((scarf, 2, None), **changes))
    assert answer.status_code == 201, answer.text
    placed: dict[str, Any] = answer.json()["data"]
    return placed | {"product": scarf}


async def detail(member: SignedIn, name: object) -> dict[str, Any]:
    answer = await member.get(f"/api/v1/orders/{name}")
    assert answer.status_code == 200, answer.text
    found: dict[str, Any] = answer.json()["data"]
    return found


async def kinds(member: SignedIn, order_id: object) -> list[tuple[str, str, str]]:
    events = (await detail(member, order_id))["events"]
    return [(event["kind"], event["status"], event["by"]) for event in events]


async def test_an_order_is_read_by_its_id_and_by_its_number(
    app: RunningApp, member: SignedIn
) -> None:
    await app.give(member, 10_000)
    placed = await buy(app, member)

    by_id = await detail(member, placed["orderId"])

    assert by_id == await detail(member, placed["orderNumber"].lower())
    assert by_id | {"createdAt": "", "events": []} == {
        "id": placed["orderId"],
        "orderNumber": placed["orderNumber"],
        "product_meta_data": [
            {
                "line": 1,
                "id": str(placed["product"]),
                "name": "Club Scarf",
                "price": 2500.5,
                "thumbnail": "/media/a.svg",
                "quantity": 2,
                "variantId": None,
                "size": None,
                "refundedQuantity": 0,
            }
        ],
        "billing": BILLING,
        "status": "processing",
        "is_paid": True,
        "payment_method": "wallet",
        "total": 5001,
        "itemsTotal": 5001,
        "deliveryFee": 0,
        "refundedTotal": 0,
        "received": 5001,
        "underReview": 0,
        "transfer": None,
        "payBy": None,
        "createdAt": "",
        "events": [],
        "canUploadProof": False,
        "proofs": [],
        "canCancel": True,
    }
    assert by_id["events"] == [
        {
            "kind": "placed",
            "status": "processing",
            "at": by_id["createdAt"],
            "by": "member",
            "note": None,
        }
    ]


async def test_nobody_elses_order_is_there(
    app: RunningApp, member: SignedIn, rival: SignedIn
) -> None:
    await app.give(member, 10_000)
    placed = await buy(app, member)

    for name in (placed["orderId"], placed["orderNumber"], new_id(), "FC-000000", "x" * 200):
        assert (await rival.get(f"/api/v1/orders/{name}")).status_code == 404
    for order_id in (placed["orderId"], new_id(), "nonsense"):
        answer = await rival.post(f"/api/v1/orders/{order_id}/cancel", {})
        assert answer.status_code == 404
    assert (await detail(member, placed["orderId"]))["status"] == "processing"


async def test_a_cancelled_wallet_order_gives_money_and_stock_back_and_says_so(
    app: RunningApp, member: SignedIn
) -> None:
    await app.give(member, 10_000)
    placed = await buy(app, member)

    answer = await member.post(
        f"/api/v1/orders/{placed['orderId']}/cancel", {"reason": "Wrong size"}
    )

    assert answer.status_code == 200
    assert answer.json()["data"] == {"status": "cancelled", "refunded": 5001, "balance": 10_000}
    assert await app.balance(member) == 10_000
    assert await stock(app, placed["product"]) == 10
    order = await detail(member, placed["orderId"])
    assert (order["status"], order["refundedTotal"], order["canCancel"]) == (
        *("cancelled", 5001),
        False,
    )
    assert order["product_meta_data"][0]["refundedQuantity"] == 2
    assert order["events"][1] | {"at": ""} == {
        "kind": "cancelled",
        "status": "cancelled",
        "at": "",
        "by": "member",
        "note": "Wrong size",
    }
    notices = (await member.get("/api/v1/notifications")).json()["data"]["rows"]
    assert [one["kind"] for one in notices] == ["order_cancelled"]
    assert notices[0]["link"] == f"/shopping/{placed['orderId']}"
    assert await broken_invariants_in(app.database) == []


async def test_a_cancelled_transfer_order_gives_its_stock_back_and_no_money(
    app: RunningApp, member: SignedIn
) -> None:
    placed = await buy(app, member, paymentMethod="bank-transfer")
    open_order = await detail(member, placed["orderId"])
    assert open_order["received"] == 0
    assert open_order["transfer"]["accountNumber"]

    answer = await member.post(f"/api/v1/orders/{placed['orderId']}/cancel", {})

    assert answer.json()["data"] == {"status": "cancelled", "refunded": 0, "balance": 0}
    assert await stock(app, placed["product"]) == 10
    order = await detail(member, placed["orderId"])
    assert (order["transfer"], order["product_meta_data"][0]["refundedQuantity"]) == (None, 0)


async def test_a_retry_of_a_cancellation_is_answered_and_another_wish_is_refused(
    app: RunningApp, member: SignedIn
) -> None:
    await app.give(member, 10_000)
    placed = await buy(app, member)
    path = f"/api/v1/orders/{placed['orderId']}/cancel"

    first = await member.post(path, {}, key="cancel-once")
    again = await member.post(path, {}, key="cancel-once")
    reused = await member.post(path, {"reason": "Other"}, key="cancel-once")
    without_key = await member.post(path, {})

    assert again.json() == first.json()
    assert again.headers["Idempotent-Replayed"] == "true"
    assert (reused.status_code, without_key.status_code) == (422, 409)
    assert without_key.json()["error"]["code"] == "wrong_state"
    assert without_key.json()["data"] == {"status": "cancelled"}
    assert await app.balance(member) == 10_000


@pytest.mark.parametrize("reason", ["", "x" * 201, 7])
async def test_a_reason_that_does_not_fit_cancels_nothing(
    app: RunningApp, member: SignedIn, reason: object
) -> None:
    placed = await buy(app, member, paymentMethod="bank-transfer")

    answer = await member.post(f"/api/v1/orders/{placed['orderId']}/cancel", {"reason": reason})

    assert answer.status_code == 422
    assert list(answer.json()["error"]["fields"]) == ["reason"]
    assert (await detail(member, placed["orderId"]))["status"] == "pending"


async def test_twenty_cancellations_at_once_are_one(live_server: RunningApp) -> None:
    member = await live_server.member()
    await live_server.give(member, 10_000)
    placed = await buy(live_server, member)
    path = f"/api/v1/orders/{placed['orderId']}/cancel"

    answers = await asyncio.gather(*(member.post(path, {}) for _ in range(20)))

    assert sorted(answer.status_code for answer in answers) == [200] + [409] * 19
    assert await live_server.balance(member) == 10_000
    assert await stock(live_server, placed["product"]) == 10
    assert await kinds(member, placed["orderId"]) == [
        ("placed", "processing", "member"),
        ("cancelled", "cancelled", "member"),
    ]


async def test_a_cancellation_waits_for_a_shipment_and_is_refused(
    live_server: RunningApp,
) -> None:
    member = await live_server.member()
    await live_server.give(member, 10_000)
    order_id = (await buy(live_server, member))["orderId"]

    async with live_server.database.transaction() as tx:
        await tx.execute("UPDATE shop_order SET status = 'shipped' WHERE id = $1", UUID(order_id))
        cancelling_now = asyncio.create_task(member.post(f"/api/v1/orders/{order_id}/cancel", {}))
        await until_blocked(live_server.database, cancelling_now)
    answer = await cancelling_now

    assert (answer.status_code, answer.json()["data"]) == (409, {"status": "shipped"})
    assert await live_server.balance(member) == 10_000 - 5_001


async def test_a_cancellation_and_the_clock_at_once_end_an_order_once(
    live_server: RunningApp,
) -> None:
    buyers = [await live_server.member(f"buyer{number}") for number in range(10)]
    scarf = await live_server.stock_product(stock=40)
    placed = [(await order(buyer, scarf)).json()["data"] for buyer in buyers]
    await age(live_server, TRANSFER_WINDOW)

    outcomes = await asyncio.gather(
        *(
            buyer.post(f"/api/v1/orders/{one['orderId']}/cancel", {})
            for buyer, one in zip(buyers, placed, strict=True)
        ),
        *(orders.expire_orders_once(live_server.database) for _ in range(10)),
    )
    await orders.expire_orders_once(live_server.database)

    answers = [one for one in outcomes if isinstance(one, httpx.Response)]
    cancelled = sum(answer.status_code == 200 for answer in answers)
    ended = [await kinds(buyer, one["orderId"]) for buyer, one in zip(buyers, placed, strict=True)]
    assert all(len(events) == 2 for events in ended)
    assert sum(events[1][0] == "cancelled" for events in ended) == cancelled
    assert await stock(live_server, scarf) == 40


async def test_an_expired_order_says_that_the_clock_did_it_and_its_member_is_told(
    app: RunningApp, member: SignedIn
) -> None:
    placed = await buy(app, member, paymentMethod="bank-transfer")

    await orders.expire_orders(app.database, clock.now() + TRANSFER_WINDOW)

    assert (await kinds(member, placed["orderId"]))[1:] == [("expired", "expired", "clock")]
    notices = (await member.get("/api/v1/notifications")).json()["data"]["rows"]
    assert [one["kind"] for one in notices] == ["order_expired"]
    late = await member.post(f"/api/v1/orders/{placed['orderId']}/cancel", {})
    assert (late.status_code, late.json()["data"]) == (409, {"status": "expired"})


async def test_a_member_is_reminded_once_half_a_day_before_an_order_ends(
    app: RunningApp, member: SignedIn
) -> None:
    placed = await buy(app, member, paymentMethod="bank-transfer")
    await age(app, timedelta(hours=59))
    assert await orders.remind_once(app.database) == 0
    await age(app, timedelta(hours=2))

    reminded = await asyncio.gather(*(orders.remind_once(app.database) for _ in range(5)))

    assert sum(reminded) == 1
    assert await orders.remind_once(app.database) == 0
    notices = (await member.get("/api/v1/notifications")).json()["data"]["rows"]
    assert [one["title"] for one in notices] == [f"Pay for order {placed['orderNumber']} soon"]


async def test_what_happened_to_an_order_is_never_written_anew(
    app: RunningApp, member: SignedIn, owner: AsyncEngine
) -> None:
    placed = await buy(app, member, paymentMethod="bank-transfer")
    await member.post(f"/api/v1/orders/{placed['orderId']}/cancel", {"reason": "Changed my mind"})

    for statement in (
        "UPDATE order_event SET status = 'processing'",
        "UPDATE order_event SET at = now()",
    ):
        with pytest.raises(DBAPIError, match="what happened to an order stays"):
            async with owner.begin() as connection:
                await connection.execute(text(statement))
    async with owner.begin() as connection:
        await connection.execute(text("UPDATE order_event SET note = NULL"))
    assert (await detail(member, placed["orderId"]))["events"][1]["note"] is None


async def test_members_who_leave_together_release_the_same_sizes_without_a_deadlock(
    app: RunningApp,
) -> None:
    product_ids = [await app.stock_product(name, price_kobo=100, stock=100) for name in "AB"]
    members = [await app.member(f"leaver{number}") for number in range(6)]
    for turn, member in enumerate(members):
        await app.give(member, 1000)
        for product in product_ids[:: 1 if turn % 2 else -1] * 2:
            placed = await member.post(CHECKOUT, cart((product, 1, None)))
            assert placed.status_code == 201

    async def leave(member: SignedIn) -> None:
        async with app.database.transaction() as tx:
            assert await users_account.hold(tx, member.id)
            await cancelling.cancel_all(tx, member.id, clock.now())

    await asyncio.gather(*map(leave, members))

    assert [await stock(app, product) for product in product_ids] == [100, 100]
    assert await broken_invariants_in(app.database) == []
