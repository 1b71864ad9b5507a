"""The audit: an entry for every write, none for rejected calls, and entries are immutable."""

import asyncpg
import pytest
from api.foundation.audit import writing
from api.foundation.audit.writing import UnauditedError
from api.foundation.core.ids import new_id
from api.foundation.database.database import Transaction
from api.foundation.security.operators import AdminRequest
from api.foundation.security.rights import Right, Role
from api.foundation.wire.results import AdminResult

from tests.back_office import ADMIN, OperatorClient, operator_client
from tests.community.chat.conftest import fill, history, join
from tests.conftest import RunningApp, SignedIn

AUDIT = f"{ADMIN}/audit"


async def hidden_message(app: RunningApp, moderator: OperatorClient, author: SignedIn) -> str:
    """Hide a message as a moderator; return its id."""
    await join(app, author)
    await fill(app, author, 1)
    message_id: str = (await history(app, author))[0]["id"]
    answer = await moderator.post(f"{ADMIN}/chat/messages/{message_id}/hide")
    assert answer.status_code == 200
    return message_id


async def test_a_write_has_one_row_with_before_and_after(app: RunningApp, member: SignedIn) -> None:
    moderator = await operator_client(app, "mod", Role.MODERATOR)
    message_id = await hidden_message(app, moderator, member)
    boss = await operator_client(app, "boss", Role.OWNER)

    rows = (await boss.get(AUDIT)).json()["data"]["rows"]

    assert len(rows) == 1
    row = rows[0]
    assert row["operator"] == {"id": str(moderator.id), "name": "Mod Obi"}
    assert (row["right"], row["action"]) == ("chat:write", "hide")
    assert (row["targetType"], row["targetId"]) == ("chat_message", message_id)
    assert (row["before"], row["after"]) == ({"hidden": False}, {"hidden": True})
    assert row["requestId"]


async def test_a_refused_write_has_none(app: RunningApp, member: SignedIn) -> None:
    moderator = await operator_client(app, "mod", Role.MODERATOR)
    refused = [
        await moderator.post(f"{ADMIN}/chat/messages/{new_id()}/hide"),
        await moderator.post(
            f"{ADMIN}/chat/mutes", {"userId": str(new_id()), "minutes": 5, "reason": "spam"}
        ),
        await moderator.client.delete(f"{ADMIN}/chat/mutes/{member.id}", headers=moderator.headers),
    ]
    assert [answer.status_code for answer in refused] == [404, 404, 409]
    assert await app.database.fetch_value("SELECT count(*) FROM audit_entry") == 0


async def test_a_retried_write_has_one(app: RunningApp, member: SignedIn) -> None:
    moderator = await operator_client(app, "mod", Role.MODERATOR)
    body = {"userId": str(member.id), "minutes": 5, "reason": "spam"}
    answers = [
        await moderator.post(f"{ADMIN}/chat/mutes", body, key="mute-her-once") for _ in range(2)
    ]
    assert answers[0].json() == answers[1].json()
    assert answers[1].headers["Idempotent-Replayed"] == "true"
    assert await app.database.fetch_value("SELECT count(*) FROM audit_entry") == 1


async def test_without_an_audit_row_nothing_is_written(app: RunningApp, member: SignedIn) -> None:
    boss = await operator_client(app, "boss", Role.OWNER)
    identity = app.asgi.state.services.operator_identity
    operator = await identity.operator(boss.token, None, is_use=False)
    admin = AdminRequest(operator, Right.MEMBERS_WRITE, "a-request", "POST /nowhere", "a-key-of-it")

    async def forgetful(tx: Transaction) -> AdminResult:
        await tx.execute("UPDATE user_account SET first_name = 'Gone'")
        return AdminResult(None)

    with pytest.raises(UnauditedError):
        await writing.perform(app.database, admin, {}, forgetful)

    names = "SELECT count(*) FROM user_account WHERE first_name = 'Gone'"
    assert await app.database.fetch_value(names) == 0
    assert await app.database.fetch_value("SELECT count(*) FROM idempotency_key") == 0


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
async def test_the_running_role_changes_nothing_of_it(app: RunningApp, statement: str) -> None:
    with pytest.raises(asyncpg.InsufficientPrivilegeError):
        await app.database.execute(statement)


async def test_nor_does_who_may_write_everything(
    app: RunningApp, member: SignedIn, settings: object
) -> None:
    moderator = await operator_client(app, "mod", Role.MODERATOR)
    await hidden_message(app, moderator, member)
    url = app.settings.database_url.replace("+asyncpg", "")
    connection = await asyncpg.connect(url)
    try:
        for statement in ("UPDATE audit_entry SET reason = ''", "DELETE FROM audit_entry"):
            with pytest.raises(asyncpg.PostgresError, match="append-only"):
                await connection.execute(statement)
    finally:
        await connection.close()


async def test_who_reads_what(app: RunningApp, member: SignedIn) -> None:
    moderator = await operator_client(app, "mod", Role.MODERATOR)
    keeper = await operator_client(app, "keeper", Role.SHOP)
    clerk = await operator_client(app, "clerk", Role.FINANCE)
    boss = await operator_client(app, "boss", Role.OWNER)
    message_id = await hidden_message(app, moderator, member)
    await app.database.execute(
        "INSERT INTO audit_entry (id, at, operator_id, right_used, action, target_type, target_id,"
        " request_id) VALUES ($1, now(), $2, 'refund:ask', 'ask', 'refund', 'R-1', 'r')",
        new_id(),
        keeper.id,
    )

    async def actions(who: OperatorClient, **search: str) -> list[str]:
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
