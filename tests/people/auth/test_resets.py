"""Forgotten passwords: which requests get a code, separately from sign-ins."""

from dataclasses import replace
from datetime import timedelta
from typing import Any

import httpx
import pytest
import time_machine
from api.foundation.core import clock
from api.foundation.database.rate_limit import FAILED_SIGN_INS
from api.people.auth import rules

from tests.conftest import CLUB_A, RunningApp
from tests.people.auth.letters import calling_from, codes, forget
from tests.people.auth.test_limits import ELSEWHERE, HOME, sign_in, strict

__all__ = ["strict"]
FORGOT, RESET = "/api/v1/password/forgot", "/api/v1/password/reset"
SENT = "If this email has an account, a code is on its way."


@pytest.fixture(autouse=True)
def _empty_outbox(app: RunningApp) -> None:
    for path in app.outbox.glob("*.eml"):
        path.unlink()


async def ask(client: httpx.AsyncClient, email: str) -> httpx.Response:
    return await client.post(FORGOT, json={"email": email})


def revealed(answer: httpx.Response) -> tuple[Any, ...]:
    """Return what an answer reveals, apart from its email."""
    body = answer.json()
    data = {key: value for key, value in (body["data"] or {}).items() if key != "userId"}
    code = (body.get("error") or {}).get("code")
    return answer.status_code, body["message"], code, data


async def test_a_refused_code_request_is_the_same_for_known_and_unknown_emails(
    app: RunningApp,
) -> None:
    ada = await app.member("ada")
    with time_machine.travel(clock.now(), tick=False):
        sent = [await ask(app.client, email) for email in (ada.email, "nobody@example.com")]
        early = [await ask(app.client, email) for email in (ada.email, "nobody@example.com")]
    await app.settle()

    assert revealed(sent[0]) == revealed(sent[1]) == (200, SENT, None, {})
    assert revealed(early[0]) == revealed(early[1])
    assert early[0].status_code == 429
    assert early[0].json()["error"]["code"] == "code_too_soon"
    assert early[0].json()["message"] == "You can ask for another code in 61 seconds."
    assert early[0].json()["data"] == {"retryAfter": 61}
    assert early[0].headers["Retry-After"] == "61"
    assert len(codes(app, ada.email)) == 1


async def test_as_many_codes_are_sent_as_the_answers_say(app: RunningApp) -> None:
    ada = await app.member("ada")
    start, statuses = clock.now(), []
    for minutes in range(12):
        with time_machine.travel(start + timedelta(minutes=2 * minutes), tick=True):
            statuses.append((await ask(app.client, ada.email)).status_code)
            unknown = await ask(app.client, "nobody@example.com")
            assert unknown.status_code == statuses[-1]
            await app.settle()

    assert statuses == [200] * 5 + [429] * 7
    assert len(codes(app, ada.email)) == 5
    with time_machine.travel(start + timedelta(days=1, seconds=1), tick=True):
        assert (await ask(app.client, ada.email)).status_code == 200


async def test_a_crowd_of_networks_cannot_flood_a_mailbox_nor_keep_codes_from_a_members_network(
    app: RunningApp, monkeypatch: pytest.MonkeyPatch
) -> None:
    assert rules.RESETS_PER_EMAIL.hits == 20
    monkeypatch.setattr(rules, "RESETS_PER_EMAIL", replace(rules.RESETS_PER_EMAIL, hits=4))
    ada = await app.member("ada")
    await app.member("grace")
    emails = (ada.email, "nobody@example.com")
    async with calling_from(app.asgi, HOME) as home, calling_from(app.asgi, ELSEWHERE) as away:
        assert await sign_in(home, ada.email) == 200
        assert await sign_in(away, "grace@example.com") == 200
        for number in range(rules.RESETS_PER_EMAIL.hits + 2):
            async with calling_from(app.asgi, f"192.0.2.{number}") as other_network:
                answers = [await ask(other_network, email) for email in emails]
            assert revealed(answers[0])[:2] == revealed(answers[1])[:2]
            expected = 200 if number < rules.RESETS_PER_EMAIL.hits else 429
            assert answers[0].status_code == expected
            await app.settle()

        # A sign-in of another member, which anybody can have, gains a network nothing.
        answers = [await ask(away, email) for email in emails]
        assert [answer.status_code for answer in answers] == [429, 429]
        assert revealed(await ask(home, ada.email)) == (200, SENT, None, {})
        await app.settle()
    assert len(codes(app, ada.email)) == rules.RESETS_PER_EMAIL.hits + 1


async def test_a_request_that_is_not_accepted_counts_nowhere(app: RunningApp) -> None:
    ada = await app.member("ada")
    resets = app.asgi.state.services.resets
    kept, resets._tasks = resets._tasks, dict.fromkeys(range(64), "somewhere")
    busy = [(await ask(app.client, ada.email)).status_code for _ in range(7)]
    resets._tasks = kept

    assert busy == [503] * 7
    assert (await ask(app.client, ada.email)).status_code == 200


async def test_failed_sign_ins_do_not_block_a_password_reset(strict: RunningApp) -> None:
    ada = await strict.member("ada")
    async with calling_from(strict.asgi, ELSEWHERE) as away:
        body = {"username": ada.email, "password": "a guess"}
        statuses = []
        for number in range(FAILED_SIGN_INS.hits + 2):
            guess = body | {"username": f"nobody{number}@example.com"}
            answer = await away.post("/api/v1/sign-in/username-password", json=guess)
            statuses.append(answer.status_code)
        assert statuses[-1] == 428

        asked = await ask(away, ada.email)
        assert asked.status_code == 200
        await strict.settle()
        reset = {
            "userId": asked.json()["data"]["userId"],
            "code": codes(strict, ada.email)[-1],
            "password": "brand new words",
        }
        assert (await away.post(RESET, json=reset)).status_code == 200


async def test_failed_resets_do_not_block_sign_in(strict: RunningApp) -> None:
    ada = await strict.member("ada")
    handle = await forget(strict, ada.email)
    body = {"userId": handle, "code": "000000", "password": "brand new words"}
    async with calling_from(strict.asgi, ELSEWHERE) as away:
        statuses = [
            (await away.post(RESET, json=body)).status_code
            for _ in range(rules.REFUSED_RESETS.hits + 2)
        ]
        assert statuses == [400] * rules.REFUSED_RESETS.hits + [429] * 2

        assert await sign_in(away, ada.email, "a guess") == 400
        assert await sign_in(away, ada.email) == 200


async def test_wrong_resets_of_others_do_not_keep_a_member_from_resetting(
    strict: RunningApp,
) -> None:
    ada = await strict.member("ada")
    strict.asgi.state.services.limiter._settings = {rules.REFUSED_RESETS.name: 2}
    handle = await forget(strict, ada.email)
    right = {"userId": handle, "code": codes(strict, ada.email)[-1], "password": "brand new words"}
    async with calling_from(strict.asgi, ELSEWHERE) as away:
        wrong = right | {"userId": str(CLUB_A)}
        statuses = [(await away.post(RESET, json=wrong)).status_code for _ in range(4)]
        assert statuses == [400] * 2 + [429] * 2
        assert (await away.post(RESET, json=right)).status_code == 200
        assert (await ask(away, ada.email)).status_code == 200
    strict.asgi.state.services.limiter._settings = {}


async def test_requests_for_reset_codes_are_limited_for_a_network(strict: RunningApp) -> None:
    strict.asgi.state.services.limiter._settings = {rules.RESET_MAILS.name: 2}
    async with calling_from(strict.asgi, ELSEWHERE) as away:
        answers = [(await ask(away, f"no{n}@example.com")).status_code for n in range(4)]
    strict.asgi.state.services.limiter._settings = {}
    assert answers == [200] * 2 + [429] * 2
