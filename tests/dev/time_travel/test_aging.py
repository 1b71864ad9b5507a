"""Rows are backdated outside production, and the jobs then process them."""

import asyncio
from datetime import timedelta
from typing import Any
from uuid import UUID

import httpx
import pytest
from api.foundation.core.config import Settings
from api.foundation.core.ids import new_id
from api.foundation.database.errors import DatabaseRefusal
from api.foundation.security.rights import Role
from api.money.ledger_audit.repository.audit_run import broken_invariants_in

from tests.back_office import ADMIN, OperatorClient, operator_client
from tests.backoffice.oversight.test_second_person import APPROVALS, audit, decision
from tests.conftest import RunningApp, SignedIn, open_running_app
from tests.games.matches.matches import written
from tests.money.subscriptions.place import offer_plan, subscribe
from tests.money.wallet.test_adjustments import adjust
from tests.production import PRODUCTION
from tests.shop.test_orders import buy, detail

DAY = 24 * 60 * 60
JOBS = f"{ADMIN}/jobs"


@pytest.fixture
async def olu(app: RunningApp) -> OperatorClient:
    return await operator_client(app, "olu", Role.OWNER)


async def age(app: RunningApp, kind: str, name: object, seconds: object) -> httpx.Response:
    body = {"kind": kind, "id": str(name), "seconds": seconds}
    return await app.client.post("/api/v1/dev/age", json=body)


async def run(operator: OperatorClient, name: str, *, key: str | None = None) -> dict[str, Any]:
    answer = await operator.post(f"{JOBS}/{name}/run", {}, key=key)
    assert answer.status_code == 200, answer.text
    found: dict[str, Any] = answer.json()["data"]
    return found


async def test_an_aged_order_expires_with_the_job(
    app: RunningApp, olu: OperatorClient, member: SignedIn
) -> None:
    placed = await buy(app, member, paymentMethod="bank-transfer")
    await run(olu, "expire-orders")
    assert (await detail(member, placed["orderId"]))["status"] == "pending"

    assert (await age(app, "order", placed["orderNumber"], 3 * DAY)).status_code == 200
    started = await run(olu, "expire-orders")

    assert started["name"] == "expire-orders"
    assert (await detail(member, placed["orderId"]))["status"] == "expired"
    assert await audit(app) == ["run", "run"]


async def test_an_aged_plan_is_renewed_by_twenty_runs_at_once_for_one_price(
    app: RunningApp, olu: OperatorClient, member: SignedIn
) -> None:
    await app.give(member, 5_000)
    await subscribe(member, await offer_plan(app, period="week"))
    path = f"/api/v1/users/subscription/{member.id}"
    await member.client.put(f"{path}/renewal", json={"renews": True}, headers=member.headers)
    (period,) = (await member.get(path)).json()["data"]

    assert (await age(app, "subscription", period["id"], 7 * DAY + 3_600)).status_code == 200
    await asyncio.gather(*(run(olu, "renew-plans") for _ in range(20)))

    newest, oldest = (await member.get(path)).json()["data"]
    assert (newest["state"], oldest["state"]) == ("active", "ended")
    assert newest["startsAt"] == oldest["endsAt"]
    assert await app.balance(member) == 2_000
    assert await broken_invariants_in(app.database) == []
    refused = await app.database.fetch_value(
        "SELECT tgenabled FROM pg_trigger WHERE tgname = 'keep_subscription'"
    )
    assert refused == b"O"


async def test_a_replaced_plan_is_aged_too_and_then_protected_again(
    app: RunningApp, member: SignedIn
) -> None:
    await app.give(member, 5_000)
    await subscribe(member, await offer_plan(app, period="week"))
    (period,) = (await member.get(f"/api/v1/users/subscription/{member.id}")).json()["data"]
    replace = "UPDATE subscription SET replaced_at = now(), credited_kobo = 0 WHERE id = $1"
    await app.database.execute(replace, UUID(period["id"]))

    answer = await age(app, "subscription", period["id"], 3_600)

    assert answer.status_code == 200
    with pytest.raises(DatabaseRefusal):
        await app.database.execute(replace, UUID(period["id"]))


async def test_an_aged_proposal_has_expired(
    app: RunningApp, olu: OperatorClient, member: SignedIn
) -> None:
    finance = await operator_client(app, "efe", Role.FINANCE)
    approval = (await adjust(finance, member, 20_000)).json()["data"]["approval"]

    await age(app, "approval", approval["id"], 2 * DAY)

    late = await olu.post(f"{APPROVALS}/{approval['id']}/decide", decision(approval))
    assert (late.status_code, late.json()["data"]) == (409, {"status": "expired"})


async def test_an_aged_funding_is_older(app: RunningApp, member: SignedIn) -> None:
    body = {"amount": 500, "userId": str(member.id)}
    made = await member.post("/api/v1/payment/prepare-wallet-funding", body)
    reference = made.json()["data"]["reference"]
    read = "SELECT created_at FROM funding WHERE reference = $1"
    before = await app.database.fetch_value(read, reference)

    assert (await age(app, "funding", reference, 1_800)).status_code == 200

    after = await app.database.fetch_value(read, reference)
    assert (before - after).total_seconds() == 1_800


async def test_an_aged_member_is_older_by_id_and_by_email(
    app: RunningApp, member: SignedIn
) -> None:
    read = "SELECT created_at FROM user_account WHERE id = $1"
    before = await app.database.fetch_value(read, member.id)

    for name in (member.id, member.email):
        assert (await age(app, "member", name, 1_800)).status_code == 200

    assert before - await app.database.fetch_value(read, member.id) == timedelta(hours=1)


async def test_an_aged_match_kicked_off_earlier(app: RunningApp, olu: OperatorClient) -> None:
    fixture = (await written(olu))["id"]
    read = "SELECT kick_off_at FROM fixture WHERE id = $1"
    before = await app.database.fetch_value(read, fixture)

    assert (await age(app, "fixture", fixture, 3_600)).status_code == 200

    assert before - await app.database.fetch_value(read, fixture) == timedelta(hours=1)


async def test_what_is_not_there_or_does_not_fit_is_refused(app: RunningApp) -> None:
    kinds = ("order", "subscription", "funding", "approval", "member", "proof", "fixture")
    for kind in kinds:
        for name in (new_id(), "nothing"):
            assert (await age(app, kind, name, 1)).status_code == 404
    for kind, seconds in (("operator", 1), ("order", 0), ("order", -1), ("order", "1")):
        assert (await age(app, kind, new_id(), seconds)).status_code == 422


@pytest.mark.usefixtures("_empty_tables")
async def test_production_has_neither_these_calls_nor_an_imitated_push_service(
    plain_settings: Settings,
) -> None:
    async with open_running_app(Settings(**plain_settings.model_dump() | PRODUCTION)) as app:
        answer = await age(app, "order", new_id(), 1)
        unknown = await app.client.post("/api/v1/dev/nothing", json={})
        others = [
            await app.client.post(path, json={"kind": "promotion"})
            for path in ("/api/v1/dev/notifications", "/api/v1/dev/points", "/api/v1/dev/days")
        ]
        boxes = await app.client.post("/sandbox/push/boxes")
        nowhere = await app.client.post("/sandbox/nothing")

    for one in (answer, *others):
        assert (one.status_code, one.json()["message"]) == (404, unknown.json()["message"])
    assert (boxes.status_code, boxes.json()["message"]) == (404, nowhere.json()["message"])


async def test_jobs_say_how_they_went_and_a_key_runs_one_once(
    app: RunningApp, olu: OperatorClient
) -> None:
    before = {row["name"]: row for row in (await olu.get(JOBS)).json()["data"]["rows"]}
    assert sorted(name for name, row in before.items() if row["canRun"]) == [
        *("backup", "expire-orders", "prove", "question-statistics", "remind-plans"),
        *("renew-plans", "send-mails"),
    ]

    first = await run(olu, "send-mails", key="send-mails-1")
    again = await run(olu, "send-mails", key="send-mails-1")

    rows = {row["name"]: row for row in (await olu.get(JOBS)).json()["data"]["rows"]}
    assert first == again
    assert rows["send-mails"]["successes"] == before["send-mails"]["successes"] + 1
    assert rows["send-mails"]["succeededAt"] is not None
    assert (await olu.post(f"{JOBS}/nothing/run", {})).status_code == 404
    assert await audit(app) == ["run"]


async def test_only_who_may_sees_and_runs_jobs(app: RunningApp, olu: OperatorClient) -> None:
    finance = await operator_client(app, "efe", Role.FINANCE)
    shop = await operator_client(app, "sade", Role.SHOP)

    assert (await finance.get(JOBS)).status_code == 200
    assert (await shop.get(JOBS)).status_code == 404
    assert (await finance.post(f"{JOBS}/expire-orders/run", {})).status_code == 404
