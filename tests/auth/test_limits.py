"""Limits: whom they hold, whom they let through, and what is given back."""

import asyncio
from collections.abc import AsyncIterator, Iterator
from contextlib import asynccontextmanager
from typing import Any

import httpx
import pytest
from api.core.network import network_of
from api.core.passwords import LANES, LaneName
from api.core.rate_limit import FAILED_SIGN_INS, SIGN_UPS
from fastapi import FastAPI

from tests.auth.letters import codes, forget
from tests.conftest import CLUB_A, PASSWORD, House

FORM: dict[str, Any] = {
    "firstName": "Bello",
    "lastName": "Musa",
    "email": "musa@example.com",
    "phone": "08031234567",
    "password": "a good password",
    "club": str(CLUB_A),
    "tnc": True,
}


@asynccontextmanager
async def calling_from(app: FastAPI, address: str) -> AsyncIterator[httpx.AsyncClient]:
    transport = httpx.ASGITransport(app, raise_app_exceptions=False, client=(address, 1))
    async with httpx.AsyncClient(transport=transport, base_url="http://house") as client:
        yield client


async def sign_in(client: httpx.AsyncClient, email: str, password: str = PASSWORD) -> int:
    answer = await client.post(
        "/api/v1/sign-in/username-password", json={"username": email, "password": password}
    )
    return answer.status_code


@pytest.fixture
def strict(house: House) -> Iterator[House]:
    """A house with production's limits."""
    house.app.state.limiter._leniency = 1
    yield house
    house.app.state.limiter._leniency = 100


@pytest.mark.parametrize(
    ("address", "network"),
    [
        ("203.0.113.7", "203.0.113.7"),
        ("::ffff:203.0.113.7", "203.0.113.7"),
        ("2001:db8:1:2:3:4:5:6", "2001:db8:1:2::/64"),
        ("2001:db8:1:2::1", "2001:db8:1:2::/64"),
        ("2001:0DB8:0001:0002::1%eth0", "2001:db8:1:2::/64"),
        ("2001:db8:1:3::1", "2001:db8:1:3::/64"),
        ("unknown", "unknown"),
    ],
)
def test_an_address_stands_for_the_network_it_is_of(address: str, network: str) -> None:
    assert network_of(address) == network


async def test_turning_through_the_addresses_of_one_ipv6_network_gains_nothing(
    strict: House,
) -> None:
    statuses = []
    for number in range(SIGN_UPS.hits + 2):
        async with calling_from(strict.app, f"2001:db8:1:2::{number:x}") as client:
            statuses.append((await client.post("/api/v1/signup", json=FORM)).status_code)
    async with calling_from(strict.app, "2001:db8:1:3::1") as client:
        elsewhere = (await client.post("/api/v1/signup", json=FORM)).status_code

    assert statuses == [201] * SIGN_UPS.hits + [429] * 2
    assert elsewhere == 201


async def test_right_passwords_do_not_count_against_a_network(strict: House) -> None:
    await strict.member("ada")
    async with calling_from(strict.app, "203.0.113.7") as client:
        for _ in range(FAILED_SIGN_INS.hits + 5):
            assert await sign_in(client, "ada@example.com") == 200


async def test_a_member_signs_in_from_a_network_that_others_have_used_up(strict: House) -> None:
    await strict.member("ada")
    await strict.member("grace")
    async with calling_from(strict.app, "203.0.113.7") as client:
        assert await sign_in(client, "ada@example.com") == 200
        failed = [
            await sign_in(client, f"nobody{number}@example.com", "a guess")
            for number in range(FAILED_SIGN_INS.hits + 3)
        ]
        assert failed == [400] * FAILED_SIGN_INS.hits + [429] * 3

        assert await sign_in(client, "ada@example.com") == 200
        assert await sign_in(client, "ada@example.com", "a guess") == 429
        assert await sign_in(client, "grace@example.com") == 429
    async with calling_from(strict.app, "203.0.113.8") as client:
        assert await sign_in(client, "grace@example.com") == 200


async def test_many_calls_without_a_token_do_not_keep_a_member_from_signing_in(
    strict: House,
) -> None:
    await strict.member("ada")
    async with calling_from(strict.app, "203.0.113.7") as client:
        assert await sign_in(client, "ada@example.com") == 200
        code = {"userId": str(CLUB_A), "code": "123456"}
        answers = [
            (await client.post("/api/v1/signup/validate-token", json=code)).status_code
            for _ in range(302)
        ]
        assert answers[-1] == 429

        assert await sign_in(client, "ada@example.com") == 200


@pytest.fixture
def full_lanes(house: House) -> Iterator[House]:
    """A house in which nobody can have a password hashed."""
    waiting = house.app.state.auth.hasher._waiting
    for name, lane in LANES.items():
        waiting[name] = lane.queue
    yield house
    for name in LANES:
        waiting[name] = 0


async def test_what_was_not_judged_counts_neither_for_the_account_nor_for_the_network(
    house: House,
) -> None:
    await house.member("ada")
    waiting = house.app.state.auth.hasher._waiting
    waiting[LaneName.SIGN_IN] = LANES[LaneName.SIGN_IN].queue
    busy = [await house.sign_in("ada@example.com", "a guess") for _ in range(15)]
    waiting[LaneName.SIGN_IN] = 0

    assert {answer.status_code for answer in busy} == {503}
    assert all(int(answer.headers["Retry-After"]) >= 1 for answer in busy)
    guesses = [(await house.sign_in("ada@example.com", "a guess")).status_code for _ in range(9)]
    assert guesses == [400] * 9
    assert (await house.sign_in("ada@example.com")).status_code == 200
    row = await house.database.fetch_row("SELECT hits FROM rate_limit WHERE bucket LIKE 'sign-in%'")
    assert row is not None
    assert row["hits"] == 9


async def test_a_sign_up_that_finds_the_queue_full_is_told_when_to_come_back(
    strict: House, full_lanes: House
) -> None:
    answers = [
        await strict.client.post("/api/v1/signup", json=FORM) for _ in range(SIGN_UPS.hits + 3)
    ]

    assert {answer.status_code for answer in answers} == {503}
    assert answers[0].headers["Retry-After"] == "5"


async def test_a_guessed_code_costs_no_hash(house: House, full_lanes: House) -> None:
    body = {"userId": str(CLUB_A), "code": "123456", "password": "long and unusual"}

    answer = await house.client.post("/api/v1/password/reset", json=body)

    assert (answer.status_code, answer.json()["error"]["code"]) == (400, "wrong_code")


async def test_a_code_that_fits_stays_good_while_the_password_cannot_be_hashed(
    house: House,
) -> None:
    for path in house.outbox.glob("*.eml"):
        path.unlink()
    member = await house.member("ada")
    handle = await forget(house, member.email)
    (code,) = codes(house, member.email)
    body = {"userId": handle, "code": code, "password": "brand new words"}
    waiting = house.app.state.auth.hasher._waiting

    waiting[LaneName.RECOVERY] = LANES[LaneName.RECOVERY].queue
    busy = await house.client.post("/api/v1/password/reset", json=body)
    waiting[LaneName.RECOVERY] = 0
    again = await house.client.post("/api/v1/password/reset", json=body)

    assert (busy.status_code, again.status_code) == (503, 200)


async def test_two_resets_with_one_code_at_once_change_the_password_once(house: House) -> None:
    for path in house.outbox.glob("*.eml"):
        path.unlink()
    member = await house.member("ada")
    handle = await forget(house, member.email)
    (code,) = codes(house, member.email)
    body = {"userId": handle, "code": code}

    answers = await asyncio.gather(
        *(
            house.client.post(
                "/api/v1/password/reset", json=body | {"password": f"brand new words {number}"}
            )
            for number in range(6)
        )
    )

    assert sorted(answer.status_code for answer in answers) == [200] + [400] * 5
    winner = next(n for n, answer in enumerate(answers) if answer.status_code == 200)
    assert (await house.sign_in(member.email, f"brand new words {winner}")).status_code == 200


async def test_a_reset_lets_a_member_in_past_a_strangers_guesses(house: House) -> None:
    ada = await house.member("ada")
    for number in range(11):
        await house.sign_in(ada.email, f"a guess {number}")
    assert (await house.sign_in(ada.email)).status_code == 429

    handle = await forget(house, ada.email)
    reset = {"userId": handle, "code": codes(house, ada.email)[-1], "password": "brand new words"}
    assert (await house.client.post("/api/v1/password/reset", json=reset)).status_code == 200

    assert (await house.sign_in(ada.email, "brand new words")).status_code == 200
