"""Where a member is signed in, and signing out everywhere else."""

import asyncio
from datetime import timedelta
from typing import Any
from uuid import UUID

import httpx
import pytest
from api.foundation.security import identity
from api.people.auth.rules import describe_device
from sqlalchemy import text
from sqlalchemy.ext.asyncio import AsyncEngine

from tests.conftest import PASSWORD, RunningApp, SignedIn
from tests.people.auth.letters import codes, forget
from tests.waiting import DEADLINE_SECONDS

ANDROID = (
    "Mozilla/5.0 (Linux; Android 13; TECNO BG6) AppleWebKit/537.36 (KHTML, like Gecko) "
    "Chrome/126.0.0.0 Mobile Safari/537.36"
)


async def sign_in_with(app: RunningApp, user_agent: str) -> str:
    answer = await app.client.post(
        "/api/v1/sign-in/username-password",
        json={"username": "ada@example.com", "password": PASSWORD},
        headers={"User-Agent": user_agent},
    )
    token: str = answer.json()["data"]["access_token"]
    return token


async def sessions(member: SignedIn) -> list[dict[str, Any]]:
    answer = await member.get(f"/api/v1/sessions/{member.id}")
    assert answer.status_code == 200
    found: list[dict[str, Any]] = answer.json()["data"]
    return found


async def ask(app: RunningApp, token: str) -> httpx.Response:
    return await app.client.get("/api/v1/banks", headers={"Authorization": f"Bearer {token}"})


async def test_a_member_sees_where_they_are_signed_in(app: RunningApp, member: SignedIn) -> None:
    await sign_in_with(app, ANDROID)

    found = await sessions(member)

    assert [session["device"] for session in found] == ["Chrome on Android", "Unknown device"]
    assert [session["current"] for session in found] == [False, True]
    assert found[0].keys() == {"id", "device", "startedAt", "lastSeenAt", "current"}


async def test_signing_out_everywhere_else_ends_every_other_session_at_once(
    app: RunningApp, member: SignedIn
) -> None:
    others = [await sign_in_with(app, ANDROID) for _ in range(3)]
    for token in others:
        assert (await ask(app, token)).status_code == 200

    answer = await member.post("/api/v1/sessions/revoke-others", {"userId": str(member.id)})

    assert answer.json()["data"] == {"revoked": 3}
    for token in others:
        assert (await ask(app, token)).status_code == 401
    assert [session["current"] for session in await sessions(member)] == [True]
    again = await member.client.post("/api/v1/sessions/revoke-others", headers=member.headers)
    assert again.json()["data"] == {"revoked": 0}


async def test_nobody_sees_or_ends_anothers_sessions(member: SignedIn, rival: SignedIn) -> None:
    assert (await rival.get(f"/api/v1/sessions/{member.id}")).status_code == 404
    answer = await rival.post("/api/v1/sessions/revoke-others", {"userId": str(member.id)})

    assert answer.status_code == 404
    assert len(await sessions(member)) == 1


async def test_being_here_is_noticed_and_written_once_in_five_minutes(
    app: RunningApp, member: SignedIn, owner: AsyncEngine
) -> None:
    app.disable_cache()

    assert await seen_ago(app, owner, member, set_to="4 minutes") > timedelta(minutes=3)
    assert await seen_ago(app, owner, member, set_to="6 minutes") < timedelta(minutes=1)


async def test_a_session_that_lay_unused_for_three_days_has_ended_and_stays_so(
    app: RunningApp, member: SignedIn, owner: AsyncEngine
) -> None:
    app.disable_cache()
    assert app.settings.session_idle == timedelta(hours=72)
    assert await seen_ago(app, owner, member, set_to="71 hours") < timedelta(minutes=1)

    async with owner.begin() as connection:
        await connection.execute(
            text("UPDATE session SET last_seen_at = now() - interval '72 hours 1 second'")
        )

    for _ in range(2):
        answer = await member.get("/api/v1/banks")
        assert (answer.status_code, answer.json()["error"]["code"]) == (401, "token_invalid")
    again = SignedIn(
        member.id, member.club_id, member.email, await sign_in_with(app, ANDROID), member.client
    )
    assert [session["current"] for session in await sessions(again)] == [True]


async def seen_ago(
    app: RunningApp, owner: AsyncEngine, member: SignedIn, *, set_to: str
) -> timedelta:
    """Return how long ago a member was last seen, who returns after ``set_to``."""
    async with owner.begin() as connection:
        await connection.execute(
            text(f"UPDATE session SET last_seen_at = now() - interval '{set_to}'")
        )
    assert (await member.get("/api/v1/banks")).status_code == 200
    await app.asgi.state.services.activity.note()
    async with owner.connect() as connection:
        found = await connection.execute(text("SELECT now() - last_seen_at FROM session"))
        ago: timedelta = found.scalar_one()
        return ago


async def test_a_token_is_remembered_for_a_while_and_then_looked_up_again(
    app: RunningApp, member: SignedIn, monkeypatch: pytest.MonkeyPatch
) -> None:
    verifier = app.asgi.state.services.identity
    lookups = 0
    read = verifier._read_session

    async def count(session_id: UUID) -> Any:
        nonlocal lookups
        lookups += 1
        return await read(session_id)

    async def use(times: int) -> int:
        before = lookups
        for _ in range(times):
            await verifier.member(member.token)
        return lookups - before

    monkeypatch.setattr(verifier, "_read_session", count)
    verifier.enable_cache()
    verifier._remembered.clear()
    assert await use(3) == 1

    verifier._remembered.clear()
    monkeypatch.setattr(identity, "REMEMBER_SECONDS", 0.0)
    assert await use(3) == 3


@pytest.mark.parametrize(
    ("user_agent", "device"),
    [
        (ANDROID, "Chrome on Android"),
        ("Mozilla/5.0 (iPhone; CPU iPhone OS 17_5) Version/17.5 Safari/604.1", "Safari on iPhone"),
        ("Mozilla/5.0 (Windows NT 10.0) Chrome/126 Safari/537 Edg/126", "Edge on Windows"),
        ("Mozilla/5.0 (X11; Linux x86_64; rv:127.0) Firefox/127.0", "Firefox on Linux"),
        (
            "Mozilla/5.0 (Android 10) SamsungBrowser/25 Chrome/121",
            "Samsung Internet on Android",
        ),
        ("Mozilla/5.0 (Linux; Android 8) Chrome/100 OPR/70", "Opera on Android"),
        ("Opera/9.80 (Android; Opera Mini/60) Presto/2.12", "Opera Mini on Android"),
        ("curl/8.5", None),
        ("", None),
        ("<script>alert(1)</script>", None),
    ],
)
def test_a_device_is_described_in_our_own_words(user_agent: str, device: str | None) -> None:
    assert describe_device(user_agent) == device


async def test_signing_in_again_on_a_device_ends_the_session_it_held(
    app: RunningApp, member: SignedIn
) -> None:
    held = await sign_in_with(app, ANDROID)

    answer = await app.client.post(
        "/api/v1/sign-in/username-password",
        json={"username": "ada@example.com", "password": PASSWORD},
        headers={"Authorization": f"Bearer {held}"},
    )

    assert (await ask(app, held)).status_code == 401
    assert (await ask(app, answer.json()["data"]["access_token"])).status_code == 200
    assert (await ask(app, member.token)).status_code == 200


async def test_another_spelling_of_a_token_is_no_token(app: RunningApp, member: SignedIn) -> None:
    assert (await ask(app, member.token)).status_code == 200
    other_last_bits = member.token[:-1] + chr(ord(member.token[-1]) + 1)
    for token in (other_last_bits, f"{member.token}=", f"{member.token}!"):
        answer = await ask(app, token)
        assert (answer.status_code, answer.json()["error"]["code"]) == (401, "token_invalid")


@pytest.mark.parametrize("held", ["", "nonsense", "x.y.z"])
async def test_a_dead_token_keeps_nobody_from_signing_in(app: RunningApp, held: str) -> None:
    await app.member("ada")

    answer = await app.client.post(
        "/api/v1/sign-in/username-password",
        json={"username": "ada@example.com", "password": PASSWORD},
        headers={"Authorization": f"Bearer {held}"},
    )

    assert answer.status_code == 200


async def test_a_sign_in_with_the_old_password_opens_nothing_once_it_is_changed(
    app: RunningApp, member: SignedIn
) -> None:
    context = app.asgi.state.services.auth
    judged, go_on = asyncio.Event(), asyncio.Event()
    verify = context.hasher.verify

    async def slow(*arguments: Any) -> bool:
        fits: bool = await verify(*arguments)
        judged.set()
        await go_on.wait()
        return fits

    context.hasher.verify = slow
    late = asyncio.create_task(app.sign_in(member.email))
    async with asyncio.timeout(DEADLINE_SECONDS):
        await judged.wait()
    handle = await forget(app, member.email)
    reset = {"userId": handle, "code": codes(app, member.email)[-1], "password": "brand new way"}
    assert (await app.client.post("/api/v1/password/reset", json=reset)).status_code == 200
    go_on.set()

    answer = await late

    context.hasher.verify = verify
    assert (answer.status_code, answer.json()["error"]["code"]) == (400, "wrong_credentials")
    row = await app.database.fetch_row(
        "SELECT count(*) AS live FROM session WHERE user_id = $1 AND revoked_at IS NULL", member.id
    )
    assert row is not None
    assert row["live"] == 0


async def test_a_sign_in_that_crosses_the_leaving_keeps_nothing_of_who_has_left(
    app: RunningApp, member: SignedIn
) -> None:
    context = app.asgi.state.services.auth
    judged, go_on = asyncio.Event(), asyncio.Event()
    verify = context.hasher.verify

    async def slow(*arguments: Any) -> bool:
        fits: bool = await verify(*arguments)
        judged.set()
        await go_on.wait()
        return fits

    context.hasher.verify = slow
    late = asyncio.create_task(app.sign_in(member.email))
    async with asyncio.timeout(DEADLINE_SECONDS):
        await judged.wait()
    context.hasher.verify = verify
    left = await app.client.request(
        "DELETE", f"/api/v1/users/{member.id}", json={"password": PASSWORD}, headers=member.headers
    )
    go_on.set()

    assert left.status_code == 200
    assert (await late).status_code == 400
    row = await app.database.fetch_row(
        "SELECT (SELECT count(*) FROM known_origin WHERE user_id = $1) AS origins, "
        "(SELECT count(*) FROM session WHERE user_id = $1 AND revoked_at IS NULL) AS live",
        member.id,
    )
    assert row is not None
    assert (row["origins"], row["live"]) == (0, 0)


@pytest.mark.parametrize("path", ["sign-in/username-password", "users/{id}"])
async def test_a_password_that_is_no_text_is_a_field_that_does_not_fit(
    app: RunningApp, member: SignedIn, path: str
) -> None:
    body = b'{"username": "ada@example.com", "password": "\\ud800"}'
    content = body if path.startswith("sign-in") else b'{"password": "\\ud800"}'
    answer = await app.client.request(
        "POST" if path.startswith("sign-in") else "DELETE",
        "/api/v1/" + path.format(id=member.id),
        content=content,
        headers=member.headers | {"Content-Type": "application/json"},
    )

    assert answer.status_code == 422
