"""Signing up, activating, signing in and out, and the forgotten password."""

import asyncio
from datetime import timedelta
from typing import Any

import httpx
import pytest
import time_machine
from api.foundation.core import clock

from tests.conftest import CLUB_A, RunningApp, SignedIn
from tests.people.auth.letters import codes, forget, make_old

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
def _empty_outbox(app: RunningApp) -> None:
    for path in app.outbox.glob("*.eml"):
        path.unlink()


async def sign_up(app: RunningApp, **changes: Any) -> httpx.Response:
    return await app.client.post("/api/v1/signup", json=FORM | changes)


async def activate(app: RunningApp, user_id: str, code: str) -> httpx.Response:
    return await app.client.post(
        "/api/v1/signup/validate-token", json={"code": code, "userId": user_id}
    )


async def is_out_within_two_seconds(member: SignedIn) -> bool:
    """Return whether a member's token becomes invalid soon: other workers are notified."""
    for _ in range(100):
        if (await member.get(f"/api/v1/users/{member.id}")).status_code == 401:
            return True
        await asyncio.sleep(0.02)
    return False


async def test_a_supporter_signs_up_activates_signs_in_and_out(app: RunningApp) -> None:
    signed_up = await sign_up(app)
    assert signed_up.status_code == 201
    user_id = signed_up.json()["data"]["id"]
    (code,) = codes(app)

    activated = await activate(app, user_id, f" {code[:3]} {code[3:]} ")
    assert (activated.status_code, activated.json()["data"]) == (200, {"id": user_id, "points": 0})

    answer = (await app.sign_in("BELLO@example.com", "a good password")).json()
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
    profile = await app.client.get(f"/api/v1/users/{user_id}", headers=token)
    assert profile.json()["data"]["dateOfBirth"] is None

    assert (await app.client.post("/api/v1/sign-out", headers=token)).status_code == 200
    dead = await app.client.get(f"/api/v1/users/{user_id}", headers=token)
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
                "evil\uff61test now",
                "evil\uff0etest now",
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
    app: RunningApp, changes: dict[str, Any], field: str, sentence: str
) -> None:
    answer = await sign_up(app, **changes)

    assert answer.status_code == 422
    assert answer.json()["error"]["fields"] == {field: sentence}
    assert answer.json()["message"] == sentence
    assert codes(app) == []


@pytest.mark.parametrize(
    "name",
    ["Ada Grace", "Ọlá-Olúwa", "O'Neill", "J. P.", "St. John", "Okwu (Jnr)", "Ng\u0303ozi", "A"],
)
async def test_every_name_that_is_a_name_is_taken(app: RunningApp, name: str) -> None:
    assert (await sign_up(app, firstName=name, lastName=name)).status_code == 201


async def test_what_is_entered_too_long_is_told_in_words(app: RunningApp) -> None:
    signed_in = await app.sign_in("a" * 250 + "@b.ng", "x" * 1025)
    entered = await activate(app, str(CLUB_A), "1" * 17)

    assert signed_in.json()["error"]["fields"] == {
        "username": "Email must be at most 254 characters",
        "password": "Password must be at most 128 characters",
    }
    assert entered.json()["error"]["fields"] == {"code": "The code has 6 digits"}


@pytest.mark.parametrize("phone", ["08031234567", "8031234567", "+2348031234567"])
async def test_the_three_ways_to_write_a_phone_are_one_phone(app: RunningApp, phone: str) -> None:
    first = (await sign_up(app)).json()["data"]["id"]
    await activate(app, first, codes(app)[0])

    answer = await sign_up(app, email="other@example.com", phone=phone)

    assert answer.status_code == 409
    assert answer.json()["message"] == "An account with this email already exists."
    assert answer.json()["error"]["fields"] == {
        "phone": "An account with this phone number already exists."
    }


async def test_a_sign_up_that_was_never_finished_can_be_begun_again(app: RunningApp) -> None:
    first = (await sign_up(app)).json()["data"]["id"]
    await make_old(app, 61)

    again = await sign_up(app, email="Bello@Example.com", firstName="Bello Ali")

    second = again.json()["data"]["id"]
    assert (again.status_code, again.json()["data"]["retryAfter"]) == (201, 0)
    assert second != first
    (_, new) = codes(app, "bello@example.com")
    assert (await activate(app, second, new)).status_code == 200
    taken = await sign_up(app)
    assert taken.status_code == 409
    assert taken.json()["message"] == "An account with this email already exists."


async def test_a_code_sent_a_moment_ago_stays_good_through_a_second_sign_up(
    app: RunningApp,
) -> None:
    user_id = (await sign_up(app)).json()["data"]["id"]
    await sign_up(app)

    (code,) = codes(app)
    assert (await activate(app, user_id, code)).status_code == 200


async def test_many_sign_ups_of_one_email_at_once_mail_one_code(app: RunningApp) -> None:
    answers = await asyncio.gather(*(sign_up(app) for _ in range(12)))

    assert {answer.status_code for answer in answers} == {201}
    assert len({answer.json()["data"]["id"] for answer in answers}) == 12
    assert len(codes(app)) == 1
    assert [answer.json()["data"]["retryAfter"] for answer in answers].count(0) == 1


async def test_five_wrong_codes_void_the_code_even_all_at_once(app: RunningApp) -> None:
    user_id = (await sign_up(app)).json()["data"]["id"]
    (code,) = codes(app)
    wrong = f"{(int(code) + 1) % 10**6:06d}"

    answers = await asyncio.gather(*(activate(app, user_id, wrong) for _ in range(100)))
    after = await activate(app, user_id, code)

    assert {answer.status_code for answer in answers} == {400}
    assert (after.status_code, after.json()["error"]["code"]) == (400, "wrong_code")
    row = await app.database.fetch_row("SELECT tries FROM mailed_code")
    assert row is not None
    assert row["tries"] == 5


async def test_a_code_is_good_for_ten_minutes(app: RunningApp) -> None:
    user_id = (await sign_up(app)).json()["data"]["id"]
    (code,) = codes(app)
    await make_old(app, 10 * 60 + 1)

    assert (await activate(app, user_id, code)).status_code == 400
    letter = next(app.outbox.glob("*.eml")).read_text()
    assert "It expires in 10 minutes." in letter


async def test_the_same_code_sent_twice_answers_the_same(app: RunningApp) -> None:
    user_id = (await sign_up(app)).json()["data"]["id"]
    (code,) = codes(app)

    answers = await asyncio.gather(*(activate(app, user_id, code) for _ in range(5)))

    assert {answer.status_code for answer in answers} == {200}


async def test_a_code_is_read_without_the_spaces_of_a_paste(app: RunningApp) -> None:
    user_id = (await sign_up(app)).json()["data"]["id"]
    (code,) = codes(app)

    assert (await activate(app, user_id, f" {code[:3]} {code[3:]} ")).status_code == 200


async def test_a_code_for_one_account_opens_no_other(app: RunningApp) -> None:
    await sign_up(app)
    other = (await sign_up(app, email="other@example.com", phone="08039999999")).json()

    answer = await activate(app, other["data"]["id"], codes(app)[0])

    assert answer.status_code == (200 if codes(app) == codes(app, "other@example.com") else 400)
    for unknown_id in ("00000000-0000-7000-8000-0000000000ff",):
        assert (await activate(app, unknown_id, "123456")).status_code == 400
    assert (await activate(app, "42", "123456")).status_code == 404


async def test_codes_can_be_asked_for_once_a_minute_and_five_times_a_day(app: RunningApp) -> None:
    user_id = (await sign_up(app)).json()["data"]["id"]
    resend = {"url": "/api/v1/signup/resend-code", "json": {"userId": user_id}}

    early = await app.client.post(**resend)  # type: ignore[arg-type] # keyword names
    assert early.status_code == 429
    assert early.json()["data"] == {"retryAfter": int(early.headers["Retry-After"])}
    assert 0 < early.json()["data"]["retryAfter"] <= 60
    for _ in range(4):
        await make_old(app, 61)
        answer = await app.client.post(**resend)  # type: ignore[arg-type] # keyword names
        assert (answer.status_code, answer.json()["data"]) == (200, {"retryAfter": 60})
    await make_old(app, 61)
    sixth = await app.client.post(**resend)  # type: ignore[arg-type] # keyword names
    assert sixth.status_code == 429
    assert sixth.json()["data"]["retryAfter"] > 3600
    assert len(codes(app)) == 5


async def test_signing_in_before_activation_sends_a_fresh_code_and_names_the_account(
    app: RunningApp,
) -> None:
    user_id = (await sign_up(app)).json()["data"]["id"]
    await make_old(app, 61)

    answer = await app.sign_in("bello@example.com", "a good password")

    assert answer.status_code == 409
    assert answer.json()["error"]["code"] == "not_activated"
    assert answer.json()["message"] == "Please activate your account. We have sent you a new code."
    assert answer.json()["data"] == {"id": user_id, "retryAfter": 0}
    assert len(codes(app)) == 2


async def test_a_wrong_password_and_an_unknown_email_answer_alike(app: RunningApp) -> None:
    await app.member("ada")

    wrong = await app.sign_in("ada@example.com", "not the password")
    unknown = await app.sign_in("nobody@example.com", "not the password")

    assert wrong.status_code == unknown.status_code == 400
    assert wrong.json()["message"] == unknown.json()["message"]
    assert wrong.json()["error"]["code"] == unknown.json()["error"]["code"] == "wrong_credentials"


async def test_guessing_a_password_meets_delays_of_a_minute_and_the_right_one_never_at_home(
    app: RunningApp,
) -> None:
    await app.member("ada")  # a known network from now on

    answers = [await app.sign_in("ada@example.com", f"guess {n}") for n in range(8)]

    assert [answer.status_code for answer in answers] == [400] * 5 + [429] * 3
    assert answers[-1].json()["error"]["code"] == "sign_in_delayed"
    assert 0 < int(answers[-1].headers["Retry-After"]) <= 60
    assert (await app.sign_in("nobody@example.com")).status_code == 400
    async with app.database.transaction() as tx:
        await tx.execute("UPDATE sign_in_guard SET locked_until = now() - interval '1 s'")
    assert (await app.sign_in("ada@example.com", "ninth")).status_code == 400
    again = await app.sign_in("ada@example.com", "tenth")
    assert 0 < int(again.headers["Retry-After"]) <= 60, "the delay does not grow"
    assert (await app.sign_in("ada@example.com")).status_code == 200


async def test_a_thousand_guesses_at_once_are_five_answers(app: RunningApp) -> None:
    await app.member("ada")

    answers = await asyncio.gather(*(app.sign_in("ada@example.com", "guess") for _ in range(200)))

    tried = [answer for answer in answers if answer.status_code == 400]
    assert len(tried) <= 5
    assert {answer.status_code for answer in answers} <= {400, 429, 503}


async def test_the_right_password_forgets_the_wrong_ones(app: RunningApp) -> None:
    await app.member("ada")
    for _ in range(3):
        for attempt in range(8):
            await app.sign_in("ada@example.com", f"guess {attempt}")
        assert (await app.sign_in("ada@example.com")).status_code == 200


async def test_a_forgotten_password_is_reset_and_every_session_ends(app: RunningApp) -> None:
    member = await app.member("ada")
    other = (await app.sign_in(member.email)).json()["data"]["access_token"]

    handle = await forget(app, member.email)
    (code,) = codes(app, member.email)
    body = {"userId": handle, "code": code, "password": "brand new words"}
    reset = await app.client.post("/api/v1/password/reset", json=body)

    assert reset.status_code == 200
    for token in (member.token, other):
        answer = await app.client.get(
            f"/api/v1/users/{member.id}", headers={"Authorization": f"Bearer {token}"}
        )
        assert answer.status_code == 401
    assert (await app.sign_in(member.email)).status_code == 400
    assert (await app.sign_in(member.email, "brand new words")).status_code == 200
    assert (await app.client.post("/api/v1/password/reset", json=body)).status_code == 400


async def test_forgetting_says_nothing_about_who_has_an_account(app: RunningApp) -> None:
    await app.member("ada")
    path = "/api/v1/password/forgot"

    emails = ("ada@example.com", "nobody@example.com")
    known, unknown = [await app.client.post(path, json={"email": email}) for email in emails]
    again = [await app.client.post(path, json={"email": email}) for email in emails]

    assert (known.status_code, unknown.status_code) == (200, 200)
    assert known.json()["message"] == unknown.json()["message"]
    assert {answer.json()["error"]["code"] for answer in again} == {"code_too_soon"}
    await app.settle()
    assert len(codes(app, "ada@example.com")) == 1
    guess = {"userId": unknown.json()["data"]["userId"], "code": "123456"}
    refused = await app.client.post(
        "/api/v1/password/reset", json=guess | {"password": "long enough"}
    )
    assert (refused.status_code, refused.json()["error"]["code"]) == (400, "wrong_code")


async def test_a_suspended_member_is_out_at_once_and_cannot_come_back(app: RunningApp) -> None:
    member = await app.member("ada")
    async with app.database.transaction() as tx:
        await tx.execute("UPDATE user_account SET suspended_at = now()")
        await tx.execute("UPDATE session SET revoked_at = now()")
    assert await is_out_within_two_seconds(member)
    back = await app.sign_in(member.email)
    assert (back.status_code, back.json()["error"]["code"]) == (409, "suspended")


async def test_a_token_lives_seven_days(app: RunningApp) -> None:
    member = await app.member("ada")
    with time_machine.travel(clock.now() + timedelta(days=7, seconds=5), tick=True):
        answer = await member.get(f"/api/v1/users/{member.id}")

    assert answer.status_code == 401


async def test_an_eleventh_sign_in_ends_the_first_session(app: RunningApp) -> None:
    member = await app.member("ada")
    for _ in range(10):
        assert (await app.sign_in(member.email)).status_code == 200
    assert await is_out_within_two_seconds(member)


async def test_clubs_are_listed_a_to_z_with_null_for_others(app: RunningApp) -> None:
    answer = (await app.client.get("/api/v1/clubs")).json()

    assert [(club["name"], club["cc_name"]) for club in answer["data"]] == [
        ("Arsenal", None),
        ("Enyimba", "NPFL"),
    ]
    crest = await app.client.get(answer["data"][0]["emblem"])
    assert crest.headers["Content-Type"] == "image/svg+xml; charset=utf-8"
    assert crest.text.startswith("<svg")
    assert (await app.client.get("/media/crests/nope.svg")).status_code == 404


@pytest.mark.parametrize(
    "password",
    [
        "a\N{NO-BREAK SPACE}goal in the rain",
        "\N{WOMAN}\N{ZERO WIDTH JOINER}\N{SOCCER BALL} every single day",
        "\u1eccl\xe1w\xe1l\xe9 n\xed p\xe1p\xe1",
        "goal\tand\tgoal and goal",
    ],
)
async def test_a_password_may_hold_any_character(app: RunningApp, password: str) -> None:
    form = FORM | {"password": password}
    attempt = (await app.client.post("/api/v1/signup", json=form)).json()["data"]["id"]
    code = codes(app)[-1]
    await app.client.post("/api/v1/signup/validate-token", json={"userId": attempt, "code": code})

    assert (await app.sign_in(FORM["email"], password)).status_code == 200
    assert (await app.sign_in(FORM["email"], password + " ")).status_code == 400
