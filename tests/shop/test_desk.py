"""Orders at the back office: found, shipped, delivered, each once."""

import asyncio

import pytest
from api.foundation.security.rights import Role

from tests.back_office import ADMIN, OperatorClient, operator_client
from tests.conftest import RunningApp, SignedIn
from tests.shop.test_orders import buy, detail, kinds
from tests.shop.test_transfers import notification_kinds


@pytest.fixture
async def shop(app: RunningApp) -> OperatorClient:
    return await operator_client(app, "olu", Role.SHOP)


async def test_orders_are_found_by_number_name_mail_state_method_and_day(
    app: RunningApp, member: SignedIn, rival: SignedIn, shop: OperatorClient
) -> None:
    await app.give(member, 10_000)
    paid = await buy(app, member)
    waiting = await buy(app, rival, paymentMethod="bank-transfer")

    async def found(query: str = "") -> list[str]:
        answer = await shop.get(f"{ADMIN}/orders{query}")
        assert answer.status_code == 200, answer.text
        return [row["orderNumber"] for row in answer.json()["data"]["rows"]]

    both = [waiting["orderNumber"], paid["orderNumber"]]
    assert await found() == both
    assert await found(f"?q={paid['orderNumber'].lower()}") == both[1:]
    assert await found(f"?q={rival.email.upper()}") == both[:1]
    assert await found("?q=%25") == []
    assert await found("?status=pending") == both[:1]
    assert await found("?method=wallet") == both[1:]
    assert await found("?from=2100-01-01") == []
    assert await found("?to=2000-01-01") == []
    first = (await shop.get(f"{ADMIN}/orders?limit=1")).json()["data"]
    assert [row["orderNumber"] for row in first["rows"]] == both[:1]
    rest = (await shop.get(f"{ADMIN}/orders?limit=1&before={first['next']}")).json()["data"]
    assert ([row["orderNumber"] for row in rest["rows"]], rest["next"]) == (both[1:], None)
    assert (await shop.get(f"{ADMIN}/orders?status=lost")).status_code == 422


async def test_an_order_reads_as_its_members_with_whose_it_is(
    app: RunningApp, member: SignedIn, shop: OperatorClient
) -> None:
    placed = await buy(app, member, paymentMethod="bank-transfer")

    answer = await shop.get(f"{ADMIN}/orders/{placed['orderNumber']}")

    theirs = answer.json()["data"]
    whose = theirs.pop("member")
    assert theirs.pop("approvalId") is None
    for_operators = [theirs.pop(name) for name in ("transfers", "openReviewCases", "openRefunds")]
    assert for_operators == [[], [], []]
    assert theirs == await detail(member, placed["orderId"])
    assert (whose["id"], whose["email"]) == (str(member.id), member.email)
    assert (await shop.get(f"{ADMIN}/orders/FC-000000")).status_code == 404
    audited = await app.database.fetch_rows(
        "SELECT operator_id, right_used, target_id FROM audit_entry WHERE action = 'look-at-order'"
    )
    assert [tuple(row.values()) for row in audited] == [(shop.id, "shop:read", placed["orderId"])]


async def test_an_order_is_shipped_then_delivered_and_its_member_is_told(
    app: RunningApp, member: SignedIn, shop: OperatorClient
) -> None:
    await app.give(member, 10_000)
    placed = await buy(app, member)
    path = f"{ADMIN}/orders/{placed['orderId']}"

    early = await shop.post(f"{path}/deliver")
    shipped = await shop.post(f"{path}/ship", {"carrier": "GIG", "tracking": "4711"})
    again = await shop.post(f"{path}/ship", {})
    delivered = await shop.post(f"{path}/deliver")

    assert [one.status_code for one in (early, shipped, again, delivered)] == [409, 200, 409, 200]
    assert (early.json()["data"], again.json()["data"]) == (
        {"status": "processing"},
        {"status": "shipped"},
    )
    assert delivered.json()["data"] == {"status": "delivered"}
    assert await kinds(member, placed["orderId"]) == [
        ("placed", "processing", "member"),
        ("shipped", "shipped", "admin"),
        ("delivered", "delivered", "admin"),
    ]
    events = (await detail(member, placed["orderId"]))["events"]
    assert [event["note"] for event in events] == [None, "GIG 4711", None]
    assert await notification_kinds(member) == ["order_delivered", "order_shipped"]
    late = await member.post(f"/api/v1/orders/{placed['orderId']}/cancel", {})
    assert (late.status_code, late.json()["data"]) == (409, {"status": "delivered"})


async def test_an_order_that_is_not_paid_is_not_shipped(
    app: RunningApp, member: SignedIn, shop: OperatorClient
) -> None:
    placed = await buy(app, member, paymentMethod="bank-transfer")

    answer = await shop.post(f"{ADMIN}/orders/{placed['orderId']}/ship", {})

    assert (answer.status_code, answer.json()["data"]) == (409, {"status": "pending"})


async def test_twenty_who_ship_and_twenty_who_cancel_at_once_have_one_effect(
    live_server: RunningApp,
) -> None:
    member = await live_server.member()
    await live_server.give(member, 10_000)
    operator = await operator_client(live_server, "olu", Role.SHOP)
    placed = await buy(live_server, member)

    await asyncio.gather(
        *(operator.post(f"{ADMIN}/orders/{placed['orderId']}/ship", {}) for _ in range(20)),
        *(member.post(f"/api/v1/orders/{placed['orderId']}/cancel", {}) for _ in range(20)),
    )

    found = await detail(member, placed["orderId"])
    assert len(found["events"]) == 2
    assert await live_server.balance(member) == (10_000 if found["status"] == "cancelled" else 4999)
