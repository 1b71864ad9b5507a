"""Operators' notes about orders and members."""

import asyncio
import json

import pytest
from api.foundation.core.ids import new_id
from api.foundation.security.rights import Role

from tests.back_office import ADMIN, OperatorClient, operator_client
from tests.conftest import RunningApp, SignedIn
from tests.shop.test_transfers import order

TEXT = "Rang on Friday: deliver after 5 p.m.\nGate code 4711."


@pytest.fixture
async def olu(app: RunningApp) -> OperatorClient:
    return await operator_client(app, "olu", Role.OWNER)


async def texts(operator: OperatorClient, path: str) -> list[str]:
    answer = await operator.get(f"{ADMIN}/{path}/notes")
    assert answer.status_code == 200, answer.text
    return [row["text"] for row in answer.json()["data"]["rows"]]


async def test_a_note_has_its_author_and_its_text_as_it_was_written(
    olu: OperatorClient, member: SignedIn
) -> None:
    added = await olu.post(f"{ADMIN}/members/{member.id}/notes", {"text": TEXT})
    assert added.status_code == 201, added.text
    (row,) = (await olu.get(f"{ADMIN}/members/{member.id}/notes")).json()["data"]["rows"]
    assert row["text"] == TEXT
    assert row["operator"]["id"] == str(olu.id)
    assert row["id"] == added.json()["data"]["id"]


async def test_notes_are_paged_newest_first_and_each_subject_has_its_own(
    app: RunningApp, olu: OperatorClient, member: SignedIn, rival: SignedIn
) -> None:
    path = f"{ADMIN}/members/{member.id}/notes"
    for number in range(3):
        await olu.post(path, {"text": f"Note {number}"})
    await olu.post(f"{ADMIN}/members/{rival.id}/notes", {"text": "Of the other"})

    first = (await olu.get(path, params={"limit": 2})).json()["data"]
    rest = (await olu.get(path, params={"limit": 2, "before": first["next"]})).json()["data"]

    assert [row["text"] for row in first["rows"] + rest["rows"]] == ["Note 2", "Note 1", "Note 0"]
    assert rest["next"] is None


@pytest.mark.parametrize("text", ["", "   ", "x" * 1001, None, 7])
async def test_an_empty_or_endless_note_is_refused(
    olu: OperatorClient, member: SignedIn, text: object
) -> None:
    refused = await olu.post(f"{ADMIN}/members/{member.id}/notes", {"text": text})
    assert refused.status_code == 422
    assert await texts(olu, f"members/{member.id}") == []


@pytest.mark.parametrize(
    ("role", "orders", "members"),
    [
        (Role.SHOP, 201, 201),
        (Role.FINANCE, 201, 201),
        (Role.MODERATOR, 404, 201),
        (Role.EDITOR, 404, 404),
        (Role.GAME_MASTER, 404, 404),
    ],
)
async def test_who_may_read_an_order_or_a_member_may_read_and_write_its_notes(
    app: RunningApp, member: SignedIn, role: Role, orders: int, members: int
) -> None:
    operator = await operator_client(app, "kemi", role)
    order_id = (await order(app, member))["orderId"]
    for path, status in ((f"orders/{order_id}", orders), (f"members/{member.id}", members)):
        added = await operator.post(f"{ADMIN}/{path}/notes", {"text": "Hello"})
        listed = await operator.get(f"{ADMIN}/{path}/notes")
        assert (added.status_code, listed.status_code) == (status, 200 if status == 201 else 404)


async def test_there_are_no_notes_about_what_does_not_exist(olu: OperatorClient) -> None:
    for path in (f"orders/{new_id()}", f"members/{new_id()}"):
        assert (await olu.post(f"{ADMIN}/{path}/notes", {"text": "Hello"})).status_code == 404
        assert await texts(olu, path) == []


async def test_the_audit_log_says_that_notes_were_written_and_read_and_not_what_they_say(
    olu: OperatorClient, member: SignedIn
) -> None:
    await olu.post(f"{ADMIN}/members/{member.id}/notes", {"text": TEXT})
    await texts(olu, f"members/{member.id}")

    entries = (await olu.get(f"{ADMIN}/audit")).json()["data"]["rows"]

    assert [row["action"] for row in entries[:2]] == ["look-at-notes", "add-note"]
    assert {row["targetId"] for row in entries[:2]} == {str(member.id)}
    assert "4711" not in json.dumps(entries)


async def test_a_members_export_has_the_notes_and_not_their_authors(
    app: RunningApp, olu: OperatorClient, member: SignedIn
) -> None:
    order_id = (await order(app, member))["orderId"]
    await olu.post(f"{ADMIN}/members/{member.id}/notes", {"text": "About Ada"})
    await olu.post(f"{ADMIN}/orders/{order_id}/notes", {"text": "About the order"})

    exported = await member.client.get(f"/api/v1/users/{member.id}/export", headers=member.headers)

    assert exported.status_code == 200, exported.text
    assert "About Ada" in exported.text
    assert "About the order" in exported.text
    assert str(olu.id) not in exported.text


async def test_the_notes_go_with_the_account_and_none_come_after(
    app: RunningApp, olu: OperatorClient, member: SignedIn
) -> None:
    order_id = (await order(app, member))["orderId"]
    paths = (f"orders/{order_id}", f"members/{member.id}")
    for path in paths:
        await olu.post(f"{ADMIN}/{path}/notes", {"text": TEXT})

    left, *added = await asyncio.gather(
        member.client.request(
            "DELETE",
            f"/api/v1/users/{member.id}",
            json={"password": "Terrace-2026"},
            headers=member.headers,
        ),
        *(olu.post(f"{ADMIN}/{path}/notes", {"text": TEXT}) for path in paths),
    )

    assert left.status_code == 200, left.text
    assert {answer.status_code for answer in added} <= {201, 404}
    for path in paths:
        assert (await olu.post(f"{ADMIN}/{path}/notes", {"text": TEXT})).status_code == 404
        assert await texts(olu, path) == []
    assert await app.database.fetch_value("SELECT count(*) FROM operator_note") == 0
