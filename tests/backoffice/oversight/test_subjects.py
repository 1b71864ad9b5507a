"""Display names for the ids in proposals and audit entries."""

import json
import re
from typing import Any

from api.backoffice.oversight.repository.subjects import LIST_SUBJECTS
from api.backoffice.oversight.service.naming import READ_BY
from api.foundation.core.ids import new_id
from api.foundation.security.rights import Role

from tests.back_office import ADMIN, OperatorClient, operator_client
from tests.conftest import RunningApp, SignedIn

AUDIT = f"{ADMIN}/audit"
APPROVALS = f"{ADMIN}/approvals"


async def newest(operator: OperatorClient, path: str = AUDIT) -> dict[str, Any]:
    row: dict[str, Any] = (await operator.get(path)).json()["data"]["rows"][0]
    return row


async def mute(moderator: OperatorClient, member: SignedIn) -> None:
    body = {"userId": str(member.id), "minutes": 5, "reason": "Spam"}
    assert (await moderator.post(f"{ADMIN}/chat/mutes", body)).status_code == 200


async def test_the_audit_names_what_something_was_done_to(
    app: RunningApp, member: SignedIn
) -> None:
    moderator = await operator_client(app, "mod", Role.MODERATOR)
    await mute(moderator, member)

    row = await newest(moderator)

    assert row["targetId"] == str(member.id)
    name = await app.database.fetch_value(
        "SELECT first_name || ' ' || last_name FROM user_account WHERE id = $1", member.id
    )
    assert row["subjects"] == [{"type": "member", "id": str(member.id), "name": name}]


async def test_who_may_not_read_members_gets_no_name_of_one(
    app: RunningApp, member: SignedIn
) -> None:
    moderator = await operator_client(app, "mod", Role.MODERATOR)
    await mute(moderator, member)
    editor = await operator_client(app, "ed", Role.EDITOR)
    await app.database.execute(
        "INSERT INTO audit_entry (id, at, operator_id, right_used, action, target_type, target_id,"
        " after_state, request_id)"
        " SELECT $1, at, $2, right_used, action, target_type, target_id,"
        " jsonb_build_object('club', club_id), request_id"
        " FROM audit_entry, user_account u WHERE u.id = $3",
        new_id(),
        editor.id,
        member.id,
    )

    row = await newest(editor)

    assert row["targetId"] == str(member.id)
    assert [one["type"] for one in row["subjects"]] == ["club"]


async def test_nobody_learns_a_name_by_writing_the_id_of_what_they_may_not_read(
    app: RunningApp, member: SignedIn
) -> None:
    product, question = await app.stock_product(), (await app.add_questions(1))[0]
    master = await operator_client(app, "gm", Role.GAME_MASTER)
    await app.database.execute(
        "INSERT INTO audit_entry (id, at, operator_id, right_used, action, target_type, target_id,"
        " after_state, request_id)"
        " VALUES ($1, now(), $2, 'games:write', 'change', 'fixture', 'x', $3, 'r')",
        new_id(),
        master.id,
        json.dumps({"venue": f"{product} {member.id} {master.id}", "round": str(question)}),
    )

    assert [one["type"] for one in (await newest(master))["subjects"]] == ["question"]


def test_each_kind_of_thing_that_has_a_name_has_a_right_to_read_it() -> None:
    kinds = set(re.findall(r"SELECT '(\w+)'", str(LIST_SUBJECTS.statement)))

    assert kinds == set(READ_BY)


async def test_an_id_of_nothing_and_a_word_have_no_name(app: RunningApp) -> None:
    boss = await operator_client(app, "boss", Role.OWNER)
    await app.database.execute(
        "INSERT INTO audit_entry (id, at, right_used, action, target_type, target_id, request_id)"
        " VALUES ($1, now(), 'console', 'seen', 'thing', $2, 'r')",
        new_id(),
        f"2026-11-21/{new_id()}/all",
    )
    assert (await newest(boss))["subjects"] == []


async def test_a_proposal_names_the_member_and_the_plan(app: RunningApp, member: SignedIn) -> None:
    olu = await operator_client(app, "olu", Role.OWNER)
    bisi = await operator_client(app, "bisi", Role.OWNER)
    body = {"amount": 20000, "category": "goodwill", "reason": "Lost parcel"}
    path = f"{ADMIN}/members/{member.id}/adjustments"
    assert (await olu.post(path, body)).status_code == 202

    row = await newest(bisi, APPROVALS)

    assert [(one["type"], one["id"]) for one in row["subjects"]] == [("member", str(member.id))]
    today = [(await one.get(f"{ADMIN}/today")).json()["data"] for one in (olu, bisi)]
    assert [one["proposed"] for one in today] == [1, 0]
    assert [one["waiting"]["approvals"] for one in today] == [0, 1]


async def test_the_audit_can_be_narrowed_to_operators_of_a_list(app: RunningApp) -> None:
    boss = await operator_client(app, "boss", Role.OWNER)
    money = await operator_client(app, "money", Role.FINANCE)
    editor = await operator_client(app, "ed", Role.EDITOR)
    named = {}
    for one in (boss, money, editor):
        rows = (await one.get(f"{AUDIT}/operators")).json()["data"]["rows"]
        named[one.id] = {row["id"] for row in rows}
    everybody = {str(one.id) for one in (boss, money, editor)}
    assert named == {boss.id: everybody, money.id: everybody, editor.id: {str(editor.id)}}
