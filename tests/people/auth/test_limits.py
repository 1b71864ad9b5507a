"""Rate limits: who is limited, who is not, and which calls are not counted."""

import asyncio
from collections.abc import Iterator
from contextlib import contextmanager
from datetime import timedelta

import httpx
import pytest
import time_machine
from api.foundation.core import clock
from api.foundation.database.rate_limit import FAILED_SIGN_INS, SIGN_UPS
from api.foundation.security.fair_queue import FairQueue
from api.foundation.security.network import network_of, site_of
from api.foundation.security.passwords import LaneName
from api.people.auth import rules
from sqlalchemy import text
from sqlalchemy.ext.asyncio import AsyncEngine

from tests.conftest import CLUB_A, PASSWORD, RunningApp, SignedIn
from tests.people.auth.letters import FORM, calling_from, codes, forget

HOME = "203.0.113.7"
ELSEWHERE = "198.51.100.9"


async def sign_in(client: httpx.AsyncClient, email: str, password: str = PASSWORD) -> int:
    answer = await client.post(
        "/api/v1/sign-in/username-password", json={"username": email, "password": password}
    )
    return answer.status_code


@pytest.fixture
def strict(app: RunningApp) -> Iterator[RunningApp]:
    """The app with production's limits."""
    app.asgi.state.services.limiter._leniency = 1
    yield app
    app.asgi.state.services.limiter._leniency = 100
    app.asgi.state.services.limiter._settings = {}


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


def test_turns_are_shared_among_the_most_that_one_customer_may_have() -> None:
    assert site_of("2001:db8:1:2::1") == site_of("2001:db8:1:ffff::1") == "2001:db8:1::/48"
    assert site_of("2001:db8:2:2::1") != site_of("2001:db8:1:2::1")
    assert site_of("::ffff:203.0.113.7") == site_of("203.0.113.7") == "203.0.113.7"


async def test_turning_through_the_addresses_of_one_ipv6_network_gains_nothing(
    strict: RunningApp,
) -> None:
    statuses = []
    for number in range(SIGN_UPS.hits + 2):
        async with calling_from(strict.asgi, f"2001:db8:1:2::{number:x}") as client:
            statuses.append((await client.post("/api/v1/signup", json=FORM)).status_code)
    async with calling_from(strict.asgi, "2001:db8:1:3::1") as client:
        elsewhere = (await client.post("/api/v1/signup", json=FORM)).status_code

    assert statuses == [201] * SIGN_UPS.hits + [428] * 2
    assert elsewhere == 201


async def test_right_passwords_do_not_count_against_a_network(strict: RunningApp) -> None:
    await strict.member("ada")
    async with calling_from(strict.asgi, "203.0.113.7") as client:
        for _ in range(FAILED_SIGN_INS.hits + 5):
            assert await sign_in(client, "ada@example.com") == 200


async def test_a_member_signs_in_from_a_network_that_others_have_used_up(
    strict: RunningApp,
) -> None:
    await strict.member("ada")
    await strict.member("grace")
    async with calling_from(strict.asgi, "203.0.113.7") as client:
        assert await sign_in(client, "ada@example.com") == 200
        failed = [
            await sign_in(client, f"nobody{number}@example.com", "a guess")
            for number in range(FAILED_SIGN_INS.hits + 3)
        ]
        assert failed == [400] * FAILED_SIGN_INS.hits + [428] * 3

        assert await sign_in(client, "ada@example.com") == 200
        assert await sign_in(client, "ada@example.com", "a guess") == 428
        assert await sign_in(client, "grace@example.com") == 428
    async with calling_from(strict.asgi, "203.0.113.8") as client:
        assert await sign_in(client, "grace@example.com") == 200


async def test_wrong_codes_of_others_do_not_keep_a_member_from_activating_or_signing_in(
    strict: RunningApp,
) -> None:
    await strict.member("ada")
    strict.asgi.state.services.limiter._settings = {rules.REFUSED_ACTIVATIONS.name: 3}
    async with calling_from(strict.asgi, "203.0.113.7") as client:
        waiting = (await client.post("/api/v1/signup", json=FORM)).json()["data"]["id"]
        await strict.settle()
        (right,) = codes(strict, FORM["email"])
        wrong = {"userId": str(CLUB_A), "code": "123456"}
        answers = [
            (await client.post("/api/v1/signup/validate-token", json=wrong)).status_code
            for _ in range(5)
        ]
        assert answers == [400] * 3 + [429] * 2
        malformed = await client.post(f"/api/v1/signup/activate/{waiting}", json={})
        assert malformed.status_code == 429

        body = {"userId": waiting, "code": right}
        assert (await client.post("/api/v1/signup/validate-token", json=body)).status_code == 200
        assert await sign_in(client, "ada@example.com") == 200


async def test_right_codes_do_not_count_against_a_network(strict: RunningApp) -> None:
    strict.asgi.state.services.limiter._settings = {rules.REFUSED_ACTIVATIONS.name: 1}
    async with calling_from(strict.asgi, "203.0.113.7") as client:
        waiting = (await client.post("/api/v1/signup", json=FORM)).json()["data"]["id"]
        await strict.settle()
        (right,) = codes(strict, FORM["email"])
        for _ in range(4):
            answer = await client.post(f"/api/v1/signup/activate/{waiting}", json={"code": right})
            assert answer.status_code == 200


@contextmanager
def full(app: RunningApp, *lanes: LaneName) -> Iterator[None]:
    """Block password hashing in ``lanes`` inside the block."""
    queues = app.asgi.state.services.auth.hasher._queues
    kept = dict(queues)
    queues.update({name: FairQueue(at_once=0, waiting=0) for name in lanes})
    try:
        yield
    finally:
        queues.update(kept)


@pytest.fixture
def full_lanes(app: RunningApp) -> Iterator[RunningApp]:
    """The app with no capacity to hash passwords."""
    with full(app, *LaneName):
        yield app


async def test_what_was_not_judged_counts_neither_for_the_account_nor_for_the_network(
    app: RunningApp,
) -> None:
    await app.member("ada")
    with full(app, LaneName.RETURNING):
        busy = [await app.sign_in("ada@example.com", "a guess") for _ in range(15)]

    assert {answer.status_code for answer in busy} == {503}
    assert all(int(answer.headers["Retry-After"]) >= 1 for answer in busy)
    guesses = [(await app.sign_in("ada@example.com", "a guess")).status_code for _ in range(4)]
    assert guesses == [400] * 4
    assert (await app.sign_in("ada@example.com")).status_code == 200
    row = await app.database.fetch_row("SELECT hits FROM rate_limit WHERE bucket LIKE 'sign-in:%'")
    assert row is not None
    assert row["hits"] == 4


async def test_a_sign_up_that_finds_the_queue_full_is_told_when_to_come_back(
    strict: RunningApp, full_lanes: RunningApp
) -> None:
    answers = [
        await strict.client.post("/api/v1/signup", json=FORM) for _ in range(SIGN_UPS.hits + 3)
    ]

    assert {answer.status_code for answer in answers} == {503}
    assert answers[0].headers["Retry-After"] == "5"


async def test_a_guessed_code_costs_no_hash(app: RunningApp, full_lanes: RunningApp) -> None:
    body = {"userId": str(CLUB_A), "code": "123456", "password": "long and unusual"}

    answer = await app.client.post("/api/v1/password/reset", json=body)

    assert (answer.status_code, answer.json()["error"]["code"]) == (400, "wrong_code")


async def test_a_code_that_fits_stays_good_while_the_password_cannot_be_hashed(
    app: RunningApp,
) -> None:
    for path in app.outbox.glob("*.eml"):
        path.unlink()
    member = await app.member("ada")
    handle = await forget(app, member.email)
    (code,) = codes(app, member.email)
    body = {"userId": handle, "code": code, "password": "brand new words"}

    with full(app, LaneName.RECOVERY):
        busy = await app.client.post("/api/v1/password/reset", json=body)
    again = await app.client.post("/api/v1/password/reset", json=body)

    assert (busy.status_code, again.status_code) == (503, 200)


async def test_two_resets_with_one_code_at_once_change_the_password_once(app: RunningApp) -> None:
    for path in app.outbox.glob("*.eml"):
        path.unlink()
    member = await app.member("ada")
    handle = await forget(app, member.email)
    (code,) = codes(app, member.email)
    body = {"userId": handle, "code": code}

    answers = await asyncio.gather(
        *(
            app.client.post(
                "/api/v1/password/reset", json=body | {"password": f"brand new words {number}"}
            )
            for number in range(6)
        )
    )

    assert sorted(answer.status_code for answer in answers) == [200] + [400] * 5
    winner = next(n for n, answer in enumerate(answers) if answer.status_code == 200)
    assert (await app.sign_in(member.email, f"brand new words {winner}")).status_code == 200


async def test_a_reset_lets_a_member_in_past_a_strangers_guesses(app: RunningApp) -> None:
    ada = await app.member("ada")
    async with calling_from(app.asgi, ELSEWHERE) as away:
        for number in range(6):
            await sign_in(away, ada.email, f"a guess {number}")
        assert await sign_in(away, ada.email) == 429

        handle = await forget(app, ada.email)
        code = codes(app, ada.email)[-1]
        reset = {"userId": handle, "code": code, "password": "brand new words"}
        assert (await away.post("/api/v1/password/reset", json=reset)).status_code == 200

        assert await sign_in(away, ada.email, "brand new words") == 200


async def test_guesses_from_elsewhere_do_not_lock_out_a_member_at_home(app: RunningApp) -> None:
    ada = await app.member("ada")
    async with calling_from(app.asgi, HOME) as home, calling_from(app.asgi, ELSEWHERE) as away:
        assert await sign_in(home, ada.email) == 200
        guesses = [await sign_in(away, ada.email, f"a guess {number}") for number in range(7)]
        assert guesses == [400] * 5 + [429] * 2

        assert await sign_in(home, ada.email) == 200
        assert await sign_in(away, ada.email) == 429

        guesses = [await sign_in(home, ada.email, f"a guess {number}") for number in range(7)]
        assert guesses == [400] * 5 + [429] * 2
        assert await sign_in(home, ada.email) == 200, "the right one is never refused at home"


async def test_a_member_on_a_new_network_is_only_delayed_by_failures_from_there(
    app: RunningApp,
) -> None:
    ada = await app.member("ada")
    for number in range(9):
        async with calling_from(app.asgi, f"192.0.2.{number}") as other_network:
            for _ in range(6):
                await sign_in(other_network, ada.email, "a guess")

    async with calling_from(app.asgi, ELSEWHERE) as away:
        for number in range(4):
            assert await sign_in(away, ada.email, f"a guess {number}") == 400
        assert await sign_in(away, ada.email) == 200


async def test_an_unknown_network_waits_once_fifty_attempts_failed_elsewhere(
    app: RunningApp,
) -> None:
    ada = await app.member("ada")
    for number in range(51):
        async with calling_from(app.asgi, f"192.0.2.{number}") as other_network:
            assert await sign_in(other_network, ada.email, "a guess") == 400

    async with calling_from(app.asgi, ELSEWHERE) as away:
        assert await sign_in(away, ada.email) == 429
        with time_machine.travel(clock.now() + timedelta(seconds=61), tick=True):
            assert await sign_in(away, ada.email) == 200


@pytest.mark.parametrize(
    "order", ["home away home", "away home away", "home home away", "away away home"]
)
async def test_guesses_are_answered_alike_for_a_member_and_for_nobody(
    app: RunningApp, order: str
) -> None:
    ada = await app.member("ada")
    async with calling_from(app.asgi, HOME) as home, calling_from(app.asgi, ELSEWHERE) as away:
        assert await sign_in(home, ada.email) == 200
        clients = {"home": home, "away": away}

        async def guess(email: str) -> list[int]:
            return [
                await sign_in(clients[place], email, f"a guess {number}")
                for place in order.split()
                for number in range(7)
            ]

        assert await guess(ada.email) == await guess("nobody@example.com")


async def test_a_queue_full_of_strangers_does_not_keep_a_member_out_at_home(
    app: RunningApp,
) -> None:
    ada = await app.member("ada")
    async with calling_from(app.asgi, HOME) as home, calling_from(app.asgi, ELSEWHERE) as away:
        assert await sign_in(home, ada.email) == 200
        with full(app, LaneName.SIGN_IN, LaneName.SIGN_UP, LaneName.RECOVERY):
            assert await sign_in(home, ada.email) == 200
            assert await sign_in(away, ada.email) == 503


async def test_somebody_new_is_served_beside_a_crowd_of_one_site(app: RunningApp) -> None:
    await app.member("ada")
    hasher = app.asgi.state.services.auth.hasher
    async with (
        calling_from(app.asgi, ELSEWHERE) as ada,
        calling_from(app.asgi, "2001:db8:1::1") as one,
        calling_from(app.asgi, "2001:db8:1:2::1") as two,
        asyncio.timeout(30),
    ):
        queue = FairQueue(at_once=1, waiting=8)
        hasher._queues[LaneName.SIGN_IN], kept = queue, hasher._queues[LaneName.SIGN_IN]
        async with queue.turn("somebody"):
            crowd = [
                asyncio.create_task(sign_in(client, f"nobody{number}@example.com"))
                for number in range(8)
                for client in (one, two)
            ]
            ended = asyncio.as_completed(crowd)
            refused = [await next(ended) for _ in range(8)]  # the others fill every place
            hers = asyncio.create_task(sign_in(ada, "ada@example.com"))
            refused.append(await next(ended))  # one gave way to her
        statuses = [await task for task in crowd]
        assert await hers == 200
        hasher._queues[LaneName.SIGN_IN] = kept

    assert refused == [503] * 9
    assert sorted(statuses) == [400] * 7 + [503] * 9


async def test_wrong_codes_from_elsewhere_leave_the_right_one_good_at_home(app: RunningApp) -> None:
    ada = await app.member("ada")
    async with calling_from(app.asgi, HOME) as home, calling_from(app.asgi, ELSEWHERE) as away:
        assert await sign_in(home, ada.email) == 200
        handle = await forget(app, ada.email)
        right = codes(app, ada.email)[-1]
        wrong = f"{(int(right) + 1) % 10**6:06d}"

        async def reset(client: httpx.AsyncClient, code: str) -> int:
            body = {"userId": handle, "code": code, "password": "brand new words"}
            return (await client.post("/api/v1/password/reset", json=body)).status_code

        assert [await reset(away, wrong) for _ in range(5)] == [400] * 5
        async with calling_from(app.asgi, "192.0.2.5") as third:
            assert await reset(third, right) == 400, "all other networks count together"
        assert [await reset(home, wrong) for _ in range(4)] == [400] * 4
        assert await reset(home, right) == 200


async def test_a_code_asked_for_elsewhere_leaves_the_one_asked_for_at_home_good(
    app: RunningApp,
) -> None:
    ada = await app.member("ada")
    async with calling_from(app.asgi, HOME) as home, calling_from(app.asgi, ELSEWHERE) as away:
        assert await sign_in(home, ada.email) == 200
        handles = []
        for client in (home, away):
            answer = await client.post("/api/v1/password/forgot", json={"email": ada.email})
            handles.append(answer.json()["data"]["userId"])
            await app.settle()
        first, second = codes(app, ada.email)[-2:]
        assert handles[0] == handles[1]

        async def reset(code: str) -> int:
            body = {"userId": handles[0], "code": code, "password": "brand new words"}
            return (await home.post("/api/v1/password/reset", json=body)).status_code

        assert await reset(first) == 200
        assert await reset(second) == 400, "one reset ends every code"


async def test_members_who_enter_their_passwords_again_keep_nobody_from_signing_in(
    app: RunningApp, member: SignedIn
) -> None:
    with full(app, LaneName.CONFIRM):
        asked = await app.client.request(
            "DELETE",
            f"/api/v1/users/{member.id}",
            json={"password": PASSWORD},
            headers=member.headers,
        )
        assert asked.status_code == 503
        assert (await app.sign_in(member.email)).status_code == 200


async def test_tries_at_home_are_limited_too(app: RunningApp) -> None:
    ada = await app.member("ada")
    async with calling_from(app.asgi, HOME) as home:
        assert await sign_in(home, ada.email) == 200
        handle = await forget(app, ada.email)
        right = codes(app, ada.email)[-1]
        body = {"userId": handle, "code": "wrong", "password": "brand new words"}
        for _ in range(5):
            await home.post("/api/v1/password/reset", json=body)
        answer = await home.post("/api/v1/password/reset", json=body | {"code": right})

    assert answer.status_code == 400


async def test_what_strangers_ask_for_does_not_use_up_a_members_codes_at_home(
    app: RunningApp,
) -> None:
    ada = await app.member("ada")
    async with calling_from(app.asgi, HOME) as home, calling_from(app.asgi, ELSEWHERE) as away:
        assert await sign_in(home, ada.email) == 200

        async def asked(client: httpx.AsyncClient) -> int:
            before = len(codes(app, ada.email))
            await client.post("/api/v1/password/forgot", json={"email": ada.email})
            await app.settle()
            return len(codes(app, ada.email)) - before

        start = clock.now()
        sent = []
        for minutes in range(0, 14, 2):
            with time_machine.travel(start + timedelta(minutes=minutes), tick=True):
                sent.append(await asked(away))
        assert sent == [1] * 5 + [0] * 2

        with time_machine.travel(start + timedelta(minutes=14), tick=True):
            assert await asked(away) == 0
            assert await asked(home) == 1
            assert await asked(home) == 0, "at home there is a pause as well"


async def test_one_caller_does_not_fill_the_places_of_all_who_forgot_their_password(
    app: RunningApp,
) -> None:
    await app.member("ada")
    async with calling_from(app.asgi, HOME) as home, calling_from(app.asgi, ELSEWHERE) as away:
        turns = app.asgi.state.services.resets._turns
        await turns.acquire()
        await turns.acquire()
        try:
            statuses = [
                (
                    await away.post("/api/v1/password/forgot", json={"email": f"no{n}@example.com"})
                ).status_code
                for n in range(20)
            ]
            body = {"email": "ada@example.com"}
            hers = (await home.post("/api/v1/password/forgot", json=body)).status_code
        finally:
            turns.release()
            turns.release()
        await app.settle()

    assert statuses == [200] * 16 + [503] * 4
    assert hers == 200


async def test_networks_emails_and_devices_are_kept_as_digests_alone(
    app: RunningApp, owner: AsyncEngine
) -> None:
    ada = await app.member("ada")
    async with calling_from(app.asgi, HOME) as home:
        assert await sign_in(home, ada.email) == 200
        assert await sign_in(home, ada.email, "a guess") == 400
        assert await sign_in(home, "nobody@example.com", "a guess") == 400
        await home.post("/api/v1/signup", json=FORM)
        for email in (ada.email, "nobody@example.com"):
            await home.post("/api/v1/password/forgot", json={"email": email})
        (device,) = home.cookies.jar
    await app.settle()

    async with owner.connect() as connection:
        for table in ("rate_limit", "sign_in_guard", "known_origin", "known_browser"):
            rows = (await connection.execute(text(f"SELECT * FROM {table}"))).mappings().all()
            assert rows, table
            for known in (HOME, ada.email, "nobody@example.com", FORM["email"], device.value):
                assert known
                assert known not in str(rows), table
