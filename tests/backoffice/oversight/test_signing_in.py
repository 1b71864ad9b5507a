"""Signing in to the back office: one response to all errors, one-time codes, sign-out."""

import asyncio
from dataclasses import replace
from datetime import timedelta
from typing import Any

import httpx
import pytest
import time_machine
from api.foundation.core import clock
from api.foundation.database.sign_in_limits import SignInGate
from api.foundation.security.one_time_codes import code_at
from api.foundation.security.rights import RIGHTS_OF, Right, Role
from sqlalchemy.ext.asyncio import AsyncEngine

from tests.back_office import (
    ADMIN,
    OperatorClient,
    appoint,
    operator_client,
    operator_client_of,
    sign_in,
)
from tests.conftest import RunningApp, SignedIn

ME = f"{ADMIN}/me"


def plain(answer: httpx.Response) -> dict[str, Any]:
    """Return a response without its request id."""
    content: dict[str, Any] = answer.json()
    content.get("error", {}).pop("requestId", None)
    return content


async def test_password_and_code_open_a_session(app: RunningApp, member: SignedIn) -> None:
    operator_id, secret = await appoint(app, member, Role.SHOP)
    answer = await sign_in(app, member.email.upper(), code_at(secret, clock.now()))

    assert answer.status_code == 200
    data = answer.json()["data"]
    me = data["me"]
    assert (me["id"], me["userId"], me["name"]) == (str(operator_id), str(member.id), "Ada Obi")
    assert me["roles"] == ["shop"]
    assert set(me["rights"]) == {right.value for right in RIGHTS_OF[Role.SHOP]}
    again = await app.client.get(ME, headers={"Authorization": f"Bearer {data['token']}"})
    assert again.json()["data"] == me


async def test_whatever_is_wrong_is_answered_alike(app: RunningApp, rival: SignedIn) -> None:
    olu = await app.member("olu")
    _, secret = await appoint(app, olu, Role.OWNER)
    now = code_at(secret, clock.now())
    answers = [
        await sign_in(app, olu.email, now, password="Not-the-one-9"),
        await sign_in(app, olu.email, f"{(int(now) + 1) % 10**6:06d}"),
        await sign_in(app, olu.email, "12345"),
        await sign_in(app, olu.email, ""),
        await sign_in(app, rival.email, now),
        await sign_in(app, "nobody@example.com", now),
    ]

    assert {answer.status_code for answer in answers} == {400}
    assert answers[0].json()["error"]["code"] == "wrong_credentials"
    assert all(plain(answer) == plain(answers[0]) for answer in answers)


@pytest.mark.parametrize(
    "change",
    [
        "UPDATE operator SET disabled_at = now()",
        "UPDATE operator SET totp_secret = NULL",
        "UPDATE user_account SET suspended_at = now()",
    ],
)
async def test_who_is_out_is_told_the_same(app: RunningApp, member: SignedIn, change: str) -> None:
    _, secret = await appoint(app, member, Role.OWNER)
    await app.database.execute(change)

    answer = await sign_in(app, member.email, code_at(secret, clock.now()))

    assert (answer.status_code, answer.json()["error"]["code"]) == (400, "wrong_credentials")


async def test_right_ones_do_not_count(app: RunningApp, member: SignedIn) -> None:
    _, secret = await appoint(app, member, Role.OWNER)
    for step in range(7):
        with time_machine.travel(clock.now() + timedelta(minutes=step), tick=True):
            answer = await sign_in(app, member.email, code_at(secret, clock.now()))
        assert answer.status_code == 200


async def test_a_code_is_good_one_step_either_side_and_no_further(
    app: RunningApp, member: SignedIn
) -> None:
    _, secret = await appoint(app, member, Role.OWNER)
    now = clock.now()
    with time_machine.travel(now, tick=False):
        answers = [
            (await sign_in(app, member.email, code_at(secret, now + timedelta(seconds=away))))
            for away in (-60, 60, -30, 30)
        ]
    assert [answer.status_code for answer in answers] == [400, 400, 200, 200]


async def test_a_code_is_good_once_also_in_a_race_of_twenty(
    app: RunningApp, rival: SignedIn, monkeypatch: pytest.MonkeyPatch
) -> None:
    with time_machine.travel(clock.now(), tick=False):  # a code lasts thirty seconds
        operator = await operator_client_of(app, rival, Role.OWNER)
        again = await sign_in(app, rival.email, operator.code())
        fresh = await operator.post(f"{ADMIN}/fresh", {"code": operator.code()})
    assert (again.status_code, fresh.status_code) == (400, 400)
    assert fresh.json()["error"]["code"] == "wrong_code"

    olu = await app.member("olu")
    _, secret = await appoint(app, olu, Role.OWNER)
    code = code_at(secret, clock.now())
    # The race is for the code, not for the limit.
    monkeypatch.setattr(SignInGate, "guard", replace(SignInGate.guard, free_attempts=21))
    answers = await asyncio.gather(*(sign_in(app, olu.email, code) for _ in range(20)))
    assert sorted(answer.status_code for answer in answers) == [200] + [400] * 19
    sessions = await app.database.fetch_value(
        "SELECT count(*) FROM admin_session s JOIN operator o ON o.id = s.operator_id "
        "WHERE o.user_id = $1",
        olu.id,
    )
    assert sessions == 1


async def test_a_session_ends_unused_and_after_its_life(app: RunningApp, member: SignedIn) -> None:
    operator = await operator_client_of(app, member, Role.OWNER)
    began = clock.now()

    async def status(path: str, seconds: int) -> int:
        with time_machine.travel(began + timedelta(seconds=seconds), tick=True):
            return (await operator.get(path)).status_code

    assert await status(f"{ADMIN}/operators", 1_000) == 200
    assert await status(f"{ADMIN}/operators", 2_700) == 200
    for path in (ME, f"{ADMIN}/today"):
        assert await status(path, 4_000) == 200
    assert await status(ME, 4_510) == 401  # neither of the two counted as use

    await app.database.execute("UPDATE admin_session SET last_used_at = $1", clock.now())
    await app.database.execute(
        "UPDATE admin_session SET created_at = $1", clock.now() - timedelta(seconds=28_801)
    )
    assert await status(ME, 0) == 401


async def test_an_expired_token_is_a_session_that_is_over(
    app: RunningApp, member: SignedIn
) -> None:
    operator = await operator_client_of(app, member, Role.OWNER)
    with time_machine.travel(clock.now() + timedelta(hours=9), tick=True):
        answer = await operator.get(ME)
    assert answer.status_code == 401


async def test_an_admin_token_opens_nothing_of_a_member(app: RunningApp, member: SignedIn) -> None:
    operator = await operator_client_of(app, member, Role.OWNER)
    assert (await operator.get(f"/api/v1/users/{member.id}")).status_code == 401
    assert (await member.get(f"/api/v1/users/{member.id}")).status_code == 200


async def test_signing_out_ends_this_session_alone(app: RunningApp, member: SignedIn) -> None:
    first = await operator_client_of(app, member, Role.OWNER)
    answer = await sign_in(app, member.email, first.code(steps=1))
    second = OperatorClient(
        first.id, member, first.secret, answer.json()["data"]["token"], app.client
    )

    assert (await first.post(f"{ADMIN}/sign-out")).status_code == 200
    assert (await first.get(ME)).status_code == 401
    assert (await second.get(ME)).status_code == 200


@pytest.mark.parametrize(
    "change",
    [
        "UPDATE operator SET disabled_at = now()",
        "UPDATE user_account SET suspended_at = now()",
    ],
)
async def test_who_is_disabled_or_suspended_is_out_at_the_next_call(
    app: RunningApp, member: SignedIn, change: str
) -> None:
    operator = await operator_client_of(app, member, Role.OWNER)
    assert (await operator.get(ME)).status_code == 200
    await app.database.execute(change)
    assert (await operator.get(ME)).status_code == 401


async def test_a_new_password_ends_the_sessions_at_the_back_office(
    app: RunningApp, member: SignedIn
) -> None:
    operator = await operator_client_of(app, member, Role.OWNER)
    handle = app.asgi.state.services.auth.handle(member.email)
    await app.client.post("/api/v1/password/forgot", json={"email": member.email})
    await app.settle()
    letter = max(app.outbox.glob("*.eml"), key=lambda path: path.stat().st_mtime_ns)
    code = next(
        line.strip()
        for line in letter.read_text(encoding="utf-8").splitlines()
        if line.strip().isdigit() and len(line.strip()) == 6
    )
    changed = await app.client.post(
        "/api/v1/password/reset",
        json={"userId": str(handle), "code": code, "password": "Corner-Flag-77x"},
    )

    assert changed.status_code == 200, changed.text
    assert (await operator.get(ME)).status_code == 401


async def test_what_wants_a_fresh_code_asks_for_one(app: RunningApp) -> None:
    operator = await operator_client(app, "olu", Role.OWNER)
    await operator_client(app, "bisi", Role.OWNER)
    ada = await app.member("ada")
    body = {"email": ada.email, "roles": ["shop"], "reason": "Sells shirts"}
    later = clock.now() + timedelta(seconds=301)
    with time_machine.travel(later, tick=True):
        stale = await operator.post(f"{ADMIN}/operators", body)
        fresh = await operator.post(f"{ADMIN}/fresh", {"code": operator.code()})
        done = await operator.post(f"{ADMIN}/operators", body)

    assert (stale.status_code, stale.json()["error"]["code"]) == (409, "fresh_code_needed")
    assert fresh.status_code == 200
    assert set(fresh.json()["data"]["rights"]) == {right.value for right in Right}
    assert done.status_code == 202


async def test_codes_of_a_session_are_limited_too(app: RunningApp, member: SignedIn) -> None:
    operator = await operator_client_of(app, member, Role.OWNER)
    wrong = f"{(int(operator.code(steps=1)) + 1) % 10**6:06d}"
    tries = [await operator.post(f"{ADMIN}/fresh", {"code": wrong}) for _ in range(6)]
    assert [one.status_code for one in tries] == [400] * 5 + [429]


async def test_the_secret_lies_sealed(
    app: RunningApp, owner: AsyncEngine, member: SignedIn
) -> None:
    _, secret = await appoint(app, member, Role.OWNER)
    sealed = await app.database.fetch_value("SELECT totp_secret FROM operator")
    assert secret.encode() not in sealed
