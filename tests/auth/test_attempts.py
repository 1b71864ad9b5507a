"""Two people, one e-mail address: whose password opens the account."""

import asyncio
from typing import Any

import httpx
import pytest
from api.auth.rules import ATTEMPTS_PER_ADDRESS

from tests.auth.letters import calling_from, codes, make_old
from tests.conftest import CLUB_A, House

ADDRESS = "ada@example.com"
OWNER: dict[str, Any] = {
    "firstName": "Ada",
    "lastName": "Obi",
    "email": ADDRESS,
    "phone": "08031234567",
    "password": "the owner's own words",
    "club": str(CLUB_A),
    "tnc": True,
}
STRANGER = OWNER | {"phone": "08039999999", "password": "the stranger's words"}


@pytest.fixture(autouse=True)
def _empty_outbox(house: House) -> None:
    for path in house.outbox.glob("*.eml"):
        path.unlink()


async def sign_up(house: House, form: dict[str, Any]) -> dict[str, Any]:
    answer = await house.client.post("/api/v1/signup", json=form)
    assert answer.status_code == 201
    data: dict[str, Any] = answer.json()["data"]
    return data


async def enter(house: House, attempt_id: str, code: str) -> httpx.Response:
    return await house.client.post(
        "/api/v1/signup/validate-token", json={"code": code, "userId": attempt_id}
    )


async def resend(house: House, attempt_id: str) -> httpx.Response:
    return await house.client.post("/api/v1/signup/resend-code", json={"userId": attempt_id})


async def opens(house: House, password: str) -> bool:
    return (await house.sign_in(ADDRESS, password)).status_code == 200


async def test_a_stranger_who_signs_up_after_the_owner_does_not_choose_the_password(
    house: House,
) -> None:
    mine = await sign_up(house, OWNER)
    theirs = await sign_up(house, STRANGER)

    (code,) = codes(house, ADDRESS)
    assert (await enter(house, theirs["id"], code)).status_code == 400
    assert (await enter(house, mine["id"], code)).status_code == 200

    assert await opens(house, OWNER["password"])
    assert not await opens(house, STRANGER["password"])


async def test_a_stranger_who_signed_up_before_the_owner_does_not_choose_the_password(
    house: House,
) -> None:
    theirs = await sign_up(house, STRANGER)
    mine = await sign_up(house, OWNER)

    (code,) = codes(house, ADDRESS)
    assert (await enter(house, mine["id"], code)).status_code == 400
    await make_old(house, 61)
    assert (await resend(house, mine["id"])).status_code == 200
    assert (await enter(house, mine["id"], codes(house, ADDRESS)[-1])).status_code == 200

    assert await opens(house, OWNER["password"])
    assert not await opens(house, STRANGER["password"])
    assert (await enter(house, theirs["id"], code)).status_code == 400


async def test_a_sign_up_says_when_its_code_can_be_sent(house: House) -> None:
    first = await sign_up(house, OWNER)
    second = await sign_up(house, STRANGER)

    assert first["retryAfter"] == 0
    assert first["id"] != second["id"]
    assert 55 <= second["retryAfter"] <= 60
    assert len(codes(house, ADDRESS)) == 1
    early = await resend(house, second["id"])
    assert (early.status_code, early.json()["data"].keys()) == (429, {"retryAfter"})
    seconds = early.json()["data"]["retryAfter"]
    assert early.json()["message"] == f"You can ask for another code in {seconds} seconds."


async def test_a_sign_up_whose_code_was_not_sent_does_not_say_it_was(house: House) -> None:
    await sign_up(house, OWNER)

    answer = await house.client.post("/api/v1/signup", json=STRANGER)

    assert answer.json()["message"] == (
        "We have not sent your code yet: this email has just been sent another. "
        "You can ask for yours in 60 seconds."
    )


async def test_one_activation_ends_the_other_sign_ups_of_the_address(house: House) -> None:
    mine = await sign_up(house, OWNER)
    await make_old(house, 61)
    theirs = await sign_up(house, STRANGER | {"email": "Ada@Example.com"})
    my_code, their_code = codes(house, ADDRESS)

    assert (await enter(house, mine["id"], my_code)).status_code == 200

    assert (await enter(house, theirs["id"], their_code)).status_code == 400
    assert (await resend(house, theirs["id"])).status_code == 404
    assert not await opens(house, STRANGER["password"])
    rows = await house.database.fetch_rows("SELECT id FROM sign_up_attempt")
    assert rows == []


async def test_an_attempt_becomes_the_account_with_its_id_and_its_form(house: House) -> None:
    await sign_up(house, STRANGER)
    await make_old(house, 61)
    mine = await sign_up(house, OWNER | {"firstName": "Ada Grace"})

    await enter(house, mine["id"], codes(house, ADDRESS)[-1])

    user = (await house.sign_in(ADDRESS, OWNER["password"])).json()["data"]["user"]
    assert (user["id"], user["firstName"], user["phone"]) == (
        mine["id"],
        "Ada Grace",
        "+2348031234567",
    )


async def test_the_same_code_twice_answers_the_same_and_makes_one_account(house: House) -> None:
    mine = await sign_up(house, OWNER)
    (code,) = codes(house, ADDRESS)

    answers = await asyncio.gather(*(enter(house, mine["id"], code) for _ in range(10)))

    assert {answer.status_code for answer in answers} == {200}
    assert {answer.json()["data"]["id"] for answer in answers} == {mine["id"]}
    assert (await enter(house, mine["id"], code)).status_code == 200


async def test_before_activation_a_sign_in_names_the_sign_up_whose_password_it_is(
    house: House,
) -> None:
    mine = await sign_up(house, OWNER)
    theirs = await sign_up(house, STRANGER)

    answer = await house.sign_in(ADDRESS, STRANGER["password"])
    assert (answer.status_code, answer.json()["error"]["code"]) == (409, "not_activated")
    assert answer.json()["data"]["id"] == theirs["id"]
    assert answer.json()["message"] == "Please activate your account with the code we sent you."
    assert len(codes(house, ADDRESS)) == 1

    await make_old(house, 61)
    answer = await house.sign_in(ADDRESS, OWNER["password"])
    assert answer.json()["data"] == {"id": mine["id"], "retryAfter": 0}
    assert answer.json()["message"] == "Please activate your account. We have sent you a new code."
    assert len(codes(house, ADDRESS)) == 2

    wrong = await house.sign_in(ADDRESS, "neither of the two")
    assert (wrong.status_code, wrong.json()["error"]["code"]) == (400, "wrong_credentials")


async def test_a_flood_of_sign_ups_ends_old_ones_and_never_the_one_that_waits_for_its_code(
    house: House,
) -> None:
    mine = await sign_up(house, OWNER)
    for number in range(25):
        await sign_up(house, STRANGER | {"password": f"words of a stranger {number}"})

    rows = await house.database.fetch_rows("SELECT id FROM sign_up_attempt")
    assert len(rows) == ATTEMPTS_PER_ADDRESS
    assert (await enter(house, mine["id"], codes(house, ADDRESS)[0])).status_code == 200
    assert await opens(house, OWNER["password"])


async def test_what_one_network_sends_ends_no_sign_up_of_another(house: House) -> None:
    async with calling_from(house.app, "203.0.113.9") as strangers:
        await strangers.post("/api/v1/signup", json=STRANGER)
        mine = await sign_up(house, OWNER)
        assert mine["retryAfter"] > 0
        for number in range(ATTEMPTS_PER_ADDRESS + 5):
            form = STRANGER | {"password": f"words of a stranger {number}"}
            assert (await strangers.post("/api/v1/signup", json=form)).status_code == 201

    await make_old(house, 61)
    assert (await resend(house, mine["id"])).status_code == 200
    assert (await enter(house, mine["id"], codes(house, ADDRESS)[-1])).status_code == 200
    assert await opens(house, OWNER["password"])


async def test_the_password_of_ones_own_sign_up_forgets_no_wrong_ones_for_the_email(
    house: House,
) -> None:
    await sign_up(house, STRANGER)
    answers = []
    for number in range(12):
        answers.append((await house.sign_in(ADDRESS, f"a guess {number}")).status_code)
        if number == 2:
            own = await house.sign_in(ADDRESS, STRANGER["password"])
            assert own.json()["error"]["code"] == "not_activated"

    assert answers == [400] * 5 + [429] * 7


async def test_an_attempt_ends_after_a_day(house: House) -> None:
    mine = await sign_up(house, OWNER)
    async with house.database.transaction() as tx:
        await tx.execute("UPDATE sign_up_attempt SET expires_at = now() - interval '1 second'")

    assert (await resend(house, mine["id"])).status_code == 404
    assert (await enter(house, mine["id"], codes(house, ADDRESS)[0])).status_code == 400
    assert (await house.sign_in(ADDRESS, OWNER["password"])).status_code == 400


PHONE_TAKEN = "An account with this phone number already exists."


def assert_phone_is_taken(answer: httpx.Response) -> None:
    content = answer.json()
    assert (answer.status_code, content["error"]["code"]) == (409, "account_exists")
    assert content["message"] == PHONE_TAKEN
    assert content["error"]["fields"] == {"phone": PHONE_TAKEN}


async def test_a_sign_up_that_was_never_activated_does_not_reserve_its_phone(
    house: House,
) -> None:
    await sign_up(house, STRANGER | {"email": "eve@example.com", "phone": OWNER["phone"]})
    mine = await sign_up(house, OWNER)
    assert (await enter(house, mine["id"], codes(house, ADDRESS)[0])).status_code == 200
    assert await opens(house, OWNER["password"])


async def test_the_second_to_activate_a_phone_is_told_and_signs_up_with_another(
    house: House,
) -> None:
    grace = OWNER | {"email": "grace@example.com"}
    mine = await sign_up(house, OWNER)
    other = await sign_up(house, grace)
    await enter(house, mine["id"], codes(house, ADDRESS)[0])

    assert_phone_is_taken(await enter(house, other["id"], codes(house, grace["email"])[0]))
    await make_old(house, 61)
    assert_phone_is_taken(await resend(house, other["id"]))
    assert_phone_is_taken(await house.sign_in(grace["email"], OWNER["password"]))
    assert len(codes(house, grace["email"])) == 1
    again = await house.client.post("/api/v1/signup", json=grace)
    assert (again.status_code, again.json()["error"]["fields"]) == (409, {"phone": PHONE_TAKEN})

    anew = await sign_up(house, grace | {"phone": "08039999999"})
    assert (await enter(house, anew["id"], codes(house, grace["email"])[-1])).status_code == 200
    assert (await house.sign_in(grace["email"], OWNER["password"])).status_code == 200


async def test_of_two_who_activate_a_phone_at_once_one_gets_it(house: House) -> None:
    addresses = [ADDRESS, "grace@example.com"]
    attempts = [await sign_up(house, OWNER | {"email": address}) for address in addresses]
    answers = await asyncio.gather(
        *(
            enter(house, attempt["id"], codes(house, address)[0])
            for attempt, address in zip(attempts, addresses, strict=True)
        )
    )
    won, lost = sorted(answers, key=lambda answer: answer.status_code)
    assert won.status_code == 200
    assert_phone_is_taken(lost)
    phones = "SELECT count(*) FROM user_account WHERE phone = '+2348031234567'"
    assert await house.database.fetch_value(phones) == 1


async def test_nothing_of_a_person_is_kept_where_nobody_activated(house: House) -> None:
    await sign_up(house, OWNER)

    assert await house.database.fetch_rows("SELECT id FROM user_account") == []
    assert await house.database.fetch_rows("SELECT user_id FROM credential") == []


async def test_an_email_in_letters_that_fold_into_anothers_opens_nothing(house: House) -> None:
    await house.member("victim")
    other = "v\N{LATIN CAPITAL LETTER I WITH DOT ABOVE}ctim@example.com"

    forgotten = await house.client.post("/api/v1/password/forgot", json={"email": other})

    assert (await house.sign_in(other)).status_code == 422
    assert forgotten.status_code == 422
    assert forgotten.json()["message"] == "Invalid email input"
