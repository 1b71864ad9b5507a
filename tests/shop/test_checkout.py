"""Checkout: server prices, stock and money in one transaction, once per key."""

import asyncio
import random
from typing import Any

import pytest
from api.foundation.core.config import Settings
from api.foundation.core.ids import new_id
from api.foundation.core.money import Kobo
from api.foundation.database.connections import SESSION_SETTINGS
from api.money.ledger_audit.repository.audit_run import broken_invariants_in
from api.money.wallet.enums import TransferKind
from api.money.wallet.service import ledger
from sqlalchemy import text
from sqlalchemy.ext.asyncio import AsyncEngine

from tests.conftest import RunningApp, SignedIn, open_running_app
from tests.shop.carts import BILLING, CHECKOUT, cart, count, stock


async def test_a_wallet_order_takes_money_and_stock_and_shows_in_the_purchases(
    app: RunningApp, member: SignedIn
) -> None:
    scarf = await app.stock_product()
    await app.give(member, 10_000)

    answer = await member.post("/api/v1/products/checkout", cart((scarf, 2, 2500.5)))

    assert answer.status_code == 201
    order = answer.json()["data"]
    assert order["total"] == 5001
    assert answer.json()["message"].startswith(f"Order {order['orderNumber']} placed")
    assert await app.balance(member) == 4999
    assert await stock(app, scarf) == 8
    purchases = (await member.get(f"/api/v1/products/user/{member.id}")).json()["data"]
    assert purchases[0] | {"createdAt": ""} == {
        "id": order["orderId"],
        "orderNumber": order["orderNumber"],
        "product_meta_data": [
            {
                "line": 1,
                "id": str(scarf),
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
        "payBy": None,
        "createdAt": "",
    }
    statement = (await member.get(f"/api/v1/payment/statement/{member.id}")).json()["data"]
    assert [(row["kind"], row["amount"], row["balanceAfter"]) for row in statement] == [
        ("purchase", -5001, 4999),
        ("adjust", 10000, 10000),
    ]
    assert statement[0]["reference"] == order["orderId"]


async def test_a_bank_transfer_order_waits_unpaid_and_holds_its_stock(
    app: RunningApp, member: SignedIn
) -> None:
    scarf = await app.stock_product(stock=3)

    answer = await member.post(
        "/api/v1/products/checkout", cart((scarf, 1, 2500.5), paymentMethod="bank-transfer")
    )

    assert answer.status_code == 201
    (order,) = (await member.get(f"/api/v1/products/user/{member.id}")).json()["data"]
    assert (order["status"], order["is_paid"]) == ("pending", False)
    assert await stock(app, scarf) == 2
    assert await count(app, "ledger_transfer") == 0


async def test_too_little_money_is_a_402_with_the_shortfall_and_changes_nothing(
    app: RunningApp, member: SignedIn
) -> None:
    scarf = await app.stock_product()
    await app.give(member, 1000)

    answer = await member.post("/api/v1/products/checkout", cart((scarf, 1, 2500.5)), key="k" * 8)

    assert answer.status_code == 402
    assert answer.json()["message"] == "Insufficient wallet balance. Fund your wallet to continue."
    assert answer.json()["data"] == {"shortfall": 1500.5}
    assert await app.balance(member) == 1000
    assert await stock(app, scarf) == 10
    assert await count(app, "shop_order") == 0
    assert await count(app, "idempotency_key") == 0


async def test_a_refused_try_does_not_burn_its_key(app: RunningApp, member: SignedIn) -> None:
    scarf = await app.stock_product()
    wish = cart((scarf, 1, 2500.5))
    refused = await member.post("/api/v1/products/checkout", wish, key="try-again")
    await app.give(member, 5000)

    answer = await member.post("/api/v1/products/checkout", wish, key="try-again")

    assert (refused.status_code, answer.status_code) == (402, 201)
    assert "Idempotent-Replayed" not in answer.headers


async def test_a_price_the_member_did_not_see_is_shown_before_it_is_charged(
    app: RunningApp, member: SignedIn
) -> None:
    scarf = await app.stock_product()
    await app.give(member, 10_000)

    answer = await member.post("/api/v1/products/checkout", cart((scarf, 1, 1)))

    assert answer.status_code == 409
    assert answer.json()["error"]["code"] == "price_changed"
    assert answer.json()["data"]["lines"] == [
        {"id": str(scarf), "name": "Club Scarf", "price": 2500.5, "quantity": 1, "available": 10}
    ]
    assert await app.balance(member) == 10_000


async def test_unknown_hidden_and_sample_products_are_not_sold(
    app: RunningApp, member: SignedIn
) -> None:
    scarf = await app.stock_product()
    await app.give(member, 10_000)
    async with app.database.transaction() as tx:
        await tx.execute("UPDATE product SET hidden = true")

    for unknown in (scarf, new_id(), 3, "../../etc"):
        answer = await member.post("/api/v1/products/checkout", cart((unknown, 1, None)))
        assert answer.status_code == 409, unknown
        assert answer.json()["error"]["code"] == "product_unavailable"
        assert answer.json()["data"]["lines"][0]["available"] == 0
    assert await app.balance(member) == 10_000


async def test_carts_that_do_not_fit_are_refused_whole(app: RunningApp, member: SignedIn) -> None:
    scarf = await app.stock_product(stock=500)
    await app.give(member, 500_000)
    bad_carts: list[dict[str, Any]] = [
        cart(),
        cart((scarf, 0, None)),
        cart((scarf, -1, None)),
        cart((scarf, 100, None)),
        cart((scarf, 60, None), (scarf, 40, None)),
        cart(*[(scarf, 1, None)] * 51),
        cart((scarf, 1, -2500.5), carts="x"),
        cart((scarf, 1, None), billing={**BILLING, "address": " "}),
        cart((scarf, 1, None), billing={"address": "x"}),
        cart((scarf, 1, None), billing={**BILLING, "firstName": "A" * 101}),
        cart((scarf, 1, None), billing={**BILLING, "lastName": "O" * 101}),
        cart((scarf, 1, None), billing={**BILLING, "phone": "1" * 9}),
        cart((scarf, 1, None), billing={**BILLING, "phone": "1" * 21}),
        cart((scarf, 1, None), billing={**BILLING, "address": "A" * 301}),
        cart((scarf, 1, None), paymentMethod="points"),
        cart((scarf, 1, None)) | {"total": 1},
    ]
    bad_quantities = ["1", 1.5, True, None, 1e30, [1]]
    bad_carts += [
        {**cart(), "carts": [{"id": str(scarf), "quantity": quantity}]}
        for quantity in bad_quantities
    ]

    for bad in bad_carts:
        answer = await member.post("/api/v1/products/checkout", bad)
        assert answer.status_code == 422, bad
        assert answer.json()["error"]["fields"]
    assert await count(app, "shop_order") == 0
    assert await app.balance(member) == 500_000


async def test_repeated_lines_are_one_line(app: RunningApp, member: SignedIn) -> None:
    scarf = await app.stock_product(stock=5)
    await app.give(member, 50_000)

    answer = await member.post(
        "/api/v1/products/checkout", cart((scarf, 2, 2500.5), (scarf, 3, 2500.5))
    )

    assert answer.json()["data"]["total"] == 12502.5
    assert await stock(app, scarf) == 0


async def test_somebody_elses_id_in_the_body_is_not_found(
    app: RunningApp, member: SignedIn, rival: SignedIn
) -> None:
    scarf = await app.stock_product()

    answer = await member.post(
        "/api/v1/products/checkout", cart((scarf, 1, None), userId=str(rival.id))
    )

    assert answer.status_code == 404


async def test_one_key_fifty_times_at_once_is_one_order(live_server: RunningApp) -> None:
    member = await live_server.member()
    scarf = await live_server.stock_product(stock=100)
    await live_server.give(member, 500_000)
    wish = cart((scarf, 1, 2500.5))

    answers = await asyncio.gather(
        *(member.post("/api/v1/products/checkout", wish, key="fifty-times") for _ in range(50))
    )

    assert {answer.status_code for answer in answers} == {201}
    assert len({answer.json()["data"]["orderId"] for answer in answers}) == 1
    replayed = [answer.headers.get("Idempotent-Replayed") for answer in answers]
    assert sorted(map(str, replayed)) == ["None"] + ["true"] * 49
    assert await count(live_server, "shop_order") == 1
    assert await stock(live_server, scarf) == 99


async def test_a_key_that_named_another_cart_is_refused(app: RunningApp, member: SignedIn) -> None:
    scarf = await app.stock_product()
    await app.give(member, 50_000)
    await member.post("/api/v1/products/checkout", cart((scarf, 1, None)), key="same-key")

    answer = await member.post("/api/v1/products/checkout", cart((scarf, 2, None)), key="same-key")

    assert answer.status_code == 422
    assert answer.json()["error"]["code"] == "idempotency_key_reused"
    assert await count(app, "shop_order") == 1


async def test_one_members_key_is_not_anothers(
    app: RunningApp, member: SignedIn, rival: SignedIn
) -> None:
    scarf = await app.stock_product()
    await app.give(member, 5000)
    await app.give(rival, 5000)
    wish = cart((scarf, 1, None))

    first = await member.post("/api/v1/products/checkout", wish, key="same-key")
    second = await rival.post("/api/v1/products/checkout", wish, key="same-key")

    assert first.json()["data"]["orderId"] != second.json()["data"]["orderId"]


async def test_twenty_checkouts_at_once_with_money_for_three_place_three(
    live_server: RunningApp,
) -> None:
    member = await live_server.member()
    scarf = await live_server.stock_product(price_kobo=100_000, stock=100)
    await live_server.give(member, 3500)

    answers = await asyncio.gather(
        *(member.post("/api/v1/products/checkout", cart((scarf, 1, 1000))) for _ in range(20))
    )

    statuses = sorted(answer.status_code for answer in answers)
    assert statuses == [201] * 3 + [402] * 17
    assert await live_server.balance(member) == 500
    assert await stock(live_server, scarf) == 97


async def test_twenty_buyers_of_the_last_three_get_three(live_server: RunningApp) -> None:
    scarf = await live_server.stock_product(price_kobo=100_000, stock=3)
    buyers = [await live_server.member(f"buyer{number}") for number in range(20)]
    for buyer in buyers:
        await live_server.give(buyer, 1000)

    answers = await asyncio.gather(
        *(buyer.post("/api/v1/products/checkout", cart((scarf, 1, 1000))) for buyer in buyers)
    )

    assert sorted(answer.status_code for answer in answers) == [201] * 3 + [409] * 17
    assert await stock(live_server, scarf) == 0
    total = await live_server.database.fetch_row(
        "SELECT sum(balance_kobo) AS kobo FROM ledger_account"
    )
    assert total is not None
    assert total["kobo"] == 17 * 100_000


async def test_an_order_number_that_is_taken_is_drawn_again(
    app: RunningApp, member: SignedIn, monkeypatch: pytest.MonkeyPatch
) -> None:
    scarf = await app.stock_product()
    await app.give(member, 10_000)
    drawn = iter(["FC-AAAAAA", "FC-AAAAAA", "FC-AAAAAA", "FC-BBBBBB"])
    monkeypatch.setattr("api.shop.rules.draw_order_number", lambda: next(drawn))

    numbers = [
        (await member.post("/api/v1/products/checkout", cart((scarf, 1, None)))).json()["data"]
        for _ in range(2)
    ]

    assert [one["orderNumber"] for one in numbers] == ["FC-AAAAAA", "FC-BBBBBB"]
    assert await app.balance(member) == 10_000 - 2 * 2500.5


async def test_a_small_space_of_numbers_refuses_no_sale(
    live_server: RunningApp, monkeypatch: pytest.MonkeyPatch
) -> None:
    scarf = await live_server.stock_product(price_kobo=100, stock=100)
    buyers = [await live_server.member(f"buyer{number}") for number in range(4)]
    for buyer in buyers:
        await live_server.give(buyer, 1000)
    chance = random.Random(2026)  # noqa: S311 - a draw that can be replayed
    monkeypatch.setattr(
        "api.shop.rules.draw_order_number", lambda: f"FC-{chance.randrange(30):06d}"
    )

    answers = [
        answer
        for _ in range(7)
        for answer in await asyncio.gather(
            *(buyer.post("/api/v1/products/checkout", cart((scarf, 1, 1))) for buyer in buyers)
        )
    ]

    assert [answer.status_code for answer in answers] == [201] * 28
    assert len({answer.json()["data"]["orderNumber"] for answer in answers}) == 28
    assert await stock(live_server, scarf) == 72
    assert await broken_invariants_in(live_server.database) == []


async def test_a_number_that_the_ledger_knows_from_before_refuses_no_sale(
    app: RunningApp, member: SignedIn, monkeypatch: pytest.MonkeyPatch
) -> None:
    scarf = await app.stock_product()
    await app.give(member, 10_000)
    async with app.database.transaction() as tx:
        await ledger.debit(
            tx, member.id, Kobo(100), kind=TransferKind.PURCHASE, reference="FC-AAAAAA"
        )
    monkeypatch.setattr("api.shop.rules.draw_order_number", lambda: "FC-AAAAAA")

    answer = await member.post("/api/v1/products/checkout", cart((scarf, 1, None)))

    assert (answer.status_code, answer.json()["data"]["orderNumber"]) == (201, "FC-AAAAAA")


async def test_an_order_for_who_is_leaving_is_refused_or_seen_by_the_leaving(
    live_server: RunningApp, owner: AsyncEngine
) -> None:
    member = await live_server.member()
    scarf = await live_server.stock_product()
    wish = cart((scarf, 1, None), paymentMethod="bank-transfer")
    async with owner.begin() as connection:
        await connection.execute(text("SELECT 1 FROM user_account FOR UPDATE"))
        waiting = asyncio.create_task(member.post("/api/v1/products/checkout", wish))
        await asyncio.wait([waiting], timeout=0.5)
        assert not waiting.done()
        await connection.execute(text("UPDATE user_account SET erased_at = now()"))

    assert (await waiting).status_code == 404
    assert await count(live_server, "shop_order") == 0
    assert await stock(live_server, scarf) == 10


async def test_carts_locked_in_opposite_orders_do_not_deadlock(live_server: RunningApp) -> None:
    first = await live_server.stock_product("A", price_kobo=100, stock=1000)
    second = await live_server.stock_product("B", price_kobo=100, stock=1000)
    buyers = [await live_server.member(f"buyer{number}") for number in range(6)]
    for buyer in buyers:
        await live_server.give(buyer, 1000)

    answers = await asyncio.gather(
        *(
            buyer.post(
                "/api/v1/products/checkout",
                cart(*[(one, 1, None) for one in ((first, second), (second, first))[turn % 2]]),
            )
            for turn in range(10)
            for buyer in buyers
        )
    )

    assert {answer.status_code for answer in answers} == {201}
    assert await stock(live_server, first) == await stock(live_server, second) == 940


@pytest.mark.usefixtures("_empty_tables")
async def test_an_order_that_does_not_get_its_lock_is_a_503_and_changes_nothing(
    settings: Settings, owner: AsyncEngine, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setitem(SESSION_SETTINGS, "lock_timeout", "100ms")
    async with open_running_app(settings) as app:
        member, scarf = await app.member(), await app.stock_product()
        await app.give(member, 10_000)
        wish = cart((scarf, 1, None))
        async with owner.begin() as connection:
            await connection.execute(text("SELECT 1 FROM product_variant FOR UPDATE"))
            refused = await member.post(CHECKOUT, wish, key="the-same-wish")

        assert (refused.status_code, refused.json()["error"]["code"]) == (
            503,
            "database_unavailable",
        )
        assert int(refused.headers["Retry-After"]) >= 1
        assert await count(app, "shop_order") == 0
        assert (await app.balance(member), await stock(app, scarf)) == (10_000, 10)
        assert (await member.post(CHECKOUT, wish, key="the-same-wish")).status_code == 201
