"""Limits of one member's unpaid orders, and how long a proof keeps them open."""

import asyncio
from datetime import datetime, timedelta
from typing import Any
from uuid import UUID

import httpx
import pytest
from api.foundation.security.rights import Role
from api.shop.repository import orders
from api.shop.service import orders as orders_service

from tests.back_office import ADMIN, OperatorClient, operator_client
from tests.backoffice.oversight.test_settings import put
from tests.conftest import RunningApp, SignedIn
from tests.dev.time_travel.test_aging import age as make_older
from tests.shop.carts import CHECKOUT, cart, stock
from tests.shop.test_open_orders import age_members, order
from tests.shop.test_orders import buy, detail, kinds
from tests.shop.test_proofs import reject, upload
from tests.shop.test_transfers import confirm, notification_kinds

DAY = 24 * 60 * 60
NEW_UNITS, UNITS, ORDERS = 5, 20, 3


def refused(answer: httpx.Response) -> dict[str, Any]:
    """Return the unpaid orders in the refusal."""
    assert (answer.status_code, answer.json()["error"]["code"]) == (409, "too_much_unpaid")
    found: dict[str, Any] = answer.json()["data"]
    return found


@pytest.fixture
async def scarf(app: RunningApp) -> UUID:
    return await app.stock_product(stock=100)


async def test_a_new_account_holds_five_unpaid_units(
    app: RunningApp, member: SignedIn, scarf: UUID
) -> None:
    assert (await order(member, scarf, 3)).status_code == 201

    answer = await order(member, scarf, 3, key="three-more-scarves")

    assert refused(answer) == {"units": 3, "value": 7501.5, "orders": 1}
    assert "at most 5 items" in answer.json()["message"]
    assert await stock(app, scarf) == 97
    assert (await order(member, scarf, 2)).status_code == 201
    assert (await make_older(app, "member", member.id, 3 * DAY)).status_code == 200
    assert (await order(member, scarf, 3, key="three-more-scarves")).status_code == 201


async def test_one_order_alone_may_be_too_much(member: SignedIn, scarf: UUID) -> None:
    answer = await order(member, scarf, NEW_UNITS + 1)

    assert refused(answer) == {"units": 0, "value": 0, "orders": 0}


async def test_a_member_with_a_paid_order_is_not_new_unless_it_was_cancelled(
    app: RunningApp, member: SignedIn, rival: SignedIn, scarf: UUID
) -> None:
    for buyer in (member, rival):
        await app.give(buyer, 10_000)
    await buy(app, member)
    cancelled = await buy(app, rival)
    await rival.post(f"/api/v1/orders/{cancelled['orderId']}/cancel", {})

    assert (await order(member, scarf, UNITS)).status_code == 201
    assert refused(await order(member, scarf, 1))["units"] == UNITS
    assert refused(await order(rival, scarf, NEW_UNITS + 1))["orders"] == 0


async def test_the_paid_order_that_allows_more_unpaid_stock_is_not_cancelled_before_it(
    app: RunningApp, member: SignedIn, scarf: UUID
) -> None:
    await app.give(member, 5_001)
    paid = await buy(app, member)
    waiting = (await order(member, scarf, NEW_UNITS + 1)).json()["data"]

    kept = await member.post(f"/api/v1/orders/{paid['orderId']}/cancel", {})

    assert refused(kept)["units"] == NEW_UNITS + 1
    assert "cancel or pay for a waiting order first" in kept.json()["message"]
    assert (await detail(member, paid["orderId"]))["status"] == "processing"
    assert await app.balance(member) == 0
    assert (await member.post(f"/api/v1/orders/{waiting['orderId']}/cancel", {})).is_success
    assert (await member.post(f"/api/v1/orders/{paid['orderId']}/cancel", {})).is_success
    assert await app.balance(member) == 5_001


async def test_unpaid_orders_can_be_cancelled_one_by_one_once_the_paid_one_is_gone(
    app: RunningApp, member: SignedIn, scarf: UUID
) -> None:
    shop = await operator_client(app, "shade", Role.SHOP)
    await app.give(member, 5_001)
    paid = await buy(app, member)
    waiting = [(await order(member, scarf, NEW_UNITS)).json()["data"] for _ in range(3)]
    path = f"{ADMIN}/orders/{paid['orderId']}/cancel"
    assert (await shop.post(path, {"reason": "Sold out at the mill"})).is_success

    answers = [await member.post(f"/api/v1/orders/{one['orderId']}/cancel", {}) for one in waiting]

    assert [answer.status_code for answer in answers] == [200, 200, 200]


async def test_an_order_and_the_cancellation_of_what_allows_it_leave_no_more_than_may_wait(
    live_server: RunningApp,
) -> None:
    member = await live_server.member()
    await live_server.give(member, 50_010)
    scarf = await live_server.stock_product(stock=1_000)
    for _ in range(10):
        paid = await buy(live_server, member)
        placed, cancelled = await asyncio.gather(
            order(member, scarf, NEW_UNITS + 1),
            member.post(f"/api/v1/orders/{paid['orderId']}/cancel", {}),
        )
        assert {placed.status_code, cancelled.status_code} in ({201, 409}, {409, 200})
        if placed.status_code == 201:
            path = f"/api/v1/orders/{placed.json()['data']['orderId']}/cancel"
            assert (await member.post(path, {})).is_success
            assert (await member.post(f"/api/v1/orders/{paid['orderId']}/cancel", {})).is_success


async def test_unpaid_orders_are_worth_half_a_million_at_most(
    app: RunningApp, member: SignedIn
) -> None:
    await age_members(app)
    bus = await app.stock_product("Bus", price_kobo=250_000_00)
    assert (await order(member, bus, 1)).status_code == 201
    assert (await order(member, bus, 1)).status_code == 201

    pin = await app.stock_product("Pin", price_kobo=1)
    answer = await order(member, pin, 1)

    assert refused(answer) == {"units": 2, "value": 500_000, "orders": 2}
    assert "₦500,000 " in answer.json()["message"]
    await app.give(member, 100)
    assert (await member.post(CHECKOUT, cart((pin, 1, None)))).status_code == 201


async def test_the_back_office_sets_both_limits(
    app: RunningApp, member: SignedIn, scarf: UUID
) -> None:
    olu = await operator_client(app, "olu", Role.OWNER)
    await age_members(app)

    await put(olu, version=1, transferUnitsLimit=2)
    refused(await order(member, scarf, 3))
    await put(olu, version=2, transferUnitsLimit=1, transferValueLimit=2500.5)
    refused(await order(member, scarf, 2))

    assert (await order(member, scarf, 1)).status_code == 201


async def test_twenty_orders_at_once_hold_no_more_than_a_new_account_may(
    live_server: RunningApp,
) -> None:
    member = await live_server.member()
    scarf = await live_server.stock_product(stock=100)

    answers = await asyncio.gather(*(order(member, scarf, 2) for _ in range(20)))

    assert sorted(answer.status_code for answer in answers) == [201] * 2 + [409] * 18
    said = [refused(answer)["units"] for answer in answers if answer.status_code == 409]
    assert set(said) == {4}
    assert await stock(live_server, scarf) == 96


async def test_three_orders_are_the_most_however_small(member: SignedIn, scarf: UUID) -> None:
    for _ in range(ORDERS):
        await order(member, scarf)

    answer = await order(member, scarf, 3)

    assert answer.json()["error"]["code"] == "too_many_open_orders"


async def test_a_retry_of_the_order_that_filled_the_limit_is_still_that_order(
    member: SignedIn, scarf: UUID
) -> None:
    first = await order(member, scarf, NEW_UNITS, key="five-new-scarves")
    again = await order(member, scarf, NEW_UNITS, key="five-new-scarves")

    assert again.json()["data"] == first.json()["data"]
    assert again.headers["Idempotent-Replayed"] == "true"


async def shown(app: RunningApp, member: SignedIn) -> tuple[dict[str, Any], str]:
    """Order two scarves and upload a proof; return the order and the proof's id."""
    placed = await buy(app, member, paymentMethod="bank-transfer")
    return placed, (await upload(member, placed)).json()["data"]["id"]


async def test_an_order_expires_when_its_proof_is_undecided_for_a_week(
    app: RunningApp, member: SignedIn
) -> None:
    placed, proof = await shown(app, member)
    (seen,) = (await detail(member, placed["orderId"]))["proofs"]
    ends_at, uploaded_at = (datetime.fromisoformat(seen[name]) for name in ("expiresAt", "at"))
    assert ends_at - uploaded_at == timedelta(days=7)
    await make_older(app, "order", placed["orderId"], 7 * DAY)
    await make_older(app, "proof", proof, 7 * DAY - 3600)
    assert await orders_service.expire_orders_once(app.database) == 0

    await make_older(app, "proof", proof, 3600)
    expired = [await orders_service.expire_orders_once(app.database) for _ in range(2)]

    assert expired == [1, 0]
    assert await stock(app, placed["product"]) == 10
    assert await notification_kinds(member) == ["order_expired"]
    found = await detail(member, placed["orderId"])
    assert (found["status"], found["canUploadProof"]) == ("expired", True)
    assert [(one["state"], one["expiresAt"]) for one in found["proofs"]] == [("expired", None)]


async def test_money_for_an_order_whose_proof_expired_still_pays_it(
    app: RunningApp, member: SignedIn
) -> None:
    finance = await operator_client(app, "olu", Role.FINANCE)
    placed, proof = await shown(app, member)
    await make_older(app, "proof", proof, 7 * DAY)
    await orders_service.expire_orders_once(app.database)

    answer = await confirm(finance, placed)

    assert answer.json()["data"]["outcome"] == "paid"
    assert [status for _, status, _ in await kinds(member, placed["orderId"])] == [
        *("pending", "expired", "processing")
    ]
    assert await stock(app, placed["product"]) == 8


async def test_what_was_decided_while_orders_were_being_held_does_not_expire(
    app: RunningApp, member: SignedIn, monkeypatch: pytest.MonkeyPatch
) -> None:
    finance = await operator_client(app, "olu", Role.FINANCE)
    placed, proof = await shown(app, member)
    await make_older(app, "order", placed["orderId"], 7 * DAY)
    await make_older(app, "proof", proof, 7 * DAY)
    await reject(finance, placed, proof)
    # As if the sweep had waited for the lock since before the proof was decided.
    was_due = "($1::timestamptz, $3::timestamptz) IS NOT NULL"
    monkeypatch.setattr(orders, "LOCK", orders.LOCK.replace("{which}", was_due))

    assert await orders_service.expire_orders_once(app.database) == 0
    assert (await detail(member, placed["orderId"]))["status"] == "pending"


async def waiting(operator: OperatorClient) -> dict[str, int]:
    found: dict[str, int] = (await operator.get(f"{ADMIN}/today")).json()["data"]["waiting"]
    return found


async def test_operators_are_reminded_of_proofs_after_two_and_five_days(
    app: RunningApp, member: SignedIn
) -> None:
    finance = await operator_client(app, "olu", Role.FINANCE)
    _, proof = await shown(app, member)
    names = ("transferProofs", "proofsOlderThanTwoDays", "proofsOlderThanFiveDays")

    seen = []
    for days in (0, 2, 3):
        if days:
            await make_older(app, "proof", proof, days * DAY)
        now = await waiting(finance)
        seen.append([now[name] for name in names])

    assert seen == [[1, 0, 0], [1, 1, 0], [1, 1, 1]]
