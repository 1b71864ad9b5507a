"""Receipts: numbers without gaps, issued once, and a page to print for ten minutes."""

import asyncio
from datetime import date, timedelta
from typing import Any

import httpx
import pytest
import time_machine
from api.foundation.core import clock
from api.foundation.security.rights import Role
from api.money.receipts import rules

from tests.back_office import ADMIN, operator_client
from tests.backoffice.refunds.test_refunds import ask, jerseys, send
from tests.conftest import PASSWORD, RunningApp, SignedIn
from tests.money.payments.test_desk import funded
from tests.money.subscriptions.place import offer_plan, subscribe
from tests.shop.carts import BILLING
from tests.shop.test_orders import buy

KEY = "a key of the tests"


async def receipt(member: SignedIn, kind: str, name: object) -> httpx.Response:
    return await member.get(f"/api/v1/receipts/{kind}/{name}")


async def drawn(member: SignedIn, kind: str, name: object) -> dict[str, Any]:
    answer = await receipt(member, kind, name)
    assert answer.status_code == 200, answer.text
    found: dict[str, Any] = answer.json()["data"]
    return found


async def test_an_order_that_was_paid_has_a_receipt_that_stays(
    app: RunningApp, member: SignedIn
) -> None:
    await app.give(member, 20_000)
    placed, _ = await jerseys(app, member)
    year = clock.now().astimezone(clock.LAGOS).year

    first = await drawn(member, "order", placed["orderId"])
    again = await drawn(member, "order", placed["orderNumber"].lower())

    assert first | {"pageUrl": "", "issuedAt": ""} == {
        "number": f"KF-{year}-000001",
        "version": 1,
        "issuedAt": "",
        "buyer": {
            "name": "Ada Obi",
            "email": member.email,
            "phone": BILLING["phone"],
            "address": BILLING["address"],
            "state": None,
        },
        "lines": [
            {"name": "Jersey", "size": "M", "quantity": 3, "price": 2500.5, "total": 7501.5},
            {"name": "Jersey", "size": "L", "quantity": 1, "price": 2500.5, "total": 2500.5},
        ],
        "deliveryFee": 0,
        "total": 10_002,
        "paidBy": "Wallet",
        "reference": placed["orderNumber"],
        "refunds": [],
        "net": 10_002,
        "pageUrl": "",
    }
    assert again | {"pageUrl": ""} == first | {"pageUrl": ""}


async def test_the_year_of_a_number_is_lagos(app: RunningApp) -> None:
    new_year = clock.midnight(date(clock.now().year + 1, 1, 1))
    with time_machine.travel(new_year + timedelta(minutes=10), tick=True):
        member = await app.member()
        await app.give(member, 20_000)
        placed, _ = await jerseys(app, member)
        found = await drawn(member, "order", placed["orderId"])

    assert found["number"] == f"KF-{new_year.year + 1}-000001"


async def test_a_refund_raises_the_version_and_has_a_receipt_of_its_own(
    app: RunningApp, member: SignedIn
) -> None:
    finance = await operator_client(app, "ife", Role.FINANCE)
    await app.give(member, 20_000)
    placed, _ = await jerseys(app, member)
    before = await drawn(member, "order", placed["orderId"])
    case = (await ask(finance, placed, (1, 1))).json()["data"]["id"]
    await send(finance, case)

    after = await drawn(member, "order", placed["orderId"])
    refund = await drawn(member, "refund", case)

    assert (after["number"], after["version"], after["net"]) == (before["number"], 2, 7501.5)
    assert [one["amount"] for one in after["refunds"]] == [2500.5]
    assert refund["number"].endswith("000002")
    assert refund["lines"][0]["name"] == f"Refund of order {placed['orderNumber']}"
    rows = (await member.get(f"/api/v1/payment/statement/{member.id}")).json()["data"]
    (named,) = [row["receipt"] for row in rows if row["kind"] == "refund"]
    assert (await drawn(member, named["kind"], named["id"]))["number"] == refund["number"]


async def test_a_plan_and_a_funding_have_receipts(app: RunningApp, member: SignedIn) -> None:
    reference = await funded(app, member, 20_000)
    await subscribe(member, await offer_plan(app, "Terrace", amount_kobo=500_000))
    (period,) = (await member.get(f"/api/v1/users/subscription/{member.id}")).json()["data"]

    plan = await drawn(member, "subscription", period["id"])
    funding = await drawn(member, "funding", reference)

    assert (plan["lines"][0]["name"], plan["total"], plan["paidBy"]) == ("Terrace", 5000, "Wallet")
    assert (funding["reference"], funding["total"]) == (reference, 20_000)


async def test_what_was_not_paid_or_is_not_ones_own_has_none(
    app: RunningApp, member: SignedIn, rival: SignedIn
) -> None:
    await app.give(member, 20_000)
    waiting = await buy(app, member, paymentMethod="bank-transfer")
    paid = await buy(app, member)

    unpaid = await receipt(member, "order", waiting["orderId"])
    answers = [
        await receipt(rival, "order", paid["orderId"]),
        await receipt(member, "order", "FC-ZZZZZZ"),
        await receipt(member, "funding", paid["orderId"]),
        await receipt(member, "subscription", "x"),
    ]

    assert (unpaid.status_code, unpaid.json()["error"]["code"]) == (409, "not_paid")
    assert [one.status_code for one in answers] == [404] * 4
    assert (await receipt(member, "page", paid["orderId"])).status_code in {404, 422}
    assert await app.database.fetch_value("SELECT count(*) FROM receipt") == 0


async def test_twenty_at_once_draw_numbers_without_a_gap_and_one_each(
    live_server: RunningApp,
) -> None:
    member = await live_server.member()
    await live_server.give(member, 100_000)
    orders = [(await buy(live_server, member))["orderId"] for _ in range(5)]

    answers = await asyncio.gather(*(receipt(member, "order", orders[n % 5]) for n in range(20)))

    assert {answer.status_code for answer in answers} == {200}
    numbers = {answer.json()["data"]["number"][-6:] for answer in answers}
    assert numbers == {f"{n:06d}" for n in range(1, 6)}
    assert await live_server.database.fetch_value("SELECT count(*) FROM receipt") == 5


async def test_the_page_is_html_without_script_for_ten_minutes_and_needs_no_token(
    app: RunningApp, member: SignedIn
) -> None:
    await app.give(member, 20_000)
    placed = await buy(
        app,
        member,
        billing=BILLING | {"address": "<script>alert(1)</script> & 'Sons'"},
    )
    found = await drawn(member, "order", placed["orderId"])
    url = found["pageUrl"]

    page = await app.client.get(url)
    with time_machine.travel(clock.now() + timedelta(minutes=9, seconds=50), tick=True):
        just = await app.client.get(url)
    with time_machine.travel(clock.now() + timedelta(minutes=10, seconds=2), tick=True):
        late = await app.client.get(url)
    altered = [await app.client.get(one) for one in (url[:-1] + "x", url.replace(".", ".9", 1))]

    assert (page.status_code, just.status_code, late.status_code) == (200, 200, 404)
    assert [one.status_code for one in altered] == [404, 404]
    assert page.headers["Content-Type"].startswith("text/html")
    assert "script-src" not in page.headers["Content-Security-Policy"]
    assert page.headers["Content-Security-Policy"].startswith("default-src 'none'; style-src 'sha")
    assert page.headers["Cache-Control"] == "private, no-store"
    assert "<script" not in page.text
    assert "&lt;script&gt;alert(1)&lt;/script&gt; &amp; &#x27;Sons&#x27;" in page.text
    assert found["number"] in page.text
    assert "₦5,001</dd>" in page.text


async def test_a_member_who_left_is_on_no_receipt_any_more(
    app: RunningApp, member: SignedIn
) -> None:
    await app.give(member, 20_000)
    placed = await buy(app, member)
    url = (await drawn(member, "order", placed["orderId"]))["pageUrl"]

    await member.client.request(
        "DELETE",
        f"/api/v1/users/{member.id}",
        json={"password": PASSWORD, "forfeitBalance": True},
        headers=member.headers,
    )

    page = await app.client.get(url)
    assert page.status_code == 200
    assert "Ada" not in page.text
    assert BILLING["address"] not in page.text


@pytest.mark.parametrize(
    "name",
    ["", ".", "..", "a.b.c", "0" * 32 + ".9999999999." + "0" * 32, "é.1.2", "x" * 3000, "1.٣.2"],
)
def test_a_page_name_that_was_made_up_is_nobodys(name: str) -> None:
    assert rules.read_page_name(KEY, name, clock.now()) is None


async def test_operators_see_no_members_receipt_by_their_own_token(
    app: RunningApp, member: SignedIn
) -> None:
    owner = await operator_client(app, "olu", Role.OWNER)
    await app.give(member, 20_000)
    placed = await buy(app, member)

    answer = await owner.get(f"/api/v1/receipts/order/{placed['orderId']}")

    assert answer.status_code == 401
    assert (await owner.get(f"{ADMIN}/me")).status_code == 200
