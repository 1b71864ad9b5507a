"""However a cart is written, one product is one product, and an unknown id is unknown."""

import asyncio
import json
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any
from uuid import UUID

import httpx
import pytest
from api.foundation.core import clock
from api.foundation.core.ids import new_id
from api.foundation.database.errors import DatabaseRefusal
from api.money.ledger_audit.repository.audit_run import broken_invariants_in
from api.shop.repository import checkout
from hypothesis import HealthCheck, Phase, given, settings
from hypothesis import strategies as st

from tests.conftest import RunningApp, SignedIn
from tests.shop.carts import BILLING, CHECKOUT, cart, count, stock

# Report a failing cart as drawn: shrinking it would query the database thousands of times.
MANY = settings(
    max_examples=150,
    deadline=None,
    suppress_health_check=[HealthCheck.function_scoped_fixture],
    phases=[Phase.explicit, Phase.reuse, Phase.generate],
)
RACES = settings(MANY, max_examples=12)
PRICE_KOBO = 250_050
STOCK = 7


async def post_text(member: SignedIn, lines: str) -> httpx.Response:
    """Send a cart whose lines are written by hand, as no JSON library would write them."""
    body = f'{{"carts": {lines}, "billing": {json.dumps(BILLING)}, "paymentMethod": "wallet"}}'
    headers = member.headers | {"Content-Type": "application/json"}
    return await member.client.post(CHECKOUT, content=body.encode(), headers=headers)


async def test_one_product_in_two_letter_cases_is_one_product(
    app: RunningApp, member: SignedIn
) -> None:
    scarf = await app.stock_product(stock=5)
    await app.give(member, 100_000)
    upper = str(scarf).upper()

    too_many = await member.post(CHECKOUT, cart((scarf, 3, 2500.5), (upper, 3, 2500.5)))
    fitting = await member.post(CHECKOUT, cart((scarf, 3, 2500.5), (upper, 2, 2500.5)))

    assert too_many.status_code == 409
    assert too_many.json()["data"]["lines"] == [
        {"id": str(scarf), "name": "Club Scarf", "price": 2500.5, "quantity": 6, "available": 5}
    ]
    assert fitting.status_code == 201
    assert fitting.json()["data"]["total"] == 12502.5
    assert await stock(app, scarf) == 0
    (order,) = (await member.get(f"/api/v1/products/user/{member.id}")).json()["data"]
    assert [(one["id"], one["quantity"]) for one in order["product_meta_data"]] == [(str(scarf), 5)]


@pytest.mark.parametrize(
    "written",
    [
        '"urn:uuid:{id}"',
        '"{{{id}}}"',
        '"{bare}"',
        '" {id} x"',
        '"{id}\\u0000"',
        '"\\u0000"',
        '""',
        '"../../etc"',
        '"\\ud800"',
        *[str(sample) for sample in range(1, 7)],
        "0",
        "-1",
        "9" * 5000,
        f'"{"9" * 5000}"',
        '"' + "é" * 200 + '"',
    ],
)
async def test_what_is_no_id_of_ours_is_an_unknown_product(
    app: RunningApp, member: SignedIn, written: str
) -> None:
    scarf = await app.stock_product()
    await app.give(member, 10_000)
    product_id = written.format(id=scarf, bare=scarf.hex)

    answer = await post_text(member, f'[{{"id": {product_id}, "quantity": 2}}]')

    assert (answer.status_code, answer.json()["error"]["code"]) == (409, "product_unavailable")
    (line,) = answer.json()["data"]["lines"]
    assert (line["name"], line["available"]) == (None, 0)
    assert await stock(app, scarf) == 10


@pytest.mark.parametrize("written", ["null", "true", "1.5", "[]", "{}"])
async def test_what_is_neither_text_nor_integer_is_a_field_that_does_not_fit(
    app: RunningApp, member: SignedIn, written: str
) -> None:
    answer = await post_text(member, f'[{{"id": {written}, "quantity": 1}}]')

    assert answer.status_code == 422
    assert answer.json()["error"]["fields"]


async def test_any_line_that_saw_another_price_stops_the_order(
    app: RunningApp, member: SignedIn
) -> None:
    scarf = await app.stock_product()
    await app.give(member, 10_000)

    for prices in ((1, 2500.5), (2500.5, 1), (None, 1), (1, None)):
        answer = await member.post(CHECKOUT, cart(*[(scarf, 1, price) for price in prices]))

        assert (answer.status_code, answer.json()["error"]["code"]) == (409, "price_changed")
    assert await stock(app, scarf) == 10


async def test_an_order_beyond_what_one_transfer_can_move_is_refused_with_a_sentence(
    app: RunningApp, member: SignedIn
) -> None:
    stadium = await app.stock_product("Stadium", price_kobo=100_000_000_000)

    for method in ("wallet", "bank-transfer"):
        answer = await member.post(CHECKOUT, cart((stadium, 2, None), paymentMethod=method))

        assert answer.status_code == 422
        assert "carts" in answer.json()["error"]["fields"]
    assert await stock(app, stadium) == 10


async def place_directly(app: RunningApp, member: SignedIn, lines: list[dict[str, Any]]) -> Any:
    """Call the database's function directly, bypassing all preparation of its lines."""
    order = checkout.NewOrder(
        *(new_id(), f"FC-{new_id()}", member.id, "wallet", lines, {}, None, False),
        *(None, "", clock.now(), None),
    )
    return await checkout.place_order(app.database, order)


async def test_the_database_adds_up_repeated_lines_by_itself(
    app: RunningApp, member: SignedIn
) -> None:
    scarf = await app.stock_product(stock=5)
    await app.give(member, 100_000)
    line = {"id": str(scarf), "quantity": 3, "price_kobo": PRICE_KOBO}
    upper = line | {"id": str(scarf).upper(), "quantity": 2}

    with pytest.raises(DatabaseRefusal) as refused:
        await place_directly(app, member, [line, line])
    answer = await place_directly(app, member, [upper, line])

    assert refused.value.code == "KF411"
    assert answer["total_kobo"] == 5 * PRICE_KOBO
    assert await stock(app, scarf) == 0
    assert await broken_invariants_in(app.database) == []


@pytest.mark.parametrize("quantities", [(0,), (-1,), (100,), (60, 40), (-5, 8), ()])
async def test_the_database_refuses_quantities_that_no_order_may_have(
    app: RunningApp, member: SignedIn, quantities: tuple[int, ...]
) -> None:
    scarf = await app.stock_product(stock=500)
    await app.give(member, 1_000_000)

    with pytest.raises(DatabaseRefusal) as refused:
        await place_directly(
            app,
            member,
            [
                {"id": str(scarf), "quantity": quantity, "price_kobo": None}
                for quantity in quantities
            ],
        )

    assert refused.value.code == "KF424"
    assert await stock(app, scarf) == 500


async def test_the_database_locks_products_in_one_order_whatever_the_order_of_the_lines(
    live_server: RunningApp,
) -> None:
    products = [await live_server.stock_product(f"{n}", price_kobo=1, stock=5000) for n in range(6)]
    buyers = [await live_server.member(f"buyer{number}") for number in range(6)]
    for buyer in buyers:
        await live_server.give(buyer, 1000)

    async def buy(turn: int) -> None:
        turned = products[turn % 6 :] + products[: turn % 6]
        lines = [{"id": str(one), "quantity": 1, "price_kobo": None} for one in turned * 2]
        await place_directly(live_server, buyers[turn % 5], lines)

    await asyncio.gather(*(buy(turn) for turn in range(60)))

    assert {await stock(live_server, product) for product in products} == {5000 - 120}


# Every way to write a product's id, and whether it is valid.
SPELLINGS: dict[str, Callable[[UUID], object]] = {
    "canonical": str,
    "upper": lambda one: str(one).upper(),
    "mixed": lambda one: str(one)[:18].upper() + str(one)[18:],
    "urn": lambda one: f"urn:uuid:{one}",
    "braces": lambda one: f"{{{one}}}",
    "bare": lambda one: one.hex,
    "spaced": lambda one: f" {one} ",
    "other": lambda one: str(UUID(int=one.int ^ 1)),
    "sample": lambda _: 3,
    "sample text": lambda _: "3",
    "nul": lambda one: f"{one}\0",
    "empty": lambda _: "",
    "digits": lambda _: 10**30,
}
NAMES_THE_PRODUCT = {"canonical", "upper", "mixed"}


@dataclass(frozen=True)
class Wish:
    """One line of a generated cart."""

    product: int
    spelling: str
    quantity: int
    price: str


def wishes() -> st.SearchStrategy[list[Wish]]:
    spelling = st.one_of(
        st.sampled_from(sorted(NAMES_THE_PRODUCT)), st.sampled_from(sorted(SPELLINGS))
    )
    quantity = st.one_of(st.integers(1, 4), st.integers(-1, 120))
    price = st.sampled_from(["seen", "seen", "seen", "untold", "stale"])
    return st.lists(st.builds(Wish, st.integers(0, 2), spelling, quantity, price), max_size=6)


@dataclass
class ProductCache:
    """Three products of different prices, with the stock that the tests expect of each."""

    products: list[UUID]
    prices: list[int]

    def lines(self, wanted: list[Wish]) -> list[dict[str, Any]]:
        lines = []
        for wish in wanted:
            line: dict[str, Any] = {
                "id": SPELLINGS[wish.spelling](self.products[wish.product]),
                "quantity": wish.quantity,
            }
            if wish.price != "untold":
                stale = 1 if wish.price == "stale" else 0
                line["price"] = (self.prices[wish.product] + stale) / 100
            lines.append(line)
        return lines

    def sums(self, wanted: list[Wish]) -> dict[int, int]:
        sums: dict[int, int] = {}
        for wish in wanted:
            sums[wish.product] = sums.get(wish.product, 0) + wish.quantity
        return sums

    def is_sold(self, wanted: list[Wish], stocks: list[int]) -> bool:
        """Return whether this cart must be sold from these stocks, by an independent rule."""
        return (
            bool(wanted)
            and all(wish.spelling in NAMES_THE_PRODUCT for wish in wanted)
            and all(1 <= wish.quantity <= 99 and wish.price != "stale" for wish in wanted)
            and all(
                quantity <= min(99, stocks[product])
                for product, quantity in self.sums(wanted).items()
            )
        )


async def some_products(app: RunningApp, stocks: tuple[int, int, int]) -> ProductCache:
    prices = [PRICE_KOBO, 1, 1_500_000]
    products = [
        await app.stock_product(f"Product {number}", price_kobo=price, stock=left)
        for number, (price, left) in enumerate(zip(prices, stocks, strict=True))
    ]
    return ProductCache(products, prices)


@MANY
@given(wanted=wishes())
async def test_any_cart_is_sold_exactly_or_not_at_all(
    app: RunningApp, member: SignedIn, wanted: list[Wish]
) -> None:
    stocks = [STOCK, 300, 2]
    catalog = await some_products(app, (STOCK, 300, 2))
    await app.give(member, 400_000)
    had = await app.balance(member)

    answer = await member.post(CHECKOUT, cart() | {"carts": catalog.lines(wanted)})

    is_sold = catalog.is_sold(wanted, stocks)
    assert answer.status_code == 201 if is_sold else answer.status_code in {409, 422}, answer.text
    sums = catalog.sums(wanted) if is_sold else {}
    total_kobo = sum(catalog.prices[product] * quantity for product, quantity in sums.items())
    assert [await stock(app, product) for product in catalog.products] == [
        left - sums.get(number, 0) for number, left in enumerate(stocks)
    ]
    assert round((had - await app.balance(member)) * 100) == total_kobo
    if is_sold:
        assert answer.json()["data"]["total"] == total_kobo / 100


@RACES
@given(carts=st.lists(wishes(), min_size=20, max_size=20))
async def test_twenty_carts_at_once_sell_at_most_the_stock_and_charge_exactly_the_sum(
    live_server: RunningApp, carts: list[list[Wish]]
) -> None:
    catalog = await some_products(live_server, (STOCK, 300, 2))
    buyers = [await live_server.member(f"buyer{number}") for number in range(4)]
    for buyer in buyers:
        await live_server.give(buyer, 2_000_000)
    had = sum([await live_server.balance(buyer) for buyer in buyers])
    orders_before = await count(live_server, "shop_order")

    answers = await asyncio.gather(
        *(
            buyers[number % 4].post(CHECKOUT, cart() | {"carts": catalog.lines(wanted)})
            for number, wanted in enumerate(carts)
        )
    )

    assert {answer.status_code for answer in answers} <= {201, 409, 422}
    sold = [
        (wanted, answer)
        for wanted, answer in zip(carts, answers, strict=True)
        if answer.status_code == 201
    ]
    for wanted, answer in sold:
        sums = catalog.sums(wanted)
        assert max(sums.values()) <= 99
        total_kobo = sum(catalog.prices[product] * quantity for product, quantity in sums.items())
        assert answer.json()["data"]["total"] == total_kobo / 100
    left = [await stock(live_server, product) for product in catalog.products]
    for number, first in enumerate((STOCK, 300, 2)):
        went = sum(catalog.sums(wanted).get(number, 0) for wanted, _ in sold)
        assert left[number] == first - went >= 0
    charged = had - sum([await live_server.balance(buyer) for buyer in buyers])
    assert round(charged * 100) == sum(
        round(answer.json()["data"]["total"] * 100) for _, answer in sold
    )
    assert await count(live_server, "shop_order") == orders_before + len(sold)
    assert await broken_invariants_in(live_server.database) == []
