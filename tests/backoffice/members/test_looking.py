"""Search and pages of members at the back office, limited by role, and audited."""

import json
from typing import Any

import pytest
from api.foundation.core.ids import new_id
from api.foundation.security.rights import Role
from api.shop.enums import PaymentMethod

from tests.back_office import ADMIN, OperatorClient, operator_client
from tests.conftest import CLUB_B, RunningApp, SignedIn

MEMBERS = f"{ADMIN}/members"


@pytest.fixture
async def club_owner(app: RunningApp) -> OperatorClient:
    return await operator_client(app, "olu", Role.OWNER)


async def found(operator: OperatorClient, q: str, **marks: Any) -> list[dict[str, Any]]:
    answer = await operator.get(MEMBERS, params={"q": q, **marks})
    assert answer.status_code == 200, answer.text
    rows: list[dict[str, Any]] = answer.json()["data"]["rows"]
    return rows


async def page(operator: OperatorClient, member: SignedIn) -> dict[str, Any]:
    answer = await operator.get(f"{MEMBERS}/{member.id}")
    assert answer.status_code == 200, answer.text
    shown: dict[str, Any] = answer.json()["data"]
    return shown


async def test_a_member_is_found_by_the_beginning_of_each_thing_that_is_known_of_them(
    app: RunningApp, club_owner: OperatorClient, member: SignedIn, rival: SignedIn
) -> None:
    await app.database.execute(
        "UPDATE user_account SET first_name = 'Ada Grace', last_name = 'Ọ́bí_x', "
        "phone = '+2348031234567' WHERE id = $1",
        member.id,
    )
    # The members' own values are random, and may share a prefix.
    await app.database.execute(
        "UPDATE user_account SET phone = '+23490' || right(phone, 8) WHERE id <> $1", member.id
    )
    whole = {
        "id": str(member.id),
        "firstName": "Ada Grace",
        "lastName": "Ọ́bí_x",
        "email": "ada@example.com",
        "phone": "+2348031234567",
        "clubName": "Enyimba",
        "suspendedAt": None,
    }
    for q in (
        "ada",
        "ADA GR",
        "ada grace ọ́bí",
        "ọ́bí_",
        "Ada@Ex",
        "08031234567",
        "0803 123",
        "+234 803-1234",
        "2348031",
    ):
        assert await found(club_owner, q) == [whole], q
    for q in ("grace", "da@", "obi%", "ọ́bíx", "2349", "___"):
        assert whole not in await found(club_owner, q), q


async def test_an_order_s_number_finds_whose_it_is(
    app: RunningApp, club_owner: OperatorClient, member: SignedIn, rival: SignedIn
) -> None:
    await app.database.execute(
        "INSERT INTO shop_order (id, number, user_id, status, payment_method, is_paid, total_kobo, "
        "delivery_fee_kobo, billing, pay_by, created_at) "
        "VALUES ($1, 'FC-7K3Q9X', $2, 'cancelled', $3, false, 100, 0, '{}', now(), now())",
        new_id(),
        rival.id,
        PaymentMethod.BANK_TRANSFER.value,
    )
    assert [row["id"] for row in await found(club_owner, "fc-7k3q9x")] == [str(rival.id)]
    assert await found(club_owner, "FC-7K3") == []
    moderator = await operator_client(app, "mo", Role.MODERATOR)  # does not read orders
    assert await found(moderator, "FC-7K3Q9X") == []


async def test_two_characters_are_too_few_and_without_any_all_members_are_listed(
    club_owner: OperatorClient, member: SignedIn, rival: SignedIn
) -> None:
    for q in ("ad", "  a  ", "x" * 101):
        assert (await club_owner.get(MEMBERS, params={"q": q})).status_code == 422
    first = (await club_owner.get(MEMBERS, params={"limit": 2})).json()["data"]
    rest = (await club_owner.get(MEMBERS, params={"before": first["next"]})).json()["data"]
    ids = [row["id"] for row in first["rows"] + rest["rows"]]
    assert ids == [str(one.id) for one in (rival, member, club_owner.member)]
    assert rest["next"] is None


async def test_a_search_is_paged_and_what_several_ways_find_is_one_member(
    app: RunningApp, club_owner: OperatorClient
) -> None:
    members = [await app.member(f"same{number}") for number in range(5)]
    seen: list[str] = []
    before = None
    while True:
        marks = {"limit": 2} | ({"before": before} if before else {})
        data = (await club_owner.get(MEMBERS, params={"q": "same", **marks})).json()["data"]
        seen += [row["id"] for row in data["rows"]]
        before = data["next"]
        if before is None:
            break
    assert seen == [str(one.id) for one in reversed(members)]


async def test_who_has_left_is_not_found_by_the_words_that_stand_for_everybody_who_left(
    app: RunningApp, club_owner: OperatorClient, member: SignedIn
) -> None:
    await member.client.request(
        "DELETE",
        f"/api/v1/users/{member.id}",
        json={"password": "Terrace-2026"},
        headers=member.headers,
    )
    assert await found(club_owner, "former") == []
    shown = await page(club_owner, member)
    assert (shown["firstName"], shown["erasedAt"] is None) == ("Former", False)


async def test_looking_is_written_down_and_what_was_refused_is_not(
    club_owner: OperatorClient, member: SignedIn
) -> None:
    await club_owner.get(MEMBERS, params={"q": "ad"})
    await club_owner.get(f"{MEMBERS}/{new_id()}")
    await found(club_owner, "ada@")
    await page(club_owner, member)
    entries = (await club_owner.get(f"{ADMIN}/audit")).json()["data"]["rows"]
    assert [(one["action"], one["targetId"], one["after"]) for one in entries] == [
        ("look-at-member", str(member.id), None),
        ("look-for-members", "search", {"q": "ada@", "found": 1}),
    ]
    assert {one["right"] for one in entries} == {"members:read"}


async def test_a_page_tells_the_whole_story_and_shows_four_digits_of_the_account(
    app: RunningApp, club_owner: OperatorClient, member: SignedIn
) -> None:
    details = {"bankCode": "058", "bankName": "Ada Obi", "accountNumber": "0123456789"}
    saved = await member.client.post(
        "/api/v1/users/updatekyc",
        headers=member.headers,
        files={"user": (None, json.dumps({"settlementDetails": details}))},
    )
    assert saved.status_code == 200, saved.text
    await app.give(member, 2500)
    shown = await page(club_owner, member)
    assert shown["bank"] == {
        "bankCode": "058",
        "bankName": "Guaranty Trust Bank",
        "accountName": "Ada Obi",
        "accountNumber": "••••6789",
    }
    assert "012345" not in json.dumps(shown)
    assert shown["wallet"]["balance"] == 2500
    assert [row["amount"] for row in shown["wallet"]["rows"]] == [2500]
    assert shown["plan"]["state"] == "none"
    assert [shown[name] for name in ("orders", "fundings", "refunds", "periods")] == [[]] * 4
    assert [one["current"] for one in shown["sessions"]] == [False]
    assert shown["chat"] == {"mute": None, "ban": None, "reported": []}
    assert shown["moments"] == {"shown": 0, "hidden": 0}
    assert shown["isOperator"] is False
    [period] = shown["clubHistory"]
    assert (period["clubName"], period["to"], period["by"]) == ("Enyimba", None, None)
    assert shown["ranking"]["points"] == 0
    assert shown["actions"] == []


@pytest.mark.parametrize(
    ("role", "unseen"),
    [
        (Role.OWNER, set()),
        (Role.FINANCE, set()),
        (Role.SHOP, {"wallet", "fundings"}),
        (Role.MODERATOR, {"wallet", "fundings", "orders", "refunds"}),
    ],
)
async def test_what_a_role_has_no_right_to_read_is_null(
    app: RunningApp, member: SignedIn, role: Role, unseen: set[str]
) -> None:
    shown = await page(await operator_client(app, "olu", role), member)
    fields = ("wallet", "fundings", "orders", "refunds")
    assert {name for name in fields if shown[name] is None} == unseen


async def test_what_operators_did_is_told_to_whom_the_audit_tells_it(
    app: RunningApp, club_owner: OperatorClient, member: SignedIn
) -> None:
    moderator = await operator_client(app, "mo", Role.MODERATOR)
    await club_owner.post(
        f"{MEMBERS}/{member.id}/club", {"clubId": str(CLUB_B), "reason": "Moved to Lagos"}
    )
    await moderator.post(f"{MEMBERS}/{member.id}/suspend", {"reason": "Abuse"})

    def reasons(shown: dict[str, Any]) -> list[tuple[str, str]]:
        return [(one["action"], one["reason"]) for one in shown["actions"]]

    suspended = ("suspend", "Abuse")
    assert reasons(await page(club_owner, member)) == [suspended, ("change-club", "Moved to Lagos")]
    assert reasons(await page(moderator, member)) == [suspended]
