"""Mail: over SMTP to a real server, and as files in development."""

import email
from collections.abc import Iterator
from contextlib import nullcontext
from pathlib import Path

import pytest
from api.app.adapters.outbox import OutboxMailer, compose
from api.app.adapters.smtp import SmtpMailer
from api.foundation.core.errors import UnavailableError
from api.foundation.jobs.mail import Email, MailRefusedError

from tests.mail_server import BUSY, CUT_OFF, NO_SUCH_PERSON, MailServer, running

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
    assert email.get_payload(decode=True).decode().replace("\r\n", "\n") == LETTER.body


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
