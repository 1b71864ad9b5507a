"""Approvals: proposed, read, decided by another operator, and executed once."""

import asyncio
import hashlib
import json
from datetime import timedelta
from typing import Any
from uuid import UUID

import pytest
import time_machine
from api.foundation.core import clock
from api.foundation.core.ids import new_id
from api.foundation.security.rights import Role
from sqlalchemy import text
from sqlalchemy.ext.asyncio import AsyncEngine

from tests.back_office import ADMIN, OperatorClient, operator_client, sign_in
from tests.conftest import PASSWORD, RunningApp, SignedIn

APPROVALS = f"{ADMIN}/approvals"
OPERATORS = f"{ADMIN}/operators"


async def propose(
    operator: OperatorClient, email: str, *, key: str | None = None
) -> dict[str, Any]:
    """Propose that a member becomes an operator; return the approval."""
    body = {"email": email, "roles": ["shop"], "reason": "Sells shirts"}
    answer = await operator.post(OPERATORS, body, key=key)
    assert answer.status_code == 202, answer.text
    approval: dict[str, Any] = answer.json()["data"]["approval"]
    return approval


def decision(approval: dict[str, Any], word: str = "approve") -> dict[str, Any]:
    return {"digest": approval["digest"], "decision": word, "reason": "Known to me"}


async def audit(app: RunningApp) -> list[str]:
    rows = await app.database.fetch_rows("SELECT action FROM audit_entry ORDER BY id")
    return [row["action"] for row in rows]


@pytest.fixture
async def olu(app: RunningApp) -> OperatorClient:
    return await operator_client(app, "olu", Role.OWNER)


@pytest.fixture
async def bisi(app: RunningApp) -> OperatorClient:
    return await operator_client(app, "bisi", Role.OWNER)


async def test_a_proposal_says_what_it_is_and_waits_for_another(
    app: RunningApp, olu: OperatorClient, bisi: OperatorClient, member: SignedIn
) -> None:
    approval = await propose(olu, member.email)
    canonical = json.dumps(
        {"kind": approval["kind"], "content": approval["content"]},
        sort_keys=True,
        separators=(",", ":"),
    )
    assert approval["digest"] == hashlib.sha256(canonical.encode()).hexdigest()
    assert set(approval) == {"id", "kind", "content", "digest", "reasons", "expiresAt"}
    assert approval["reasons"] == []
    waits = [(await one.get(f"{ADMIN}/today")).json()["data"]["waiting"] for one in (olu, bisi)]
    assert [one["approvals"] for one in waits] == [0, 1]
    rows = (await bisi.get(APPROVALS)).json()["data"]["rows"]
    assert [(row["id"], row["state"], row["proposedBy"]["id"]) for row in rows] == [
        (approval["id"], "open", str(olu.id))
    ]

    path = f"{APPROVALS}/{approval['id']}/decide"
    own = await olu.post(path, decision(approval))
    assert (own.status_code, own.json()["error"]["code"]) == (409, "own_proposal")
    done = await bisi.post(path, decision(approval))
    assert done.status_code == 200, done.text
    assert done.json()["data"]["state"] == "approved"
    row = await app.database.fetch_row(
        "SELECT id, roles, created_by FROM operator WHERE user_id = $1", member.id
    )
    assert row is not None
    assert done.json()["data"]["result"] == {"operatorId": str(row["id"])}
    assert (list(row["roles"]), row["created_by"]) == (["shop"], olu.id)
    assert await audit(app) == ["propose", "approve"]
    assert (await sign_in(app, member.email, "123456")).status_code == 400


@pytest.mark.parametrize("change", ["content = '{}'", "kind = 'gone'"], ids=["content", "kind"])
async def test_a_proposal_that_is_unreadable_now_does_not_hide_the_others(
    app: RunningApp,
    owner: AsyncEngine,
    olu: OperatorClient,
    bisi: OperatorClient,
    member: SignedIn,
    change: str,
) -> None:
    first = await propose(olu, member.email)
    async with owner.begin() as connection:
        await connection.execute(text(f"UPDATE approval SET {change}"))
    second = await propose(olu, member.email)

    rows = (await bisi.get(APPROVALS)).json()["data"]["rows"]

    assert [(row["id"], row["isOwn"]) for row in rows] == [
        (second["id"], False),
        (first["id"], False),
    ]


async def test_refused_it_is_not_done(
    app: RunningApp, olu: OperatorClient, bisi: OperatorClient, member: SignedIn
) -> None:
    approval = await propose(olu, member.email)
    path = f"{APPROVALS}/{approval['id']}/decide"
    refused = await bisi.post(path, decision(approval, "refuse"))
    assert refused.json()["data"] == {"state": "refused", "result": None}
    again = await bisi.post(path, decision(approval))
    assert (again.status_code, again.json()["data"]) == (409, {"status": "refused"})
    assert await app.database.fetch_value("SELECT count(*) FROM operator") == 2
    assert await audit(app) == ["propose", "refuse"]


async def test_twenty_decisions_at_once_are_one(
    app: RunningApp, olu: OperatorClient, member: SignedIn
) -> None:
    deciders = [await operator_client(app, f"boss{number}", Role.OWNER) for number in range(4)]
    approval = await propose(olu, member.email)
    path = f"{APPROVALS}/{approval['id']}/decide"

    answers = await asyncio.gather(
        *(deciders[number % 4].post(path, decision(approval)) for number in range(20))
    )

    assert sorted(answer.status_code for answer in answers) == [200] + [409] * 19
    assert (await audit(app)).count("approve") == 1
    made = "SELECT count(*) FROM operator WHERE user_id = $1"
    assert await app.database.fetch_value(made, member.id) == 1


async def test_after_a_change_it_has_to_be_read_again(
    app: RunningApp, olu: OperatorClient, bisi: OperatorClient, member: SignedIn
) -> None:
    approval = await propose(olu, member.email)
    path = f"{APPROVALS}/{approval['id']}"
    content = approval["content"] | {"roles": ["editor"]}
    foreign = await bisi.patch(path, {"content": content, "reason": "Not mine"})
    assert foreign.status_code == 404
    misfit = await olu.patch(path, {"content": {"roles": ["boss"]}, "reason": "Slip"})
    assert misfit.status_code == 422
    changed = await olu.patch(path, {"content": content, "reason": "Writes, does not sell"})
    assert changed.status_code == 200
    renewed = changed.json()["data"]["approval"]
    assert renewed["digest"] != approval["digest"]

    old = await bisi.post(f"{path}/decide", decision(approval))
    assert (old.status_code, old.json()["error"]["code"]) == (409, "stale")
    assert (await bisi.post(f"{path}/decide", decision(renewed))).status_code == 200
    roles = await app.database.fetch_value(
        "SELECT roles FROM operator WHERE user_id = $1", member.id
    )
    assert list(roles) == ["editor"]
    assert await audit(app) == ["propose", "change", "approve"]


async def test_after_two_days_it_is_over(
    app: RunningApp, olu: OperatorClient, bisi: OperatorClient, member: SignedIn
) -> None:
    approval = await propose(olu, member.email)
    await app.database.execute(
        "UPDATE approval SET expires_at = $1", clock.now() - timedelta(seconds=1)
    )
    path = f"{APPROVALS}/{approval['id']}"
    answer = await bisi.post(f"{path}/decide", decision(approval))
    assert (answer.status_code, answer.json()["data"]) == (409, {"status": "expired"})
    late = await olu.patch(path, {"content": approval["content"], "reason": "Again"})
    assert late.status_code == 409
    rows = (await bisi.get(APPROVALS, params={"state": "expired"})).json()["data"]["rows"]
    assert [row["state"] for row in rows] == ["expired"]


async def test_without_anybody_else_it_is_refused(
    app: RunningApp, olu: OperatorClient, member: SignedIn
) -> None:
    await operator_client(app, "shopkeeper", Role.SHOP)
    body = {"email": member.email, "roles": ["shop"], "reason": "Sells shirts"}
    answer = await olu.post(OPERATORS, body)
    assert (answer.status_code, answer.json()["error"]["code"]) == (409, "second_person_needed")
    assert await audit(app) == []


async def test_who_lacks_the_right_does_not_see_it(
    app: RunningApp, olu: OperatorClient, bisi: OperatorClient, member: SignedIn
) -> None:
    approval = await propose(olu, member.email)
    keeper = await operator_client(app, "keeper", Role.SHOP)
    assert (await keeper.get(APPROVALS)).json()["data"]["rows"] == []
    answer = await keeper.post(f"{APPROVALS}/{approval['id']}/decide", decision(approval))
    assert answer.status_code == 404


async def test_what_its_rules_refuse_stays_open(
    app: RunningApp, olu: OperatorClient, bisi: OperatorClient, member: SignedIn
) -> None:
    approval = await propose(olu, member.email)
    await app.database.execute(
        "INSERT INTO operator (id, user_id, roles) VALUES ($1, $2, '{editor}')",
        new_id(),
        member.id,
    )
    answer = await bisi.post(f"{APPROVALS}/{approval['id']}/decide", decision(approval))
    assert (answer.status_code, answer.json()["error"]["code"]) == (409, "already_operator")
    assert await app.database.fetch_value("SELECT state FROM approval") == "open"
    assert await audit(app) == ["propose"]


async def test_the_same_key_does_it_once(
    app: RunningApp, olu: OperatorClient, bisi: OperatorClient, member: SignedIn
) -> None:
    first = await propose(olu, member.email, key="one-operator")
    assert await propose(olu, member.email, key="one-operator") == first
    other = await olu.post(
        OPERATORS,
        {"email": member.email, "roles": ["editor"], "reason": "Another"},
        key="one-operator",
    )
    assert other.status_code == 422
    path = f"{APPROVALS}/{first['id']}/decide"
    answers = [await bisi.post(path, decision(first), key="decide-it") for _ in range(2)]
    assert [answer.status_code for answer in answers] == [200, 200]
    assert answers[0].json() == answers[1].json()
    assert answers[1].headers["Idempotent-Replayed"] == "true"
    assert await audit(app) == ["propose", "approve"]


async def test_other_roles_want_a_second_person_and_end_the_sessions(
    app: RunningApp, olu: OperatorClient, bisi: OperatorClient
) -> None:
    keeper = await operator_client(app, "keeper", Role.SHOP)
    path = f"{OPERATORS}/{keeper.id}"
    version = await version_of(app, keeper.id)
    stale = await olu.patch(path, {"version": version - 1, "roles": ["editor"], "reason": "x"})
    assert (stale.status_code, stale.json()["error"]["code"]) == (409, "stale")
    answer = await olu.patch(path, {"version": version, "roles": ["editor"], "reason": "Moves"})
    assert answer.status_code == 202
    assert (await keeper.get(f"{ADMIN}/me")).status_code == 200
    approval = answer.json()["data"]["approval"]
    done = await bisi.post(f"{APPROVALS}/{approval['id']}/decide", decision(approval))
    assert done.status_code == 200, done.text
    assert (await keeper.get(f"{ADMIN}/me")).status_code == 401


async def version_of(app: RunningApp, operator_id: UUID) -> int:
    version: int = await app.database.fetch_value(
        "SELECT version FROM operator WHERE id = $1", operator_id
    )
    return version


async def test_enabling_a_disabled_operator_takes_two_people_and_a_new_phone(
    app: RunningApp, olu: OperatorClient, bisi: OperatorClient
) -> None:
    uche = await operator_client(app, "uche", Role.OWNER)
    path = f"{OPERATORS}/{uche.id}"
    again = {"disabled": False, "reason": "Back from leave"}
    working = await olu.patch(path, again | {"version": await version_of(app, uche.id)})
    out = {"version": await version_of(app, uche.id), "disabled": True, "reason": "On leave"}
    assert (await olu.patch(path, out)).status_code == 200

    proposed = await olu.patch(path, again | {"version": await version_of(app, uche.id)})

    assert (working.status_code, working.json()["data"]) == (409, {"status": "enabled"})
    assert proposed.status_code == 202, proposed.text
    approval = proposed.json()["data"]["approval"]
    assert approval["kind"] == "operator.enable"
    decide = f"{APPROVALS}/{approval['id']}/decide"
    own = await olu.post(decide, decision(approval))
    still = await sign_in(app, uche.member.email, uche.code(steps=1))
    assert (own.json()["error"]["code"], still.status_code) == ("own_proposal", 400)
    done = await bisi.post(decide, decision(approval))
    assert done.json()["data"]["result"] == {"operatorId": str(uche.id)}, done.text
    (row,) = [
        row
        for row in (await olu.get(OPERATORS)).json()["data"]["rows"]
        if row["id"] == str(uche.id)
    ]
    assert (row["disabled"], row["canSignIn"], row["roles"]) == (False, False, ["owner"])
    assert (await uche.get(f"{ADMIN}/me")).status_code == 401
    old_phone = await sign_in(app, uche.member.email, uche.code(steps=1))
    assert old_phone.status_code == 400
    late = await bisi.post(decide, decision(approval))
    assert late.json()["error"]["code"] == "wrong_state"
    assert await audit(app) == ["disable", "propose", "approve"]


OUT = {
    "has never set up a phone": "UPDATE operator SET totp_secret = NULL WHERE id = $1",
    "is suspended": (
        "UPDATE user_account SET suspended_at = now() "
        "WHERE id = (SELECT user_id FROM operator WHERE id = $1)"
    ),
    "is disabled": "UPDATE operator SET disabled_at = now() WHERE id = $1",
}


@pytest.mark.parametrize("other", OUT)
async def test_an_owner_stays_while_the_only_other_one_cannot_sign_in(
    app: RunningApp, olu: OperatorClient, bisi: OperatorClient, other: str
) -> None:
    await app.database.execute(OUT[other], bisi.id)
    path = f"{OPERATORS}/{olu.id}"
    own = {"version": await version_of(app, olu.id), "reason": "Tired"}

    answers = [
        await olu.patch(path, own | {"disabled": True}),
        await olu.patch(path, own | {"roles": ["shop"]}),
        await olu.member.client.request(
            "DELETE",
            f"/api/v1/users/{olu.member.id}",
            headers=olu.member.headers,
            json={"password": PASSWORD},
        ),
    ]
    out = await olu.patch(
        f"{OPERATORS}/{bisi.id}",
        {"version": await version_of(app, bisi.id), "disabled": True, "reason": "Never came"},
    )

    assert [(one.status_code, one.json()["error"]["code"]) for one in answers] == [
        (409, "last_owner")
    ] * 3
    assert (await olu.get(f"{ADMIN}/me")).status_code == 200
    assert out.status_code == 200, out.text


async def test_an_approved_owner_without_a_phone_does_not_count_as_another_owner(
    app: RunningApp, olu: OperatorClient, bisi: OperatorClient, member: SignedIn
) -> None:
    body = {"email": member.email, "roles": ["owner"], "reason": "Comes next month"}
    approval = (await olu.post(OPERATORS, body)).json()["data"]["approval"]
    await bisi.post(f"{APPROVALS}/{approval['id']}/decide", decision(approval))
    await app.database.execute("UPDATE operator SET disabled_at = now() WHERE id = $1", bisi.id)

    own = {"version": await version_of(app, olu.id), "disabled": True, "reason": "Tired"}
    last = await olu.patch(f"{OPERATORS}/{olu.id}", own)

    assert (last.status_code, last.json()["error"]["code"]) == (409, "last_owner")


async def test_the_only_owner_without_a_phone_stays_until_there_is_another(
    app: RunningApp, olu: OperatorClient
) -> None:
    await app.database.execute(OUT["has never set up a phone"], olu.id)
    keeper = await operator_client(app, "keeper", Role.SHOP)

    answers = [
        await one.member.client.request(
            "DELETE",
            f"/api/v1/users/{one.member.id}",
            headers=one.member.headers,
            json={"password": PASSWORD},
        )
        for one in (olu, keeper)
    ]

    assert [answer.status_code for answer in answers] == [409, 200]
    assert answers[0].json()["error"]["code"] == "last_owner"


async def test_an_operator_is_disabled_at_once_but_not_the_last_owner(
    app: RunningApp, olu: OperatorClient
) -> None:
    keeper = await operator_client(app, "keeper", Role.SHOP)
    body = {"version": await version_of(app, keeper.id), "disabled": True, "reason": "Left"}
    answer = await olu.patch(f"{OPERATORS}/{keeper.id}", body)
    assert answer.status_code == 200
    assert answer.json()["data"]["disabled"] is True
    assert (await keeper.get(f"{ADMIN}/me")).status_code == 401

    own = {"version": await version_of(app, olu.id), "reason": "Tired"}
    for change in ({"disabled": True}, {"roles": ["shop"]}):
        last = await olu.patch(f"{OPERATORS}/{olu.id}", own | change)
        assert (last.status_code, last.json()["error"]["code"]) == (409, "last_owner")
    both = await olu.patch(f"{OPERATORS}/{olu.id}", own | {"disabled": True, "roles": ["shop"]})
    assert both.status_code == 422
    assert await audit(app) == ["disable"]
    with time_machine.travel(clock.now() + timedelta(seconds=301), tick=True):
        late = await olu.patch(f"{OPERATORS}/{keeper.id}", body)
    assert late.json()["error"]["code"] == "fresh_code_needed"
