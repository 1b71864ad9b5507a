"""Mail: over SMTP to a real server, and as files in development."""

import email
import re
from collections.abc import Iterator
from contextlib import nullcontext
from dataclasses import replace
from datetime import timedelta
from email.utils import parsedate_to_datetime
from pathlib import Path

import pytest
from api.app.adapters.outbox import OutboxMailer, compose
from api.app.adapters.smtp import SmtpMailer
from api.foundation.core import clock
from api.foundation.core.errors import UnavailableError
from api.foundation.jobs.mail import Email, MailRefusedError

from tests.mail_server import BUSY, CUT_OFF, NO_SUCH_PERSON, MailServer, part_of, running

LETTER = Email("ada@example.com", "Your code", "Hello Ada Ọbí,\n\n    042137\n")


@pytest.fixture
def office(unused_tcp_port: int) -> Iterator[tuple[MailServer, str]]:
    server = MailServer()
    with running(server, unused_tcp_port) as url:
        yield server, url


async def test_a_letter_reaches_the_mail_server_whole(
    office: tuple[MailServer, str],
) -> None:
    server, url = office
    mailer = SmtpMailer(url, sender="King of Fans <no-reply@fans.example>")

    await mailer.send(LETTER)

    (email,) = server.taken
    assert (email["To"], email["Subject"]) == ("ada@example.com", "Your code")
    assert email["From"] == "King of Fans <no-reply@fans.example>"
    assert part_of(email) == LETTER.body


@pytest.mark.parametrize("answer", [BUSY, CUT_OFF])
async def test_a_letter_may_be_taken_another_time(
    office: tuple[MailServer, str], answer: str
) -> None:
    server, url = office
    server.answers = [answer]
    mailer = SmtpMailer(url, sender="no-reply@fans.example")

    with pytest.raises(UnavailableError):
        await mailer.send(LETTER)
    await mailer.send(LETTER)

    assert len(server.taken) == 1


@pytest.mark.parametrize("unknown", [LETTER.to, "somebody else"])
async def test_a_letter_that_is_refused_for_good_is_said_to_be(
    office: tuple[MailServer, str], unknown: str
) -> None:
    server, url = office
    server.unknown, server.answers = frozenset({unknown}), [NO_SUCH_PERSON]

    with pytest.raises(MailRefusedError):
        await SmtpMailer(url, sender="no-reply@fans.example").send(LETTER)

    assert server.taken == []


async def test_a_code_never_leaves_in_clear_where_encryption_is_required(
    unused_tcp_port: int,
) -> None:
    server = MailServer()
    with running(server, unused_tcp_port, host="127.0.0.2") as url:
        for requires_tls in (True, False):
            mailer = SmtpMailer(url, sender="a@fans.example", requires_tls=requires_tls)
            with pytest.raises(UnavailableError) if requires_tls else nullcontext():
                await mailer.send(LETTER)
            assert len(server.taken) == (0 if requires_tls else 1)


def test_an_address_with_a_line_break_never_becomes_a_header() -> None:
    with pytest.raises(ValueError, match=r"newline|linefeed"):
        compose(Email("a@b.example\r\nBcc: x@y.example", "Your code", "042137"), "a@fans.example")


async def test_a_mail_server_that_is_away_is_said_to_be(unused_tcp_port: int) -> None:
    mailer = SmtpMailer(f"smtp://127.0.0.1:{unused_tcp_port}", sender="a@fans.example")

    with pytest.raises(UnavailableError):
        await mailer.send(LETTER)


@pytest.mark.parametrize("url", ["mail.example", "http://mail.example", "smtp://"])
def test_an_address_that_is_no_mail_server_is_refused(url: str) -> None:
    with pytest.raises(ValueError, match="SMTP_URL"):
        SmtpMailer(url, sender="a@fans.example")


async def test_development_mail_is_a_file_and_its_code_is_on_the_console(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    await OutboxMailer(tmp_path / "outbox", sender="a@fans.example").send(LETTER)

    (path,) = (tmp_path / "outbox").iterdir()
    assert path.suffix == ".eml"
    assert email.message_from_bytes(path.read_bytes())["To"] == "ada@example.com"
    assert capsys.readouterr().out == "Mail to ada@example.com: code 042137\n"


async def test_a_mail_says_when_and_from_where_it_was_sent_and_that_a_machine_wrote_it(
    office: tuple[MailServer, str],
) -> None:
    server, url = office
    mailer = SmtpMailer(url, sender="King of Fans <no-reply@fans.example>")

    await mailer.send(LETTER)
    await mailer.send(LETTER)

    first, second = server.taken
    age = clock.now() - parsedate_to_datetime(first["Date"])
    assert timedelta(0) <= age < timedelta(minutes=1)
    assert re.fullmatch(r"<[0-9a-f-]{36}@fans\.example>", first["Message-ID"])
    assert first["Message-ID"] != second["Message-ID"]
    assert first["Auto-Submitted"] == "auto-generated"
    assert first["List-Unsubscribe"] is None
    assert first["List-Unsubscribe-Post"] is None


async def test_a_mail_that_is_sent_again_has_the_message_id_of_the_first_try(
    office: tuple[MailServer, str],
) -> None:
    server, url = office
    server.answers = [BUSY]
    mailer = SmtpMailer(url, sender="no-reply@fans.example")
    letter = replace(LETTER, message_key="0199f2a4-0000-7000-8000-000000000001")

    with pytest.raises(UnavailableError):
        await mailer.send(letter)
    await mailer.send(letter)

    (mail,) = server.taken
    assert mail["Message-ID"] == "<0199f2a4-0000-7000-8000-000000000001@fans.example>"


@pytest.mark.parametrize(
    "subject",
    ["Your\r\nBcc: x@y.example", "Your\nBcc: x@y.example", "Your\u2028Bcc: x@y.example"],
)
async def test_a_subject_is_one_line_whatever_it_contains(
    office: tuple[MailServer, str], subject: str
) -> None:
    server, url = office

    await SmtpMailer(url, sender="no-reply@fans.example").send(replace(LETTER, subject=subject))

    (mail,) = server.taken
    assert mail["Subject"] == "Your Bcc: x@y.example"
    assert mail["Bcc"] is None


async def test_text_and_html_arrive_as_alternatives_whatever_letters_they_have(
    office: tuple[MailServer, str],
) -> None:
    server, url = office
    html = f"<p>{'₦5,000 for Ọbí. ' * 200}</p>"

    await SmtpMailer(url, sender="no-reply@fans.example").send(replace(LETTER, html=html))

    (mail,) = server.taken
    assert mail.get_content_type() == "multipart/alternative"
    assert [part.get_content_type() for part in mail.get_payload()] == ["text/plain", "text/html"]
    assert part_of(mail) == LETTER.body
    assert part_of(mail, "html").strip() == html.strip()
    assert max(map(len, mail.as_bytes().splitlines())) <= 78
