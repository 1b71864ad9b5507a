"""Mails in the back office: pending, dead, and retried."""

import asyncio
from datetime import timedelta
from pathlib import Path
from uuid import UUID

import httpx
import pytest
from api.foundation.core import clock
from api.foundation.core.ids import new_id
from api.foundation.security.rights import Role
from api.messaging.notifications.jobs import NOTIFY_BY_MAIL, NotificationMail
from api.people.auth.enums import CodePurpose
from api.people.auth.jobs import MAIL_CODE, CodeMail

from tests.back_office import ADMIN, OperatorClient, operator_client
from tests.conftest import RunningApp, SignedIn
from tests.messaging.notifications.conftest import credit

MAILS = f"{ADMIN}/mails"
CODE = "042137"
NEVER = clock.now() + timedelta(days=1)


@pytest.fixture
async def olu(app: RunningApp) -> OperatorClient:
    return await operator_client(app, "olu", Role.OWNER)


async def store_code(app: RunningApp, to: str = "eze@example.com") -> str:
    """Store a mail with a code that no worker processes; return its id."""
    mail = CodeMail(
        subject_id=new_id(),
        email=to,
        first_name="Eze",
        purpose=CodePurpose.ACTIVATION,
        code=CODE,
        expires_at=clock.now() + timedelta(minutes=10),
    )
    queue = app.asgi.state.services.auth.queue
    async with app.database.transaction() as tx:
        await queue.enqueue(tx, MAIL_CODE, mail, key=to)
        await tx.execute("UPDATE pgqueuer SET execute_after = $1 WHERE attempts = 0", NEVER)
        return str(await tx.fetch_value("SELECT max(id) FROM pgqueuer"))


async def give_up(app: RunningApp, mail_id: str) -> None:
    """Make a mail fail permanently."""
    await app.database.execute(
        "UPDATE pgqueuer SET status = 'failed', attempts = 24 WHERE id = $1", int(mail_id)
    )
    await app.database.execute(
        "INSERT INTO pgqueuer_log (job_id, status, priority, entrypoint, traceback) VALUES "
        "($1, 'failed', 0, 'mail_code', '{\"exception_message\": \"UnavailableError\"}')",
        int(mail_id),
    )


def letters(app: RunningApp, to: str) -> list[Path]:
    return [path for path in app.outbox.glob("*.eml") if to in path.read_text()]


def reason_of(answer: httpx.Response) -> tuple[int, str]:
    return answer.status_code, answer.json()["error"]["code"]


async def test_mails_say_to_whom_and_about_what_and_never_a_code(
    app: RunningApp, olu: OperatorClient
) -> None:
    first, second = await store_code(app), await store_code(app, "ife@example.com")
    await give_up(app, first)

    answer = await olu.get(MAILS)

    assert answer.status_code == 200, answer.text
    assert CODE not in answer.text
    rows = answer.json()["data"]["rows"]
    assert [row["id"] for row in rows] == [second, first]
    waiting, dead = rows
    assert (waiting["state"], waiting["tries"], waiting["error"]) == ("waiting", 0, None)
    assert waiting["notBefore"].startswith(f"{NEVER:%Y-%m-%dT%H:%M}")
    assert (dead["state"], dead["tries"], dead["error"]) == ("dead", 25, "UnavailableError")
    assert (dead["to"], dead["kind"]) == ("eze@example.com", "mail-code")
    assert dead["subject"] == "Your King of Fans activation code: ••••••"
    assert (await olu.get(f"{ADMIN}/today")).json()["data"]["waiting"]["deadMails"] == 1


async def test_mails_are_listed_by_state_a_page_at_a_time_with_those_that_wait_for_the_morning(
    app: RunningApp, olu: OperatorClient, member: SignedIn
) -> None:
    stored = [await store_code(app, f"m{n}@example.com") for n in range(3)]
    await give_up(app, stored[0])
    for n in range(2):
        await credit(app.database, member, f"FW-{n}")
    async with app.database.transaction() as tx:
        await tx.execute("UPDATE notification SET mail_due_at = $1", NEVER)

    async def pages(query: str) -> list[list[str]]:
        found, before = [], ""
        while True:
            page = (await olu.get(f"{MAILS}?limit=2{query}{before}")).json()["data"]
            found.append([row["id"] for row in page["rows"]])
            if page["next"] is None:
                return found
            before = f"&before={page['next']}"

    everything = await pages("")
    assert [len(page) for page in everything] == [2, 2, 1]
    assert everything[0] + everything[1][:1] == stored[::-1]
    assert await pages("&state=dead") == [[stored[0]]]
    assert await pages("&state=running") == [[]]
    assert await pages("&state=waiting") == [everything[0], everything[1][1:] + everything[2]]
    last = (await olu.get(f"{MAILS}?before={stored[0]}")).json()["data"]["rows"][0]
    assert (last["kind"], last["to"], last["state"]) == ("notification", member.email, "waiting")
    assert (await olu.get(f"{MAILS}?before=nonsense")).status_code == 404
    assert (await olu.get(f"{MAILS}?state=lost")).status_code == 422


async def test_a_notifications_mail_says_of_what_kind_it_is_and_not_what_it_says(
    app: RunningApp, olu: OperatorClient, member: SignedIn
) -> None:
    await credit(app.database, member)
    queue = app.asgi.state.services.auth.queue
    async with app.database.transaction() as tx:
        notification: UUID = await tx.fetch_value("SELECT id FROM notification")
        mail = NotificationMail(notification_id=notification)
        await queue.enqueue(tx, NOTIFY_BY_MAIL, mail, key="1")
        await tx.execute("UPDATE pgqueuer SET status = 'failed'")
        await tx.execute("UPDATE notification SET mail_due_at = NULL")

    shown = await olu.get(MAILS)

    (row,) = shown.json()["data"]["rows"]
    assert (row["kind"], row["to"], row["state"]) == ("notify-by-mail", member.email, "dead")
    assert row["subject"] == "Wallet credited"
    assert "5,000" not in shown.text


async def test_a_dead_mail_is_tried_again_and_what_is_on_its_way_is_not(
    app: RunningApp, olu: OperatorClient, member: SignedIn
) -> None:
    mail_id = await store_code(app)

    await app.database.execute("UPDATE pgqueuer SET status = 'picked'")
    early = await olu.post(f"{MAILS}/{mail_id}/retry")
    await give_up(app, mail_id)
    retried = await olu.post(f"{MAILS}/{mail_id}/retry")
    again = await olu.post(f"{MAILS}/{mail_id}/retry")
    unknown = [await olu.post(f"{MAILS}/{one}/retry") for one in ("999999", "x", str(new_id()))]
    await credit(app.database, member)
    waiting = await app.database.fetch_value("SELECT id FROM notification")
    not_yet = await olu.post(f"{MAILS}/{waiting}/retry")

    assert reason_of(early) == (409, "wrong_state")
    assert early.json()["data"] == {"status": "running"}
    assert retried.status_code == 200, retried.text
    assert retried.json()["data"] == {"id": mail_id, "state": "waiting"}
    assert len(letters(app, "eze@example.com")) == 1
    assert again.status_code == 404
    assert {one.status_code for one in unknown} == {404}
    assert reason_of(not_yet) == (409, "wrong_state")
    rows = await app.database.fetch_rows("SELECT action, target_id FROM audit_entry")
    assert [tuple(row.values()) for row in rows] == [("retry", mail_id)]


async def test_a_mail_retried_by_many_at_once_is_sent_once(live_server: RunningApp) -> None:
    operators = [await operator_client(live_server, name, Role.OWNER) for name in ("olu", "ada")]
    to = f"{new_id()}@example.com"
    mail_id = await store_code(live_server, to)
    await give_up(live_server, mail_id)

    answers = await asyncio.gather(
        *(operators[n % 2].post(f"{MAILS}/{mail_id}/retry") for n in range(10))
    )

    assert sorted(answer.status_code for answer in answers)[0] == 200
    assert sum(answer.status_code == 200 for answer in answers) == 1
    assert {answer.status_code for answer in answers} <= {200, 404, 409}
    await live_server.settle()
    assert len(letters(live_server, to)) == 1
    assert await live_server.database.fetch_value("SELECT count(*) FROM audit_entry") == 1
