"""Settings of the back office: a version, immediate limits, and an account that needs two."""

import asyncio
from datetime import UTC, datetime
from typing import Any

import httpx
import pytest
from api.foundation.security.rights import Role
from api.messaging.notifications import service as notifications
from api.messaging.notifications.enums import NotificationKind

from tests.back_office import ADMIN, OperatorClient, operator_client
from tests.backoffice.oversight.test_second_person import APPROVALS, audit, decision
from tests.conftest import RunningApp, SignedIn

SETTINGS = f"{ADMIN}/settings"
ACCOUNT = {"accountName": "King of Fans", "accountNumber": "0123456789", "bank": "Eko Bank"}
OPTIONS = "/api/v1/products/checkout-options"


@pytest.fixture
async def olu(app: RunningApp) -> OperatorClient:
    return await operator_client(app, "olu", Role.OWNER)


@pytest.fixture
async def bisi(app: RunningApp) -> OperatorClient:
    return await operator_client(app, "bisi", Role.OWNER)


async def holds(operator: OperatorClient) -> dict[str, Any]:
    answer = await operator.get(SETTINGS)
    assert answer.status_code == 200, answer.text
    found: dict[str, Any] = answer.json()["data"]
    return found


def refusal(answer: httpx.Response) -> tuple[int, str]:
    return answer.status_code, answer.json()["error"]["code"]


async def put(operator: OperatorClient, *, key: str | None = None, **body: Any) -> httpx.Response:
    headers = operator.headers | ({} if key is None else {"Idempotency-Key": key})
    return await operator.client.put(SETTINGS, json=body, headers=headers)


async def test_before_anything_is_set_the_deployments_and_the_products_own_values_hold(
    app: RunningApp, olu: OperatorClient, member: SignedIn
) -> None:
    found = await holds(olu)

    offered = (await member.get(OPTIONS)).json()["data"]["bankTransfer"]
    account = None if offered is None else {name: offered[name] for name in ACCOUNT}
    assert found == {
        "version": 1,
        "transferAccount": account,
        "stateRequired": False,
        "quietFrom": "22:00",
        "quietTo": "07:00",
        "adjustmentLimit": 10_000,
        "adjustmentDayLimit": 50_000,
        "refundLimit": 100_000,
        "refundDayLimit": 500_000,
        "confirmDayLimit": 1_000_000,
        "giftLimit": 20,
        "transferUnitsLimit": 20,
        "transferValueLimit": 500_000,
        "legal": None,
        "newTerms": "ask",
    }


async def test_what_is_named_changes_and_the_rest_stays(
    app: RunningApp, olu: OperatorClient
) -> None:
    before = await holds(olu)

    answer = await put(
        olu, version=1, adjustmentLimit=2500.5, quietFrom="23:30", stateRequired=True
    )

    changed = {"adjustmentLimit": 2500.5, "quietFrom": "23:30", "stateRequired": True}
    assert answer.status_code == 200, answer.text
    assert answer.json()["data"] == before | changed | {"version": 2} == await holds(olu)
    assert await audit(app) == ["change"]
    entry = (await olu.get(f"{ADMIN}/audit")).json()["data"]["rows"][0]
    assert (entry["before"]["adjustmentLimit"], entry["after"]["adjustmentLimit"]) == (
        10_000,
        2500.5,
    )


async def test_higher_limits_wait_for_a_second_person_and_lower_ones_hold_at_once(
    app: RunningApp, olu: OperatorClient, bisi: OperatorClient
) -> None:
    before = await holds(olu)

    answer = await put(
        olu, version=1, adjustmentLimit=90_000.5, refundDayLimit=400_000, quietFrom="21:00"
    )
    at_once = await holds(olu)
    approval = answer.json()["data"]["approval"]
    path = f"{APPROVALS}/{approval['id']}/decide"
    own = await olu.post(path, decision(approval))
    done = await bisi.post(path, decision(approval))

    assert answer.status_code == 202
    assert (approval["kind"], approval["content"]["adjustmentLimit"]) == ("raise-limits", 90_000.5)
    lowered = {"refundDayLimit": 400_000, "quietFrom": "21:00"}
    assert at_once == before | lowered | {"version": 2}
    assert refusal(own) == (409, "own_proposal")
    assert done.status_code == 200
    assert await holds(olu) == at_once | {"adjustmentLimit": 90_000.5, "version": 3}
    assert await audit(app) == ["change", "propose", "approve"]


@pytest.mark.parametrize(
    ("name", "more"),
    [
        ("adjustmentLimit", 10_000.01),
        ("adjustmentDayLimit", 50_000.01),
        ("refundLimit", 100_000.01),
        ("refundDayLimit", 500_000.01),
        ("confirmDayLimit", 1_000_000.01),
        ("giftLimit", 21),
        ("transferUnitsLimit", 21),
        ("transferValueLimit", 500_000.01),
    ],
)
async def test_no_limit_is_raised_by_one_person(
    app: RunningApp, olu: OperatorClient, name: str, more: float
) -> None:
    before = await holds(olu)

    wish: dict[str, Any] = {name: more}
    alone = await put(olu, version=1, **wish)

    assert refusal(alone) == (409, "second_person_needed")
    assert await holds(olu) == before
    assert await audit(app) == []


async def test_of_twenty_who_read_one_version_one_changes_it(
    app: RunningApp, olu: OperatorClient
) -> None:
    answers = await asyncio.gather(*(put(olu, version=1, giftLimit=n) for n in range(20)))

    assert sorted(answer.status_code for answer in answers) == [200] + [409] * 19
    refused = next(answer for answer in answers if answer.status_code == 409)
    assert refused.json()["error"]["code"] == "stale"
    assert (await holds(olu))["version"] == 2


async def test_a_key_that_comes_again_changes_nothing_again(
    app: RunningApp, olu: OperatorClient
) -> None:
    first = await put(olu, key="settings-once", version=1, giftLimit=5)
    again = await put(olu, key="settings-once", version=1, giftLimit=5)

    assert first.json() == again.json()
    assert (await holds(olu))["version"] == 2


async def test_another_account_waits_for_a_second_person_and_then_wins_over_the_deployments(
    app: RunningApp, olu: OperatorClient, bisi: OperatorClient, member: SignedIn
) -> None:
    before = (await member.get(OPTIONS)).json()

    answer = await put(olu, version=1, transferAccount=ACCOUNT, giftLimit=7)

    assert answer.status_code == 202, answer.text
    approval = answer.json()["data"]["approval"]
    assert (approval["kind"], approval["content"]) == (
        "transfer-account",
        {"transferAccount": ACCOUNT},
    )
    assert (await member.get(OPTIONS)).json() == before
    assert (await holds(olu))["giftLimit"] == 7
    done = await bisi.post(f"{APPROVALS}/{approval['id']}/decide", decision(approval))
    assert done.json()["data"]["result"] == {"before": None, "after": ACCOUNT}
    offered = (await member.get(OPTIONS)).json()["data"]["bankTransfer"]
    assert {name: offered[name] for name in ACCOUNT} == ACCOUNT
    found = await holds(olu)
    assert (found["transferAccount"], found["version"]) == (ACCOUNT, 3)

    unchanged = await put(olu, version=3, transferAccount=ACCOUNT)
    assert unchanged.status_code == 200
    assert await audit(app) == ["change", "propose", "approve", "change"]


async def test_one_save_that_makes_two_proposals_names_both(
    app: RunningApp, olu: OperatorClient, bisi: OperatorClient
) -> None:
    both = await put(olu, version=1, transferAccount=ACCOUNT, giftLimit=40)
    one = await put(olu, version=1, transferAccount=ACCOUNT)

    assert (both.status_code, one.status_code) == (202, 202)
    assert both.json()["message"] == (
        "A second operator has to approve the bank account and the higher limits, as two proposals."
    )
    assert one.json()["message"] == "A second operator has to approve this."
    waiting = (await bisi.get(f"{APPROVALS}?state=open")).json()["data"]["rows"]
    assert [row["kind"] for row in waiting] == [
        *("transfer-account", "raise-limits", "transfer-account"),
    ]


async def test_alone_nobody_moves_the_account(app: RunningApp, olu: OperatorClient) -> None:
    answer = await put(olu, version=1, transferAccount=ACCOUNT, giftLimit=7)

    assert (answer.status_code, answer.json()["error"]["code"]) == (409, "second_person_needed")
    assert (await holds(olu))["giftLimit"] == 20


@pytest.mark.parametrize(
    "body",
    [
        {"giftLimit": 5},
        {"version": 1, "giftLimit": -1},
        {"version": 1, "refundLimit": -0.01},
        {"version": 1, "transferUnitsLimit": -1},
        {"version": 1, "transferUnitsLimit": 1.5},
        {"version": 1, "transferValueLimit": -1},
        {"version": 1, "adjustmentLimit": 1.001},
        {"version": 1, "quietFrom": "24:00"},
        {"version": 1, "quietTo": 7},
        {"version": 1, "stateRequired": "yes"},
        {"version": 1, "transferAccount": ACCOUNT | {"accountNumber": "12"}},
        {"version": 1, "colour": "green"},
    ],
)
async def test_what_does_not_fit_is_refused_and_changes_nothing(
    app: RunningApp, olu: OperatorClient, body: dict[str, Any]
) -> None:
    assert (await put(olu, **body)).status_code == 422
    assert (await holds(olu))["version"] == 1


async def test_only_owners_see_and_change_the_settings(app: RunningApp) -> None:
    finance = await operator_client(app, "efe", Role.FINANCE)

    assert (await finance.get(SETTINGS)).status_code == 404
    assert (await put(finance, version=1, giftLimit=1)).status_code == 404


async def test_quiet_hours_and_the_limit_of_gifts_hold_from_the_next_call_on(
    app: RunningApp, olu: OperatorClient, bisi: OperatorClient
) -> None:
    await put(olu, version=1, quietFrom="12:00", quietTo="13:30", giftLimit=0)
    noon, night = (datetime(2026, 11, 23, hour, tzinfo=UTC) for hour in (11, 2))
    kind = NotificationKind.ORDER_SHIPPED

    async with app.database.transaction() as tx:
        assert await notifications.mail_due_at(tx, kind, night) == night
        due = await notifications.mail_due_at(tx, kind, noon)
        assert due == datetime(2026, 11, 23, 12, 30, tzinfo=UTC)
        money = NotificationKind.WALLET_CREDITED
        assert await notifications.mail_due_at(tx, money, noon) == noon
