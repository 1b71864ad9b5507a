"""An id has one spelling, and whatever is no id is not found."""

from uuid import UUID

import pytest
from api.foundation.core.ids import new_id, parse_id

from tests.conftest import RunningApp

OWN = (
    "/api/v1/users/{}",
    "/api/v1/payment/wallet-balance/{}",
    "/api/v1/payment/statement/{}",
    "/api/v1/dashboard/statistics/{}",
    "/api/v1/points/{}",
    "/api/v1/moment/post/user/{}",
    "/api/v1/products/user/{}",
    "/api/v1/users/plan/validate/{}",
    "/api/v1/sessions/{}",
    "/api/v1/question/daily-trivial-question/{{club}}/{}",
    "/api/v1/question/attempted-daily-trivial-question/Enyimba/{}",
)
NO_IDS = (
    "%00",
    "x" * 65,
    "9" * 4000,
    "urn:uuid:{}",
    "%7B{}%7D",
    "{} ",
    "%20{}",
    "%ED%A0%80",
    "\N{ARABIC-INDIC DIGIT ZERO}" * 8 + "-0000-7000-8000-000000000000",
)


def test_ids_are_in_the_order_they_were_drawn_within_a_millisecond_too() -> None:
    drawn = [new_id() for _ in range(10_000)]

    assert drawn == sorted(set(drawn))


def test_the_canonical_text_in_either_case_is_one_id() -> None:
    found = new_id()

    assert parse_id(str(found)) == parse_id(str(found).upper()) == found


@pytest.mark.parametrize(
    "text", ["{}", "urn:uuid:{}", "{{{}}}", " {}", "{}\n"], ids=lambda form: form.strip() or "blank"
)
def test_no_other_text_is_an_id(text: str) -> None:
    found = new_id()
    without_hyphens = found.hex

    written = text.format(without_hyphens if text == "{}" else found)

    assert UUID(written.strip()) == found
    assert parse_id(written) is None


@pytest.mark.parametrize("path", OWN)
async def test_a_member_finds_what_is_theirs_in_either_letter_case(
    app: RunningApp, path: str
) -> None:
    ada = await app.member("ada")
    own = path.replace("{{club}}", str(ada.club_id).upper())

    for written in (str(ada.id), str(ada.id).upper()):
        assert (await ada.get(own.format(written))).status_code == 200


@pytest.mark.parametrize("path", OWN)
async def test_what_can_be_no_id_is_not_found_like_an_unknown_one(
    app: RunningApp, path: str
) -> None:
    ada = await app.member("ada")
    path = path.replace("{{club}}", "Enyimba")
    unknown = (await ada.get(path.format(new_id()))).json()

    for form in (*NO_IDS, ada.id.hex):
        answer = await ada.get(path.format(form.replace("{}", str(ada.id))))

        assert answer.status_code == 404, form
        assert answer.json()["error"] | {"requestId": ""} == unknown["error"] | {"requestId": ""}


async def test_an_id_in_a_form_is_the_members_own_in_either_letter_case(app: RunningApp) -> None:
    ada, bello = await app.member("ada"), await app.member("bello")
    order = {"paymentMethod": "wallet", "carts": [{"id": 1, "quantity": 1}]}
    billing = {"firstName": "Ada", "lastName": "Obi", "phone": "08031234567", "address": "Aba"}

    async def ask(user_id: object) -> int:
        body = order | {"billing": billing, "userId": user_id}
        return (await ada.post("/api/v1/products/checkout", body)).status_code

    assert await ask(str(ada.id).upper()) == 409  # the sample product, so the member is right
    assert await ask(str(bello.id)) == await ask(f"urn:uuid:{ada.id}") == 404
    assert await ask(7) == 422
