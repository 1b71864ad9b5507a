"""Codes by SMS, through the adapter and over HTTP to the sandbox."""

import asyncio
import hashlib
import hmac
import json
import re
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from datetime import UTC, datetime, timedelta
from typing import Any

import httpx
import pytest
import time_machine
from api.app.factories import make_code_senders, make_mailer
from api.foundation.core import clock
from api.foundation.core.config import Environment, Settings
from api.foundation.core.config_sms import DEMO_TERMII
from api.foundation.core.ids import new_id
from api.foundation.jobs.kinds import ObsoleteError, PermanentFailureError
from api.foundation.metrics.snapshots import render
from api.foundation.security.rights import Role
from api.people.auth import rules
from api.people.auth.enums import CodeChannel, CodePurpose, SmsState
from api.people.auth.jobs import CodeText
from api.people.auth.service import texts
from pydantic import SecretStr, ValidationError

from tests.back_office import ADMIN, operator_client
from tests.conftest import RunningApp, client_of, create_running_app, free_port, served
from tests.people.auth.letters import FORM, calling_from, codes, forget, make_old
from tests.production import PRODUCTION
from tests.waiting import until

SIGN_UP = "/api/v1/signup"
RESEND = "/api/v1/signup/resend-code"
REPORTS = "/api/v1/sms/reports"
CODE = re.compile(r"^(\d{6}) is your King of Fans code\.", re.MULTILINE)
SECRET = DEMO_TERMII["termii_secret_key"]
ADDRESS = "musa@example.com"


def with_sms(settings: Settings, port: int) -> Settings:
    """The settings with SMS through the sandbox of the server at ``port``."""
    update = {
        "public_url": f"http://127.0.0.1:{port}",
        "termii_api_key": SecretStr(DEMO_TERMII["termii_api_key"]),
        "termii_secret_key": SecretStr(SECRET),
        "termii_sender_id": "KingOfFans",
    }
    return settings.model_copy(update=update)


@asynccontextmanager
async def texting_app(settings: Settings) -> AsyncIterator[RunningApp]:
    port = free_port()
    here = with_sms(settings, port)
    asgi = create_running_app(here)
    async with served(asgi, port=port) as base_url, client_of(base_url) as client:
        yield RunningApp(asgi, here, client, base_url)


@pytest.fixture
async def texting(settings: Settings, _empty_tables: None) -> AsyncIterator[RunningApp]:
    async with texting_app(settings) as app:
        yield app


@pytest.fixture
async def thrifty(settings: Settings, _empty_tables: None) -> AsyncIterator[RunningApp]:
    """An app that may send two SMS a day."""
    async with texting_app(settings.model_copy(update={"sms_per_day": 2})) as app:
        yield app


def sent(app: RunningApp) -> list[str]:
    """Return the SMS in the outbox, oldest first."""
    return [path.read_text() for path in sorted(app.outbox.glob("*.sms"))]


def codes_of(app: RunningApp) -> list[str]:
    return [code for text in sent(app) for code in CODE.findall(text)]


async def sign_up(app: RunningApp, **fields: Any) -> httpx.Response:
    return await app.client.post(SIGN_UP, json=FORM | {"channel": "sms"} | fields)


async def resend(app: RunningApp, attempt_id: str, **fields: Any) -> httpx.Response:
    return await app.client.post(RESEND, json={"userId": attempt_id} | fields)


async def enter(app: RunningApp, attempt_id: str, code: str) -> httpx.Response:
    body = {"userId": attempt_id, "code": code}
    return await app.client.post("/api/v1/signup/validate-token", json=body)


async def states(app: RunningApp) -> list[str]:
    return list(await app.database.fetch_column("SELECT state FROM sms_message ORDER BY id"))


async def age_texts(app: RunningApp, seconds: int = 61) -> None:
    """Backdate codes and SMS within their day."""
    await make_old(app, seconds)
    async with app.database.transaction() as tx:
        await tx.execute(
            "UPDATE sms_message SET created_at = created_at - make_interval(secs => $1)", seconds
        )


async def provider_id(app: RunningApp) -> str:
    read = "SELECT provider_id FROM sms_message ORDER BY id DESC LIMIT 1"
    found: str = await app.database.fetch_value(read)
    return found


async def report(
    app: RunningApp, message_id: object, status: object, secret: str = SECRET
) -> httpx.Response:
    event = {"type": "outbound", "message_id": message_id, "status": status, "cost": "3.9"}
    raw = json.dumps(event).encode()
    signature = hmac.new(secret.encode(), raw, hashlib.sha512).hexdigest()
    headers = {"Content-Type": "application/json", "X-Termii-Signature": signature}
    return await app.client.post(REPORTS, content=raw, headers=headers)


async def test_a_code_by_sms_activates_the_account(texting: RunningApp) -> None:
    answer = await sign_up(texting)

    assert (answer.status_code, answer.json()["data"]["retryAfter"]) == (201, 0)
    assert answer.json()["message"] == "We have sent a code to your phone."
    (text,) = sent(texting)
    assert text.startswith("To: +2348031234567\nFrom: KingOfFans\nChannel: dnd\n\n")
    assert text.isascii()
    assert len(text.partition("\n\n")[2].strip()) <= 160
    assert codes(texting, ADDRESS) == []
    mine = answer.json()["data"]["id"]
    shown = (await texting.client.get(f"{SIGN_UP}/{mine}")).json()["data"]
    assert shown == {
        "email": ADDRESS,
        "phone": "•••• 4567",
        "channel": "sms",
        "channels": ["email", "sms"],
        "club": shown["club"],
    }
    assert (await enter(texting, mine, codes_of(texting)[0])).status_code == 200
    assert (await texting.sign_in(ADDRESS, FORM["password"])).status_code == 200


async def test_without_credentials_codes_go_by_mail_only(app: RunningApp) -> None:
    assert (await app.client.get(SIGN_UP)).json()["data"] == {"channels": ["email"]}

    refused = await sign_up(app)
    assert (refused.status_code, refused.json()["error"]["fields"]) == (
        422,
        {"channel": "Codes cannot be sent by SMS"},
    )
    mine = (await sign_up(app, channel="email")).json()["data"]["id"]
    await make_old(app, 61)
    assert (await resend(app, mine, channel="sms")).status_code == 422
    assert (await resend(app, mine, channel="pigeon")).status_code == 422
    assert (await resend(app, mine)).status_code == 200
    assert len(codes(app, ADDRESS)) == 2
    assert (await report(app, "1", "Delivered")).status_code == 404


async def test_a_code_is_sent_again_through_the_other_channel(texting: RunningApp) -> None:
    assert (await texting.client.get(SIGN_UP)).json()["data"] == {"channels": ["email", "sms"]}
    mine = (await sign_up(texting, channel="email")).json()["data"]["id"]
    early = await resend(texting, mine, channel="sms")
    assert (early.status_code, early.json()["error"]["code"]) == (429, "code_too_soon")

    await age_texts(texting)
    assert (await resend(texting, mine, channel="sms")).status_code == 200
    (by_mail,), (by_sms,) = codes(texting, ADDRESS), codes_of(texting)
    assert (await enter(texting, mine, by_mail)).status_code == 400
    # A sign-in before the activation uses the channel that was chosen last.
    await age_texts(texting)
    pending = await texting.sign_in(ADDRESS, FORM["password"])
    assert pending.json()["error"]["code"] == "not_activated"
    assert len(codes_of(texting)) == 2
    assert (await enter(texting, mine, by_sms)).status_code == 400
    assert (await enter(texting, mine, codes_of(texting)[1])).status_code == 200


async def test_a_corrected_address_is_mailed(texting: RunningApp) -> None:
    mine = (await sign_up(texting)).json()["data"]["id"]
    corrected = {"email": "musa.b@example.com"}
    assert (await texting.client.post(f"{SIGN_UP}/{mine}/email", json=corrected)).status_code == 200
    assert (await enter(texting, mine, codes_of(texting)[0])).status_code == 400
    assert (await enter(texting, mine, codes(texting, corrected["email"])[0])).status_code == 200


async def test_a_corrected_phone_is_texted_and_the_old_code_is_void(texting: RunningApp) -> None:
    mine = (await sign_up(texting)).json()["data"]["id"]

    answer = await resend(texting, mine, channel="sms", phone="0803 123 4568")

    assert (answer.status_code, answer.json()["data"]) == (200, {"retryAfter": 60})
    old, new = codes_of(texting)
    assert sent(texting)[1].startswith("To: +2348031234568\n")
    shown = (await texting.client.get(f"{SIGN_UP}/{mine}")).json()["data"]
    assert (shown["phone"], shown["channel"]) == ("•••• 4568", "sms")
    assert (await enter(texting, mine, old)).status_code == 400
    assert (await enter(texting, mine, new)).status_code == 200
    phone = await texting.database.fetch_value("SELECT phone FROM user_account")
    assert phone == "+2348031234568"


async def test_a_phone_is_corrected_only_to_a_free_one_and_by_sms(texting: RunningApp) -> None:
    other = (await sign_up(texting, email="eze@example.com", phone="08031234568")).json()["data"]
    await enter(texting, other["id"], codes_of(texting)[0])
    mine = (await sign_up(texting)).json()["data"]["id"]
    await age_texts(texting)

    taken = await resend(texting, mine, channel="sms", phone="08031234568")
    by_mail = await resend(texting, mine, phone="08031234569")
    none = await resend(texting, mine, channel="sms", phone="0803")
    unknown = await resend(texting, str(new_id()), channel="sms", phone="08031234569")

    assert (taken.status_code, taken.json()["error"]["code"]) == (409, "account_exists")
    assert list(taken.json()["error"]["fields"]) == ["phone"]
    assert [by_mail.status_code, none.status_code, unknown.status_code] == [422, 422, 404]
    shown = (await texting.client.get(f"{SIGN_UP}/{mine}")).json()["data"]
    assert shown["phone"] == "•••• 4567"
    assert len(sent(texting)) == 2
    assert (await enter(texting, mine, codes_of(texting)[1])).status_code == 200


async def test_a_sign_up_texts_only_a_few_strangers_a_day(texting: RunningApp) -> None:
    mine = (await sign_up(texting)).json()["data"]["id"]
    answers = []
    for number in range(rules.CODES_PER_DAY):
        await age_texts(texting)
        answers.append(await resend(texting, mine, channel="sms", phone=f"0803123500{number}"))

    # Beyond the limit a member's number is refused like any other.
    await texting.member("eze")
    theirs = await texting.database.fetch_value(
        "SELECT phone FROM user_account WHERE email = 'eze@example.com'"
    )
    assert (await resend(texting, mine, channel="sms", phone=theirs)).status_code == 429
    assert [answer.status_code for answer in answers] == [200] * (rules.CODES_PER_DAY - 1) + [429]
    assert len(sent(texting)) == rules.CODES_PER_DAY
    shown = (await texting.client.get(f"{SIGN_UP}/{mine}")).json()["data"]
    assert shown["phone"] == f"•••• 500{rules.CODES_PER_DAY - 2}"


async def test_a_refused_correction_leaves_the_phone_and_its_code(texting: RunningApp) -> None:
    mine = (await sign_up(texting)).json()["data"]["id"]
    await age_texts(texting, 1)
    for _ in range(rules.SMS_PER_DAY):
        await sign_up(texting, email=f"{new_id()}@example.com", phone="08031234570")
        await age_texts(texting)

    refused = await resend(texting, mine, channel="sms", phone="08031234570")

    assert (refused.status_code, refused.json()["error"]["code"]) == (429, "code_too_soon")
    shown = (await texting.client.get(f"{SIGN_UP}/{mine}")).json()["data"]
    assert shown["phone"] == "•••• 4567"
    assert (await enter(texting, mine, codes_of(texting)[0])).status_code == 200


async def test_a_number_gets_three_sms_a_day_whatever_the_address(texting: RunningApp) -> None:
    assert rules.SMS_PER_DAY == 3
    for number in range(3):
        answer = await sign_up(texting, email=f"fan{number}@example.com")
        assert answer.json()["data"]["retryAfter"] == 0
        await age_texts(texting)

    fourth = await sign_up(texting, email="fan4@example.com")

    left = (clock.next_midnight(clock.now()) - clock.now()).total_seconds()
    assert fourth.status_code == 201
    assert fourth.json()["data"]["retryAfter"] == pytest.approx(left, abs=5)
    assert fourth.json()["message"].startswith(
        "We have not sent your code yet: this phone has just been sent another."
    )
    mine = fourth.json()["data"]["id"]
    refused = await resend(texting, mine, channel="sms")
    assert (refused.status_code, refused.json()["error"]["code"]) == (429, "code_too_soon")
    assert len(sent(texting)) == 3
    # The way out: the same code by mail.
    assert (await resend(texting, mine, channel="email")).status_code == 200
    assert (await enter(texting, mine, codes(texting, "fan4@example.com")[0])).status_code == 200


async def test_a_new_lagos_day_allows_three_more(texting: RunningApp) -> None:
    # 23:59:30 in Lagos is 22:59:30 in UTC.
    late = datetime(2027, 3, 1, 22, 59, 30, tzinfo=UTC)
    with time_machine.travel(late, tick=False) as moved:
        for number in range(3):
            await sign_up(texting, email=f"fan{number}@example.com")
            await age_texts(texting)
        refused = await sign_up(texting, email="fan4@example.com")
        assert refused.json()["data"]["retryAfter"] == 31
        moved.move_to(late + timedelta(seconds=31))
        mine = refused.json()["data"]["id"]
        assert (await resend(texting, mine, channel="sms")).status_code == 200
    assert len(sent(texting)) == 4


async def test_a_number_waits_a_minute_between_sms(texting: RunningApp) -> None:
    await sign_up(texting)
    other = await sign_up(texting, email="other@example.com")
    assert 55 <= other.json()["data"]["retryAfter"] <= 60
    assert len(sent(texting)) == 1


async def test_sign_ups_with_one_number_at_once_send_one_sms(texting: RunningApp) -> None:
    answers = await asyncio.gather(
        *(sign_up(texting, email=f"fan{number}@example.com") for number in range(6))
    )
    assert {answer.status_code for answer in answers} == {201}
    assert sum(answer.json()["data"]["retryAfter"] == 0 for answer in answers) == 1
    assert len(sent(texting)) == 1


async def test_a_busy_provider_is_tried_again_and_sends_once(texting: RunningApp) -> None:
    answer = await sign_up(texting, phone="08031230003")
    assert answer.status_code == 201
    assert len(sent(texting)) == 1
    assert (await states(texting))[0] in {"sent", "delivered"}


@pytest.mark.parametrize(
    ("phone", "state", "messages"), [("08031230001", "failed", 0), ("08031230002", "unknown", 1)]
)
async def test_what_the_provider_refuses_or_leaves_open_is_not_sent_again(
    texting: RunningApp, phone: str, state: str, messages: int
) -> None:
    mine = (await sign_up(texting, phone=phone)).json()["data"]["id"]

    assert await states(texting) == [state]
    assert len(sent(texting)) == messages
    # Operators see it among the mails that failed, without the number.
    kinds = texting.asgi.state.services.mails.kinds
    assert "text_code" in kinds
    dead = "SELECT count(*) FROM pgqueuer WHERE status = 'failed' AND entrypoint = 'text_code'"
    assert await texting.database.fetch_value(dead) == 1
    await age_texts(texting)
    assert (await resend(texting, mine, channel="email")).status_code == 200


def a_text(message_id: Any = None, **fields: Any) -> CodeText:
    content: dict[str, Any] = {
        "message_id": message_id or new_id(),
        "phone": "+2348031234567",
        "first_name": "Musa",
        "purpose": CodePurpose.ACTIVATION,
        "code": "042137",
        "expires_at": clock.now() + timedelta(minutes=10),
    }
    return CodeText(**content | fields)


async def store_text(app: RunningApp, state: SmsState, **fields: Any) -> CodeText:
    """Insert a message in a state, and return its job."""
    text, now = a_text(**fields), clock.now()
    async with app.database.transaction() as tx:
        await tx.execute(
            "INSERT INTO sms_message (id, number, day, place, subject_id, state, created_at, "
            "changed_at) VALUES ($1, 'n', $2, 1, $1, $3, $4, $4)",
            text.message_id,
            clock.lagos_day(now),
            state,
            now,
        )
    return text


async def test_a_job_whose_worker_died_while_sending_does_not_send_twice(
    texting: RunningApp,
) -> None:
    text = await store_text(texting, SmsState.SENDING)
    sender = make_code_senders(texting.settings, make_mailer(texting.settings))[CodeChannel.SMS]

    with pytest.raises(ObsoleteError):
        await texts.send_text(texting.database, sender, text)

    assert sent(texting) == []
    assert await states(texting) == ["unknown"]


async def test_a_code_that_has_expired_is_not_sent(texting: RunningApp) -> None:
    text = await store_text(texting, SmsState.QUEUED, expires_at=clock.now())
    sender = make_code_senders(texting.settings, make_mailer(texting.settings))[CodeChannel.SMS]
    with pytest.raises(ObsoleteError):
        await texts.send_text(texting.database, sender, text)
    assert (sent(texting), await states(texting)) == ([], ["failed"])


async def test_a_wrong_key_is_refused_for_good(texting: RunningApp) -> None:
    wrong = texting.settings.model_copy(update={"termii_api_key": SecretStr("another key")})
    sender = make_code_senders(wrong, make_mailer(wrong))[CodeChannel.SMS]
    with pytest.raises(PermanentFailureError):
        await texts.send_text(texting.database, sender, await store_text(texting, SmsState.QUEUED))
    assert await states(texting) == ["failed"]


async def test_the_providers_report_is_stored(texting: RunningApp) -> None:
    await sign_up(texting)

    async def is_delivered() -> bool:
        return await states(texting) == ["delivered"]

    await until(is_delivered)
    words = await texting.database.fetch_value("SELECT report FROM sms_message")
    assert words == "DELIVERED | Message delivered to handset"


async def test_a_number_on_the_do_not_disturb_list_is_reported(texting: RunningApp) -> None:
    await sign_up(texting, phone="08031230004")

    async def is_undelivered() -> bool:
        return await states(texting) == ["undelivered"]

    await until(is_undelivered)


async def test_reports_are_stored_once_and_a_final_one_stays(texting: RunningApp) -> None:
    text = await store_text(texting, SmsState.SENT)
    async with texting.database.transaction() as tx:
        await tx.execute(
            "UPDATE sms_message SET provider_id = 'p-1' WHERE id = $1", text.message_id
        )

    for status in ("Message Sent", "Message Failed", "Message Failed", "Delivered"):
        assert (await report(texting, "p-1", status)).status_code == 200

    assert await states(texting) == ["undelivered"]
    assert await texting.database.fetch_value("SELECT report FROM sms_message") == "Message Failed"


@pytest.mark.parametrize(
    ("message_id", "status"),
    [("nobody's", "Delivered"), (7, "Delivered"), ("p\0", "Delivered"), (None, None), ({}, [])],
)
async def test_reports_of_unknown_messages_change_nothing(
    texting: RunningApp, message_id: object, status: object
) -> None:
    await store_text(texting, SmsState.SENT)
    assert (await report(texting, message_id, status)).status_code == 200
    assert await states(texting) == ["sent"]


async def test_reports_that_the_provider_has_not_signed_are_refused(texting: RunningApp) -> None:
    text = await store_text(texting, SmsState.SENT)
    async with texting.database.transaction() as tx:
        await tx.execute(
            "UPDATE sms_message SET provider_id = 'p-1' WHERE id = $1", text.message_id
        )
    unsigned = await texting.client.post(REPORTS, json={"message_id": "p-1", "status": "Delivered"})
    forged = await report(texting, "p-1", "Delivered", "another secret")
    for answer in (unsigned, forged):
        assert (answer.status_code, answer.json()["error"]["code"]) == (400, "invalid_signature")
    assert await states(texting) == ["sent"]


async def test_the_states_of_a_day_are_metrics(texting: RunningApp) -> None:
    await sign_up(texting, phone="08031230001")
    services = texting.asgi.state.services
    await services.figures.refresh()
    page = render(services.metrics).decode()
    assert 'sms_messages{state="failed"} 1.0' in page
    assert 'sms_messages{state="delivered"} 0.0' in page


async def test_no_log_and_no_table_has_the_number(
    texting: RunningApp, capsys: pytest.CaptureFixture[str]
) -> None:
    await sign_up(texting, phone="08031230002")
    await sign_up(texting, phone="08031230001", email="other@example.com")
    out, err = capsys.readouterr()
    assert "80312300" not in out + err
    rows = await texting.database.fetch_value("SELECT string_agg(m::text, '') FROM sms_message m")
    assert "80312300" not in rows


def test_development_uses_the_sandbox_and_tests_have_no_sms() -> None:
    development = Settings(app_env=Environment.DEVELOPMENT, _env_file=None)
    assert (development.has_sms, development.uses_sms_sandbox) == (True, True)
    blank: dict[str, Any] = {"termii_api_key": "", "_env_file": None}
    disabled = Settings(**blank)
    assert not disabled.has_sms
    assert not Settings(app_env=Environment.TEST, _env_file=None).has_sms


TERMII = {
    "termii_api_key": "a key of the account",
    "termii_secret_key": "a secret of the account",
    "termii_sender_id": "KingOfFans",
    "termii_base_url": "https://v3.api.termii.com",
}
LOGIN: dict[str, Any] = {
    "database_url": "postgresql://fans_app:a-password-of-its-own@db.example/fans"
}


@pytest.mark.parametrize(
    ("change", "sentence"),
    [
        ({"termii_secret_key": None}, "TERMII_API_KEY needs TERMII_SECRET_KEY, too"),
        ({"termii_sender_id": None}, "TERMII_API_KEY needs TERMII_SENDER_ID, too"),
        ({"termii_base_url": None}, "TERMII_API_KEY needs TERMII_BASE_URL, too"),
        ({"termii_base_url": "http://sms.example"}, "Production needs an https TERMII_BASE_URL"),
        (DEMO_TERMII, "Production needs a TERMII_API_KEY of its own, or none"),
    ],
)
def test_production_requires_all_credentials_or_none(change: Any, sentence: str) -> None:
    assert Settings(**LOGIN | PRODUCTION | TERMII).has_sms
    assert not Settings(**LOGIN | PRODUCTION).has_sms
    with pytest.raises(ValidationError, match=sentence):
        Settings(**LOGIN | PRODUCTION | TERMII | change)


async def test_a_code_by_sms_opens_no_account_while_the_mailbox_of_another_person_decides(
    texting: RunningApp,
) -> None:
    theirs = (await sign_up(texting, phone="08039999999")).json()["data"]["id"]
    await age_texts(texting)
    async with calling_from(texting.asgi, "192.0.2.1") as owner:
        mine = (await owner.post(SIGN_UP, json=FORM)).json()["data"]["id"]

    refused = await enter(texting, theirs, codes_of(texting)[0])

    assert (refused.status_code, refused.json()["error"]["code"]) == (409, "email_contested")
    (code,) = codes(texting, ADDRESS)
    assert (await enter(texting, mine, code)).status_code == 200
    assert (await enter(texting, theirs, codes_of(texting)[0])).status_code == 400


async def test_ones_own_sign_up_by_mail_does_not_contest_the_one_by_sms(
    texting: RunningApp,
) -> None:
    await sign_up(texting, channel="email")
    await age_texts(texting)
    mine = (await sign_up(texting)).json()["data"]["id"]

    assert (await enter(texting, mine, codes_of(texting)[0])).status_code == 200


async def test_an_email_that_no_code_was_mailed_to_makes_no_operator_until_it_is_proved(
    texting: RunningApp,
) -> None:
    owner = await operator_client(texting, "olu", Role.OWNER)
    await operator_client(texting, "bisi", Role.OWNER)
    mine = (await sign_up(texting)).json()["data"]["id"]
    assert (await enter(texting, mine, codes_of(texting)[0])).status_code == 200
    wanted = {"email": ADDRESS, "roles": ["shop"], "reason": "New in the shop"}

    refused = await owner.post(f"{ADMIN}/operators", wanted)
    assert refused.status_code == 422
    assert "prove the email" in refused.json()["error"]["fields"]["email"]

    handle = await forget(texting, ADDRESS)
    reset = {"userId": handle, "code": codes(texting, ADDRESS)[-1], "password": "another good one"}
    assert (await texting.client.post("/api/v1/password/reset", json=reset)).status_code == 200
    assert (await owner.post(f"{ADMIN}/operators", wanted)).status_code == 202


async def test_the_mails_of_strangers_do_not_use_up_the_owners(texting: RunningApp) -> None:
    """Neither by email nor by SMS."""
    async with calling_from(texting.asgi, "192.0.2.1") as stranger:
        waits = []
        for number in range(rules.CODES_PER_DAY + 1):
            form = FORM | {"phone": f"0803999990{number}"}
            answer = await stranger.post(SIGN_UP, json=form)
            waits.append(answer.json()["data"]["retryAfter"])
            await age_texts(texting)
    assert waits[:-1] == [0] * rules.CODES_PER_DAY
    assert waits[-1] > 23 * 3600

    assert (await sign_up(texting, channel="email")).json()["data"]["retryAfter"] == 0
    await age_texts(texting)
    assert (await sign_up(texting)).json()["data"]["retryAfter"] == 0


async def test_a_mailbox_gets_twenty_codes_a_day_and_one_of_each_network_beyond(
    texting: RunningApp, monkeypatch: pytest.MonkeyPatch
) -> None:
    assert rules.CODES_PER_EMAIL == 20
    monkeypatch.setattr(rules, "CODES_PER_EMAIL", 3)

    async def waits(address: str) -> int:
        async with calling_from(texting.asgi, address) as client:
            answer = await client.post(SIGN_UP, json=FORM)
        await age_texts(texting)
        wait: int = answer.json()["data"]["retryAfter"]
        return wait

    assert [await waits("192.0.2.1") for _ in range(3)] == [0, 0, 0]
    assert await waits("192.0.2.1") > 23 * 3600
    assert await waits("192.0.2.2") == 0
    assert await waits("192.0.2.2") > 23 * 3600


async def test_all_sms_of_a_day_have_a_budget_and_codes_by_mail_go_on(
    thrifty: RunningApp,
) -> None:
    forms = [
        {"email": f"fan{number}@example.com", "phone": f"0803999990{number}"} for number in range(3)
    ]

    answers = [await sign_up(thrifty, **form) for form in forms]

    assert [answer.status_code for answer in answers] == [201, 201, 422]
    assert answers[-1].json()["error"]["fields"] == {"channel": texts.NO_MORE_TODAY}
    assert len(await states(thrifty)) == 2
    by_mail = await sign_up(thrifty, **forms[-1], channel="email")
    assert (by_mail.status_code, by_mail.json()["data"]["retryAfter"]) == (201, 0)
    await age_texts(thrifty)
    again = await resend(thrifty, by_mail.json()["data"]["id"], channel="sms")
    assert again.status_code == 422
