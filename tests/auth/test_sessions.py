"""Where a member is signed in, and signing out everywhere else."""

from datetime import timedelta
from typing import Any

import httpx
import pytest
from api.auth.rules import describe_device
from sqlalchemy import text
from sqlalchemy.ext.asyncio import AsyncEngine

from tests.conftest import PASSWORD, House, SignedIn

ANDROID = (
    "Mozilla/5.0 (Linux; Android 13; TECNO BG6) AppleWebKit/537.36 (KHTML, like Gecko) "
    "Chrome/126.0.0.0 Mobile Safari/537.36"
)


async def sign_in_with(house: House, user_agent: str) -> str:
    answer = await house.client.post(
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


async def ask(house: House, token: str) -> httpx.Response:
    return await house.client.get("/api/v1/banks", headers={"Authorization": f"Bearer {token}"})


async def test_a_member_sees_where_they_are_signed_in(house: House, member: SignedIn) -> None:
    await sign_in_with(house, ANDROID)

    found = await sessions(member)

    assert [session["device"] for session in found] == ["Chrome on Android", "Unknown device"]
    assert [session["current"] for session in found] == [False, True]
    assert found[0].keys() == {"id", "device", "startedAt", "lastSeenAt", "current"}


async def test_signing_out_everywhere_else_ends_every_other_session_at_once(
    house: House, member: SignedIn
) -> None:
    others = [await sign_in_with(house, ANDROID) for _ in range(3)]
    for token in others:
        assert (await ask(house, token)).status_code == 200

    answer = await member.post("/api/v1/sessions/revoke-others", {"userId": str(member.id)})

    assert answer.json()["data"] == {"revoked": 3}
    for token in others:
        assert (await ask(house, token)).status_code == 401
    assert [session["current"] for session in await sessions(member)] == [True]
    again = await member.client.post("/api/v1/sessions/revoke-others", headers=member.headers)
    assert again.json()["data"] == {"revoked": 0}


async def test_nobody_sees_or_ends_anothers_sessions(member: SignedIn, rival: SignedIn) -> None:
    assert (await rival.get(f"/api/v1/sessions/{member.id}")).status_code == 404
    answer = await rival.post("/api/v1/sessions/revoke-others", {"userId": str(member.id)})

    assert answer.status_code == 404
    assert len(await sessions(member)) == 1


async def test_being_here_is_noticed_and_written_once_in_five_minutes(
    house: House, member: SignedIn, owner: AsyncEngine
) -> None:
    house.app.state.identity.stop_remembering()

    assert await seen_ago(owner, member, set_to="4 minutes") > timedelta(minutes=3)
    assert await seen_ago(owner, member, set_to="6 minutes") < timedelta(minutes=1)


async def seen_ago(owner: AsyncEngine, member: SignedIn, *, set_to: str) -> timedelta:
    """Say how long ago a member was seen who comes back after ``set_to``."""
    async with owner.begin() as connection:
        await connection.execute(
            text(f"UPDATE session SET last_seen_at = now() - interval '{set_to}'")
        )
    assert (await member.get("/api/v1/banks")).status_code == 200
    async with owner.connect() as connection:
        found = await connection.execute(text("SELECT now() - last_seen_at FROM session"))
        ago: timedelta = found.scalar_one()
        return ago


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
