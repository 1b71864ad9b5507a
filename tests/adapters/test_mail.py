"""Mail: over SMTP to a real server, and as files in development."""

import email
from collections.abc import AsyncIterator
from contextlib import nullcontext
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import pytest
from aiosmtpd.controller import Controller
from api.adapters.outbox import OutboxMailer, compose
from api.adapters.smtp import SmtpMailer
from api.core.errors import UnavailableError
from api.core.mail import Email

LETTER = Email("ada@example.com", "Your code", "Hello Ada Ọbí,\n\n    042137\n")


@dataclass
class MessageDispatcher:
    """A real SMTP server that takes emails, after turning some away."""

    turns_away: int = 0
    taken: list[Any] = field(default_factory=list)

    async def handle_DATA(  # noqa: N802 the server's name for it
        self, _server: Any, _session: Any, envelope: Any
    ) -> str:
        if self.turns_away:
            self.turns_away -= 1
            return "451 come back later"
        self.taken.append(email.message_from_bytes(envelope.content))
        return "250 OK"


@pytest.fixture
async def office(unused_tcp_port: int) -> AsyncIterator[tuple[MessageDispatcher, str]]:
    handler = MessageDispatcher()
    controller = Controller(handler, hostname="127.0.0.1", port=unused_tcp_port)
    controller.start()
    yield handler, f"smtp://127.0.0.1:{unused_tcp_port}"
    controller.stop()


async def test_a_letter_reaches_the_mail_server_whole(
    office: tuple[MessageDispatcher, str],
) -> None:
    handler, url = office
    mailer = SmtpMailer(url, sender="King of Fans <no-reply@fans.example>")

    await mailer.send(LETTER)

    (email,) = handler.taken
    assert (email["To"], email["Subject"]) == ("ada@example.com", "Your code")
    assert email["From"] == "King of Fans <no-reply@fans.example>"
    assert email.get_payload(decode=True).decode().replace("\r\n", "\n") == LETTER.body


async def test_a_letter_that_is_turned_away_is_said_to_be(
    office: tuple[MessageDispatcher, str],
) -> None:
    handler, url = office
    handler.turns_away = 1
    mailer = SmtpMailer(url, sender="no-reply@fans.example")

    with pytest.raises(UnavailableError):
        await mailer.send(LETTER)
    await mailer.send(LETTER)

    assert len(handler.taken) == 1


async def test_a_code_never_leaves_in_clear_where_encryption_is_required(
    unused_tcp_port: int,
) -> None:
    handler = MessageDispatcher()
    controller = Controller(handler, hostname="127.0.0.2", port=unused_tcp_port)
    controller.start()
    url = f"smtp://127.0.0.2:{unused_tcp_port}"
    try:
        for requires_tls in (True, False):
            mailer = SmtpMailer(url, sender="a@fans.example", requires_tls=requires_tls)
            with pytest.raises(UnavailableError) if requires_tls else nullcontext():
                await mailer.send(LETTER)
            assert len(handler.taken) == (0 if requires_tls else 1)
    finally:
        controller.stop()


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
