"""A busy network continues with a proof of work: sign-ups, codes sent again, and sign-ins."""

import asyncio
import base64
import json
from collections.abc import Iterator
from datetime import timedelta
from typing import Any

import httpx
import pytest
import time_machine
from altcha import Challenge, Payload, solve_challenge
from api.app.factories import NETWORK_LIMITS
from api.foundation.core import clock
from api.foundation.core.config import Settings
from api.foundation.database.challenges import HITS_PER_LEVEL, level_after
from api.foundation.database.rate_limit import FAILED_SIGN_INS, SIGN_UPS
from api.foundation.security.challenges import CHALLENGE_LIFE, COST, KEYS, Challenges
from api.foundation.security.passwords import LaneName

from tests.conftest import CLUB_A, CLUB_B, PASSWORD, RunningApp
from tests.people.auth.letters import FORM, calling_from, codes, make_old
from tests.people.auth.test_limits import full

HOME = "203.0.113.7"
ELSEWHERE = "198.51.100.9"
FREE = 3
SIGN_UP = "/api/v1/signup"
RESEND = "/api/v1/signup/resend-code"
SIGN_IN = "/api/v1/sign-in/username-password"


def solve(challenge: dict[str, Any]) -> str:
    """Return the header that a web app sends for a challenge."""
    task = Challenge.from_dict(challenge)
    solution = solve_challenge(task)
    assert solution is not None
    return Payload(task, solution).to_base64()


def form(number: int, **fields: Any) -> dict[str, Any]:
    person = {"email": f"fan{number}@example.com", "phone": f"+2348{number:09d}"}
    return FORM | person | fields


async def sign_up(
    client: httpx.AsyncClient, number: int, solution: str | None = None, **fields: Any
) -> httpx.Response:
    headers = {} if solution is None else {"X-Challenge": solution}
    return await client.post(SIGN_UP, json=form(number, **fields), headers=headers)


async def sign_in(
    client: httpx.AsyncClient, email: str, password: str = PASSWORD, solution: str | None = None
) -> httpx.Response:
    headers = {} if solution is None else {"X-Challenge": solution}
    body = {"username": email, "password": password}
    return await client.post(SIGN_IN, json=body, headers=headers)


def challenge_of(answer: httpx.Response) -> dict[str, Any]:
    assert answer.status_code == 428, answer.text
    body = answer.json()
    assert body["error"]["code"] == "challenge_required"
    challenge: dict[str, Any] = body["data"]["challenge"]
    return challenge


def level_of(answer: httpx.Response) -> int:
    level: int = challenge_of(answer)["parameters"]["data"]["level"]
    return level


@pytest.fixture
def busy(app: RunningApp) -> Iterator[RunningApp]:
    """The app with three free sign-ups and three free failed sign-ins."""
    limiter = app.asgi.state.services.limiter
    kept = limiter._settings
    limiter._settings = {SIGN_UPS.name: FREE, FAILED_SIGN_INS.name: FREE}
    yield app
    limiter._settings = kept


async def use_up(client: httpx.AsyncClient) -> None:
    """Use the free sign-ups of the client's network."""
    for number in range(FREE):
        assert (await sign_up(client, number)).status_code == 201


async def set_hits(app: RunningApp, limit: str, hits: int) -> None:
    async with app.database.transaction() as tx:
        await tx.execute("UPDATE rate_limit SET hits = $1 WHERE bucket LIKE $2", hits, f"{limit}:%")


def test_the_limits_of_networks_are_the_defaults_of_their_settings() -> None:
    for name, limit in NETWORK_LIMITS.items():
        assert Settings.model_fields[name].default == limit.hits, name
    at_once = {"limit_sockets", "limit_uploads"}
    settings = {name for name in Settings.model_fields if name.startswith("limit_")}
    assert settings == {*NETWORK_LIMITS, *at_once}


@pytest.mark.parametrize(
    ("hits", "level"),
    [(0, 1), (29, 1), (30, 1), (329, 1), (330, 2), (629, 2), (630, 4), (930, 8), (9_999, 8)],
)
def test_the_work_doubles_with_every_further_three_hundred_up_to_eight_times(
    hits: int, level: int
) -> None:
    assert HITS_PER_LEVEL == 300
    assert level_after(hits, 30) == level


def test_the_work_of_a_challenge_has_a_least_and_a_most() -> None:
    """Half a second of a phone at level 1; the numbers are measured in decision 0090."""
    challenges = Challenges("a key")
    for level in (1, 8):
        challenge = challenges.create("sign-up", level, clock.now())
        solved = json.loads(base64.b64decode(solve(challenge)))["solution"]["counter"]
        assert KEYS * level // 2 < solved <= KEYS * level
        assert challenge["parameters"]["cost"] == COST


async def test_the_first_sign_up_after_the_free_ones_needs_a_solved_challenge(
    busy: RunningApp,
) -> None:
    async with calling_from(busy.asgi, HOME) as client:
        await use_up(client)

        asked = await sign_up(client, 50)
        challenge = challenge_of(asked)
        assert set(challenge) == {"parameters", "signature"}
        assert asked.json()["message"].startswith("Your network is busy.")

        assert (await sign_up(client, 50, solve(challenge))).status_code == 201
    async with calling_from(busy.asgi, ELSEWHERE) as other:
        assert (await sign_up(other, 51)).status_code == 201


async def test_phones_of_two_clubs_behind_one_address_are_one_network(busy: RunningApp) -> None:
    async with calling_from(busy.asgi, HOME) as first, calling_from(busy.asgi, HOME) as second:
        for number in range(FREE):
            answer = await sign_up(first, number, club=str((CLUB_A, CLUB_B)[number % 2]))
            assert answer.status_code == 201
        for number, club in enumerate((CLUB_A, CLUB_B), 10):
            asked = await sign_up(second, number, club=str(club))
            answer = await sign_up(second, number, solve(challenge_of(asked)), club=str(club))
            assert answer.status_code == 201


async def test_an_ipv6_network_is_counted_as_a_whole(busy: RunningApp) -> None:
    for number in range(FREE):
        async with calling_from(busy.asgi, f"2001:db8:1:2::{number + 1:x}") as client:
            assert (await sign_up(client, number)).status_code == 201
    async with calling_from(busy.asgi, "2001:db8:1:2:ffff::9") as client:
        challenge_of(await sign_up(client, 9))
    async with calling_from(busy.asgi, "2001:db8:1:3::1") as client:
        assert (await sign_up(client, 9)).status_code == 201


async def test_malformed_sign_ups_are_not_counted(busy: RunningApp) -> None:
    async with calling_from(busy.asgi, HOME) as client:
        bad: list[dict[str, Any]] = [
            {"email": "no email"},
            {"password": "password1"},
            {"club": "0192aaaa-0000-7000-8000-000000000000"},
            {"tnc": False},
        ]
        for number in range(40):
            answer = await sign_up(client, number, **bad[number % len(bad)])
            assert answer.status_code == 422
        await use_up(client)


async def test_a_sign_up_that_is_refused_counts_and_a_full_queue_gives_back(
    busy: RunningApp,
) -> None:
    ada = await busy.member("ada")
    async with calling_from(busy.asgi, HOME) as client:
        with full(busy, LaneName.SIGN_UP):
            for number in range(FREE + 2):
                assert (await sign_up(client, number)).status_code == 503
        for number in range(FREE):
            assert (await sign_up(client, number, email=ada.email)).status_code == 409
        solution = solve(challenge_of(await sign_up(client, 8)))
        with full(busy, LaneName.SIGN_UP):
            assert (await sign_up(client, 8, solution)).status_code == 503
        assert (await sign_up(client, 8, solution)).status_code == 201


async def test_one_solution_used_by_twenty_callers_at_once_lets_one_pass(
    busy: RunningApp,
) -> None:
    async with calling_from(busy.asgi, HOME) as client:
        await use_up(client)
        solution = solve(challenge_of(await sign_up(client, 50)))

        answers = await asyncio.gather(
            *(sign_up(client, 100 + number, solution) for number in range(20))
        )

    assert sorted(answer.status_code for answer in answers) == [201] + [428] * 19


async def test_of_twenty_sign_ups_at_once_only_the_free_ones_pass(busy: RunningApp) -> None:
    async with calling_from(busy.asgi, HOME) as client:
        answers = await asyncio.gather(*(sign_up(client, number) for number in range(20)))

    assert [answer.status_code for answer in answers].count(201) == FREE
    assert {answer.status_code for answer in answers} == {201, 428}


async def test_a_used_solution_is_still_used_after_a_restart(busy: RunningApp) -> None:
    async with calling_from(busy.asgi, HOME) as client:
        await use_up(client)
        solution = solve(challenge_of(await sign_up(client, 50)))
        assert (await sign_up(client, 50, solution)).status_code == 201
        auth = busy.asgi.state.services.auth
        # A new process has the same key and the same table, and nothing else.
        restarted = type(auth.challenges)(busy.database, auth.limiter, Challenges(auth.code_key))
        async with restarted.failures(SIGN_UPS, HOME, solution) as is_open:
            assert not is_open
        challenge_of(await sign_up(client, 51, solution))


async def test_a_challenge_of_another_process_is_taken(busy: RunningApp) -> None:
    async with calling_from(busy.asgi, HOME) as client:
        await use_up(client)
        other = Challenges(busy.asgi.state.services.auth.code_key)
        solution = solve(other.create(SIGN_UPS.name, 1, clock.now()))
        assert (await sign_up(client, 50, solution)).status_code == 201


async def test_a_solution_that_is_expired_forged_or_for_something_else_is_not_taken(
    busy: RunningApp,
) -> None:
    key = busy.asgi.state.services.auth.code_key
    ours, now = Challenges(key), clock.now()
    good = json.loads(base64.b64decode(solve(ours.create("sign-up", 1, now))))

    def changed(**parameters: Any) -> str:
        challenge = good["challenge"] | {"parameters": good["challenge"]["parameters"] | parameters}
        return base64.b64encode(json.dumps(good | {"challenge": challenge}).encode()).decode()

    unsolved = good | {"solution": good["solution"] | {"derivedKey": "00" * 32}}
    unsigned = good | {"challenge": {"parameters": good["challenge"]["parameters"]}}
    bad = {
        "expired": solve(ours.create("sign-up", 1, now - CHALLENGE_LIFE - timedelta(seconds=1))),
        "another key": solve(Challenges("another key").create("sign-up", 1, now)),
        "another purpose": solve(ours.create("sign-in", 1, now)),
        "a later end": changed(expiresAt=2_000_000_000),
        "another level": changed(data={"purpose": "sign-up", "level": 8}),
        "another nonce": changed(nonce="00" * 16),
        "no solution": base64.b64encode(json.dumps(unsolved).encode()).decode(),
        "no signature": base64.b64encode(json.dumps(unsigned).encode()).decode(),
        "no object": base64.b64encode(b"[]").decode(),
        "no base64": "%%%",
        "not text": "\x7f",
        "too long": "A" * 20_000,
        "deep": base64.b64encode(b"[" * 2_000).decode(),
        "empty": "",
    }
    async with calling_from(busy.asgi, HOME) as client:
        await use_up(client)
        for name, solution in bad.items():
            assert (await sign_up(client, 50, solution)).status_code == 428, name
        right = base64.b64encode(json.dumps(good).encode()).decode()
        assert (await sign_up(client, 50, right)).status_code == 201


async def test_a_solution_is_good_for_ten_minutes(busy: RunningApp) -> None:
    async with calling_from(busy.asgi, HOME) as client:
        await use_up(client)
        solutions = [solve(challenge_of(await sign_up(client, 50))) for _ in range(2)]
        start = clock.now()
        with time_machine.travel(start + CHALLENGE_LIFE - timedelta(seconds=5), tick=True):
            assert (await sign_up(client, 50, solutions[0])).status_code == 201
        with time_machine.travel(start + CHALLENGE_LIFE + timedelta(seconds=5), tick=True):
            challenge_of(await sign_up(client, 51, solutions[1]))


async def test_a_solution_may_be_one_level_too_easy_and_not_two(busy: RunningApp) -> None:
    async with calling_from(busy.asgi, HOME) as client:
        await use_up(client)
        easy = [solve(challenge_of(await sign_up(client, 50))) for _ in range(2)]
        await set_hits(busy, SIGN_UPS.name, FREE + HITS_PER_LEVEL)
        assert level_of(await sign_up(client, 50)) == 2
        assert (await sign_up(client, 50, easy[0])).status_code == 201
        await set_hits(busy, SIGN_UPS.name, FREE + 2 * HITS_PER_LEVEL)
        assert level_of(await sign_up(client, 51, easy[1])) == 4
        await set_hits(busy, SIGN_UPS.name, FREE + 20 * HITS_PER_LEVEL)
        assert level_of(await sign_up(client, 51)) == 8


async def test_calls_without_a_solution_do_not_make_it_harder_for_others(
    busy: RunningApp,
) -> None:
    async with calling_from(busy.asgi, HOME) as client:
        await use_up(client)
        for number in range(30):
            challenge_of(await sign_up(client, number))
        row = await busy.database.fetch_row(
            "SELECT hits FROM rate_limit WHERE bucket LIKE 'sign-up:%'"
        )
    assert row is not None
    assert row["hits"] == FREE


async def test_a_code_is_mailed_again_for_a_solution(busy: RunningApp) -> None:
    async with calling_from(busy.asgi, HOME) as client:
        await use_up(client)
        asked = await sign_up(client, 50)
        waiting = await sign_up(client, 50, solve(challenge_of(asked)))
        body = {"userId": waiting.json()["data"]["id"]}
        await make_old(busy, 61)

        asked = await client.post(RESEND, json=body)
        headers = {"X-Challenge": solve(challenge_of(asked))}
        answer = await client.post(RESEND, json=body, headers=headers)
        await busy.settle()

        assert answer.status_code == 200
        assert len(codes(busy, "fan50@example.com")) == 2
        row = await busy.database.fetch_row(
            "SELECT hits FROM rate_limit WHERE bucket LIKE 'sign-up:%'"
        )
    assert row is not None
    assert row["hits"] == FREE + 1, "only sign-ups count"


async def test_after_failed_sign_ins_others_solve_a_challenge_and_the_known_need_none(
    busy: RunningApp,
) -> None:
    await busy.member("ada")
    await busy.member("grace")
    async with calling_from(busy.asgi, HOME) as client:
        assert (await sign_in(client, "ada@example.com")).status_code == 200
        for number in range(FREE):
            answer = await sign_in(client, f"nobody{number}@example.com", "a guess")
            assert answer.status_code == 400

        assert (await sign_in(client, "ada@example.com")).status_code == 200
        challenge_of(await sign_in(client, "ada@example.com", "a guess"))
        asked = await sign_in(client, "grace@example.com")
        solution = solve(challenge_of(asked))
        assert (await sign_in(client, "grace@example.com", solution=solution)).status_code == 200
        challenge_of(await sign_in(client, "someone@example.com", solution=solution))
        solution = solve(challenge_of(await sign_in(client, "someone@example.com")))
        wrong = await sign_in(client, "someone@example.com", "a guess", solution)
        assert wrong.status_code == 400
    async with calling_from(busy.asgi, ELSEWHERE) as other:
        assert (await sign_in(other, "ada@example.com", "a guess")).status_code == 400


async def test_a_solution_that_was_not_judged_stays_good(busy: RunningApp) -> None:
    await busy.member("grace")
    async with calling_from(busy.asgi, HOME) as client:
        for number in range(FREE):
            await sign_in(client, f"nobody{number}@example.com", "a guess")
        solution = solve(challenge_of(await sign_in(client, "grace@example.com")))
        with full(busy, LaneName.SIGN_IN):
            answer = await sign_in(client, "grace@example.com", solution=solution)
            assert answer.status_code == 503
        answer = await sign_in(client, "grace@example.com", solution=solution)
        assert answer.status_code == 200


async def test_each_challenge_is_counted_under_its_limit(busy: RunningApp) -> None:
    async with calling_from(busy.asgi, HOME) as client:
        await use_up(client)
        for number in range(4):
            challenge_of(await sign_up(client, number))

    registry = busy.asgi.state.services.metrics.registry
    assert registry.get_sample_value("limit_reached_total", {"limit": "sign-up"}) == 4
    assert registry.get_sample_value("limit_reached_total", {"limit": "sign-in"}) == 0
