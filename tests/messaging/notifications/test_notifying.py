"""Notifying members: once per subject, in the caller's transaction, never a deleted account."""

import asyncio
from datetime import UTC, datetime

import pytest
from api.foundation.core import clock
from api.messaging.notifications.enums import NotificationKind
from api.messaging.notifications.rules.messages import Fact
from api.messaging.notifications.service import notify, notify_each
from sqlalchemy import text
from sqlalchemy.ext.asyncio import AsyncEngine

from tests.conftest import PASSWORD, RunningApp, SignedIn
from tests.messaging.notifications.conftest import CREDITED, credit, credit_and_fail, listed
from tests.waiting import DEADLINE_SECONDS


async def rows(app: RunningApp) -> int:
    return int(await app.database.fetch_value("SELECT count(*) FROM notification"))


async def leave(member: SignedIn) -> None:
    answer = await member.client.request(
        "DELETE",
        f"/api/v1/users/{member.id}",
        headers=member.headers,
        json={"password": PASSWORD},
    )
    assert answer.status_code == 200, answer.text


async def test_of_twenty_at_once_one_tells(live_server: RunningApp) -> None:
    ada = await live_server.member()

    results = await asyncio.gather(*(credit(live_server.database, ada) for _ in range(20)))

    assert sorted(results) == [False] * 19 + [True]
    assert (await listed(ada))["unread"] == 1


async def test_the_same_is_told_of_another_subject_and_to_another_member(
    app: RunningApp, member: SignedIn, rival: SignedIn
) -> None:
    assert await credit(app.database, member, "FW-1")
    assert await credit(app.database, member, "FW-2")
    assert await credit(app.database, rival, "FW-1")

    assert len((await listed(member))["rows"]) == 2
    assert len((await listed(rival))["rows"]) == 1


async def test_what_is_taken_back_was_never_told(app: RunningApp, member: SignedIn) -> None:
    with pytest.raises(ZeroDivisionError):
        await credit_and_fail(app.database, member)

    assert await rows(app) == 0


async def test_words_that_lack_a_fact_take_the_cause_back(
    app: RunningApp, member: SignedIn
) -> None:
    async def promote() -> None:
        async with app.database.transaction() as tx:
            await tx.execute("UPDATE user_account SET badge = 'legend' WHERE id = $1", member.id)
            await notify(tx, member.id, CREDITED, "FW-1", clock.now())

    with pytest.raises(KeyError):
        await promote()

    badge = await app.database.fetch_value(
        "SELECT badge FROM user_account WHERE id = $1", member.id
    )
    assert (badge, await rows(app)) == ("rookie", 0)


async def test_many_are_told_at_once_and_whoever_knew_is_not_told_again(
    app: RunningApp, member: SignedIn, rival: SignedIn
) -> None:
    facts: dict[str, Fact] = {
        "plan": "Terrace",
        "amount_kobo": 60_000,
        "changes_at": datetime(2027, 1, 1, tzinfo=UTC),
    }
    kind, now = NotificationKind.PLAN_PRICE_CHANGED, clock.now()

    async def notify_members(*members: SignedIn) -> int:
        async with app.database.transaction() as tx:
            results = {one.id: facts for one in members}
            return await notify_each(tx, results, kind, "plan-1", now)

    assert await notify_members(member) == 1
    assert await notify_members(member, rival) == 1
    assert await notify_members() == 0
    assert await rows(app) == 2


async def test_leaving_takes_notifications_and_switches_and_nothing_follows(
    app: RunningApp, member: SignedIn, rival: SignedIn
) -> None:
    await credit(app.database, member)
    await credit(app.database, rival)
    mail = {"money": True, "orders": True, "plans": True, "community": False}
    await member.client.put(
        "/api/v1/notifications/settings", json={"mail": mail}, headers=member.headers
    )

    await leave(member)

    assert not await credit(app.database, member, "FW-2")
    assert await rows(app) == 1
    assert await app.database.fetch_row("SELECT FROM notification_setting") is None


async def until_a_lock_is_awaited(owner: AsyncEngine) -> None:
    """Wait until a statement waits for a lock."""
    waiting = text("SELECT 1 FROM pg_stat_activity WHERE wait_event_type = 'Lock' LIMIT 1")
    async with owner.connect() as connection, asyncio.timeout(DEADLINE_SECONDS):
        while (await connection.execute(waiting)).first() is None:
            await connection.rollback()


async def test_who_is_told_while_they_leave_leaves_with_it(
    live_server: RunningApp, owner: AsyncEngine
) -> None:
    ada = await live_server.member()
    async with live_server.database.transaction() as tx:
        await notify(tx, ada.id, CREDITED, "FW-1", clock.now(), amount_kobo=100)
        leaving = asyncio.create_task(leave(ada))
        await until_a_lock_is_awaited(owner)
    await leaving

    assert await rows(live_server) == 0


async def test_whoever_has_begun_to_leave_is_told_nothing(
    live_server: RunningApp, owner: AsyncEngine
) -> None:
    ada = await live_server.member()
    async with owner.connect() as connection:
        # The first and the last step of an account deletion, which stops half-way here.
        leaving = await connection.begin()
        await connection.execute(
            text("SELECT FROM user_account WHERE id = :id FOR UPDATE"), {"id": ada.id}
        )
        task = asyncio.create_task(credit(live_server.database, ada))
        await until_a_lock_is_awaited(owner)
        await connection.execute(
            text("UPDATE user_account SET erased_at = now() WHERE id = :id"), {"id": ada.id}
        )
        await leaving.commit()

    assert not await task
    assert await rows(live_server) == 0
