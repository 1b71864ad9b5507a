"""The HTTP routes of notifications."""

import asyncio
from typing import Any

import pytest
from api.foundation.core.ids import new_id

from tests.conftest import RunningApp, SignedIn
from tests.messaging.notifications.conftest import credit, listed

PATH = "/api/v1/notifications"
ALL_ON = {"money": True, "orders": True, "plans": True, "community": True}
MAIL_AT_FIRST = ALL_ON | {"games": False, "matches": False}
PUSH_AT_FIRST = ALL_ON | {"games": False, "matches": True}
AT_FIRST = {"mail": MAIL_AT_FIRST, "push": PUSH_AT_FIRST}


async def put_settings(member: SignedIn, body: Any) -> Any:
    return await member.client.put(f"{PATH}/settings", json=body, headers=member.headers)


async def test_a_notification_says_what_happened_and_where_to_look(
    app: RunningApp, member: SignedIn
) -> None:
    await credit(app.database, member)

    data = await listed(member)

    (row,) = data["rows"]
    assert data["unread"] == 1
    assert set(row) == {"id", "kind", "title", "body", "link", "data", "createdAt", "readAt"}
    assert (row["kind"], row["title"]) == ("wallet_credited", "₦5,000 is in your wallet")
    assert row["body"] == "Your wallet has been credited with ₦5,000."
    assert (row["link"], row["data"], row["readAt"]) == ("/wallet", {"amount": 5000}, None)


async def test_the_list_is_newest_first_and_goes_back_by_pages(
    app: RunningApp, member: SignedIn, rival: SignedIn
) -> None:
    for number in range(5):
        await credit(app.database, member, f"FW-{number}", naira=number + 1)
        await asyncio.sleep(0.002)  # ids are ordered by the millisecond
    await credit(app.database, rival, naira=900)

    first = await listed(member, limit=2)
    second = await listed(member, limit=2, before=first["rows"][-1]["id"])
    last = await listed(member, limit=2, before=second["rows"][-1]["id"])

    shown = [row["data"]["amount"] for page in (first, second, last) for row in page["rows"]]
    assert shown == [5, 4, 3, 2, 1]
    assert {page["unread"] for page in (first, second, last)} == {5}


async def test_reading_one_and_all_counts_down_and_twice_changes_nothing(
    app: RunningApp, member: SignedIn
) -> None:
    for number in range(3):
        await credit(app.database, member, f"FW-{number}")
    newest = (await listed(member))["rows"][0]["id"]

    for _ in range(2):
        answer = await member.post(f"{PATH}/{newest}/read")
        assert (answer.status_code, answer.json()["data"]) == (200, {"unread": 2})
    read_at = [row["readAt"] for row in (await listed(member))["rows"]]
    assert [moment is None for moment in read_at] == [False, True, True]
    for _ in range(2):
        answer = await member.post(f"{PATH}/read-all")
        assert (answer.status_code, answer.json()["data"]) == (200, {"unread": 0})
    assert (await member.get(f"{PATH}/unread")).json()["data"] == {"unread": 0}
    assert (await listed(member))["rows"][0]["readAt"] == read_at[0]


async def test_what_is_another_members_or_nobodys_is_not_found_and_stays_unread(
    app: RunningApp, member: SignedIn, rival: SignedIn
) -> None:
    await credit(app.database, member)
    (row,) = (await listed(member))["rows"]

    answers = [
        await rival.post(f"{PATH}/{row['id']}/read"),
        await rival.post(f"{PATH}/{new_id()}/read"),
        await rival.post(f"{PATH}/nonsense/read"),
    ]
    await rival.post(f"{PATH}/read-all")

    assert [answer.status_code for answer in answers] == [404] * 3
    assert (await listed(member))["unread"] == 1


async def test_a_client_that_knows_mail_alone_changes_nothing_else(
    member: SignedIn, rival: SignedIn
) -> None:
    before = (await member.get(f"{PATH}/settings")).json()["data"]
    changed = await put_settings(member, {"mail": ALL_ON | {"plans": False, "money": False}})

    assert before == AT_FIRST
    wished = AT_FIRST | {"mail": MAIL_AT_FIRST | {"plans": False, "money": False}}
    assert (changed.status_code, changed.json()["data"]) == (200, wished)
    assert (await member.get(f"{PATH}/settings")).json()["data"] == wished
    assert (await rival.get(f"{PATH}/settings")).json()["data"] == AT_FIRST
    await put_settings(member, {"mail": ALL_ON})
    assert (await member.get(f"{PATH}/settings")).json()["data"] == AT_FIRST


async def test_push_is_switched_beside_mail_and_what_is_not_named_stays(member: SignedIn) -> None:
    push = {"games": True, "money": False}
    await put_settings(member, {"mail": ALL_ON | {"matches": True}, "push": push})
    changed = await put_settings(member, {"mail": ALL_ON, "push": {"matches": False}})

    assert changed.json()["data"] == {
        "mail": MAIL_AT_FIRST | {"matches": True},
        "push": PUSH_AT_FIRST | push | {"matches": False},
    }


@pytest.mark.parametrize(
    ("body", "mail", "push"),
    [
        ({}, {}, {}),
        ({"mail": {}, "push": None}, {}, {}),
        ({"mail": {"money": False}}, {"money": False}, {}),
        ({"push": {"games": True}}, {}, {"games": True}),
        (
            {"mail": {"orders": False}, "push": {"plans": False}},
            {"orders": False},
            {"plans": False},
        ),
    ],
)
async def test_whatever_is_named_is_switched_and_the_rest_stays(
    member: SignedIn, body: Any, mail: dict[str, bool], push: dict[str, bool]
) -> None:
    await put_settings(member, {"mail": {"community": False}, "push": {"matches": False}})

    changed = await put_settings(member, body)

    assert (changed.status_code, changed.json()["data"]) == (
        200,
        {
            "mail": MAIL_AT_FIRST | {"community": False} | mail,
            "push": PUSH_AT_FIRST | {"matches": False} | push,
        },
    )


@pytest.mark.parametrize(
    "body",
    [
        {"mail": ALL_ON | {"push": True}},
        {"mail": ALL_ON | {"money": 0}},
        {"mail": ALL_ON | {"money": "false"}},
        {"mail": ALL_ON, "push": {"money": 1}},
        {"mail": ALL_ON, "push": {"chat": True}},
        {"mail": True},
        {"mails": ALL_ON},
    ],
)
async def test_switches_that_do_not_fit_change_nothing(member: SignedIn, body: Any) -> None:
    assert (await put_settings(member, body)).status_code == 422
    assert (await member.get(f"{PATH}/settings")).json()["data"] == AT_FIRST


@pytest.mark.parametrize("query", ["limit=0", "limit=101", "limit=x", "before=x"])
async def test_pages_that_do_not_fit_are_refused(member: SignedIn, query: str) -> None:
    assert (await member.get(f"{PATH}?{query}")).status_code == 422
