"""An app whose simulated push service is reached over loopback, and its subscribed browsers."""

from collections.abc import AsyncIterator
from dataclasses import dataclass
from datetime import UTC, datetime
from typing import Any

import pytest
import time_machine
from api.app.factories import make_push_carrier
from api.foundation.core import clock
from api.foundation.core.config import Settings
from api.foundation.database.database import Database
from api.foundation.jobs.queue import JobQueue
from api.messaging.notifications.enums import NotificationKind
from api.messaging.notifications.service import notify_each
from api.messaging.push.jobs import SEND_PUSH
from api.messaging.push.live import PushSender
from api.messaging.push.service import send_due

from tests.conftest import RunningApp, SignedIn, client_of, create_running_app, free_port, served

NOON = datetime(2027, 3, 1, 11, 0, tzinfo=UTC)
NIGHT = datetime(2027, 3, 1, 21, 30, tzinfo=UTC)
SEVEN = datetime(2027, 3, 2, 6, 0, tzinfo=UTC)
PATH = "/api/v1/push/subscriptions"
REPLY = NotificationKind.REPLY


@dataclass(frozen=True)
class Browser:
    """A simulated browser."""

    app: RunningApp
    box: str
    endpoint: str
    keys: dict[str, str]

    @property
    def form(self) -> dict[str, Any]:
        return {"endpoint": self.endpoint, "keys": self.keys}

    async def shown(self) -> list[dict[str, Any]]:
        """Return the pushes that it received, decrypted."""
        answer = await self.app.client.get(f"/sandbox/push/boxes/{self.box}")
        assert answer.status_code == 200
        messages: list[dict[str, Any]] = answer.json()
        return messages

    async def answers(self, status: int) -> None:
        """Set the response of its push service."""
        answer = await self.app.client.put(
            f"/sandbox/push/boxes/{self.box}", json={"answer": status}
        )
        assert answer.status_code == 200


@pytest.fixture
async def pushing(settings: Settings, _empty_tables: None) -> AsyncIterator[RunningApp]:
    port = free_port()
    here = settings.model_copy(update={"public_url": f"http://127.0.0.1:{port}"})
    asgi = create_running_app(here)
    async with served(asgi, port=port) as base_url, client_of(base_url) as client:
        yield RunningApp(asgi, here, client, base_url)


@pytest.fixture
async def ada(pushing: RunningApp) -> SignedIn:
    return await pushing.member("ada")


async def new_browser(app: RunningApp) -> Browser:
    """Return a browser without a signed-in member."""
    box = (await app.client.post("/sandbox/push/boxes")).json()
    return Browser(app, box["box"], box["endpoint"], box["keys"])


async def subscribed(app: RunningApp, member: SignedIn) -> Browser:
    """Return a subscribed browser."""
    browser = await new_browser(app)
    answer = await member.post(PATH, browser.form)
    assert answer.status_code == 201, answer.text
    return browser


def queue_of(app: RunningApp) -> JobQueue:
    queue: JobQueue = app.asgi.state.services.auth.queue
    return queue


async def answer_call(
    database: Database,
    member: SignedIn,
    subject: str = "m-1",
    now: datetime | None = None,
    *,
    sender: SignedIn | None = None,
) -> None:
    """Notify a member of a reply in the chat."""
    at, sender_id = now or clock.now(), None if sender is None else sender.id
    async with database.transaction() as tx:
        facts = {member.id: {"club": "Enyimba"}}
        await notify_each(tx, facts, REPLY, subject, at, sender_id=sender_id)


async def pushed(app: RunningApp, now: datetime) -> None:
    """Send what is due at a moment, each job once."""
    with time_machine.travel(now, tick=True):
        await send_due(app.database, queue_of(app), now)
        sender = PushSender(app.asgi.state.services.push, make_push_carrier())
        rows = await app.database.fetch_rows(
            "DELETE FROM pgqueuer WHERE entrypoint = $1 RETURNING payload", SEND_PUSH.name
        )
        for row in rows:
            await sender.send(queue_of(app).open(SEND_PUSH, row["payload"]))
