"""Sizes: each has its own stock, which orders allocate, shipping sells and an end releases."""

import asyncio
from datetime import timedelta
from typing import Any
from uuid import UUID

import httpx
import pytest
from api.foundation.core import clock
from api.foundation.core.ids import new_id
from api.foundation.security.rights import Role
from api.shop.service import orders

from tests.back_office import ADMIN, operator_client
from tests.conftest import RunningApp, SignedIn
from tests.shop.carts import BILLING, CHECKOUT, sized_product, stock, stock_and_allocated

PRICE_NAIRA = 2500.5


async def order(
    member: SignedIn, product: UUID, *lines: tuple[object, int], method: str = "wallet"
) -> httpx.Response:
    """Order sizes of one product; None stands for no size."""
    carts = [
        {"id": str(product), "quantity": quantity}
        | ({} if variant is None else {"variantId": str(variant)})
        for variant, quantity in lines
    ]
    wish = {"carts": carts, "billing": BILLING, "paymentMethod": method}
    return await member.post(CHECKOUT, wish)


async def only_order(member: SignedIn) -> dict[str, Any]:
    (found,) = (await member.get(f"/api/v1/products/user/{member.id}")).json()["data"]
    one: dict[str, Any] = found
    return one


async def test_products_say_their_sizes_in_order_and_what_is_there_of_each(
    app: RunningApp, member: SignedIn
) -> None:
    scarf = await app.stock_product()
    jersey, sizes = await sized_product(app, {"S": 0, "M": 120, "L": 7})

    listed = {one["id"]: one for one in (await member.get("/api/v1/products")).json()["data"]}
    alone = (await member.get(f"/api/v1/products/{jersey}")).json()["data"]

    assert (listed[str(scarf)]["variants"], listed[str(scarf)]["available"]) == ([], 10)
    assert listed[str(jersey)] == alone
    assert alone["available"] == 99
    assert alone["variants"] == [
        {"id": str(sizes["S"]), "size": "S", "available": 0, "isDefault": False},
        {"id": str(sizes["M"]), "size": "M", "available": 99, "isDefault": True},
        {"id": str(sizes["L"]), "size": "L", "available": 7, "isDefault": False},
    ]


async def test_a_size_is_ordered_and_the_others_stay_as_they_are(
    app: RunningApp, member: SignedIn
) -> None:
    jersey, sizes = await sized_product(app, {"M": 5, "L": 5})
    await app.give(member, 100_000)

    placed = await order(member, jersey, (sizes["L"], 2), (None, 1))

    assert placed.status_code == 201
    assert placed.json()["data"]["total"] == 3 * PRICE_NAIRA
    lines = (await only_order(member))["product_meta_data"]
    assert [(one["variantId"], one["size"], one["quantity"]) for one in lines] == [
        (str(sizes["L"]), "L", 2),
        (str(sizes["M"]), "M", 1),
    ]
    assert await stock_and_allocated(app, sizes["L"]) == (5, 2)
    assert await stock_and_allocated(app, sizes["M"]) == (5, 1)


async def test_a_product_without_sizes_names_none_on_its_line(
    app: RunningApp, member: SignedIn
) -> None:
    scarf = await app.stock_product()
    await app.give(member, 100_000)

    await order(member, scarf, (None, 1))

    (line,) = (await only_order(member))["product_meta_data"]
    assert (line["variantId"], line["size"]) == (None, None)


async def test_the_default_named_and_not_named_is_one_line(
    app: RunningApp, member: SignedIn
) -> None:
    jersey, sizes = await sized_product(app, {"M": 3, "L": 5})
    await app.give(member, 100_000)

    too_many = await order(member, jersey, (None, 2), (sizes["M"], 2))
    fitting = await order(member, jersey, (None, 2), (sizes["M"], 1))

    assert (too_many.status_code, too_many.json()["error"]["code"]) == (409, "product_unavailable")
    assert too_many.json()["data"]["lines"] == [
        {
            "id": str(jersey),
            "name": "Jersey",
            "price": PRICE_NAIRA,
            "quantity": 4,
            "available": 3,
            "variantId": str(sizes["M"]),
            "size": "M",
        }
    ]
    assert fitting.status_code == 201
    assert await stock_and_allocated(app, sizes["M"]) == (3, 3)


@pytest.mark.parametrize("named", ["another product's", "nobody's", "no id", "a hidden one"])
async def test_a_size_that_the_product_does_not_have_is_unavailable(
    app: RunningApp, member: SignedIn, named: str
) -> None:
    jersey, sizes = await sized_product(app, {"M": 5, "L": 5})
    other, _ = await sized_product(app, {"XL": 5}, default="XL")
    others = await app.database.fetch_value(
        "SELECT id FROM product_variant WHERE product_id = $1", other
    )
    async with app.database.transaction() as tx:
        await tx.execute("UPDATE product_variant SET hidden = true WHERE id = $1", sizes["L"])
    variant = {
        "another product's": others,
        "nobody's": new_id(),
        "no id": "XXXL",
        "a hidden one": sizes["L"],
    }[named]
    await app.give(member, 100_000)

    answer = await order(member, jersey, (variant, 1), (None, 1))

    assert (answer.status_code, answer.json()["error"]["code"]) == (409, "product_unavailable")
    assert await stock_and_allocated(app, sizes["M"]) == (5, 0)


async def test_an_order_has_at_most_99_of_a_product_all_sizes_together(
    app: RunningApp, member: SignedIn
) -> None:
    jersey, sizes = await sized_product(app, {"M": 200, "L": 200})
    await app.give(member, 100_000_000)

    above = await order(member, jersey, (sizes["M"], 50), (sizes["L"], 50))
    just = await order(member, jersey, (sizes["M"], 50), (sizes["L"], 49))

    assert above.status_code == 422
    assert "carts" in above.json()["error"]["fields"]
    assert just.status_code == 201


async def test_of_twenty_who_want_one_of_five_five_get_it(live_server: RunningApp) -> None:
    jersey, sizes = await sized_product(live_server, {"M": 9, "L": 5})
    members = [await live_server.member() for _ in range(4)]
    for member in members:
        await live_server.give(member, 100_000_000)

    answers = await asyncio.gather(
        *(order(members[turn % 4], jersey, (sizes["L"], 1)) for turn in range(20))
    )

    assert sorted(answer.status_code for answer in answers) == [201] * 5 + [409] * 15
    assert await stock_and_allocated(live_server, sizes["L"]) == (5, 5)
    assert await stock_and_allocated(live_server, sizes["M"]) == (9, 0)


async def test_shipping_sells_what_an_order_held(app: RunningApp, member: SignedIn) -> None:
    jersey, sizes = await sized_product(app, {"M": 5})
    await app.give(member, 100_000)
    placed = (await order(member, jersey, (sizes["M"], 2))).json()["data"]
    operator = await operator_client(app, "olu", Role.SHOP)

    shipped = await operator.post(f"{ADMIN}/orders/{placed['orderId']}/ship", {})

    assert shipped.status_code == 200
    assert await stock_and_allocated(app, sizes["M"]) == (3, 0)


async def test_cancelling_and_expiring_release_what_an_order_held(
    app: RunningApp, member: SignedIn
) -> None:
    jersey, sizes = await sized_product(app, {"M": 5})
    await app.give(member, 100_000)
    cancelled = (await order(member, jersey, (sizes["M"], 2))).json()["data"]
    await order(member, jersey, (sizes["M"], 1), method="bank-transfer")
    assert await stock_and_allocated(app, sizes["M"]) == (5, 3)

    await member.post(f"/api/v1/orders/{cancelled['orderId']}/cancel", {})
    assert await stock_and_allocated(app, sizes["M"]) == (5, 1)
    await orders.expire_orders(app.database, clock.now() + timedelta(hours=73))

    assert await stock_and_allocated(app, sizes["M"]) == (5, 0)
    assert await stock(app, jersey) == 5
