"""The member's own record: what may be changed, what is sealed, and the picture."""

import asyncio
import io
import json
from dataclasses import replace
from datetime import timedelta
from pathlib import Path
from typing import Any

import httpx
import pytest
from api.foundation.core import clock
from api.foundation.security.sealing import Sealer, UnsealableError
from api.people.users import repository, rules
from api.people.users.service import profile as profile_service
from PIL import Image
from sqlalchemy import text
from sqlalchemy.ext.asyncio import AsyncEngine

from tests.community.moments.forms import picture, profile_form
from tests.conftest import RunningApp, SignedIn

UPDATE = "/api/v1/users/updatekyc"
ACCOUNT = {"bankCode": "058", "bankName": "Ada Grace Obi", "accountNumber": "0123456788"}
KIN = {
    "nextOfKinsName": "Chidi Obi",
    "nextOfKinsPhoneNumber": "08031112222",
    "nextOfKinsAddress": "12 Aba Road, Umuahia",
}


async def save(member: SignedIn, picked: bytes | None = None, **fields: Any) -> httpx.Response:
    form = profile_form(fields, picked)
    return await member.client.post(UPDATE, headers=member.headers, **form)


async def profile(member: SignedIn) -> dict[str, Any]:
    answer = await member.get(f"/api/v1/users/{member.id}")
    assert answer.status_code == 200
    found: dict[str, Any] = answer.json()["data"]
    return found


def avatars(app: RunningApp) -> list[Path]:
    return sorted((app.settings.var_dir / "media" / "avatars").glob("*"))


@pytest.fixture(autouse=True)
def _no_avatars(app: RunningApp) -> None:
    for path in avatars(app):
        path.unlink()


async def test_a_new_members_record_is_empty_where_nothing_was_told(member: SignedIn) -> None:
    found = await profile(member)

    assert found["settlementDetails"] == {"bankCode": "", "bankName": "", "accountNumber": ""}
    assert found["nextOfKinsDetails"] == {
        "nextOfKinsName": "",
        "nextOfKinsPhoneNumber": "",
        "nextOfKinsAddress": "",
    }
    assert (found["gender"], found["dateOfBirth"], found["avatar"]) == (None, None, None)


async def test_the_saved_record_comes_back_and_stays(member: SignedIn) -> None:
    answer = await save(
        member,
        id=str(member.id),
        firstName=" Adaeze ",
        lastName="Okafor",
        phone="0803 123 4567",
        gender="female",
        dateOfBirth="1999-05-14",
        settlementDetails=ACCOUNT,
        nextOfKinsDetails=KIN,
    )

    assert answer.status_code == 200
    saved = answer.json()["data"]
    assert saved == await profile(member)
    assert (saved["firstName"], saved["lastName"]) == ("Adaeze", "Okafor")
    assert saved["phone"] == "+2348031234567"
    assert (saved["gender"], saved["dateOfBirth"]) == ("female", "1999-05-14")
    assert saved["settlementDetails"] == ACCOUNT
    assert saved["nextOfKinsDetails"] == KIN | {"nextOfKinsPhoneNumber": "+2348031112222"}


async def test_the_form_may_send_back_the_record_just_as_it_was_read(member: SignedIn) -> None:
    await save(member, picture(), settlementDetails=ACCOUNT, nextOfKinsDetails=KIN)
    before = await profile(member)
    assert before["avatar"] is not None

    answer = await save(member, **before)

    assert answer.status_code == 200
    assert answer.json()["data"] == before


async def test_what_the_form_leaves_out_stays_and_what_it_empties_goes(member: SignedIn) -> None:
    await save(
        member,
        gender="male",
        dateOfBirth="1990-01-01",
        settlementDetails=ACCOUNT,
        nextOfKinsDetails=KIN,
    )

    await save(member, gender="", settlementDetails={})
    found = await profile(member)

    assert found["gender"] is None
    assert found["dateOfBirth"] == "1990-01-01"
    assert found["settlementDetails"]["accountNumber"] == ""
    assert found["nextOfKinsDetails"]["nextOfKinsName"] == "Chidi Obi"


async def test_nothing_else_of_the_record_can_be_set_through_the_form(
    app: RunningApp, member: SignedIn, rival: SignedIn, owner: AsyncEngine
) -> None:
    before = await whole_row(owner, member)

    answer = await save(
        member,
        email="evil@example.com",
        username="evil@example.com",
        club=str(rival.club_id),
        clubId=str(rival.club_id),
        club_id=str(rival.club_id),
        clubName="Arsenal",
        badge="king-of-fans",
        points=1_000_000,
        role="operator",
        isOperator=True,
        is_operator=True,
        subscriptionId=str(rival.id),
        avatar="avatars/" + "0" * 32 + ".webp",
        activatedAt=None,
        activated_at=None,
        suspendedAt="2020-01-01T00:00:00Z",
        erased_at="2020-01-01T00:00:00Z",
        created_at="2020-01-01T00:00:00Z",
        terms_accepted_at="2020-01-01T00:00:00Z",
        balance=1_000_000,
        password="changed-Password-1",
        settlement="00",
    )

    assert answer.status_code == 200
    assert await whole_row(owner, member) == before
    assert (await app.sign_in(member.email)).status_code == 200


async def whole_row(owner: AsyncEngine, member: SignedIn) -> dict[str, Any]:
    async with owner.connect() as connection:
        found = await connection.execute(
            text("SELECT * FROM user_account WHERE id = :id"), {"id": member.id}
        )
        return dict(found.mappings().one())


async def test_anothers_record_is_neither_read_nor_written(
    member: SignedIn, rival: SignedIn
) -> None:
    before = await profile(rival)

    assert (await save(member, id=str(rival.id), firstName="Evil")).status_code == 404
    assert (await member.get(f"/api/v1/users/{rival.id}")).status_code == 404
    assert await profile(rival) == before


@pytest.mark.parametrize(
    ("fields", "field", "sentence"),
    [
        ({"firstName": " "}, "firstName", "First name is required"),
        ({"lastName": ""}, "lastName", "Last name is required"),
        ({"phone": ""}, "phone", "Phone is required"),
        ({"phone": "123"}, "phone", "Phone number must be up to eleven numbers"),
        ({"gender": "other"}, "gender", "Please choose male or female"),
        ({"gender": ["male"]}, "gender", "Please choose male or female"),
        ({"dateOfBirth": "yesterday"}, "dateOfBirth", "Please enter a valid date of birth"),
        ({"dateOfBirth": 7}, "dateOfBirth", "Please enter a valid date of birth"),
        ({"dateOfBirth": "1800-01-01"}, "dateOfBirth", "Please enter a valid date of birth"),
        ({"dateOfBirth": "2999-01-01"}, "dateOfBirth", "Please enter a valid date of birth"),
        (
            {"settlementDetails": {"bankCode": "999"}},
            "settlementDetails.bankCode",
            "Please choose a bank from the list",
        ),
        (
            {"settlementDetails": {"accountNumber": "12345"}},
            "settlementDetails.accountNumber",
            "An account number has ten digits",
        ),
        (
            {"nextOfKinsDetails": {"nextOfKinsPhoneNumber": "12"}},
            "nextOfKinsDetails.nextOfKinsPhoneNumber",
            "Phone number must be up to eleven numbers",
        ),
        (
            {"nextOfKinsDetails": {"nextOfKinsName": "N" * 101}},
            "nextOfKinsDetails.nextOfKinsName",
            "The name must be at most 100 characters",
        ),
        (
            {"nextOfKinsDetails": {"nextOfKinsAddress": "A" * 301}},
            "nextOfKinsDetails.nextOfKinsAddress",
            "The address must be at most 300 characters",
        ),
    ],
)
async def test_a_field_that_does_not_fit_is_named(
    member: SignedIn, fields: dict[str, Any], field: str, sentence: str
) -> None:
    answer = await save(member, **fields)

    assert answer.status_code == 422
    assert answer.json()["error"]["fields"] == {field: sentence}


@pytest.mark.parametrize(
    "user", [b"", b"{", b"[]", b"7", b"null", b"\xff", b'{"a":' * 5000, b'{"firstName": "\\ud800"}']
)
async def test_a_user_part_that_is_no_object_is_refused(member: SignedIn, user: bytes) -> None:
    answer = await member.client.post(
        UPDATE, headers=member.headers, files=[("user", ("", user, "application/json"))]
    )

    assert answer.status_code in {400, 422}


async def test_a_member_is_thirteen_or_older(member: SignedIn) -> None:
    today = clock.lagos_day(clock.now())
    birthday = today.replace(year=today.year - 13, day=min(today.day, 28))
    a_day_young = birthday + timedelta(days=max(1, today.day - birthday.day + 1))

    assert (await save(member, dateOfBirth=birthday.isoformat())).status_code == 200
    answer = await save(member, dateOfBirth=a_day_young.isoformat())

    assert answer.status_code == 422
    assert answer.json()["message"] == "You must be at least 13 years old"


async def test_a_date_of_birth_is_at_most_120_years_ago(member: SignedIn) -> None:
    today = clock.lagos_day(clock.now())
    birthday = today.replace(year=today.year - 120, day=min(today.day, 28)) + timedelta(days=1)

    assert (await save(member, dateOfBirth=birthday.isoformat())).status_code == 200
    answer = await save(member, dateOfBirth=(birthday - timedelta(days=400)).isoformat())

    assert answer.status_code == 422
    assert answer.json()["message"] == "Please enter a valid date of birth"


async def test_a_phone_belongs_to_one_member_even_when_two_take_it_at_once(
    live_server: RunningApp,
) -> None:
    ada, bello = await live_server.member("ada"), await live_server.member("bello")

    answers = await asyncio.gather(
        save(ada, phone="08031234567"), save(bello, phone="+2348031234567")
    )

    assert sorted(answer.status_code for answer in answers) == [200, 409]


async def test_what_is_private_cannot_be_read_in_the_table(
    member: SignedIn, owner: AsyncEngine
) -> None:
    await save(member, settlementDetails=ACCOUNT, nextOfKinsDetails=KIN)

    async with owner.connect() as connection:
        row = (await connection.execute(text("SELECT * FROM private_detail"))).mappings().one()
        everything = str(
            (await connection.execute(text("SELECT * FROM user_account"))).mappings().all()
        )

    sealed = bytes(row["settlement"]) + bytes(row["next_of_kin"])
    for secret in ("0123456788", "Ada Grace", "Chidi", "8031112222", "Umuahia"):
        assert secret.encode() not in sealed
        assert secret not in everything


async def test_what_is_sealed_for_one_member_does_not_open_for_another(
    app: RunningApp, member: SignedIn, rival: SignedIn, owner: AsyncEngine
) -> None:
    await save(member, settlementDetails=ACCOUNT)
    async with owner.begin() as connection:
        await connection.execute(
            text(
                "INSERT INTO private_detail (user_id, settlement) "
                "SELECT :rival, settlement FROM private_detail WHERE user_id = :member"
            ),
            {"rival": rival.id, "member": member.id},
        )

    with pytest.raises(UnsealableError):
        await profile_service.profile(app.asgi.state.services.profiles, rival.id)


async def test_a_changed_key_still_opens_and_can_take_everything_over(
    app: RunningApp, member: SignedIn
) -> None:
    await save(member, settlementDetails=ACCOUNT, nextOfKinsDetails=KIN)
    context = app.asgi.state.services.profiles
    old = app.settings.profile_key.get_secret_value()
    both = replace(context, sealer=Sealer("n" * 32, secret_before=old))
    new = replace(context, sealer=Sealer("n" * 32))
    with pytest.raises(UnsealableError):
        await profile_service.profile(new, member.id)

    assert (await profile_service.profile(both, member.id)).settlement_details.bank_code == "058"
    assert await profile_service.reseal(context.database, both.sealer) == 1
    assert await profile_service.reseal(context.database, both.sealer) == 0

    found = await profile_service.profile(new, member.id)
    assert found.settlement_details.account_number == "0123456788"
    assert found.next_of_kins_details.next_of_kins_name == "Chidi Obi"


def test_a_sealed_value_that_was_touched_does_not_open() -> None:
    sealer = Sealer("k" * 32)
    sealed = sealer.seal({"a": 1}, "here")

    assert sealer.open(sealed, "here") == {"a": 1}
    assert sealer.seal({"a": 1}, "here") != sealed
    for at in range(len(sealed)):
        touched = sealed[:at] + bytes([sealed[at] ^ 1]) + sealed[at + 1 :]
        with pytest.raises(UnsealableError):
            sealer.open(touched, "here")
    for length in range(len(sealed)):
        with pytest.raises(UnsealableError):
            sealer.open(sealed[:length], "here")


async def test_a_picture_becomes_a_small_square_and_replaces_the_old_one(
    app: RunningApp, member: SignedIn
) -> None:
    first = (await save(member, picture("JPEG", (1600, 900)))).json()["data"]["avatar"]
    second = (await save(member, picture("PNG", (300, 200)))).json()["data"]["avatar"]

    assert first != second
    assert (await app.client.get(first)).status_code == 404
    served = await app.client.get(second)
    assert served.headers["content-type"] == "image/webp"
    assert Image.open(io.BytesIO(served.content)).size == (200, 200)
    assert len(avatars(app)) == 1
    assert (await profile(member))["avatar"] == second
    signed_in = (await app.sign_in(member.email)).json()["data"]["user"]
    assert signed_in["avatar"] == second


async def test_a_large_picture_becomes_five_hundred_and_twelve_square(
    app: RunningApp, member: SignedIn
) -> None:
    path = (await save(member, picture("JPEG", (1600, 900)))).json()["data"]["avatar"]

    served = await app.client.get(path)

    assert Image.open(io.BytesIO(served.content)).size == (512, 512)


async def test_of_pictures_saved_at_once_one_stays_and_the_others_go(
    live_server: RunningApp,
) -> None:
    member = await live_server.member()
    for path in avatars(live_server):
        path.unlink()

    await asyncio.gather(*(save(member, picture("PNG", (20, 20))) for _ in range(2)))

    assert len(avatars(live_server)) == 1
    found = (await profile(member))["avatar"]
    assert (await live_server.client.get(found)).status_code == 200


async def test_a_picture_above_two_megabytes_is_refused(member: SignedIn) -> None:
    large = picture("BMP", (1000, 800))
    assert len(large) > 2 * 1024 * 1024

    answer = await save(member, large)

    assert answer.status_code == 413
    assert answer.json()["message"] == "The picture exceeds 2MB. Please choose a smaller one."


async def test_a_record_that_cannot_be_written_keeps_the_old_picture(
    app: RunningApp, member: SignedIn, monkeypatch: pytest.MonkeyPatch
) -> None:
    old = (await save(member, picture())).json()["data"]["avatar"]

    async def fail(*_: object) -> None:
        raise RuntimeError("the row")

    monkeypatch.setattr(repository, "change_user", fail)
    answer = await save(member, picture("PNG"))

    assert answer.status_code == 500
    assert (await profile(member))["avatar"] == old
    assert len(avatars(app)) == 1


async def test_a_check_digit_that_does_not_fit_is_a_hint_and_no_refusal(member: SignedIn) -> None:
    fits = await save(member, settlementDetails=ACCOUNT | {"accountNumber": fitting("058")})
    odd = await save(member, settlementDetails=ACCOUNT | {"accountNumber": "0000000002"})

    assert fits.json()["message"] == "Your profile has been saved."
    assert odd.status_code == 200
    assert "check the account number" in odd.json()["message"]


def fitting(bank: str) -> str:
    serial = "012345678"
    return next(
        serial + str(digit) for digit in range(10) if rules.fits_bank(bank, serial + str(digit))
    )


def test_the_check_digit_is_the_central_banks() -> None:
    # The example of the central bank's own circular of 2010.
    assert rules.fits_bank("011", "0000014579")
    assert not rules.fits_bank("011", "0000014578")
    assert rules.fits_bank("999992", "8031234567")
    assert rules.fits_bank("058", "")


async def test_the_banks_are_listed_by_name_with_codes_of_their_own(member: SignedIn) -> None:
    banks = (await member.get("/api/v1/banks")).json()["data"]

    names = [bank["name"].lower() for bank in banks]
    codes = [bank["code"] for bank in banks]
    assert names == sorted(names)
    assert len(set(codes)) == len(codes) >= 30
    assert {"code": "058", "name": "Guaranty Trust Bank"} in banks
    assert all(code.isdigit() for code in codes)


async def test_json_in_place_of_a_form_is_refused(member: SignedIn) -> None:
    answer = await member.post(UPDATE, {"firstName": "Ada"})

    assert answer.status_code == 415
    assert json.loads(answer.text)["error"]["code"] == "unsupported_media_type"
