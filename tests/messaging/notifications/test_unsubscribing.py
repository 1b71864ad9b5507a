"""Links that switch mail off: with one click, without a sign-in, and only what they name."""

import asyncio
import re
from uuid import UUID

import httpx
import pytest
from api.app.adapters.smtp import SmtpMailer
from api.foundation.core import clock
from api.messaging.notifications import service
from api.messaging.notifications.enums import NotificationGroup
from api.messaging.notifications.jobs import NotificationMail
from api.messaging.notifications.live import NotificationMailer
from api.messaging.notifications.rules import unsubscribing

from tests.conftest import PASSWORD, RunningApp, SignedIn
from tests.mail_server import MailServer, part_of, running
from tests.messaging.notifications.conftest import credit

SETTINGS = "/api/v1/notifications/settings"
ONE_CLICK = {"List-Unsubscribe": "One-Click"}
BROWSER = {"Accept": "text/html,application/xhtml+xml"}


def token_of(app: RunningApp, user_id: UUID, group: NotificationGroup) -> str:
    return unsubscribing.token_of(app.settings.code_key.get_secret_value(), user_id, group)


async def mails_of(member: SignedIn) -> dict[str, bool]:
    answer = await member.get(SETTINGS)
    mail: dict[str, bool] = answer.json()["data"]["mail"]
    return mail


async def one_click(app: RunningApp, token: str) -> httpx.Response:
    return await app.client.post(f"/u/{token}", data=ONE_CLICK)


async def test_a_mail_of_a_notification_offers_one_click_and_that_switches_its_kind_off(
    app: RunningApp, member: SignedIn, unused_tcp_port: int
) -> None:
    await credit(app.database, member, now=clock.now())
    server = MailServer()
    with running(server, unused_tcp_port) as url:
        sender = NotificationMailer(
            app.database,
            SmtpMailer(url, sender="no-reply@fans.example"),
            public_url="https://fans.example",
            key=app.settings.code_key.get_secret_value(),
        )
        found = await app.database.fetch_value("SELECT id FROM notification")
        await sender.send(NotificationMail(notification_id=found))

    (mail,) = server.taken
    assert mail["Message-ID"] == f"<{found}@fans.example>"
    assert mail["List-Unsubscribe-Post"] == "List-Unsubscribe=One-Click"
    (link,) = re.findall(r"^<https://fans\.example(/u/\S+)>$", mail["List-Unsubscribe"])
    assert f"https://fans.example{link}\n" in part_of(mail)
    assert f'href="https://fans.example{link}"' in part_of(mail, "html")
    assert "background-color:#0B4EA2" in part_of(mail, "html")  # the club's
    answer = await app.client.post(link, data=ONE_CLICK)
    assert answer.status_code == 200
    assert answer.json()["message"] == "You get no more mails about your wallet."
    assert await mails_of(member) == {
        **{"money": False, "orders": True, "plans": True, "community": True},
        **{"games": False, "matches": False},
    }


async def test_a_second_click_changes_nothing_more(app: RunningApp, member: SignedIn) -> None:
    token = token_of(app, member.id, NotificationGroup.ORDERS)

    answers = [await one_click(app, token) for _ in range(2)]

    assert [answer.status_code for answer in answers] == [200, 200]
    assert not (await mails_of(member))["orders"]
    assert (await mails_of(member))["money"]


@pytest.mark.parametrize("method", ["GET", "HEAD"])
async def test_following_the_link_shows_a_page_and_changes_nothing(
    app: RunningApp, member: SignedIn, method: str
) -> None:
    token = token_of(app, member.id, NotificationGroup.ORDERS)

    page = await app.client.request(method, f"/u/{token}")

    assert page.status_code == 200
    assert page.headers["content-type"] == "text/html; charset=utf-8"
    assert "form-action 'self'" in page.headers["content-security-policy"]
    assert page.headers["cache-control"] == "private, no-store"
    if method == "GET":
        assert "Stop mails about your orders?" in page.text
        assert '<form method="post">' in page.text
        assert "Ada" not in page.text
    assert (await mails_of(member))["orders"]


async def test_the_button_of_the_page_switches_off_and_answers_with_a_page(
    app: RunningApp, member: SignedIn
) -> None:
    token = token_of(app, member.id, NotificationGroup.ORDERS)

    page = await app.client.post(f"/u/{token}", headers=BROWSER)

    assert page.status_code == 200
    assert "You get no more mails about your orders." in page.text
    assert not (await mails_of(member))["orders"]


async def test_a_link_that_we_did_not_sign_is_not_found_and_changes_nothing(
    app: RunningApp, member: SignedIn
) -> None:
    token = token_of(app, member.id, NotificationGroup.ORDERS)
    _, _, signed = token.partition(".")
    forged = [
        f"money.{signed}",  # of another group
        f"all.{signed}",
        token[:-2] + ("AA" if not token.endswith("AA") else "BA"),
        token[:-1],
        f"{token}A",
        "orders.",
        "orders",
        f"orders.{'é' * 43}",
        unsubscribing.token_of("another key", member.id, NotificationGroup.ORDERS),
    ]

    for one in forged:
        answer = await one_click(app, one)
        assert (answer.status_code, answer.json()["error"]["code"]) == (404, "not_found"), one
        for page in (
            await app.client.get(f"/u/{one}"),
            await app.client.post(f"/u/{one}", headers=BROWSER),
        ):
            assert page.status_code == 404
            assert "This link does not work" in page.text
    assert (await mails_of(member))["orders"]
    assert (await mails_of(member))["money"]


async def test_a_deleted_account_has_nothing_to_switch_off(
    app: RunningApp, member: SignedIn
) -> None:
    token = token_of(app, member.id, NotificationGroup.ORDERS)
    await member.client.request(
        "DELETE",
        f"/api/v1/users/{member.id}",
        headers=member.headers,
        json={"password": PASSWORD},
    )

    assert (await one_click(app, token)).status_code == 404
    assert (await app.client.get(f"/u/{token}")).status_code == 404
    assert await app.database.fetch_value("SELECT count(*) FROM notification_setting") == 0


def test_every_kind_of_mail_that_can_be_switched_off_has_words() -> None:
    assert set(unsubscribing.WORDS) == set(NotificationGroup)


async def test_a_click_keeps_the_other_choices_of_the_member(
    app: RunningApp, member: SignedIn
) -> None:
    choice = {"mail": {"games": True, "plans": False}, "push": {"money": False}}
    await member.client.put(SETTINGS, json=choice, headers=member.headers)

    await service.unsubscribe(
        app.database,
        app.settings.code_key.get_secret_value(),
        token_of(app, member.id, NotificationGroup.GAMES),
        clock.now(),
    )

    answer = (await member.get(SETTINGS)).json()["data"]
    assert (answer["mail"]["games"], answer["mail"]["plans"]) == (False, False)
    assert not answer["push"]["money"]


async def test_clicks_while_the_account_is_deleted_leave_nothing_behind(
    live_server: RunningApp,
) -> None:
    member = await live_server.member()
    token = token_of(live_server, member.id, NotificationGroup.ORDERS)
    leaving = member.client.request(
        "DELETE",
        f"/api/v1/users/{member.id}",
        headers=member.headers,
        json={"password": PASSWORD},
    )

    answers, left = await asyncio.gather(
        asyncio.gather(*(one_click(live_server, token) for _ in range(20))), leaving
    )

    assert left.status_code == 200
    assert {answer.status_code for answer in answers} <= {200, 404}
    count = "SELECT count(*) FROM notification_setting"
    assert await live_server.database.fetch_value(count) == 0
