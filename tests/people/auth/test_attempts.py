"""Two people sign up with one e-mail address: whose password opens the account."""

import asyncio
import email
from typing import Any

import httpx
import pytest
from api.people.auth.rules import ATTEMPTS_PER_ADDRESS

from tests.conftest import CLUB_A, RunningApp
from tests.mail_server import part_of
from tests.people.auth.letters import calling_from, codes, make_old

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
UNKNOWN_NETWORK = OWNER | {"phone": "08039999999", "password": "the stranger's words"}


@pytest.fixture(autouse=True)
def _empty_outbox(app: RunningApp) -> None:
    for path in app.outbox.glob("*.eml"):
        path.unlink()


async def sign_up(app: RunningApp, form: dict[str, Any]) -> dict[str, Any]:
    answer = await app.client.post("/api/v1/signup", json=form)
    assert answer.status_code == 201
    data: dict[str, Any] = answer.json()["data"]
    return data


async def enter(app: RunningApp, attempt_id: str, code: str) -> httpx.Response:
    return await app.client.post(
        "/api/v1/signup/validate-token", json={"code": code, "userId": attempt_id}
    )


async def resend(app: RunningApp, attempt_id: str) -> httpx.Response:
    return await app.client.post("/api/v1/signup/resend-code", json={"userId": attempt_id})


async def opens(app: RunningApp, password: str) -> bool:
    return (await app.sign_in(ADDRESS, password)).status_code == 200


async def test_a_stranger_who_signs_up_after_the_owner_does_not_choose_the_password(
    app: RunningApp,
) -> None:
    mine = await sign_up(app, OWNER)
    theirs = await sign_up(app, UNKNOWN_NETWORK)

    (code,) = codes(app, ADDRESS)
    assert (await enter(app, theirs["id"], code)).status_code == 400
    assert (await enter(app, mine["id"], code)).status_code == 200

    assert await opens(app, OWNER["password"])
    assert not await opens(app, UNKNOWN_NETWORK["password"])


async def test_a_stranger_who_signed_up_before_the_owner_does_not_choose_the_password(
    app: RunningApp,
) -> None:
    theirs = await sign_up(app, UNKNOWN_NETWORK)
    mine = await sign_up(app, OWNER)

    (code,) = codes(app, ADDRESS)
    assert (await enter(app, mine["id"], code)).status_code == 400
    await make_old(app, 61)
    assert (await resend(app, mine["id"])).status_code == 200
    assert (await enter(app, mine["id"], codes(app, ADDRESS)[-1])).status_code == 200

    assert await opens(app, OWNER["password"])
    assert not await opens(app, UNKNOWN_NETWORK["password"])
    assert (await enter(app, theirs["id"], code)).status_code == 400


async def test_a_sign_up_says_when_its_code_can_be_sent(app: RunningApp) -> None:
    first = await sign_up(app, OWNER)
    second = await sign_up(app, UNKNOWN_NETWORK)

    assert first["retryAfter"] == 0
    assert first["id"] != second["id"]
    assert 55 <= second["retryAfter"] <= 60
    assert len(codes(app, ADDRESS)) == 1
    early = await resend(app, second["id"])
    assert (early.status_code, early.json()["data"].keys()) == (429, {"retryAfter"})
    seconds = early.json()["data"]["retryAfter"]
    assert early.json()["message"] == f"You can ask for another code in {seconds} seconds."


async def test_a_sign_up_whose_code_was_not_sent_does_not_say_it_was(app: RunningApp) -> None:
    await sign_up(app, OWNER)

    answer = await app.client.post("/api/v1/signup", json=UNKNOWN_NETWORK)

    seconds = answer.json()["data"]["retryAfter"]
    assert answer.json()["message"] == (
        "We have not sent your code yet: this email has just been sent another. "
        f"You can ask for yours in {seconds} seconds."
    )


async def test_one_activation_ends_the_other_sign_ups_of_the_address(app: RunningApp) -> None:
    mine = await sign_up(app, OWNER)
    await make_old(app, 61)
    theirs = await sign_up(app, UNKNOWN_NETWORK | {"email": "Ada@Example.com"})
    my_code, their_code = codes(app, ADDRESS)

    assert (await enter(app, mine["id"], my_code)).status_code == 200

    assert (await enter(app, theirs["id"], their_code)).status_code == 400
    assert (await resend(app, theirs["id"])).status_code == 404
    assert not await opens(app, UNKNOWN_NETWORK["password"])
    rows = await app.database.fetch_rows("SELECT id FROM sign_up_attempt")
    assert rows == []


async def test_an_attempt_becomes_the_account_with_its_id_and_its_form(app: RunningApp) -> None:
    await sign_up(app, UNKNOWN_NETWORK)
    await make_old(app, 61)
    mine = await sign_up(app, OWNER | {"firstName": "Ada Grace"})

    await enter(app, mine["id"], codes(app, ADDRESS)[-1])

    user = (await app.sign_in(ADDRESS, OWNER["password"])).json()["data"]["user"]
    assert (user["id"], user["firstName"], user["phone"]) == (
        mine["id"],
        "Ada Grace",
        "+2348031234567",
    )


async def test_the_same_code_twice_answers_the_same_and_makes_one_account(app: RunningApp) -> None:
    mine = await sign_up(app, OWNER)
    (code,) = codes(app, ADDRESS)

    answers = await asyncio.gather(*(enter(app, mine["id"], code) for _ in range(10)))

    assert {answer.status_code for answer in answers} == {200}
    assert {answer.json()["data"]["id"] for answer in answers} == {mine["id"]}
    assert (await enter(app, mine["id"], code)).status_code == 200


async def test_before_activation_a_sign_in_names_the_sign_up_whose_password_it_is(
    app: RunningApp,
) -> None:
    mine = await sign_up(app, OWNER)
    theirs = await sign_up(app, UNKNOWN_NETWORK)

    answer = await app.sign_in(ADDRESS, UNKNOWN_NETWORK["password"])
    assert (answer.status_code, answer.json()["error"]["code"]) == (409, "not_activated")
    assert answer.json()["data"]["id"] == theirs["id"]
    assert answer.json()["message"] == "Please activate your account with the code we sent you."
    assert len(codes(app, ADDRESS)) == 1

    await make_old(app, 61)
    answer = await app.sign_in(ADDRESS, OWNER["password"])
    assert answer.json()["data"] == {"id": mine["id"], "retryAfter": 0}
    assert answer.json()["message"] == "Please activate your account. We have sent you a new code."
    assert len(codes(app, ADDRESS)) == 2

    wrong = await app.sign_in(ADDRESS, "neither of the two")
    assert (wrong.status_code, wrong.json()["error"]["code"]) == (400, "wrong_credentials")


async def test_a_flood_of_sign_ups_ends_old_ones_and_never_the_one_that_waits_for_its_code(
    app: RunningApp,
) -> None:
    mine = await sign_up(app, OWNER)
    for number in range(25):
        await sign_up(app, UNKNOWN_NETWORK | {"password": f"words of a stranger {number}"})

    rows = await app.database.fetch_rows("SELECT id FROM sign_up_attempt")
    assert len(rows) == ATTEMPTS_PER_ADDRESS
    assert (await enter(app, mine["id"], codes(app, ADDRESS)[0])).status_code == 200
    assert await opens(app, OWNER["password"])


async def test_what_one_network_sends_ends_no_sign_up_of_another(app: RunningApp) -> None:
    async with calling_from(app.asgi, "203.0.113.9") as other_network:
        await other_network.post("/api/v1/signup", json=UNKNOWN_NETWORK)
        mine = await sign_up(app, OWNER)
        assert mine["retryAfter"] > 0
        for number in range(ATTEMPTS_PER_ADDRESS + 5):
            form = UNKNOWN_NETWORK | {"password": f"words of a stranger {number}"}
            assert (await other_network.post("/api/v1/signup", json=form)).status_code == 201

    await make_old(app, 61)
    assert (await resend(app, mine["id"])).status_code == 200
    assert (await enter(app, mine["id"], codes(app, ADDRESS)[-1])).status_code == 200
    assert await opens(app, OWNER["password"])


async def test_the_password_of_ones_own_sign_up_forgets_no_wrong_ones_for_the_email(
    app: RunningApp,
) -> None:
    await sign_up(app, UNKNOWN_NETWORK)
    answers = []
    for number in range(12):
        answers.append((await app.sign_in(ADDRESS, f"a guess {number}")).status_code)
        if number == 2:
            own = await app.sign_in(ADDRESS, UNKNOWN_NETWORK["password"])
            assert own.json()["error"]["code"] == "not_activated"

    assert answers == [400] * 5 + [429] * 7


async def test_an_attempt_ends_after_a_day(app: RunningApp) -> None:
    mine = await sign_up(app, OWNER)
    async with app.database.transaction() as tx:
        await tx.execute("UPDATE sign_up_attempt SET expires_at = now() - interval '1 second'")

    assert (await resend(app, mine["id"])).status_code == 404
    assert (await enter(app, mine["id"], codes(app, ADDRESS)[0])).status_code == 400
    assert (await app.sign_in(ADDRESS, OWNER["password"])).status_code == 400


PHONE_TAKEN = "An account with this phone number already exists."


def assert_phone_is_taken(answer: httpx.Response) -> None:
    content = answer.json()
    assert (answer.status_code, content["error"]["code"]) == (409, "account_exists")
    assert content["message"] == PHONE_TAKEN
    assert content["error"]["fields"] == {"phone": PHONE_TAKEN}


async def test_a_sign_up_that_was_never_activated_does_not_reserve_its_phone(
    app: RunningApp,
) -> None:
    await sign_up(app, UNKNOWN_NETWORK | {"email": "eve@example.com", "phone": OWNER["phone"]})
    mine = await sign_up(app, OWNER)
    assert (await enter(app, mine["id"], codes(app, ADDRESS)[0])).status_code == 200
    assert await opens(app, OWNER["password"])


async def test_the_second_to_activate_a_phone_is_told_and_signs_up_with_another(
    app: RunningApp,
) -> None:
    grace = OWNER | {"email": "grace@example.com"}
    mine = await sign_up(app, OWNER)
    other = await sign_up(app, grace)
    await enter(app, mine["id"], codes(app, ADDRESS)[0])

    assert_phone_is_taken(await enter(app, other["id"], codes(app, grace["email"])[0]))
    await make_old(app, 61)
    assert_phone_is_taken(await resend(app, other["id"]))
    assert_phone_is_taken(await app.sign_in(grace["email"], OWNER["password"]))
    assert len(codes(app, grace["email"])) == 1
    again = await app.client.post("/api/v1/signup", json=grace)
    assert (again.status_code, again.json()["error"]["fields"]) == (409, {"phone": PHONE_TAKEN})

    retried = await sign_up(app, grace | {"phone": "08039999999"})
    assert (await enter(app, retried["id"], codes(app, grace["email"])[-1])).status_code == 200
    assert (await app.sign_in(grace["email"], OWNER["password"])).status_code == 200


async def test_of_two_who_activate_a_phone_at_once_one_gets_it(app: RunningApp) -> None:
    addresses = [ADDRESS, "grace@example.com"]
    attempts = [await sign_up(app, OWNER | {"email": address}) for address in addresses]
    answers = await asyncio.gather(
        *(
            enter(app, attempt["id"], codes(app, address)[0])
            for attempt, address in zip(attempts, addresses, strict=True)
        )
    )
    won, lost = sorted(answers, key=lambda answer: answer.status_code)
    assert won.status_code == 200
    assert_phone_is_taken(lost)
    phones = "SELECT count(*) FROM user_account WHERE phone = '+2348031234567'"
    assert await app.database.fetch_value(phones) == 1


async def test_nothing_of_a_person_is_kept_where_nobody_activated(app: RunningApp) -> None:
    await sign_up(app, OWNER)

    assert await app.database.fetch_rows("SELECT id FROM user_account") == []
    assert await app.database.fetch_rows("SELECT user_id FROM credential") == []


async def test_an_email_in_letters_that_fold_into_anothers_opens_nothing(app: RunningApp) -> None:
    await app.member("victim")
    other = "v\N{LATIN CAPITAL LETTER I WITH DOT ABOVE}ctim@example.com"

    forgotten = await app.client.post("/api/v1/password/forgot", json={"email": other})

    assert (await app.sign_in(other)).status_code == 422
    assert forgotten.status_code == 422
    assert forgotten.json()["message"] == "Invalid email input"


async def test_no_word_that_was_typed_at_sign_up_is_in_a_mail_to_the_address(
    app: RunningApp,
) -> None:
    """Anybody can type any words for a stranger's address."""
    typed = {"firstName": "Claim Your Prize", "lastName": "At Example Bank", "email": "x@gmail.com"}
    mine = await sign_up(app, OWNER | typed)
    await make_old(app, 61)
    await resend(app, mine["id"])
    await make_old(app, 61)
    await app.sign_in("x@gmail.com", OWNER["password"])  # sends the code of the pending sign-up
    await app.client.post(f"/api/v1/signup/{mine['id']}/email", json={"email": "y@gmail.com"})
    await app.settle()

    letters = [email.message_from_bytes(path.read_bytes()) for path in app.outbox.glob("*.eml")]
    whole = [
        part_of(letter, kind) + str(letter.items())
        for letter in letters
        for kind in ("plain", "html")
        if letter["To"] in ("x@gmail.com", "y@gmail.com")
    ]
    assert len(whole) == 2 * 4
    assert sum("Hello," in text for text in whole) == len(whole)
    for text in whole:
        assert not any(word in text for word in ("Claim", "Prize", "Example Bank"))
