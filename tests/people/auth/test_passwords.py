"""Passwords that are easy to guess."""

from typing import Any

import httpx
import pytest
from api.foundation.security.passwords import (
    HashingTurn,
    LaneName,
    PasswordHasher,
    common_passwords,
    is_easy_to_guess,
)

from tests.conftest import CLUB_A, PASSWORD, RunningApp
from tests.people.auth.letters import codes, forget

SENTENCE = "This password is too easy to guess."
FORM: dict[str, Any] = {
    "firstName": "Chidinma Grace",
    "lastName": "Okafor",
    "email": "chidinma.okafor@fans.example",
    "phone": "08031234567",
    "password": PASSWORD,
    "club": str(CLUB_A),
    "tnc": True,
}


async def sign_up(app: RunningApp, password: str) -> httpx.Response:
    return await app.client.post("/api/v1/signup", json=FORM | {"password": password})


def test_the_list_has_more_than_the_three_thousand_most_used_that_the_policy_would_take() -> None:
    assert len(common_passwords()) > 16_000
    assert all(len(password) >= 8 for password in common_passwords())
    assert all(password == password.casefold() for password in common_passwords())


@pytest.mark.parametrize(
    "password",
    [
        "password",
        "PassWord",
        "12345678",
        "qwertyuiop",
        "iloveyou2026!",
        "P@ssw0rd99",
        "kingoffans",
        "King of Fans 2026",
        "Enyimba1",
        "enyimba-fc-1976",
        "iLoveEnyimba",
        "Arsenal2026!",
        "chidinma.okafor@fans.example",
        "Chidinma123",
        "OkaforChidinma",
        "08031234567",
        "+2348031234567",
        "aaaaaaaaaaaaaaaa",
        "ababababababab",
    ],
)
async def test_a_sign_up_with_a_password_that_is_easy_to_guess_is_refused(
    app: RunningApp, password: str
) -> None:
    answer = await sign_up(app, password)

    assert answer.status_code == 422
    assert answer.json()["error"]["fields"] == {"password": SENTENCE}
    assert answer.json()["message"] == SENTENCE
    assert await app.database.fetch_rows("SELECT id FROM sign_up_attempt") == []


@pytest.mark.parametrize(
    "password",
    [
        PASSWORD,
        "correct horse battery staple",
        "Enyimba beat Rangers two nil in Aba",
        "ọmọ-ile-iwe-2026",
        "x9!kTq0p",
        "密码很难猜到的八个字",
        "a" * 40 + "bcd",
    ],
)
async def test_any_other_password_of_any_composition_is_taken(
    app: RunningApp, password: str
) -> None:
    assert (await sign_up(app, password)).status_code == 201


async def test_a_reset_takes_no_easy_password_and_the_code_stays_good(app: RunningApp) -> None:
    for path in app.outbox.glob("*.eml"):
        path.unlink()
    member = await app.member("ada")
    handle = await forget(app, member.email)
    (code,) = codes(app, member.email)
    body = {"userId": handle, "code": code}

    async def reset(password: str) -> httpx.Response:
        return await app.client.post("/api/v1/password/reset", json=body | {"password": password})

    for easy in ("password1", "kingoffans", "ada@example.com", "Ada-Obi-2026"):
        answer = await reset(easy)
        assert answer.status_code == 422, easy
        assert answer.json()["error"]["fields"] == {"password": SENTENCE}

    assert (await reset("quite another one")).status_code == 200
    assert (await app.sign_in(member.email, "quite another one")).status_code == 200


def test_what_a_person_is_called_is_only_looked_for_where_nothing_else_is_left() -> None:
    assert is_easy_to_guess("adaobi-99", ("Ada", "Obi"))
    assert not is_easy_to_guess("mobile-phone-7", ("Ada", "Obi"))
    assert not is_easy_to_guess("adaobi-99", ())


async def test_a_hash_of_older_cost_is_renewed_at_sign_in(app: RunningApp) -> None:
    ada = await app.member("ada")
    older = PasswordHasher(memory_kib=512)
    statement = "UPDATE credential SET password_hash = $2 WHERE user_id = $1"
    await app.database.fetch_row(
        statement, ada.id, await older.hash(PASSWORD, HashingTurn(LaneName.SIGN_UP, "tests"))
    )
    older.close()

    async def kept() -> str:
        row = await app.database.fetch_row(
            "SELECT password_hash FROM credential WHERE user_id = $1", ada.id
        )
        assert row is not None
        return str(row["password_hash"])

    assert "m=512," in await kept()
    assert (await app.sign_in(ada.email, "not the password")).status_code == 400
    assert "m=512," in await kept()
    assert (await app.sign_in(ada.email)).status_code == 200
    renewed = await kept()
    assert "m=1024," in renewed
    assert (await app.sign_in(ada.email)).status_code == 200
    assert await kept() == renewed
