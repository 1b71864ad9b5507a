"""Products, sizes, stock and fees at the back office."""

import asyncio
from typing import Any

import httpx
import pytest
from api.foundation.core.ids import new_id
from api.foundation.security.rights import Role

from tests.back_office import ADMIN, OperatorClient, operator_client
from tests.conftest import RunningApp, SignedIn, TwoWorkers
from tests.shop.carts import BILLING, CHECKOUT, cart, count, sized_product, stock_and_allocated
from tests.shop.test_orders import buy

PRODUCTS = f"{ADMIN}/products"
FEES = f"{ADMIN}/delivery-fees"
WISH = {"name": "Supporters' Cap", "price": 3500.5, "description": "One size", "star": 7}


@pytest.fixture
async def olu(app: RunningApp) -> OperatorClient:
    return await operator_client(app, "olu", Role.SHOP)


def reason_of(answer: httpx.Response) -> tuple[int, str]:
    return answer.status_code, answer.json()["error"]["code"]


async def actions(app: RunningApp) -> list[str]:
    rows = await app.database.fetch_rows("SELECT action FROM audit_entry ORDER BY id")
    return [row["action"] for row in rows]


async def shown(member: SignedIn) -> dict[str, dict[str, Any]]:
    """Return what the shop shows to a member, once no worker has it cached."""
    await asyncio.sleep(1.05)
    return {one["id"]: one for one in (await member.get("/api/v1/products")).json()["data"]}


async def move(
    operator: OperatorClient, product: object, change: int, **more: Any
) -> httpx.Response:
    body = {"productId": str(product), "change": change, "reason": "Counted"} | more
    return await operator.post(f"{ADMIN}/stock", body)


async def test_a_new_product_is_behind_the_others_and_is_sold_when_it_has_stock(
    app: RunningApp, olu: OperatorClient, member: SignedIn
) -> None:
    await app.stock_product()
    await app.give(member, 10_000)

    made = await olu.post(PRODUCTS, WISH)
    assert made.status_code == 201, made.text
    product = made.json()["data"]
    empty = await member.post(CHECKOUT, cart((product["id"], 1, None)))
    filled = await move(olu, product["id"], 40)
    sold = await member.post(CHECKOUT, cart((product["id"], 2, 3500.5)))

    assert {name: product[name] for name in WISH} == WISH
    assert (product["hidden"], product["position"], product["version"]) == (False, 2, 1)
    assert [one["size"] for one in product["variants"]] == [None]
    assert reason_of(empty) == (409, "product_unavailable")
    assert filled.json()["data"] == {"stock": 40, "allocated": 0, "available": 40}
    assert sold.status_code == 201, sold.text
    read = (await olu.get(f"{PRODUCTS}/{product['id']}")).json()["data"]
    assert (read["stock"], read["allocated"], read["available"]) == (40, 2, 38)
    assert list(await shown(member))[-1] == product["id"]
    assert await actions(app) == ["create", "stock"]


async def test_a_product_is_changed_by_who_has_read_it_as_it_is(
    app: RunningApp, olu: OperatorClient, member: SignedIn
) -> None:
    scarf = await app.stock_product()
    path = f"{PRODUCTS}/{scarf}"

    changed = await olu.patch(path, {"version": 1, "price": 2600, "star": 3})
    stale = await olu.patch(path, {"version": 1, "price": 2700})
    unknown = await olu.patch(f"{PRODUCTS}/{new_id()}", {"version": 1})

    assert changed.status_code == 200, changed.text
    data = changed.json()["data"]
    assert (data["price"], data["star"], data["version"]) == (2600, 3, 2)
    assert reason_of(stale) == (409, "stale")
    assert unknown.status_code == 404
    assert await actions(app) == ["change"]


async def test_a_description_can_be_emptied(app: RunningApp, olu: OperatorClient) -> None:
    made = (await olu.post(PRODUCTS, WISH)).json()["data"]
    path = f"{PRODUCTS}/{made['id']}"

    kept = await olu.patch(path, {"version": 1, "star": 3})
    emptied = await olu.patch(path, {"version": 2, "description": None})

    assert kept.json()["data"]["description"] == WISH["description"]
    assert emptied.json()["data"]["description"] == ""


@pytest.mark.parametrize(
    "change",
    [
        *({"name": ""}, {"name": "x" * 121}, {"price": 0}, {"price": -1}, {"price": 0.001}),
        *({"description": "x" * 2001}, {"star": 11}, {"star": -1}, {"hidden": "yes"}),
        *({"position": -1}, {"colour": "red"}),
    ],
)
async def test_what_does_not_fit_a_product_is_refused_and_leaves_nothing(
    app: RunningApp, olu: OperatorClient, change: dict[str, Any]
) -> None:
    scarf = await app.stock_product()

    made = await olu.post(PRODUCTS, WISH | change)
    changed = await olu.patch(f"{PRODUCTS}/{scarf}", {"version": 1} | change)

    assert (made.status_code, changed.status_code) == (422, 422)
    assert await count(app, "product") == 1
    assert await actions(app) == []


async def test_of_twenty_changes_at_once_one_is_made(live_server: RunningApp) -> None:
    operators = [await operator_client(live_server, name, Role.SHOP) for name in ("olu", "ada")]
    path = f"{PRODUCTS}/{await live_server.stock_product()}"

    answers = await asyncio.gather(
        *(operators[n % 2].patch(path, {"version": 1, "price": 3000 + n}) for n in range(20))
    )

    assert sorted(answer.status_code for answer in answers) == [200] + [409] * 19
    assert await actions(live_server) == ["change"]


async def test_a_price_that_moved_in_a_members_cart_is_told_at_the_checkout(
    app: RunningApp, olu: OperatorClient, member: SignedIn
) -> None:
    await app.give(member, 10_000)
    scarf = await app.stock_product()

    await olu.patch(f"{PRODUCTS}/{scarf}", {"version": 1, "price": 2600})
    seen = await member.post(CHECKOUT, cart((scarf, 1, 2500.5)))
    agreed = await member.post(CHECKOUT, cart((scarf, 1, 2600)))

    assert reason_of(seen) == (409, "price_changed")
    assert agreed.status_code == 201, agreed.text


async def test_a_hidden_product_leaves_every_workers_shop_and_stays_in_its_orders(
    two_workers: TwoWorkers,
) -> None:
    one, other = two_workers.one, two_workers.other
    member, olu = await one.member(), await operator_client(one, "olu", Role.SHOP)
    await one.give(member, 10_000)
    placed = await buy(one, member)
    product = str(placed["product"])
    elsewhere = SignedIn(member.id, member.club_id, member.email, member.token, other.client)
    assert product in await shown(member)
    assert product in await shown(elsewhere)

    hidden = await olu.patch(f"{PRODUCTS}/{product}", {"version": 1, "hidden": True})

    assert hidden.status_code == 200, hidden.text
    for place in (member, elsewhere):
        assert product not in await shown(place)
        assert (await place.get(f"/api/v1/products/{product}")).status_code == 404
    refused = await member.post(CHECKOUT, cart((product, 1, None)))
    assert reason_of(refused) == (409, "product_unavailable")
    (order,) = (await member.get(f"/api/v1/products/user/{member.id}")).json()["data"]
    assert order["product_meta_data"][0]["name"] == "Club Scarf"
    assert product in [row["id"] for row in (await olu.get(PRODUCTS)).json()["data"]["rows"]]


async def test_products_are_listed_newest_first_a_page_at_a_time_and_found_by_name(
    app: RunningApp, olu: OperatorClient
) -> None:
    names = ["Away Jersey", "Club Scarf", "club 100%", "Cap"]
    ids = [str(await app.stock_product(name)) for name in names]

    first = (await olu.get(f"{PRODUCTS}?limit=3")).json()["data"]
    rest = (await olu.get(f"{PRODUCTS}?limit=3&before={first['next']}")).json()["data"]
    found = (await olu.get(f"{PRODUCTS}?q=CLUB")).json()["data"]["rows"]

    assert [row["id"] for row in first["rows"] + rest["rows"]] == ids[::-1]
    assert rest["next"] is None
    assert [row["name"] for row in found] == ["club 100%", "Club Scarf"]
    assert (await olu.get(f"{PRODUCTS}?q=%25")).json()["data"]["rows"] == []


async def test_the_first_size_takes_the_place_of_the_product_without_sizes(
    app: RunningApp, olu: OperatorClient, member: SignedIn
) -> None:
    await app.give(member, 10_000)
    scarf = await app.stock_product()
    path = f"{PRODUCTS}/{scarf}/variants"

    small = (await olu.post(path, {"size": "S"})).json()["data"]
    large = (await olu.post(path, {"size": "L"})).json()["data"]
    again = await olu.post(path, {"size": "L"})

    assert (small["isDefault"], small["position"], large["isDefault"]) == (True, 1, False)
    assert reason_of(again) == (409, "size_taken")
    rows = (await olu.get(f"{PRODUCTS}/{scarf}")).json()["data"]["variants"]
    assert [(one["size"], one["hidden"], one["stock"]) for one in rows] == [
        (None, True, 10),
        ("S", False, 0),
        ("L", False, 0),
    ]
    await move(olu, scarf, 5, variantId=large["id"])
    sizes = (await shown(member))[str(scarf)]
    assert [(one["size"], one["available"]) for one in sizes["variants"]] == [("S", 0), ("L", 5)]
    assert sizes["available"] == 5
    body = {"id": str(scarf), "quantity": 1, "variantId": large["id"]}
    wish = {"carts": [body], "billing": BILLING, "paymentMethod": "wallet"}
    assert (await member.post(CHECKOUT, wish)).status_code == 201


async def test_there_is_always_one_default_size_and_it_is_shown(
    app: RunningApp, olu: OperatorClient
) -> None:
    jersey, sizes = await sized_product(app, {"S": 3, "M": 3})
    path = f"{PRODUCTS}/{jersey}/variants"
    small, medium = f"{path}/{sizes['S']}", f"{path}/{sizes['M']}"

    hidden = await olu.patch(medium, {"version": 1, "hidden": True})
    none = await olu.patch(medium, {"version": 1, "isDefault": False})
    both = await olu.patch(small, {"version": 1, "isDefault": True, "hidden": True})
    born = await olu.post(path, {"size": "XL", "isDefault": True, "hidden": True})
    moved = await olu.patch(small, {"version": 1, "isDefault": True, "size": "XS"})
    stale = await olu.patch(medium, {"version": 1, "hidden": True})
    then = await olu.patch(medium, {"version": 2, "hidden": True})
    taken = await olu.patch(medium, {"version": 3, "size": "XS"})
    foreign = await olu.patch(
        f"{PRODUCTS}/{await app.stock_product()}/variants/{sizes['S']}", {"version": 1}
    )

    for refused in (hidden, none, both, born):
        assert reason_of(refused) == (409, "default_size")
    assert moved.status_code == 200, moved.text
    assert (moved.json()["data"]["isDefault"], moved.json()["data"]["size"]) == (True, "XS")
    assert reason_of(stale) == (409, "stale")
    assert then.json()["data"]["hidden"] is True
    assert reason_of(taken) == (409, "size_taken")
    assert foreign.status_code == 404
    assert await actions(app) == ["change", "change"]


async def test_two_sizes_made_default_at_once_leave_one(live_server: RunningApp) -> None:
    operators = [await operator_client(live_server, name, Role.SHOP) for name in ("olu", "ada")]
    jersey, sizes = await sized_product(live_server, {"S": 3, "M": 3, "L": 3})
    path = f"{PRODUCTS}/{jersey}/variants"

    answers = await asyncio.gather(
        *(
            operators[n % 2].patch(f"{path}/{sizes[size]}", {"version": 1, "isDefault": True})
            for n in range(6)
            for size in ("S", "L")
        )
    )

    assert {answer.status_code for answer in answers} <= {200, 409}
    defaults = await live_server.database.fetch_value(
        "SELECT count(*) FROM product_variant WHERE product_id = $1 AND is_default", jersey
    )
    assert defaults == 1
    assert await count(live_server, "audit_entry") == sum(one.status_code == 200 for one in answers)


async def test_stock_never_goes_below_what_belongs_to_orders(
    app: RunningApp, olu: OperatorClient, member: SignedIn
) -> None:
    await app.give(member, 10_000)
    placed = await buy(app, member)

    refused = await move(olu, placed["product"], -9)
    lowered = await move(olu, placed["product"], -8)
    unknown = await move(olu, new_id(), 1)
    foreign = await move(olu, placed["product"], 1, variantId=str(new_id()))

    assert reason_of(refused) == (409, "stock_allocated")
    assert refused.json()["data"] == {"stock": 10, "allocated": 2, "available": 8}
    assert lowered.json()["data"] == {"stock": 2, "allocated": 2, "available": 0}
    assert [one.status_code for one in (unknown, foreign)] == [404, 404]
    assert [(await move(olu, placed["product"], n)).status_code for n in (0, 1_000_001)] == [
        422
    ] * 2
    assert await actions(app) == ["stock"]


async def test_a_change_of_stock_that_is_sent_twice_is_made_once(
    app: RunningApp, olu: OperatorClient
) -> None:
    scarf = await app.stock_product()
    body = {"productId": str(scarf), "change": 5, "reason": "Delivered"}

    answers = await asyncio.gather(
        *(olu.post(f"{ADMIN}/stock", body, key="five-came") for _ in range(5))
    )

    assert {answer.status_code for answer in answers} == {200}
    assert {answer.json()["data"]["stock"] for answer in answers} == {15}
    other = await olu.post(f"{ADMIN}/stock", body | {"change": 6}, key="five-came")
    assert other.status_code == 422


async def test_stock_lowered_while_orders_are_placed_never_oversells(
    live_server: RunningApp,
) -> None:
    member, olu = await live_server.member(), await operator_client(live_server, "olu", Role.SHOP)
    await live_server.give(member, 100_000)
    jersey, sizes = await sized_product(live_server, {"M": 10})

    answers = await asyncio.gather(
        *(member.post(CHECKOUT, cart((jersey, 1, None))) for _ in range(10)),
        *(move(olu, jersey, -1) for _ in range(10)),
    )

    ordered = sum(answer.status_code == 201 for answer in answers[:10])
    lowered = sum(answer.status_code == 200 for answer in answers[10:])
    assert {answer.status_code for answer in answers} <= {200, 201, 409}
    assert await stock_and_allocated(live_server, sizes["M"]) == (10 - lowered, ordered)
    assert ordered + lowered == 10


async def test_fees_hold_from_the_next_checkout_on_and_others_keep_theirs(
    app: RunningApp, olu: OperatorClient, member: SignedIn
) -> None:
    await app.give(member, 10_000)
    scarf = await app.stock_product()
    read = (await olu.get(FEES)).json()["data"]

    fees = [{"state": "Lagos", "fee": 1500.5}, {"state": "FCT", "fee": 0}]
    saved = await olu.client.put(
        FEES, json={"version": read["version"], "fees": fees}, headers=olu.headers
    )
    stale = await olu.client.put(
        FEES, json={"version": read["version"], "fees": fees}, headers=olu.headers
    )

    assert len(read["fees"]) == 37
    assert saved.status_code == 200, saved.text
    now = saved.json()["data"]
    assert now["version"] == read["version"] + 1
    assert {one["state"]: one["fee"] for one in now["fees"] if one["fee"]} == {"Lagos": 1500.5}
    assert reason_of(stale) == (409, "stale")
    wish = cart((scarf, 1, None), billing=BILLING | {"state": "Lagos"})
    seen = await member.post(CHECKOUT, wish | {"deliveryFee": 0})
    assert reason_of(seen) == (409, "price_changed")
    assert seen.json()["data"]["deliveryFee"] == 1500.5
    options = (await member.get("/api/v1/products/checkout-options")).json()["data"]
    assert options["states"] == now["fees"]
    assert await actions(app) == ["change"]


@pytest.mark.parametrize(
    "fees",
    [
        [],
        [{"state": "Atlantis", "fee": 1}],
        [{"state": "Lagos", "fee": -1}],
        [{"state": "Lagos", "fee": 1_000_000.01}],
        [{"state": "Lagos", "fee": 1}, {"state": "Lagos", "fee": 2}],
    ],
)
async def test_fees_that_cannot_be_are_refused(
    app: RunningApp, olu: OperatorClient, fees: list[Any]
) -> None:
    answer = await olu.client.put(FEES, json={"version": 1, "fees": fees}, headers=olu.headers)
    assert answer.status_code == 422
    assert await actions(app) == []


async def test_two_lists_of_fees_at_once_leave_one(live_server: RunningApp) -> None:
    operators = [await operator_client(live_server, name, Role.SHOP) for name in ("olu", "ada")]

    answers = await asyncio.gather(
        *(
            operators[n % 2].client.put(
                FEES,
                json={"version": 1, "fees": [{"state": "Lagos", "fee": n + 1}]},
                headers=operators[n % 2].headers,
            )
            for n in range(10)
        )
    )

    assert sorted(answer.status_code for answer in answers) == [200] + [409] * 9
