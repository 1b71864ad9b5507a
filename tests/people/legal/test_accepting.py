"""Accepting the terms: at sign-up, and again when their texts have a new version."""

import asyncio
from dataclasses import replace
from datetime import timedelta
from typing import Any

import httpx
import pytest
from api.foundation.core import clock
from api.foundation.core.errors import NotFoundError
from api.foundation.security.rights import Role
from api.people.legal import rules, service

from tests.back_office import ADMIN, operator_client
from tests.conftest import PASSWORD, RunningApp, SignedIn
from tests.people.auth.letters import FORM, codes

ACCEPT = "/api/v1/legal/accept"
CURRENT = rules.CURRENT.name
NEWER = "99.0"


@pytest.fixture
def newer(monkeypatch: pytest.MonkeyPatch) -> str:
    """Publish a newer version."""
    monkeypatch.setattr(rules, "CURRENT", replace(rules.CURRENT, name=NEWER))
    return NEWER


async def legal_of(member: SignedIn) -> dict[str, Any]:
    answer = await member.get(f"/api/v1/users/{member.id}")
    assert answer.status_code == 200, answer.text
    found: dict[str, Any] = answer.json()["data"]["legal"]
    return found


async def accepted(app: RunningApp) -> list[str]:
    return await app.database.fetch_column("SELECT version FROM terms_acceptance ORDER BY version")


async def inform_only(app: RunningApp) -> None:
    olu = await operator_client(app, "olu", Role.OWNER)
    answer = await olu.client.put(
        f"{ADMIN}/settings", json={"version": 1, "newTerms": "inform"}, headers=olu.headers
    )
    assert answer.status_code == 200, answer.text
    assert answer.json()["data"]["newTerms"] == "inform"


def refusal(answer: httpx.Response) -> tuple[int, str]:
    return answer.status_code, answer.json()["error"]["code"]


async def test_a_sign_up_accepts_the_current_version_at_the_time_of_the_form(
    app: RunningApp,
) -> None:
    for path in app.outbox.glob("*.eml"):
        path.unlink()
    before = clock.now()
    signed = (await app.client.post("/api/v1/signup", json=FORM)).json()["data"]["id"]
    after = clock.now()
    assert await accepted(app) == []
    await app.settle()
    body = {"userId": signed, "code": codes(app, str(FORM["email"]))[0]}
    for _ in range(2):
        activated = await app.client.post("/api/v1/signup/validate-token", json=body)
        assert activated.status_code == 200, activated.text

    assert await accepted(app) == [CURRENT]
    at = await app.database.fetch_value("SELECT accepted_at FROM terms_acceptance")
    assert before - timedelta(milliseconds=1) <= at <= after


async def test_a_version_that_changes_before_the_activation_is_asked_for_afterwards(
    app: RunningApp, newer: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    for path in app.outbox.glob("*.eml"):
        path.unlink()
    with monkeypatch.context() as earlier:
        earlier.setattr(rules, "CURRENT", rules.VERSIONS[-1])
        signed = (await app.client.post("/api/v1/signup", json=FORM)).json()["data"]["id"]
    await app.settle()
    code = codes(app, str(FORM["email"]))[0]
    await app.client.post("/api/v1/signup/validate-token", json={"userId": signed, "code": code})

    assert await accepted(app) == [CURRENT]
    assert rules.CURRENT.name == newer


async def test_a_member_who_has_accepted_nothing_is_asked(member: SignedIn) -> None:
    assert await legal_of(member) == {"accepted": None, "current": CURRENT, "mustAccept": True}


async def test_accepting_twice_is_accepting_once(app: RunningApp, member: SignedIn) -> None:
    first = await member.post(ACCEPT, {"version": CURRENT})
    at = await app.database.fetch_value("SELECT accepted_at FROM terms_acceptance")
    again = await member.post(ACCEPT, {"version": CURRENT})

    done = {"accepted": CURRENT, "current": CURRENT, "mustAccept": False}
    assert (first.status_code, first.json()["data"]) == (200, done)
    assert (again.status_code, again.json()["data"]) == (200, done)
    assert await legal_of(member) == done
    assert await accepted(app) == [CURRENT]
    assert await app.database.fetch_value("SELECT accepted_at FROM terms_acceptance") == at


async def test_twenty_at_once_are_one_acceptance(live_server: RunningApp) -> None:
    member = await live_server.member()

    answers = await asyncio.gather(*(member.post(ACCEPT, {"version": CURRENT}) for _ in range(20)))

    assert {answer.status_code for answer in answers} == {200}
    assert await accepted(live_server) == [CURRENT]


async def test_a_new_version_is_asked_for_and_the_old_one_cannot_be_accepted_any_more(
    app: RunningApp, member: SignedIn, monkeypatch: pytest.MonkeyPatch
) -> None:
    await member.post(ACCEPT, {"version": CURRENT})
    monkeypatch.setattr(rules, "CURRENT", replace(rules.CURRENT, name=NEWER))

    assert await legal_of(member) == {"accepted": CURRENT, "current": NEWER, "mustAccept": True}
    old = await member.post(ACCEPT, {"version": CURRENT})
    assert refusal(old) == (409, "terms_outdated")
    assert old.json()["data"] == {"current": NEWER}
    assert await accepted(app) == [CURRENT]
    await member.post(ACCEPT, {"version": NEWER})
    assert await legal_of(member) == {"accepted": NEWER, "current": NEWER, "mustAccept": False}
    assert await accepted(app) == [CURRENT, NEWER]


@pytest.mark.parametrize(
    ("body", "status"),
    [
        ({"version": "0.9"}, 409),
        ({"version": "2.0"}, 409),
        ({"version": f" {CURRENT}\u0000"}, 409),
        ({"version": ""}, 422),
        ({"version": "1" * 21}, 422),
        ({"version": 1.0}, 422),
        ({}, 422),
        ({"version": CURRENT, "userId": "another"}, 422),
    ],
)
async def test_what_is_no_current_version_is_refused_and_changes_nothing(
    app: RunningApp, member: SignedIn, body: dict[str, object], status: int
) -> None:
    assert (await member.post(ACCEPT, body)).status_code in {status, 422}
    assert await accepted(app) == []


async def test_without_a_sign_in_nothing_is_accepted(app: RunningApp) -> None:
    answer = await app.client.post(ACCEPT, json={"version": CURRENT})

    assert answer.status_code == 401
    assert await accepted(app) == []


async def test_members_are_only_told_if_the_operator_chose_so(
    app: RunningApp, member: SignedIn, newer: str
) -> None:
    await inform_only(app)

    assert await legal_of(member) == {"accepted": None, "current": newer, "mustAccept": False}
    await member.post(ACCEPT, {"version": newer})
    assert (await legal_of(member))["accepted"] == newer


async def test_what_was_accepted_is_exported_and_stays_without_a_name(
    app: RunningApp, member: SignedIn
) -> None:
    await member.post(ACCEPT, {"version": CURRENT})
    exported = (await member.get(f"/api/v1/users/{member.id}/export")).json()["data"]
    await member.client.request(
        "DELETE",
        f"/api/v1/users/{member.id}",
        headers=member.headers,
        json={"password": PASSWORD},
    )

    (row,) = exported["records"]["terms_acceptance"]
    assert row["version"] == CURRENT
    assert await accepted(app) == [CURRENT]


async def test_the_running_role_can_add_acceptances_and_change_none(app: RunningApp) -> None:
    granted = await app.database.fetch_column(
        "SELECT right_ FROM unnest(ARRAY['SELECT', 'INSERT', 'UPDATE', 'DELETE', 'TRUNCATE']) "
        "AS right_ WHERE has_table_privilege($1, 'terms_acceptance', right_)",
        app.settings.database_runtime_role,
    )

    assert granted == ["SELECT", "INSERT"]


async def test_a_deleted_account_accepts_nothing(app: RunningApp, member: SignedIn) -> None:
    await member.client.request(
        "DELETE",
        f"/api/v1/users/{member.id}",
        headers=member.headers,
        json={"password": PASSWORD},
    )

    with pytest.raises(NotFoundError):  # a call that passed the check of its token before
        await service.accept(app.database, member.id, CURRENT, clock.now())
    assert await accepted(app) == []
