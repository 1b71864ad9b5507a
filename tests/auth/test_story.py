"""Signing up, activating, signing in and out, and the forgotten password."""

import asyncio
from datetime import timedelta
from typing import Any

import httpx
import pytest
import time_machine
from api.core import clock

from tests.auth.letters import codes, forget, make_old
from tests.conftest import CLUB_A, House, SignedIn

FORM: dict[str, Any] = {
    "firstName": "Bello",
    "lastName": "Musa",
    "email": "bello@example.com",
    "username": "bello@example.com",
    "phone": "08031234567",
    "password": "a good password",
    "club": str(CLUB_A),
    "tnc": True,
}


@pytest.fixture(autouse=True)
def _empty_outbox(house: House) -> None:
    for path in house.outbox.glob("*.eml"):
        path.unlink()


async def sign_up(house: House, **changes: Any) -> httpx.Response:
    return await house.client.post("/api/v1/signup", json=FORM | changes)


async def activate(house: House, user_id: str, code: str) -> httpx.Response:
    return await house.client.post(
        "/api/v1/signup/validate-token", json={"code": code, "userId": user_id}
    )


async def is_out_within_two_seconds(member: SignedIn) -> bool:
    """Say whether a member's token dies soon: other workers hear of it a moment later."""
    for _ in range(100):
        if (await member.get(f"/api/v1/users/{member.id}")).status_code == 401:
            return True
        await asyncio.sleep(0.02)
    return False


async def test_a_supporter_signs_up_activates_signs_in_and_out(house: House) -> None:
    signed_up = await sign_up(house)
    assert signed_up.status_code == 201
    user_id = signed_up.json()["data"]["id"]
    (code,) = codes(house)

    activated = await activate(house, user_id, f" {code[:3]} {code[3:]} ")
    assert (activated.status_code, activated.json()["data"]) == (200, {"id": user_id})

    answer = (await house.sign_in("BELLO@example.com", "a good password")).json()
    token = {"Authorization": f"Bearer {answer['data']['access_token']}"}
    assert answer["data"]["user"] == {
        "id": user_id,
        "firstName": "Bello",
        "lastName": "Musa",
        "email": "bello@example.com",
        "phone": "+2348031234567",
        "club": str(CLUB_A),
        "clubName": "Enyimba",
        "emblem": f"/media/crests/{CLUB_A}.svg",
        "clubColours": ["#0B4EA2", "#FFFFFF"],
        "avatar": None,
        "badge": "rookie",
        "subscriptionId": None,
    }
    profile = await house.client.get(f"/api/v1/users/{user_id}", headers=token)
    assert profile.json()["data"]["dateOfBirth"] is None

    assert (await house.client.post("/api/v1/sign-out", headers=token)).status_code == 200
    dead = await house.client.get(f"/api/v1/users/{user_id}", headers=token)
    assert (dead.status_code, dead.json()["error"]["code"]) == (401, "token_invalid")


@pytest.mark.parametrize(
    ("changes", "field", "sentence"),
    [
        ({"firstName": " "}, "firstName", "First name is required"),
        ({"lastName": ""}, "lastName", "Last name is required"),
        ({"email": ""}, "email", "Email is required"),
        ({"email": "chi@"}, "email", "Invalid email input"),
        ({"email": "chi example.com"}, "email", "Invalid email input"),
        ({"phone": ""}, "phone", "Phone is required"),
        ({"phone": "080312345"}, "phone", "Phone number must be up to eleven numbers"),
        ({"phone": "0803123456789012"}, "phone", "Phone number must be up to eleven numbers"),
        ({"phone": "0803123456a"}, "phone", "Phone number must be up to eleven numbers"),
        ({"password": "  "}, "password", "Password is required"),
        ({"password": "short"}, "password", "Password must be at least 8 characters"),
        ({"password": "x" * 129}, "password", "Password must be at most 128 characters"),
        ({"club": "00000000-0000-7000-8000-0000000000ff"}, "club", "Club is required"),
        ({"club": "enyimba"}, "club", "This is not a valid id"),
        ({"tnc": False}, "tnc", "Please accept the terms and conditions"),
        ({"firstName": "A" * 61}, "firstName", "First name must be at most 60 characters"),
        ({"lastName": "B" * 61}, "lastName", "Last name must be at most 60 characters"),
        ({"email": "a" * 250 + "@b.ng"}, "email", "Email must be at most 254 characters"),
        *(
            ({field: name}, field, f"{label} cannot have links or line breaks")
            for field, label in (("firstName", "First name"), ("lastName", "Last name"))
            for name in (
                "Win at http://evil.test",
                "HTTPS evil",
                "ftp://x",
                "www.evil.test",
                "evil.test now",
                "Ada\nObi",
                "Ada\r\nBcc: all@example.com",
                "Ada\tObi",
                "<b>Ada</b>",
                "ada@evil",
                "Ada\u2028Obi",
            )
        ),
    ],
)
async def test_a_sign_up_that_does_not_fit_names_the_field(
    house: House, changes: dict[str, Any], field: str, sentence: str
) -> None:
    answer = await sign_up(house, **changes)

    assert answer.status_code == 422
    assert answer.json()["error"]["fields"] == {field: sentence}
    assert answer.json()["message"] == sentence
    assert codes(house) == []


@pytest.mark.parametrize(
    "name",
    ["Ada Grace", "Ọlá-Olúwa", "O'Neill", "J. P.", "St. John", "Okwu (Jnr)", "Ng\u0303ozi", "A"],
)
async def test_every_name_that_is_a_name_is_taken(house: House, name: str) -> None:
    assert (await sign_up(house, firstName=name, lastName=name)).status_code == 201


async def test_what_is_entered_too_long_is_told_in_words(house: House) -> None:
    signed_in = await house.sign_in("a" * 250 + "@b.ng", "x" * 1025)
    entered = await activate(house, str(CLUB_A), "1" * 17)

    assert signed_in.json()["error"]["fields"] == {
        "username": "Email must be at most 254 characters",
        "password": "Password must be at most 128 characters",
    }
    assert entered.json()["error"]["fields"] == {"code": "The code has 6 digits"}


@pytest.mark.parametrize("phone", ["08031234567", "8031234567", "+2348031234567"])
async def test_the_three_ways_to_write_a_phone_are_one_phone(house: House, phone: str) -> None:
    first = (await sign_up(house)).json()["data"]["id"]
    await activate(house, first, codes(house)[0])

    answer = await sign_up(house, email="other@example.com", phone=phone)

    assert answer.status_code == 409
    assert answer.json()["message"] == "An account with this email already exists."
    assert answer.json()["error"]["fields"] == {
        "phone": "An account with this phone number already exists."
    }


async def test_a_sign_up_that_was_never_finished_can_be_begun_again(house: House) -> None:
    first = (await sign_up(house)).json()["data"]["id"]
    await make_old(house, 61)

    again = await sign_up(house, email="Bello@Example.com", firstName="Bello Ali")

    second = again.json()["data"]["id"]
    assert (again.status_code, again.json()["data"]["retryAfter"]) == (201, 0)
    assert second != first
    (_, new) = codes(house, "bello@example.com")
    assert (await activate(house, second, new)).status_code == 200
    taken = await sign_up(house)
    assert taken.status_code == 409
    assert taken.json()["message"] == "An account with this email already exists."


async def test_a_code_sent_a_moment_ago_stays_good_through_a_second_sign_up(house: House) -> None:
    user_id = (await sign_up(house)).json()["data"]["id"]
    await sign_up(house)

    (code,) = codes(house)
    assert (await activate(house, user_id, code)).status_code == 200


async def test_many_sign_ups_of_one_email_at_once_mail_one_code(house: House) -> None:
    answers = await asyncio.gather(*(sign_up(house) for _ in range(12)))

    assert {answer.status_code for answer in answers} == {201}
    assert len({answer.json()["data"]["id"] for answer in answers}) == 12
    assert len(codes(house)) == 1
    assert [answer.json()["data"]["retryAfter"] for answer in answers].count(0) == 1


async def test_five_wrong_codes_void_the_code_even_all_at_once(house: House) -> None:
    user_id = (await sign_up(house)).json()["data"]["id"]
    (code,) = codes(house)
    wrong = f"{(int(code) + 1) % 10**6:06d}"

    answers = await asyncio.gather(*(activate(house, user_id, wrong) for _ in range(100)))
    after = await activate(house, user_id, code)

    assert {answer.status_code for answer in answers} == {400}
    assert (after.status_code, after.json()["error"]["code"]) == (400, "wrong_code")
    row = await house.database.fetch_row("SELECT tries FROM mailed_code")
    assert row is not None
    assert row["tries"] == 5


async def test_a_code_is_good_for_ten_minutes(house: House) -> None:
    user_id = (await sign_up(house)).json()["data"]["id"]
    (code,) = codes(house)
    await make_old(house, 10 * 60 + 1)

    assert (await activate(house, user_id, code)).status_code == 400
    letter = next(house.outbox.glob("*.eml")).read_text()
    assert "It is good for 10 minutes." in letter


async def test_the_same_code_sent_twice_answers_the_same(house: House) -> None:
    user_id = (await sign_up(house)).json()["data"]["id"]
    (code,) = codes(house)

    answers = await asyncio.gather(*(activate(house, user_id, code) for _ in range(5)))

    assert {answer.status_code for answer in answers} == {200}


async def test_a_code_is_read_without_the_spaces_of_a_paste(house: House) -> None:
    user_id = (await sign_up(house)).json()["data"]["id"]
    (code,) = codes(house)

    assert (await activate(house, user_id, f" {code[:3]} {code[3:]} ")).status_code == 200


async def test_a_code_for_one_account_opens_no_other(house: House) -> None:
    await sign_up(house)
    other = (await sign_up(house, email="other@example.com", phone="08039999999")).json()

    answer = await activate(house, other["data"]["id"], codes(house)[0])

    assert answer.status_code == (200 if codes(house) == codes(house, "other@example.com") else 400)
    for nobody in ("00000000-0000-7000-8000-0000000000ff",):
        assert (await activate(house, nobody, "123456")).status_code == 400
    assert (await activate(house, "42", "123456")).status_code == 404


async def test_codes_can_be_asked_for_once_a_minute_and_five_times_a_day(house: House) -> None:
    user_id = (await sign_up(house)).json()["data"]["id"]
    resend = {"url": "/api/v1/signup/resend-code", "json": {"userId": user_id}}

    early = await house.client.post(**resend)  # type: ignore[arg-type] # keyword names
    assert early.status_code == 429
    assert early.json()["data"] == {"retryAfter": int(early.headers["Retry-After"])}
    assert 0 < early.json()["data"]["retryAfter"] <= 60
    for _ in range(4):
        await make_old(house, 61)
        answer = await house.client.post(**resend)  # type: ignore[arg-type] # keyword names
        assert (answer.status_code, answer.json()["data"]) == (200, {"retryAfter": 60})
    await make_old(house, 61)
    sixth = await house.client.post(**resend)  # type: ignore[arg-type] # keyword names
    assert sixth.status_code == 429
    assert sixth.json()["data"]["retryAfter"] > 3600
    assert len(codes(house)) == 5


async def test_signing_in_before_activation_sends_a_fresh_code_and_names_the_account(
    house: House,
) -> None:
    user_id = (await sign_up(house)).json()["data"]["id"]
    await make_old(house, 61)

    answer = await house.sign_in("bello@example.com", "a good password")

    assert answer.status_code == 409
    assert answer.json()["error"]["code"] == "not_activated"
    assert answer.json()["message"] == "Please activate your account. We have sent you a new code."
    assert answer.json()["data"] == {"id": user_id, "retryAfter": 0}
    assert len(codes(house)) == 2


async def test_a_wrong_password_and_an_unknown_email_answer_alike(house: House) -> None:
    await house.member("ada")

    wrong = await house.sign_in("ada@example.com", "not the password")
    unknown = await house.sign_in("nobody@example.com", "not the password")

    assert wrong.status_code == unknown.status_code == 400
    assert wrong.json()["message"] == unknown.json()["message"]
    assert wrong.json()["error"]["code"] == unknown.json()["error"]["code"] == "wrong_credentials"


async def test_guessing_a_password_meets_delays_of_a_minute_and_the_right_one_never_at_home(
    house: House,
) -> None:
    await house.member("ada")  # who signs in from here

    answers = [await house.sign_in("ada@example.com", f"guess {n}") for n in range(8)]

    assert [answer.status_code for answer in answers] == [400] * 5 + [429] * 3
    assert answers[-1].json()["error"]["code"] == "sign_in_delayed"
    assert 0 < int(answers[-1].headers["Retry-After"]) <= 60
    assert (await house.sign_in("nobody@example.com")).status_code == 400
    async with house.database.transaction() as tx:
        await tx.execute("UPDATE sign_in_guard SET locked_until = now() - interval '1 s'")
    assert (await house.sign_in("ada@example.com", "ninth")).status_code == 400
    again = await house.sign_in("ada@example.com", "tenth")
    assert 0 < int(again.headers["Retry-After"]) <= 60, "the delay does not grow"
    assert (await house.sign_in("ada@example.com")).status_code == 200


async def test_a_thousand_guesses_at_once_are_five_answers(house: House) -> None:
    await house.member("ada")

    answers = await asyncio.gather(*(house.sign_in("ada@example.com", "guess") for _ in range(200)))

    tried = [answer for answer in answers if answer.status_code == 400]
    assert len(tried) <= 5
    assert {answer.status_code for answer in answers} <= {400, 429, 503}


async def test_the_right_password_forgets_the_wrong_ones(house: House) -> None:
    await house.member("ada")
    for _ in range(3):
        for attempt in range(8):
            await house.sign_in("ada@example.com", f"guess {attempt}")
        assert (await house.sign_in("ada@example.com")).status_code == 200


async def test_a_forgotten_password_is_reset_and_every_session_ends(house: House) -> None:
    member = await house.member("ada")
    other = (await house.sign_in(member.email)).json()["data"]["access_token"]

    handle = await forget(house, member.email)
    (code,) = codes(house, member.email)
    body = {"userId": handle, "code": code, "password": "brand new words"}
    reset = await house.client.post("/api/v1/password/reset", json=body)

    assert reset.status_code == 200
    for token in (member.token, other):
        answer = await house.client.get(
            f"/api/v1/users/{member.id}", headers={"Authorization": f"Bearer {token}"}
        )
        assert answer.status_code == 401
    assert (await house.sign_in(member.email)).status_code == 400
    assert (await house.sign_in(member.email, "brand new words")).status_code == 200
    assert (await house.client.post("/api/v1/password/reset", json=body)).status_code == 400


async def test_forgetting_says_nothing_about_who_has_an_account(house: House) -> None:
    await house.member("ada")
    path = "/api/v1/password/forgot"

    emails = ("ada@example.com", "nobody@example.com")
    known, unknown = [await house.client.post(path, json={"email": email}) for email in emails]
    again = [await house.client.post(path, json={"email": email}) for email in emails]

    assert (known.status_code, unknown.status_code) == (200, 200)
    assert known.json()["message"] == unknown.json()["message"]
    assert {answer.json()["error"]["code"] for answer in again} == {"code_too_soon"}
    await house.settle()
    assert len(codes(house, "ada@example.com")) == 1
    guess = {"userId": unknown.json()["data"]["userId"], "code": "123456"}
    refused = await house.client.post(
        "/api/v1/password/reset", json=guess | {"password": "long enough"}
    )
    assert (refused.status_code, refused.json()["error"]["code"]) == (400, "wrong_code")


async def test_a_suspended_member_is_out_at_once_and_cannot_come_back(house: House) -> None:
    member = await house.member("ada")
    async with house.database.transaction() as tx:
        await tx.execute("UPDATE user_account SET suspended_at = now()")
        await tx.execute("UPDATE session SET revoked_at = now()")
    assert await is_out_within_two_seconds(member)
    back = await house.sign_in(member.email)
    assert (back.status_code, back.json()["error"]["code"]) == (409, "suspended")


async def test_a_token_lives_seven_days(house: House) -> None:
    member = await house.member("ada")
    with time_machine.travel(clock.now() + timedelta(days=7, seconds=5), tick=True):
        answer = await member.get(f"/api/v1/users/{member.id}")

    assert answer.status_code == 401


async def test_an_eleventh_sign_in_ends_the_first_session(house: House) -> None:
    member = await house.member("ada")
    for _ in range(10):
        assert (await house.sign_in(member.email)).status_code == 200
    assert await is_out_within_two_seconds(member)


async def test_clubs_are_listed_a_to_z_with_null_for_others(house: House) -> None:
    answer = (await house.client.get("/api/v1/clubs")).json()

    assert [(club["name"], club["cc_name"]) for club in answer["data"]] == [
        ("Arsenal", None),
        ("Enyimba", "NPFL"),
    ]
    crest = await house.client.get(answer["data"][0]["emblem"])
    assert crest.headers["Content-Type"] == "image/svg+xml; charset=utf-8"
    assert crest.text.startswith("<svg")
    assert (await house.client.get("/media/crests/nope.svg")).status_code == 404


@pytest.mark.parametrize(
    "password",
    [
        "a\N{NO-BREAK SPACE}goal in the rain",
        "\N{WOMAN}\N{ZERO WIDTH JOINER}\N{SOCCER BALL} every single day",
        "\u1eccl\xe1w\xe1l\xe9 n\xed p\xe1p\xe1",
        "goal\tand\tgoal and goal",
    ],
)
async def test_a_password_may_hold_any_character(house: House, password: str) -> None:
    form = FORM | {"password": password}
    attempt = (await house.client.post("/api/v1/signup", json=form)).json()["data"]["id"]
    code = codes(house)[-1]
    await house.client.post("/api/v1/signup/validate-token", json={"userId": attempt, "code": code})

    assert (await house.sign_in(FORM["email"], password)).status_code == 200
    assert (await house.sign_in(FORM["email"], password + " ")).status_code == 400
