"""A sign-up whose email was mistyped: its correction, and what it must not allow."""

import asyncio
from typing import Any

import httpx
import pytest
from api.foundation.core.ids import new_id
from api.people.auth.rules import CODES_PER_DAY

from tests.conftest import CLUB_A, RunningApp
from tests.people.auth.letters import codes, make_old
from tests.people.auth.test_attempts import enter, resend, sign_up
from tests.people.auth.test_challenges import FREE, busy, challenge_of, solve

TYPO = "ada@gmial.com"
ADDRESS = "ada@gmail.com"
PASSWORD = "the owner's own words"
FORM: dict[str, Any] = {
    "firstName": "Ada",
    "lastName": "Obi",
    "email": TYPO,
    "phone": "08031234567",
    "password": PASSWORD,
    "club": str(CLUB_A),
    "tnc": True,
}
__all__ = ["busy"]


@pytest.fixture(autouse=True)
def _empty_outbox(app: RunningApp) -> None:
    for path in app.outbox.glob("*.eml"):
        path.unlink()


async def correct(
    app: RunningApp, attempt_id: str, email: str, solution: str | None = None
) -> httpx.Response:
    headers = {} if solution is None else {"X-Challenge": solution}
    url = f"/api/v1/signup/{attempt_id}/email"
    return await app.client.post(url, json={"email": email}, headers=headers)


async def shown(app: RunningApp, attempt_id: str) -> httpx.Response:
    return await app.client.get(f"/api/v1/signup/{attempt_id}")


async def test_a_corrected_address_gets_a_new_code_and_the_old_code_is_void(
    app: RunningApp,
) -> None:
    mine = await sign_up(app, FORM)

    answer = await correct(app, mine["id"], " Ada@GMAIL.com ")

    assert (answer.status_code, answer.json()["data"]) == (200, {"retryAfter": 60})
    assert answer.json()["message"] == "We have sent you a new code."
    (old,), (new,) = codes(app, TYPO), codes(app, ADDRESS)
    assert (await enter(app, mine["id"], old)).status_code == 400
    assert (await enter(app, mine["id"], new)).status_code == 200
    assert (await app.sign_in(ADDRESS, PASSWORD)).status_code == 200
    assert (await app.sign_in(TYPO, PASSWORD)).status_code == 400


async def test_who_has_the_id_sees_where_the_code_goes_and_nothing_else(app: RunningApp) -> None:
    mine = await sign_up(app, FORM)
    clubs = (await app.client.get("/api/v1/clubs")).json()["data"]
    place = {
        "email": TYPO,
        "phone": "•••• 4567",
        "channel": "email",
        "channels": ["email"],
        "club": next(club for club in clubs if club["id"] == str(CLUB_A)),
    }
    assert (await shown(app, mine["id"])).json()["data"] == place

    await correct(app, mine["id"], ADDRESS)

    assert (await shown(app, mine["id"])).json()["data"] == place | {"email": ADDRESS}
    await enter(app, mine["id"], codes(app, ADDRESS)[0])
    assert (await shown(app, mine["id"])).status_code == 404
    assert (await shown(app, str(new_id()))).status_code == 404


async def test_a_sign_in_leads_to_the_corrected_sign_up_and_no_longer_to_the_typo(
    app: RunningApp,
) -> None:
    mine = await sign_up(app, FORM)
    await correct(app, mine["id"], ADDRESS)
    other = await sign_up(app, FORM | {"email": ADDRESS, "password": "somebody else's words"})

    answer = await app.sign_in(ADDRESS, PASSWORD)
    assert (answer.status_code, answer.json()["data"]["id"]) == (409, mine["id"])
    answer = await app.sign_in(ADDRESS, "somebody else's words")
    assert (answer.status_code, answer.json()["data"]["id"]) == (409, other["id"])
    assert (await app.sign_in(ADDRESS, "neither of the two")).status_code == 400
    assert (await app.sign_in(TYPO, PASSWORD)).status_code == 400


async def test_a_member_keeps_their_address(app: RunningApp) -> None:
    await app.member("bello")
    mine = await sign_up(app, FORM)

    answer = await correct(app, mine["id"], "bello@example.com")

    content = answer.json()
    assert (answer.status_code, content["error"]["code"]) == (409, "account_exists")
    assert content["message"] == "An account with this email already exists."
    assert content["error"]["fields"] == {"email": "An account with this email already exists."}
    assert (await enter(app, mine["id"], codes(app, TYPO)[0])).status_code == 200


async def test_an_address_that_is_none_changes_nothing(app: RunningApp) -> None:
    mine = await sign_up(app, FORM)
    answer = await correct(app, mine["id"], "ada@")
    assert (answer.status_code, answer.json()["message"]) == (422, "Invalid email input")
    assert (await shown(app, mine["id"])).json()["data"]["email"] == TYPO


async def test_an_unknown_or_finished_sign_up_has_no_address_to_correct(app: RunningApp) -> None:
    mine = await sign_up(app, FORM)
    await enter(app, mine["id"], codes(app, TYPO)[0])
    for attempt_id in (mine["id"], str(new_id()), "not-an-id"):
        assert (await correct(app, attempt_id, ADDRESS)).status_code == 404
    assert codes(app, ADDRESS) == []


async def test_the_same_address_again_is_a_code_sent_again(app: RunningApp) -> None:
    mine = await sign_up(app, FORM)

    early = await correct(app, mine["id"], TYPO)
    assert (early.status_code, early.json()["error"]["code"]) == (429, "code_too_soon")
    seconds = early.json()["data"]["retryAfter"]
    assert early.json()["message"] == f"You can ask for another code in {seconds} seconds."

    await make_old(app, 61)
    assert (await correct(app, mine["id"], TYPO)).status_code == 200
    first, second = codes(app, TYPO)
    assert (await enter(app, mine["id"], first)).status_code == 400
    assert (await enter(app, mine["id"], second)).status_code == 200


async def test_after_a_correction_the_next_code_waits_a_minute(app: RunningApp) -> None:
    mine = await sign_up(app, FORM)
    await correct(app, mine["id"], ADDRESS)

    early = await resend(app, mine["id"])

    assert (early.status_code, early.json()["error"]["code"]) == (429, "code_too_soon")
    assert 55 <= early.json()["data"]["retryAfter"] <= 60
    await make_old(app, 61)
    assert (await resend(app, mine["id"])).status_code == 200
    assert len(codes(app, ADDRESS)) == 2


async def test_an_address_that_another_sign_up_was_just_mailed_to_changes_nothing_yet(
    app: RunningApp,
) -> None:
    await sign_up(app, FORM | {"email": ADDRESS, "phone": "08039999999"})
    mine = await sign_up(app, FORM)

    early = await correct(app, mine["id"], ADDRESS)

    assert (early.status_code, early.json()["error"]["code"]) == (429, "code_too_soon")
    assert len(codes(app, ADDRESS)) == 1
    assert (await shown(app, mine["id"])).json()["data"]["email"] == TYPO
    await make_old(app, 61)
    assert (await correct(app, mine["id"], ADDRESS)).status_code == 200


async def test_corrections_share_the_codes_of_a_day_with_the_address(app: RunningApp) -> None:
    for number in range(CODES_PER_DAY):
        other = await sign_up(app, FORM | {"email": f"typo{number}@example.com"})
        assert (await correct(app, other["id"], ADDRESS)).status_code == 200
        await make_old(app, 61)
    mine = await sign_up(app, FORM)

    answer = await correct(app, mine["id"], ADDRESS)

    assert answer.status_code == 429
    assert answer.json()["data"]["retryAfter"] > 23 * 3600
    assert len(codes(app, ADDRESS)) == CODES_PER_DAY


async def test_one_sign_up_mails_few_strangers(app: RunningApp) -> None:
    mine = await sign_up(app, FORM)
    answers = [
        await correct(app, mine["id"], f"stranger{number}@example.com") for number in range(8)
    ]
    sent = CODES_PER_DAY - 1  # the first was sign-up's
    assert [answer.status_code for answer in answers] == [200] * sent + [429] * (8 - sent)
    assert answers[-1].json()["data"]["retryAfter"] > 23 * 3600
    last = codes(app, f"stranger{sent - 1}@example.com")[0]
    assert (await enter(app, mine["id"], last)).status_code == 200


async def test_two_corrections_at_once_leave_one_address_and_its_code(app: RunningApp) -> None:
    mine = await sign_up(app, FORM)
    addresses = ["first@example.com", "second@example.com"]

    answers = await asyncio.gather(*(correct(app, mine["id"], one) for one in addresses))

    assert [answer.status_code for answer in answers] == [200, 200]
    winner = (await shown(app, mine["id"])).json()["data"]["email"]
    loser = next(one for one in addresses if one != winner)
    assert (await enter(app, mine["id"], codes(app, loser)[0])).status_code == 400
    assert (await enter(app, mine["id"], codes(app, winner)[0])).status_code == 200
    assert (await app.sign_in(winner, PASSWORD)).status_code == 200


async def test_sign_ups_that_swap_their_addresses_at_once_do_not_block_each_other(
    app: RunningApp,
) -> None:
    addresses = ["first@example.com", "second@example.com"]
    pair = [await sign_up(app, FORM | {"email": one}) for one in addresses]
    await make_old(app, 61)

    answers = await asyncio.gather(
        *(
            correct(app, attempt["id"], other)
            for attempt, other in zip(pair, reversed(addresses), strict=True)
        )
    )

    assert [answer.status_code for answer in answers] == [200, 200]
    for attempt, other in zip(pair, reversed(addresses), strict=True):
        assert (await shown(app, attempt["id"])).json()["data"]["email"] == other


@pytest.mark.parametrize("turn", range(4))
async def test_a_correction_while_the_code_is_used_has_one_outcome(
    app: RunningApp, turn: int
) -> None:
    mine = await sign_up(app, FORM)
    (code,) = codes(app, TYPO)
    calls = [enter(app, mine["id"], code), correct(app, mine["id"], ADDRESS)]
    if turn % 2:
        calls.reverse()

    answers = await asyncio.gather(*calls)
    entered, corrected = reversed(answers) if turn % 2 else answers

    assert (entered.status_code, corrected.status_code) in {(200, 404), (400, 200)}
    if corrected.status_code == 200:
        assert (await enter(app, mine["id"], codes(app, ADDRESS)[0])).status_code == 200
        assert (await app.sign_in(ADDRESS, PASSWORD)).status_code == 200
    else:
        assert codes(app, ADDRESS) == []
        assert (await app.sign_in(TYPO, PASSWORD)).status_code == 200


async def test_activating_the_corrected_sign_up_ends_the_others_of_its_new_address(
    app: RunningApp,
) -> None:
    other = await sign_up(app, FORM | {"email": ADDRESS, "phone": "08039999999"})
    stays = await sign_up(app, FORM | {"email": TYPO, "phone": "08038888888"})
    await make_old(app, 61)
    mine = await sign_up(app, FORM)
    await correct(app, mine["id"], ADDRESS)

    await enter(app, mine["id"], codes(app, ADDRESS)[-1])

    assert (await shown(app, other["id"])).status_code == 404
    assert (await shown(app, stays["id"])).status_code == 200


async def test_a_busy_network_pays_for_a_correction_as_for_a_sign_up(busy: RunningApp) -> None:
    mine = await sign_up(busy, FORM)
    for number in range(FREE - 1):
        answer = await correct(busy, mine["id"], f"try{number}@example.com")
        assert answer.status_code == 200

    challenge = challenge_of(await correct(busy, mine["id"], ADDRESS))
    solution = solve(challenge)

    assert (await correct(busy, mine["id"], ADDRESS, solution)).status_code == 200
    assert (await correct(busy, mine["id"], "again@example.com", solution)).status_code == 428
