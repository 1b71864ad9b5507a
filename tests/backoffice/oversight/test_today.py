"""Today lists an operator's open tasks, and omits what their role may not see."""

from datetime import timedelta

import pytest
import time_machine
from api.foundation.core import clock
from api.foundation.security.rights import Role
from api.shop.service import days

from tests.back_office import ADMIN, operator_client
from tests.conftest import RunningApp, SignedIn
from tests.shop.carts import CHECKOUT, cart, sized_product

ALWAYS = {"waiting", "proposed"}
NO_SHOP = {"orders": 0, "total": 0, "paid": 0, "paidTotal": 0, "lowStock": []}
NO_BANK = {"lines": 0, "transfers": 0}


@pytest.mark.parametrize(
    ("role", "seen"),
    [
        (Role.OWNER, {"ledger", "backup", "bank", "shop"}),
        (Role.FINANCE, {"ledger", "backup", "bank", "shop"}),
        (Role.SHOP, {"shop"}),
        (Role.MODERATOR, set()),
        (Role.EDITOR, set()),
        (Role.GAME_MASTER, set()),
    ],
)
async def test_what_a_role_may_not_see_is_left_out(
    app: RunningApp, role: Role, seen: set[str]
) -> None:
    operator = await operator_client(app, "olu", role)

    today = (await operator.get(f"{ADMIN}/today")).json()["data"]

    assert today.keys() == ALWAYS | seen
    assert today.get("bank", NO_BANK) == NO_BANK
    assert today.get("shop", NO_SHOP) == NO_SHOP
    assert {today[name] for name in seen - {"bank", "shop"}} <= {None}, "never looked at yet"


async def test_the_shop_shows_what_was_ordered_today_and_what_is_nearly_sold_out(
    app: RunningApp, member: SignedIn, rival: SignedIn
) -> None:
    operator = await operator_client(app, "kemi", Role.SHOP)
    scarf, sizes = await sized_product(app, {"S": 6, "M": 3, "L": 40})
    await sized_product(app, {"M": 5000})
    await app.give(member, 20_000)
    price = 2500.5
    lines = [(scarf, 1, price)]
    for buyer, changes in (
        (member, {"paymentMethod": "wallet"}),
        (rival, {"paymentMethod": "bank-transfer"}),
    ):
        placed = await buyer.post(CHECKOUT, cart(*lines, **changes))
        assert placed.status_code == 201, placed.text
    await app.database.execute(
        "UPDATE product_variant SET stock = 6, allocated = 0 WHERE id = $1", sizes["S"]
    )

    shop = (await operator.get(f"{ADMIN}/today")).json()["data"]["shop"]

    assert (shop["orders"], shop["paid"]) == (2, 1)
    assert shop["paidTotal"] == price
    assert shop["total"] == 2 * price
    assert shop["lowStock"] == [
        {"productId": str(scarf), "name": "Jersey", "size": "M", "available": 1}
    ]

    await app.database.execute("UPDATE shop_order SET status = 'cancelled' WHERE NOT is_paid")
    assert (await days.read_today(app.database))["orders"] == 1
    with time_machine.travel(clock.now() + timedelta(days=1), tick=False):
        assert (await days.read_today(app.database))["orders"] == 0
