"""Strangers in great numbers and with clocks: a member signs in, and nobody is told on."""

import asyncio
import itertools
import statistics
import time
from collections import Counter
from collections.abc import Awaitable, Callable
from typing import Any

import httpx
import pytest
from api.core.ids import new_id
from api.security.passwords import PasswordHasher

from tests.conftest import CLUB_A, PASSWORD, House, client_of

CALLERS = 40
HAMMER_SECONDS = 4.0
PATIENCE_SECONDS = 2.0
PATIENCE_CALLS = 3  # in the strangers' own calls: what a machine allows for that is busy otherwise
SAMPLES = 40
ROUNDS = 3
REAL_MEMORY_KIB = 19_456


def form(number: int) -> dict[str, Any]:
    return {
        "firstName": "Bello",
        "lastName": "Musa",
        "email": f"flood{number}@example.com",
        "phone": f"080{number:08d}",
        "password": "a good password",
        "club": str(CLUB_A),
        "tnc": True,
    }


Door = tuple[str, Callable[[int], dict[str, Any]]]
RESET: Door = (
    "/password/reset",
    lambda _: {"userId": str(new_id()), "code": "123456", "password": "long and unusual"},
)
SIGN_UP: Door = ("/signup", form)
CODE: Door = ("/signup/validate-token", lambda _: {"userId": str(new_id()), "code": "123456"})
FORGOT_OTHERS: Door = ("/password/forgot", lambda number: {"email": f"no{number}@example.com"})
FORGOT_HERS: Door = ("/password/forgot", lambda _: {"email": "ada@example.com"})


@pytest.mark.parametrize(
    "doors",
    [(RESET,), (SIGN_UP,), (RESET, SIGN_UP, CODE, FORGOT_OTHERS, FORGOT_HERS)],
    ids=["resets", "sign-ups", "every door but sign-in"],
)
async def test_forty_callers_at_other_doors_do_not_keep_a_member_from_signing_in(
    street: House, doors: tuple[Door, ...]
) -> None:
    await street.member("ada")
    context = street.app.state.services.auth
    object.__setattr__(context, "hasher", PasswordHasher(memory_kib=REAL_MEMORY_KIB))
    numbers = itertools.count()
    statuses: Counter[int] = Counter()
    limits = httpx.Limits(max_connections=CALLERS + 5)
    async with (
        client_of(street.base_url, timeout=60, limits=limits) as crowd,
        client_of(street.base_url, timeout=60) as phone,
    ):

        async def sign_in() -> tuple[int, float]:
            began = time.monotonic()
            answer = await phone.post(
                "/api/v1/sign-in/username-password",
                json={"username": "ada@example.com", "password": PASSWORD},
            )
            return answer.status_code, time.monotonic() - began

        began_at = time.monotonic()
        ends_at = began_at + HAMMER_SECONDS

        async def hammer(door: Door) -> None:
            path, body = door
            while time.monotonic() < ends_at:
                answer = await crowd.post(f"/api/v1{path}", json=body(next(numbers)))
                statuses[answer.status_code] += 1

        hammering = [
            asyncio.create_task(hammer(doors[number % len(doors)])) for number in range(CALLERS)
        ]
        signed_in = []
        while time.monotonic() < ends_at:
            signed_in.append(await sign_in())
            await asyncio.sleep(0.2)
        await asyncio.gather(*hammering)

        call_seconds = (
            CALLERS
            * (time.monotonic() - began_at)
            / (
                sum(statuses.values()) - statuses[503]  # a refusal at once keeps nobody busy
            )
        )

    seconds = statistics.median(seconds for _, seconds in signed_in)
    print(
        f"{len(signed_in)} sign-ins, median {seconds:.2f} s; "
        f"the others {call_seconds:.2f} s each: {dict(statuses)}"
    )
    assert sum(statuses.values()) > CALLERS
    assert set(statuses) <= {200, 201, 400, 404, 409, 429, 503}
    assert statuses[422] == 0, "what is not understood keeps nobody busy"
    assert {status for status, _ in signed_in} == {200}
    assert seconds < max(PATIENCE_SECONDS, PATIENCE_CALLS * call_seconds)


async def differ(*calls: Callable[[], Awaitable[object]]) -> bool:
    """Say whether a clock tells the calls apart, each time of three.

    What differs by its work does so every time; what differs by what else the machine does, not.
    """
    for _ in range(ROUNDS):
        found = await medians(*calls)
        print(", ".join(f"{median:.2f} ms" for median in found))
        if max(found) - min(found) < max(2.0, 0.25 * min(found)):
            return False
    return True


async def medians(*calls: Callable[[], Awaitable[object]]) -> list[float]:
    """Return the median milliseconds of each call, taken in turn.

    They are the server's own: its threads and loop run in this process, and what else the machine
    does makes a clock on the wall tell calls apart that do the same.
    """
    taken: list[list[float]] = [[] for _ in calls]
    for _ in range(SAMPLES):
        for call, times in zip(calls, taken, strict=True):
            began = time.process_time()
            await call()
            times.append((time.process_time() - began) * 1000)
    return [statistics.median(times) for times in taken]


async def test_a_forgotten_password_takes_as_long_for_a_known_email_as_for_none(
    street: House,
) -> None:
    for name in ("ada", "grace", "chi", "tunde"):
        await street.member(name)
    known = itertools.cycle(["ada", "grace", "chi", "tunde"])

    def forgot(email: str) -> Awaitable[object]:
        return street.client.post("/api/v1/password/forgot", json={"email": email})

    numbers = itertools.count()
    assert not await differ(
        lambda: forgot(f"{next(known)}@example.com"),
        lambda: forgot(f"nobody{next(numbers)}@example.com"),
    )


async def test_a_refused_sign_in_takes_as_long_for_a_member_a_sign_up_and_nobody(
    street: House,
) -> None:
    context = street.app.state.services.auth
    object.__setattr__(context, "hasher", PasswordHasher(memory_kib=REAL_MEMORY_KIB))
    for number in range(SAMPLES // 5):
        await street.member(f"member{number}")
        await street.client.post("/api/v1/signup", json=form(number))
    numbers = [itertools.count() for _ in range(3)]

    def sign_in(email: str) -> Awaitable[object]:
        return street.sign_in(email, "not the password")

    assert not await differ(
        lambda: sign_in(f"member{next(numbers[0]) % (SAMPLES // 5)}@example.com"),
        lambda: sign_in(f"flood{next(numbers[1]) % (SAMPLES // 5)}@example.com"),
        lambda: sign_in(f"nobody{next(numbers[2])}@example.com"),
    )


async def test_the_answer_to_a_forgotten_password_has_one_form(street: House) -> None:
    await street.member("ada")
    await street.client.post("/api/v1/signup", json=form(7))

    async def handle(email: str) -> str:
        answer = await street.client.post("/api/v1/password/forgot", json={"email": email})
        assert answer.json()["message"] == "If this email has an account, a code is on its way."
        found: str = answer.json()["data"]["userId"]
        return found

    emails = ["ada@example.com", "nobody@example.com", "flood7@example.com"]
    handles = [await handle(email) for email in emails]

    assert handles == [await handle(email.upper()) for email in emails]
    assert len(set(handles)) == 3
    assert {one[14] for one in handles} == {"4"}
    ada = street.members["ada"]
    assert str(ada.id) not in handles
