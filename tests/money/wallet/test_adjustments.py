"""Operators adjust wallets: alone within limits, above them with approval, never below zero."""

import asyncio
from collections import Counter
from datetime import timedelta
from typing import Any

import httpx
import pytest
import time_machine
from api.foundation.core import clock
from api.foundation.core.ids import new_id
from api.foundation.security.rights import Role
from api.money.ledger_audit.repository.audit_run import broken_invariants_in

from tests.back_office import ADMIN, OperatorClient, operator_client
from tests.backoffice.oversight.test_second_person import APPROVALS, audit, decision
from tests.backoffice.oversight.test_settings import put
from tests.conftest import RunningApp, SignedIn


@pytest.fixture
async def efe(app: RunningApp) -> OperatorClient:
    return await operator_client(app, "efe", Role.FINANCE)


@pytest.fixture
async def olu(app: RunningApp) -> OperatorClient:
    return await operator_client(app, "olu", Role.OWNER)


async def adjust(
    operator: OperatorClient,
    member: SignedIn,
    amount: float,
    *,
    key: str | None = None,
    **changes: Any,
) -> httpx.Response:
    path = f"{ADMIN}/members/{member.id}/adjustments"
    body = {"amount": amount, "category": "goodwill", "reason": "Sorry for the wait"}
    return await operator.post(path, body | changes, key=key)


async def test_an_adjustment_is_in_the_wallet_the_statement_the_bell_and_the_audit(
    app: RunningApp, efe: OperatorClient, member: SignedIn
) -> None:
    given = await adjust(efe, member, 2500.5)
    taken = await adjust(efe, member, -500, category="correction")

    assert (given.status_code, taken.status_code) == (201, 201), given.text
    assert given.json()["data"]["balance"] == 2500.5
    assert taken.json()["data"]["balance"] == 2000.5 == await app.balance(member)
    rows = (await member.get(f"/api/v1/payment/statement/{member.id}")).json()["data"]
    assert [(row["kind"], row["amount"], row["reference"]) for row in rows] == [
        ("adjust", -500, f"adjust:{taken.json()['data']['id']}"),
        ("adjust", 2500.5, f"adjust:{given.json()['data']['id']}"),
    ]
    notices = (await member.get("/api/v1/notifications")).json()["data"]["rows"]
    assert [row["kind"] for row in notices] == ["wallet_adjusted", "wallet_adjusted"]
    assert "2,500.50" in notices[1]["body"]
    assert await audit(app) == ["adjust", "adjust"]
    assert await broken_invariants_in(app.database) == []


async def test_a_key_that_comes_twenty_times_at_once_adjusts_once(
    app: RunningApp, efe: OperatorClient, member: SignedIn
) -> None:
    answers = await asyncio.gather(*(adjust(efe, member, 700, key="adjust-1") for _ in range(20)))

    assert {answer.status_code for answer in answers} == {201}
    assert len({answer.text for answer in answers}) == 1
    assert await app.balance(member) == 700
    other = await adjust(efe, member, 800, key="adjust-1")
    assert (other.status_code, other.json()["error"]["code"]) == (422, "idempotency_key_reused")


async def test_a_proposal_says_to_the_operator_it_is_about_that_it_is_their_own(
    app: RunningApp, efe: OperatorClient, olu: OperatorClient
) -> None:
    bisi = await operator_client(app, "bisi", Role.FINANCE)
    await adjust(efe, olu.member, 10_000.5)

    readers = [(await one.get(APPROVALS)).json()["data"]["rows"] for one in (olu, bisi)]

    assert [row["isOwn"] for (row,) in readers] == [True, False]
    (row,) = readers[0]
    own = await olu.post(f"{APPROVALS}/{row['id']}/decide", decision(row))
    assert own.json()["error"]["code"] == "own_proposal"
    refused = await olu.post(f"{APPROVALS}/{row['id']}/decide", decision(row, "refuse"))
    assert refused.status_code == 200
    decided = (await olu.get(APPROVALS)).json()["data"]["rows"]
    assert [row["isOwn"] for row in decided] == [False], "it is open no more"


async def test_more_than_the_limit_waits_and_is_done_once_by_the_second_person(
    app: RunningApp, efe: OperatorClient, olu: OperatorClient, member: SignedIn
) -> None:
    assert (await adjust(efe, member, 10_000)).status_code == 201

    answer = await adjust(efe, member, 10_000.5)

    assert answer.status_code == 202, answer.text
    approval = answer.json()["data"]["approval"]
    assert approval["content"] == {
        "userId": str(member.id),
        "amount": 10_000.5,
        "category": "goodwill",
    }
    (waiting,) = (await olu.get(APPROVALS)).json()["data"]["rows"]
    assert waiting["content"] == approval["content"]
    assert await app.balance(member) == 10_000
    path = f"{APPROVALS}/{approval['id']}/decide"
    assert (await efe.post(path, decision(approval))).json()["error"]["code"] == "own_proposal"
    answers = await asyncio.gather(*(olu.post(path, decision(approval)) for _ in range(20)))
    assert Counter(answer.status_code for answer in answers) == {200: 1, 409: 19}
    done = next(answer for answer in answers if answer.status_code == 200)
    assert done.json()["data"]["result"]["balance"] == 20_000.5 == await app.balance(member)
    newest = (await member.get(f"/api/v1/payment/statement/{member.id}")).json()["data"][0]
    assert newest["reference"] == f"approval:{approval['id']}"
    assert await audit(app) == ["adjust", "propose", "approve"]


async def test_a_changed_proposal_is_read_anew_in_naira(
    app: RunningApp, efe: OperatorClient, olu: OperatorClient, member: SignedIn
) -> None:
    approval = (await adjust(efe, member, 20_000)).json()["data"]["approval"]
    path = f"{APPROVALS}/{approval['id']}"

    body = {"content": approval["content"] | {"amount": 15_000.25}, "reason": "Less will do"}
    changed = (await efe.patch(path, body)).json()["data"]["approval"]

    assert changed["content"]["amount"] == 15_000.25
    stale = await olu.post(f"{path}/decide", decision(approval))
    assert (stale.status_code, stale.json()["error"]["code"]) == (409, "stale")
    assert (await olu.post(f"{path}/decide", decision(changed))).status_code == 200
    assert await app.balance(member) == 15_000.25
    for amount in (0, "15000", 1e12):
        body["content"]["amount"] = amount
        assert (await efe.patch(path, body)).status_code in {409, 422}


async def test_the_day_counts_what_an_operator_moved_alone_either_way_and_at_once(
    app: RunningApp, efe: OperatorClient, olu: OperatorClient, member: SignedIn
) -> None:
    await app.give(member, 100_000)
    await adjust(efe, member, 10_000)

    signs = (1, -1) * 10
    answers = await asyncio.gather(*(adjust(efe, member, sign * 5_000) for sign in signs))

    assert Counter(answer.status_code for answer in answers) == {201: 8, 202: 12}
    moved = await app.database.fetch_value("SELECT sum(abs(amount_kobo)) FROM wallet_adjustment")
    assert moved == 5_000_000
    assert (await adjust(efe, member, 0.01)).status_code == 202
    assert (await adjust(olu, member, 0.01)).status_code == 201
    assert await broken_invariants_in(app.database) == []


async def test_the_day_of_the_limit_is_lagos(app: RunningApp) -> None:
    midnight = clock.midnight(clock.lagos_day(clock.now()) + timedelta(days=2))
    with time_machine.travel(midnight - timedelta(minutes=2), tick=True):
        member = await app.member()
        efe = await operator_client(app, "efe", Role.FINANCE)
        await operator_client(app, "olu", Role.OWNER)
        before = [(await adjust(efe, member, 10_000)).status_code for _ in range(6)]
    with time_machine.travel(midnight + timedelta(minutes=2), tick=True):
        after = await adjust(efe, member, 10_000)

    assert before == [201] * 5 + [202]
    assert after.status_code == 201


async def test_nobody_adjusts_their_own_wallet_alone(
    app: RunningApp, efe: OperatorClient, olu: OperatorClient
) -> None:
    answers = [await adjust(one, one.member, 1) for one in (efe, olu)]

    assert [answer.status_code for answer in answers] == [202, 202]
    assert [await app.balance(one.member) for one in (efe, olu)] == [0, 0]


async def test_limits_of_the_settings_hold_from_the_next_call_on(
    app: RunningApp, efe: OperatorClient, olu: OperatorClient, member: SignedIn
) -> None:
    await put(olu, version=1, adjustmentLimit=100, adjustmentDayLimit=150)

    assert (await adjust(efe, member, 100.01)).status_code == 202
    assert (await adjust(efe, member, 100)).status_code == 201
    assert (await adjust(efe, member, -50)).status_code == 201
    assert (await adjust(efe, member, -0.01)).status_code == 202


async def test_nobody_takes_more_out_than_is_there_alone_or_with_another(
    app: RunningApp, efe: OperatorClient, olu: OperatorClient, member: SignedIn
) -> None:
    assert (await adjust(efe, member, -1)).status_code == 402
    await app.give(member, 30_000)
    for amount in (-30_000.01, -900_000):
        refused = await adjust(efe, member, amount)
        assert (refused.status_code, refused.json()["error"]["code"]) == (402, "insufficient_funds")
    approval = (await adjust(efe, member, -30_000)).json()["data"]["approval"]
    await adjust(olu, member, -1)

    refused = await olu.post(f"{APPROVALS}/{approval['id']}/decide", decision(approval))

    assert refused.status_code == 402
    (row,) = (await olu.get(APPROVALS)).json()["data"]["rows"]
    assert row["state"] == "open"
    assert await app.balance(member) == 29_999
    assert await audit(app) == ["propose", "adjust"]


async def test_without_another_who_could_decide_it_is_refused(
    app: RunningApp, efe: OperatorClient, member: SignedIn
) -> None:
    answer = await adjust(efe, member, 10_000.01)

    assert (answer.status_code, answer.json()["error"]["code"]) == (409, "second_person_needed")
    assert await audit(app) == []


@pytest.mark.parametrize(
    "changes",
    [
        {"amount": 0},
        {"amount": 1.001},
        {"amount": "5"},
        {"amount": 1e12},
        {"category": "gift"},
        {"reason": ""},
        {"reason": "x" * 201},
        {"colour": "green"},
    ],
)
async def test_what_does_not_fit_is_refused_and_moves_nothing(
    app: RunningApp, efe: OperatorClient, member: SignedIn, changes: dict[str, Any]
) -> None:
    answer = await adjust(efe, member, **{"amount": 5, **changes})

    assert answer.status_code == 422
    assert await app.balance(member) == 0


async def test_only_who_may_adjust_finds_the_call_and_only_members_have_wallets(
    app: RunningApp, efe: OperatorClient, member: SignedIn, rival: SignedIn
) -> None:
    shop = await operator_client(app, "sade", Role.SHOP)
    assert (await adjust(shop, member, 5)).status_code == 404
    path = f"{ADMIN}/members/{member.id}/adjustments"
    assert (await member.post(path, {})).status_code == 404
    body = {"amount": 5, "category": "goodwill", "reason": "Hello"}
    for other_id in (new_id(), "1"):
        answer = await efe.post(f"{ADMIN}/members/{other_id}/adjustments", body)
        assert answer.status_code == 404


async def test_the_category_of_tests_is_refused_in_production(
    app: RunningApp, efe: OperatorClient, member: SignedIn, monkeypatch: pytest.MonkeyPatch
) -> None:
    assert (await adjust(efe, member, 5, category="test")).status_code == 201
    monkeypatch.setattr(app.settings.__class__, "is_production", property(lambda _: True))

    answer = await adjust(efe, member, 5, category="test")

    assert (answer.status_code, list(answer.json()["error"]["fields"])) == (422, ["category"])
    assert (await adjust(efe, member, 5)).status_code == 201
