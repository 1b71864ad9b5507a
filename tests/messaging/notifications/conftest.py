"""Notifying members, and the sockets that receive notifications."""

from contextlib import AbstractAsyncContextManager
from datetime import datetime
from typing import Any

from api.foundation.core import clock
from api.foundation.database.database import Database
from api.messaging.notifications.enums import NotificationKind
from api.messaging.notifications.service import notify

from tests.conftest import RunningApp, SignedIn
from tests.phone import Phone, connected

CREDITED = NotificationKind.WALLET_CREDITED


async def credit(
    database: Database,
    member: SignedIn,
    subject: str = "FW-1",
    *,
    naira: int = 5000,
    now: datetime | None = None,
) -> bool:
    """Notify a member of a credit in a separate transaction; return whether it was new."""
    async with database.transaction() as tx:
        return await notify(
            tx, member.id, CREDITED, subject, now or clock.now(), amount_kobo=naira * 100
        )


async def credit_and_fail(database: Database, member: SignedIn) -> None:
    """Notify a member of a credit in a transaction that fails."""
    async with database.transaction() as tx:
        await notify(tx, member.id, CREDITED, "FW-1", clock.now(), amount_kobo=100)
        raise ZeroDivisionError


def screen(app: RunningApp, member: SignedIn) -> AbstractAsyncContextManager[Phone]:
    """Connect a member's socket."""
    return connected(app, member, "/payment", ("notification",))


async def listed(member: SignedIn, **query: Any) -> dict[str, Any]:
    """Return the member's list of notifications."""
    answer = await member.get("/api/v1/notifications", params=query)
    assert answer.status_code == 200, answer.text
    data: dict[str, Any] = answer.json()["data"]
    return data
