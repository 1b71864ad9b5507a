"""The audit: a row for every write, none for what was refused, and nobody changes one."""

import asyncpg
import pytest
from api.core.ids import new_id
from api.database.database import Transaction
from api.http.admin_answers import Done
from api.operators import service
from api.operators.service.writing import UnauditedError
from api.security.operators import Acting
from api.security.rights import Right, Role

from tests.back_office import ADMIN, Desk, desk
from tests.chat.conftest import fill, history, join
from tests.conftest import House, SignedIn

AUDIT = f"{ADMIN}/audit"


async def hidden_message(house: House, moderator: Desk, author: SignedIn) -> str:
    """Let a moderator hide a message; return its id."""
    await join(house, author)
    await fill(house, author, 1)
    message_id: str = (await history(house, author))[0]["id"]
    answer = await moderator.post(f"{ADMIN}/chat/messages/{message_id}/hide")
    assert answer.status_code == 200
    return message_id


async def test_a_write_has_one_row_with_before_and_after(house: House, member: SignedIn) -> None:
    moderator = await desk(house, "mod", Role.MODERATOR)
    message_id = await hidden_message(house, moderator, member)
    boss = await desk(house, "boss", Role.OWNER)

    rows = (await boss.get(AUDIT)).json()["data"]["rows"]

    assert len(rows) == 1
    row = rows[0]
    assert row["operator"] == {"id": str(moderator.id), "name": "Mod Obi"}
    assert (row["right"], row["action"]) == ("chat:write", "hide")
    assert (row["targetType"], row["targetId"]) == ("chat_message", message_id)
    assert (row["before"], row["after"]) == ({"hidden": False}, {"hidden": True})
    assert row["requestId"]


async def test_a_refused_write_has_none(house: House, member: SignedIn) -> None:
    moderator = await desk(house, "mod", Role.MODERATOR)
    refused = [
        await moderator.post(f"{ADMIN}/chat/messages/{new_id()}/hide"),
        await moderator.post(
            f"{ADMIN}/chat/mutes", {"userId": str(new_id()), "minutes": 5, "reason": "spam"}
        ),
        await moderator.client.delete(f"{ADMIN}/chat/mutes/{member.id}", headers=moderator.headers),
    ]
    assert [answer.status_code for answer in refused] == [404, 404, 409]
    assert await house.database.fetch_value("SELECT count(*) FROM audit_entry") == 0


async def test_a_retried_write_has_one(house: House, member: SignedIn) -> None:
    moderator = await desk(house, "mod", Role.MODERATOR)
    body = {"userId": str(member.id), "minutes": 5, "reason": "spam"}
    answers = [
        await moderator.post(f"{ADMIN}/chat/mutes", body, key="mute-her-once") for _ in range(2)
    ]
    assert answers[0].json() == answers[1].json()
    assert answers[1].headers["Idempotent-Replayed"] == "true"
    assert await house.database.fetch_value("SELECT count(*) FROM audit_entry") == 1


async def test_without_an_audit_row_nothing_is_written(house: House, member: SignedIn) -> None:
    boss = await desk(house, "boss", Role.OWNER)
    identity = house.app.state.services.operator_identity
    operator = await identity.operator(boss.token, None, is_use=False)
    acting = Acting(operator, Right.MEMBERS_WRITE, "a-request", "POST /nowhere", "a-key-of-it")

    async def forgetful(tx: Transaction) -> Done:
        await tx.execute("UPDATE user_account SET first_name = 'Gone'")
        return Done(None)

    with pytest.raises(UnauditedError):
        await service.perform(house.database, acting, {}, forgetful)

    names = "SELECT count(*) FROM user_account WHERE first_name = 'Gone'"
    assert await house.database.fetch_value(names) == 0
    assert await house.database.fetch_value("SELECT count(*) FROM idempotency_key") == 0


@pytest.mark.parametrize(
    "statement",
    [
        "UPDATE audit_entry SET reason = 'nothing'",
        "DELETE FROM audit_entry",
        "TRUNCATE audit_entry",
        "ALTER TABLE audit_entry DISABLE TRIGGER append_only",
        "DELETE FROM approval",
        "DELETE FROM operator",
    ],
)
async def test_the_running_role_changes_nothing_of_it(house: House, statement: str) -> None:
    with pytest.raises(asyncpg.InsufficientPrivilegeError):
        await house.database.execute(statement)


async def test_nor_does_who_may_write_everything(
    house: House, member: SignedIn, settings: object
) -> None:
    moderator = await desk(house, "mod", Role.MODERATOR)
    await hidden_message(house, moderator, member)
    url = house.settings.database_url.replace("+asyncpg", "")
    connection = await asyncpg.connect(url)
    try:
        for statement in ("UPDATE audit_entry SET reason = ''", "DELETE FROM audit_entry"):
            with pytest.raises(asyncpg.PostgresError, match="append-only"):
                await connection.execute(statement)
    finally:
        await connection.close()


async def test_who_reads_what(house: House, member: SignedIn) -> None:
    moderator = await desk(house, "mod", Role.MODERATOR)
    keeper = await desk(house, "keeper", Role.SHOP)
    clerk = await desk(house, "clerk", Role.FINANCE)
    boss = await desk(house, "boss", Role.OWNER)
    message_id = await hidden_message(house, moderator, member)
    await house.database.execute(
        "INSERT INTO audit_entry (id, at, operator_id, right_used, action, target_type, target_id,"
        " request_id) VALUES ($1, now(), $2, 'refund:ask', 'ask', 'refund', 'R-1', 'r')",
        new_id(),
        keeper.id,
    )

    async def actions(who: Desk, **search: str) -> list[str]:
        answer = await who.get(AUDIT, params=search)
        assert answer.status_code == 200, answer.text
        return [row["action"] for row in answer.json()["data"]["rows"]]

    assert await actions(boss) == ["ask", "hide"]
    assert await actions(clerk) == ["ask"]
    assert await actions(keeper) == ["ask"]
    assert await actions(moderator) == ["hide"]
    assert await actions(boss, q="R-1") == ["ask"]
    assert await actions(boss, q="%") == []
    assert await actions(boss, right="chat:write") == ["hide"]
    assert await actions(boss, operator=str(keeper.id)) == ["ask"]
    assert await actions(boss, target=message_id) == ["hide"]
    assert await actions(boss, **{"from": "2020-01-01", "to": "2020-01-31"}) == []
    first = (await boss.get(AUDIT, params={"limit": 1})).json()["data"]
    assert [row["action"] for row in first["rows"]] == ["ask"]
    assert await actions(boss, before=first["next"]) == ["hide"]
