"""Passwords are stored as typed and do not expire; mailed codes are random."""

import secrets
import unicodedata
from typing import Any

import pytest
from api.people.auth.rules import CODE_LENGTH, draw_code
from sqlalchemy import text
from sqlalchemy.ext.asyncio import AsyncEngine

from tests.conftest import CLUB_A, RunningApp
from tests.people.auth.letters import calling_from, codes, forget

EMAIL = "musa@example.com"
FORM: dict[str, Any] = {
    "firstName": "Bello",
    "lastName": "Musa",
    "email": EMAIL,
    "phone": "08031234567",
    "club": str(CLUB_A),
    "tnc": True,
}


async def sign_up(app: RunningApp, password: str) -> None:
    """Sign up and activate with ``password``."""
    for path in app.outbox.glob("*.eml"):
        path.unlink()
    answer = await app.client.post("/api/v1/signup", json=FORM | {"password": password})
    assert answer.status_code == 201, answer.text
    body = {"userId": answer.json()["data"]["id"], "code": codes(app, EMAIL)[0]}
    answer = await app.client.post("/api/v1/signup/validate-token", json=body)
    assert answer.status_code == 200, answer.text


async def reset(app: RunningApp, email: str, password: str) -> None:
    """Replace a forgotten password by ``password``."""
    for path in app.outbox.glob("*.eml"):
        path.unlink()
    handle = await forget(app, email)
    body = {"userId": handle, "code": codes(app, email)[0], "password": password}
    answer = await app.client.post("/api/v1/password/reset", json=body)
    assert answer.status_code == 200, answer.text


@pytest.mark.parametrize("way", ["sign-up", "reset"])
async def test_a_password_is_taken_exactly_as_it_was_typed(app: RunningApp, way: str) -> None:
    password = " Pässword für Ọlá 12 "
    if way == "sign-up":
        await sign_up(app, password)
    else:
        await app.member("ada")
        await reset(app, "ada@example.com", password)
    email = EMAIL if way == "sign-up" else "ada@example.com"
    others = (
        password.strip(),
        password.lower(),
        password.upper(),
        unicodedata.normalize("NFD", password),
        password[:-1],
        password.replace("ä", "a"),
        password + " ",
    )

    assert len({password, *others}) == len(others) + 1
    for number, other in enumerate(others):
        form = {"username": email, "password": other}
        async with calling_from(app.asgi, f"192.0.2.{number}") as network:
            answer = await network.post("/api/v1/sign-in/username-password", json=form)
        assert answer.status_code == 400, repr(other)
    assert (await app.sign_in(email, password)).status_code == 200


async def test_a_password_of_a_hundred_and_twenty_eight_characters_works(app: RunningApp) -> None:
    password = ("Ọmọ ile-iwe 2026 " * 8)[:127] + "!"
    assert len(password) == 128
    await sign_up(app, password)

    for other in (password[:127] + "?", password[:72] + "x" + password[73:], password[:127]):
        assert (await app.sign_in(EMAIL, other)).status_code == 400
    assert (await app.sign_in(EMAIL, password)).status_code == 200
    too_long = await app.client.post("/api/v1/signup", json=FORM | {"password": password + "!"})
    assert too_long.status_code == 422
    assert "password" in too_long.json()["error"]["fields"]


async def test_a_password_does_not_age(app: RunningApp, owner: AsyncEngine) -> None:
    member = await app.member("ada")
    async with owner.begin() as connection:
        changed = await connection.execute(
            text("UPDATE credential SET changed_at = now() - interval '10 years'")
        )
        assert changed.rowcount == 1
        await connection.execute(
            text("UPDATE user_account SET activated_at = now() - interval '10 years'")
        )

    fresh = await app.sign_in(member.email)

    assert fresh.status_code == 200
    assert set(fresh.json()["data"]) == {"user", "access_token"}


def test_a_code_is_six_digits_from_the_systems_random_source(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    asked: list[int] = []
    drawn = iter([0, 7, 42_137, 999_999])

    def draw(below: int) -> int:
        asked.append(below)
        return next(drawn)

    monkeypatch.setattr(secrets, "randbelow", draw)

    assert [draw_code() for _ in range(4)] == ["000000", "000007", "042137", "999999"]
    assert asked == [10**CODE_LENGTH] * 4 == [1_000_000] * 4


def test_codes_are_spread_over_all_six_digits() -> None:
    drawn = {draw_code() for _ in range(2_000)}

    assert len(drawn) > 1_900  # of a million, about two repeat
    for place in range(CODE_LENGTH):
        assert {code[place] for code in drawn} == set("0123456789")
