"""Concurrent orders of one size: placed in a batch, each with its own outcome."""

import asyncio
from collections import Counter
from collections.abc import Sequence
from dataclasses import replace
from typing import Any
from uuid import UUID

import pytest
from api.foundation.core import clock
from api.foundation.core.errors import DatabaseUnavailableError, NotFoundError
from api.foundation.core.ids import new_id
from api.foundation.core.money import Kobo
from api.foundation.database.database import Runner
from api.foundation.database.errors import DatabaseRefusal
from api.foundation.database.idempotency import KeyReusedError
from api.money.ledger_audit.repository.audit_run import broken_invariants_in
from api.money.wallet.errors import InsufficientFundsError
from api.money.wallet.service import operator_credits
from api.people.users.service import account as users_account
from api.shop.errors import PriceChangedError, ProductUnavailableError
from api.shop.repository import checkout
from api.shop.repository.checkout import NewOrder
from api.shop.rules import draw_order_number
from api.shop.service.cancelling import cancel_all
from api.shop.service.placing import OrderPlacer

from tests.conftest import CLUB_A, RunningApp, SignedIn
from tests.shop.carts import BILLING, CHECKOUT, cart, count, stock
from tests.waiting import DEADLINE_SECONDS

PRICE_KOBO = 250_050
GONE = "UPDATE user_account SET erased_at = now() WHERE id = $1"


@pytest.fixture
def placer(app: RunningApp) -> OrderPlacer:
    return OrderPlacer(app.database)


async def buyers(app: RunningApp, number: int, *, kobo: int = 10 * PRICE_KOBO) -> list[UUID]:
    """Return members with ``kobo`` in their wallets; they have no session."""
    ids = [new_id() for _ in range(number)]
    async with app.database.transaction() as tx:
        for member in ids:
            await tx.execute(
                "INSERT INTO user_account (id, club_id, first_name, last_name, email, phone, "
                "terms_accepted_at, activated_at) VALUES ($1, $2, 'Ada', 'Obi', $3, $4, now(), "
                "now())",
                member,
                CLUB_A,
                f"{member}@example.com",
                f"+23480{member.int % 10**8:08d}",
            )
            await operator_credits.import_credit(
                tx, member, Kobo(kobo), f"open:{member}", clock.now()
            )
    return ids


def wish(member: UUID, *products: UUID, key: str | None = None, **changes: Any) -> NewOrder:
    lines = [
        {"id": str(one), "variant": None, "quantity": 1, "price_kobo": PRICE_KOBO}
        for one in products
    ]
    order = NewOrder(
        *(new_id(), draw_order_number(), member, "wallet", lines, BILLING, None, False),
        *(key or str(new_id()), "the cart", clock.now(), None),
    )
    return replace(order, **changes)


async def place_all(placer: OrderPlacer, orders: Sequence[NewOrder]) -> list[Any]:
    """Place all orders concurrently; return their outcomes, refusals included."""
    return await asyncio.gather(*map(placer.place, orders), return_exceptions=True)


@pytest.fixture
def batches(monkeypatch: pytest.MonkeyPatch) -> list[int]:
    """Record the batch size of each call of ``place_orders``."""
    taken: list[int] = []
    place_orders = checkout.place_orders

    async def counted(
        database: Runner, orders: Sequence[NewOrder]
    ) -> dict[UUID, dict[str, Any] | Exception]:
        taken.append(len(orders))
        return await place_orders(database, orders)

    monkeypatch.setattr(checkout, "place_orders", counted)
    return taken


async def test_of_forty_buyers_at_once_ten_get_the_ten_jerseys_and_the_rest_are_told(
    app: RunningApp, batches: list[int]
) -> None:
    jersey = await app.stock_product("Jersey", price_kobo=PRICE_KOBO, stock=10)
    members = [await app.member(f"buyer{number}") for number in range(40)]
    for member in members:
        await app.give(member, 5_000)

    async def buy(member: SignedIn) -> Any:
        return await member.post(CHECKOUT, cart((jersey, 1, 2500.5)), key=str(new_id()))

    answers = await asyncio.gather(*map(buy, members))

    assert Counter(answer.status_code for answer in answers) == {201: 10, 409: 30}
    for answer in answers:
        if answer.status_code == 409:
            body = answer.json()
            assert body["error"]["code"] == "product_unavailable"
            assert body["data"]["lines"][0]["available"] == 0
    assert await stock(app, jersey) == 0
    assert await count(app, "shop_order") == 10
    paid = [await app.balance(member) for member in members]
    assert Counter(paid) == {5_000: 30, 5_000 - 2500.5: 10}
    assert max(batches) > 1
    assert await broken_invariants_in(app.database) == []


async def test_each_order_of_a_batch_stands_or_falls_alone(
    app: RunningApp, placer: OrderPlacer, batches: list[int]
) -> None:
    scarf = await app.stock_product(stock=100)
    (poor,) = await buyers(app, 1, kobo=PRICE_KOBO - 1)
    (gone,) = await buyers(app, 1)
    rich = await buyers(app, 4)
    async with app.database.transaction() as tx:
        await tx.execute(GONE, gone)
    first = await placer.place(wish(rich[0], scarf, key="first"))
    dearer = [{"id": str(scarf), "variant": None, "quantity": 1, "price_kobo": 1}]
    too_dear = [{"id": str(scarf), "variant": None, "quantity": 50, "price_kobo": PRICE_KOBO}]
    orders = [
        wish(rich[1], scarf),
        wish(poor, scarf, key="poor"),
        wish(gone, scarf),
        wish(rich[0], scarf, key="first"),
        wish(rich[0], scarf, key="first", fingerprint="another cart"),
        wish(rich[1], scarf, key="dearer", lines=dearer),
        wish(rich[2], scarf, number=first["number"]),
        wish(rich[3], scarf, lines=too_dear),
        replace(wish(rich[3], scarf), key=None),
    ]

    outcomes = await place_all(placer, orders)

    assert max(batches) == len(orders) - 1  # one key occurred twice
    assert [one if isinstance(one, dict) else type(one) for one in outcomes] == [
        outcomes[0],
        InsufficientFundsError,
        NotFoundError,
        first | {"replayed": True},
        KeyReusedError,
        PriceChangedError,
        outcomes[6],
        InsufficientFundsError,
        outcomes[8],
    ]
    assert [outcomes[place]["replayed"] for place in (0, 6, 8)] == [False, False, False]
    assert outcomes[6]["number"] != first["number"]
    assert await count(app, "shop_order") == 4
    assert await stock(app, scarf) == 96
    assert await broken_invariants_in(app.database) == []


async def test_an_order_that_fails_in_a_batch_leaves_the_last_one_to_the_next(
    app: RunningApp, placer: OrderPlacer, batches: list[int]
) -> None:
    scarf, cap = await app.stock_product(stock=3), await app.stock_product(stock=1)
    (poor,) = await buyers(app, 1, kobo=PRICE_KOBO)
    rich = await buyers(app, 3)
    two = [{"id": str(scarf), "variant": None, "quantity": 2, "price_kobo": PRICE_KOBO}]
    orders = [wish(poor, scarf, lines=two), wish(rich[0], scarf, lines=two), wish(rich[1], scarf)]

    outcomes = await place_all(placer, orders)
    both = await place_all(placer, [wish(rich[2], cap, scarf), wish(rich[2], cap)])

    assert max(batches) == len(orders)
    assert isinstance(outcomes[0], InsufficientFundsError)
    assert [one["replayed"] for one in outcomes[1:]] == [False, False]
    assert [type(one) for one in both] == [ProductUnavailableError, dict]
    assert (await stock(app, scarf), await stock(app, cap)) == (0, 0)
    assert await broken_invariants_in(app.database) == []


async def test_a_key_whose_order_was_refused_in_a_batch_is_free_again(
    app: RunningApp, placer: OrderPlacer
) -> None:
    scarf = await app.stock_product(stock=1)
    members = await buyers(app, 3)
    orders = [wish(member, scarf, key="mine") for member in members]
    outcomes = await place_all(placer, orders)
    refused = [
        order
        for order, outcome in zip(orders, outcomes, strict=True)
        if isinstance(outcome, ProductUnavailableError)
    ]
    assert len(refused) == 2
    async with app.database.transaction() as tx:
        await tx.execute("UPDATE product_variant SET stock = 10")

    again = await place_all(placer, refused)

    assert [outcome["replayed"] for outcome in again] == [False, False]
    assert await stock(app, scarf) == 7


async def test_one_key_twice_in_a_batch_is_one_order(app: RunningApp, placer: OrderPlacer) -> None:
    scarf = await app.stock_product(stock=100)
    first, second = await buyers(app, 2)
    orders = [wish(first, scarf), *(wish(second, scarf, key="tapped") for _ in range(20))]

    outcomes = await place_all(placer, orders)

    assert len({outcome["id"] for outcome in outcomes}) == 2
    assert [outcome["replayed"] for outcome in outcomes[1:]].count(False) == 1
    assert await stock(app, scarf) == 98


async def test_single_orders_at_once_wait_for_the_size_before_they_look(app: RunningApp) -> None:
    members = await buyers(app, 20)
    for _ in range(4):
        scarf = await app.stock_product(stock=3)

        outcomes = await asyncio.gather(
            *(checkout.place_order(app.database, wish(one, scarf)) for one in members),
            return_exceptions=True,
        )

        assert Counter(type(outcome) for outcome in outcomes) == {dict: 3, DatabaseRefusal: 17}
        assert await stock(app, scarf) == 0


async def test_buyers_at_several_processes_get_the_last_three_and_no_more(app: RunningApp) -> None:
    members = await buyers(app, 20)
    for _ in range(4):
        scarf = await app.stock_product(stock=3)
        processes = [OrderPlacer(app.database) for _ in range(4)]

        outcomes = await asyncio.gather(
            *(
                place_all(process, [wish(member, scarf) for member in members[turn::4]])
                for turn, process in enumerate(processes)
            )
        )

        counts = Counter(type(outcome) for answers in outcomes for outcome in answers)
        assert counts == {dict: 3, ProductUnavailableError: 17}
        assert await stock(app, scarf) == 0


async def test_two_processes_and_carts_of_several_sizes_cross_without_a_deadlock(
    app: RunningApp,
) -> None:
    drops = [await app.stock_product(name, stock=10_000) for name in "AB"]
    members = await buyers(app, 12, kobo=1_000 * PRICE_KOBO)
    processes = [OrderPlacer(app.database) for _ in range(2)]
    orders = [
        wish(member, *products)
        for _ in range(4)
        for turn, member in enumerate(members)
        for products in (
            [drops[0]],
            [drops[1]],
            drops[:: 1 if turn % 2 else -1],
        )
    ]
    again = [replace(order, id=new_id(), number=draw_order_number()) for order in orders]

    outcomes = await asyncio.gather(
        place_all(processes[0], orders), place_all(processes[1], again[::-1])
    )

    ids = [[outcome["id"] for outcome in answers] for answers in outcomes]
    assert ids[0] == ids[1][::-1]  # the same keys: the other process's orders are these
    assert len(set(ids[0])) == len(orders)
    assert [await stock(app, product) for product in drops] == [10_000 - 96, 10_000 - 96]
    assert await broken_invariants_in(app.database) == []


async def test_when_the_database_is_lost_nothing_is_tried_again_for_its_caller(
    app: RunningApp, placer: OrderPlacer, monkeypatch: pytest.MonkeyPatch
) -> None:
    scarf = await app.stock_product(stock=100)
    orders = [replace(wish(one, scarf), key=None) for one in await buyers(app, 5)]
    place_orders, tries = checkout.place_orders, []

    async def answer_lost(
        database: Runner, together: Sequence[NewOrder]
    ) -> dict[UUID, dict[str, Any] | Exception]:
        tries.append(await place_orders(database, together))
        raise DatabaseUnavailableError

    monkeypatch.setattr(checkout, "place_orders", answer_lost)

    outcomes = await place_all(placer, orders)

    assert [type(outcome) for outcome in outcomes] == [DatabaseUnavailableError] * 5
    assert len(tries) == 1
    assert await count(app, "shop_order") == 5


async def test_nothing_is_kept_of_queues_that_are_empty(
    app: RunningApp, placer: OrderPlacer
) -> None:
    members = await buyers(app, 4)
    unknown = [wish(member, new_id()) for member in members]

    outcomes = await place_all(placer, unknown)

    assert {type(outcome) for outcome in outcomes} == {ProductUnavailableError}
    assert placer.waiting_sizes == 0


async def test_who_hangs_up_leaves_no_queue_behind(app: RunningApp, placer: OrderPlacer) -> None:
    scarf = await app.stock_product(stock=100)
    orders = [wish(member, scarf) for member in await buyers(app, 5)]
    callers = [asyncio.create_task(placer.place(order)) for order in orders]
    await asyncio.sleep(0)
    for caller in callers[1:]:
        caller.cancel()

    first = await callers[0]
    later = await placer.place(orders[0])

    assert later == first | {"replayed": True}
    assert await count(app, "shop_order") == 5  # they were asked for
    assert placer.waiting_sizes == 0


async def test_a_member_who_is_leaving_is_waited_for_before_any_size_is_held(
    app: RunningApp, placer: OrderPlacer
) -> None:
    scarf = await app.stock_product(stock=100)
    leaving, *others = await buyers(app, 3)
    await placer.place(wish(leaving, scarf))
    async with app.database.transaction() as tx:
        await users_account.lock(tx, leaving)
        waiting = asyncio.create_task(
            place_all(placer, [wish(one, scarf) for one in (leaving, *others)])
        )
        await asyncio.wait({waiting}, timeout=0.5)
        assert not waiting.done()
        await cancel_all(tx, leaving, clock.now())
        await tx.execute(GONE, leaving)

    outcomes = await waiting

    assert [type(outcome) for outcome in outcomes] == [NotFoundError, dict, dict]
    assert await stock(app, scarf) == 98


async def test_somebody_who_is_held_elsewhere_holds_up_nobody_else(
    app: RunningApp, placer: OrderPlacer
) -> None:
    scarf = await app.stock_product(stock=100)
    held, *others = await buyers(app, 6)
    async with app.database.transaction() as tx:
        await users_account.lock(tx, held)
        orders = [replace(wish(one, scarf), key=None) for one in (held, *others)]
        held_up, *free = [asyncio.create_task(placer.place(order)) for order in orders]

        async with asyncio.timeout(DEADLINE_SECONDS):
            outcomes = await asyncio.gather(*free)
        assert not held_up.done()

    assert [outcome["replayed"] for outcome in (await held_up, *outcomes)] == [False] * 6
    assert await stock(app, scarf) == 94


async def test_an_order_reads_its_own_sizes_of_a_large_shop(app: RunningApp) -> None:
    (member,) = await buyers(app, 1)
    scarf = await app.stock_product()
    async with app.database.transaction() as tx:
        await tx.execute(
            "INSERT INTO product_variant (id, product_id, size, is_default, position, stock) "
            "SELECT gen_random_uuid(), product_id, 'S' || n, false, n, 1 FROM product_variant, "
            "generate_series(1, 50) n"
        )
        await tx.execute(
            "WITH p AS (INSERT INTO product (id, name, description, price_kobo, image, thumbnail, "
            "star, position) SELECT gen_random_uuid(), 'P', '', 100, '', '', 5, n "
            "FROM generate_series(1, 5000) n RETURNING id) INSERT INTO product_variant "
            "(id, product_id, is_default, stock) SELECT gen_random_uuid(), id, true, 1 FROM p"
        )
    async with app.database.transaction() as tx:
        await checkout.place_order(tx, wish(member, scarf))
        read = await tx.fetch_value(
            "SELECT seq_tup_read FROM pg_stat_xact_user_tables WHERE relname = 'product_variant'"
        )

    assert read < 100  # of five thousand
