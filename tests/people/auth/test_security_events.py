"""Each step of signing up and in is recorded in the security log."""

import json
from datetime import timedelta
from typing import Any
from uuid import uuid4

import pytest
import time_machine
from api.foundation.core import clock
from api.foundation.security.events import SecurityEvent
from api.foundation.security.rights import Role

from tests.back_office import ADMIN, operator_client_of
from tests.conftest import PASSWORD, RunningApp, SignedIn
from tests.people.auth.letters import FORM, codes, forget


def lines(printed: str) -> list[dict[str, Any]]:
    found = (json.loads(line) for line in printed.splitlines() if line.startswith("{"))
    return [line for line in found if line["event"] == "security_event"]


def count(app: RunningApp, event: SecurityEvent) -> float:
    value = app.asgi.state.services.metrics.registry.get_sample_value(
        "security_events_total", {"event": event.value}
    )
    return value or 0.0


async def test_a_hundred_and_twenty_failed_sign_ins_are_told_whatever_the_log_level(
    app: RunningApp, capsys: pytest.CaptureFixture[str]
) -> None:
    assert app.settings.log_level == "WARNING"
    await app.member("ada")
    capsys.readouterr()

    for number in range(120):
        await app.sign_in(f"nobody{number % 30}@example.com", "a guess")

    app.asgi.state.services.security.sum_up()

    printed = capsys.readouterr().out
    events = lines(printed)
    assert {line["event_type"] for line in events} == {"sign_in_refused"}
    assert sum(line.get("count", 1) for line in events) == 120
    assert len(events) < 20
    assert count(app, SecurityEvent.SIGN_IN_REFUSED) == 120
    assert "@" not in printed
    assert "127.0.0.1" not in printed


async def test_a_life_of_an_account_is_told_step_by_step_and_names_nobody(
    app: RunningApp, capsys: pytest.CaptureFixture[str]
) -> None:
    for path in app.outbox.glob("*.eml"):
        path.unlink()
    capsys.readouterr()
    post = app.client.post

    attempt = (await post("/api/v1/signup", json=FORM)).json()["data"]["id"]
    (code,) = codes(app, "musa@example.com")
    wrong = f"{(int(code) + 1) % 10**6:06d}"
    for entered in (wrong, code):
        body = {"userId": attempt, "code": entered}
        await post("/api/v1/signup/validate-token", json=body)
    await app.sign_in("musa@example.com", "not the password")
    answer = await app.sign_in("musa@example.com", FORM["password"])
    token = {"Authorization": f"Bearer {answer.json()['data']['access_token']}"}
    await post("/api/v1/sessions/revoke-others", headers=token)
    handle = await forget(app, "musa@example.com")
    reset = {"userId": handle, "code": codes(app, "musa@example.com")[-1]}
    await post("/api/v1/sign-out", headers=token)
    await post("/api/v1/sign-out", headers=token)
    await post("/api/v1/password/reset", json=reset | {"password": "brand new words"})

    printed = capsys.readouterr().out
    events = lines(printed)
    assert [line["event_type"] for line in events] == [
        "signed_up",
        "code_sent",
        "code_refused",
        "activated",
        "sign_in_refused",
        "signed_in",
        "sessions_revoked",
        "code_sent",
        "signed_out",
        "token_refused",
        "password_changed",
    ]
    assert {line["user_id"] for line in events if "user_id" in line} == {attempt}
    for secret in (code, FORM["password"], "brand new words", "musa@", "2348031234567", "127.0.0"):
        assert not [line for line in events if secret in json.dumps(line)], secret
    for event in {line["event_type"] for line in events}:
        times = sum(line["event_type"] == event for line in events)
        assert count(app, SecurityEvent(event)) == times


async def test_a_refused_token_tells_whether_it_was_ever_ours(
    app: RunningApp, member: SignedIn, capsys: pytest.CaptureFixture[str]
) -> None:
    path = f"/api/v1/users/{member.id}"
    capsys.readouterr()

    await app.client.get(path, headers={"Authorization": f"Bearer {member.token}x"})
    await app.client.get(path, headers={"Authorization": "Bearer x.y.z"})
    with time_machine.travel(clock.now() + timedelta(days=8), tick=True):
        await app.client.get(path, headers=member.headers)
    await app.client.post("/api/v1/sign-out", headers=member.headers)
    await app.client.get(path, headers=member.headers)

    refused = [
        line for line in lines(capsys.readouterr().out) if line["event_type"] == "token_refused"
    ]
    assert [line["reason"] for line in refused] == [
        "not ours",
        "not ours",
        "expired",
        "session ended",
    ]
    assert refused[-1]["user_id"] == str(member.id)


async def test_asking_for_anothers_things_is_recorded_and_answered_as_if_they_were_not_there(
    app: RunningApp, member: SignedIn, rival: SignedIn, capsys: pytest.CaptureFixture[str]
) -> None:
    capsys.readouterr()

    foreign = await member.get(f"/api/v1/users/{rival.id}")
    unknown = await member.get(f"/api/v1/users/{uuid4()}")

    assert foreign.status_code == unknown.status_code == 404
    assert foreign.json()["message"] == unknown.json()["message"]
    refused = lines(capsys.readouterr().out)
    assert [line["event_type"] for line in refused] == ["access_refused"] * 2
    assert {line["user_id"] for line in refused} == {str(member.id)}


async def test_a_lock_and_a_limit_are_recorded_with_their_names(
    app: RunningApp, capsys: pytest.CaptureFixture[str]
) -> None:
    await app.member("ada")
    for _ in range(12):
        await app.sign_in("ada@example.com", "a guess")
    app.asgi.state.services.limiter._leniency = 0
    await app.client.post("/api/v1/signup", json=FORM)
    app.asgi.state.services.limiter._leniency = 100

    events = lines(capsys.readouterr().out)
    locked = [line for line in events if line["event_type"] == "sign_in_locked"]
    limited = [line for line in events if line["event_type"] == "limit_reached"]
    assert len(locked) == 7 == count(app, SecurityEvent.SIGN_IN_LOCKED)
    assert [line["limit"] for line in limited] == ["sign-up"]


async def test_a_changed_profile_is_recorded(
    member: SignedIn, app: RunningApp, capsys: pytest.CaptureFixture[str]
) -> None:
    capsys.readouterr()

    await member.post(
        "/api/v1/users/updatekyc", files={"user": (None, json.dumps({"gender": "female"}))}
    )

    assert [line["event_type"] for line in lines(capsys.readouterr().out)] == ["profile_changed"]


async def test_leaving_and_taking_ones_data_are_recorded(
    app: RunningApp, member: SignedIn, capsys: pytest.CaptureFixture[str]
) -> None:
    capsys.readouterr()

    await member.get(f"/api/v1/users/{member.id}/export")
    await app.client.request(
        "DELETE", f"/api/v1/users/{member.id}", json={"password": PASSWORD}, headers=member.headers
    )

    events = [line for line in lines(capsys.readouterr().out) if line.get("user_id")]
    names = [line["event_type"] for line in events]
    assert names[0] == "data_exported"
    assert "account_erased" in names
    assert {line["user_id"] for line in events} == {str(member.id)}


async def test_a_forged_report_of_a_payment_is_recorded(
    app: RunningApp, capsys: pytest.CaptureFixture[str]
) -> None:
    capsys.readouterr()

    for signature in ("", "00" * 64):
        answer = await app.client.post(
            "/api/v1/payment/webhook/paystack",
            content=b'{"event":"charge.success"}',
            headers={"X-Paystack-Signature": signature},
        )
        assert answer.status_code == 400

    events = lines(capsys.readouterr().out)
    assert [line["event_type"] for line in events] == ["signature_refused"] * 2
    assert count(app, SecurityEvent.SIGNATURE_REFUSED) == 2


async def test_what_an_operator_does_is_recorded(
    app: RunningApp, member: SignedIn, rival: SignedIn, capsys: pytest.CaptureFixture[str]
) -> None:
    operator = await operator_client_of(app, member, Role.MODERATOR)
    capsys.readouterr()

    muted = {"userId": str(rival.id), "minutes": 5, "reason": "too loud"}
    answer = await operator.post(f"{ADMIN}/chat/mutes", muted)
    assert answer.status_code == 200
    await app.client.delete(f"{ADMIN}/chat/mutes/{rival.id}", headers=operator.headers)

    events = [
        line for line in lines(capsys.readouterr().out) if line["event_type"] == "operator_acted"
    ]
    assert [line["action"] for line in events] == ["mute", "unmute"]
    assert {(line["user_id"], line["target_id"]) for line in events} == {
        (str(member.id), str(rival.id))
    }
