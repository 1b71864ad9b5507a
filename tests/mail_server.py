"""A real SMTP server on this machine, for tests of mail delivery."""

import asyncio
import email
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from email.message import Message
from typing import Any

from aiosmtpd.controller import Controller

SKIPPED = "250 OK"
BUSY = "451 come back later"
NO_SUCH_PERSON = "550 nobody of that name"
CUT_OFF = ""  # no response: the connection is dropped


@dataclass
class MailServer:
    """Accepts mails, after sending the given ``answers`` to the first ones.

    It always rejects ``unknown`` recipients. ``holds_back`` delays it.
    """

    answers: list[str] = field(default_factory=list)
    unknown: frozenset[str] = frozenset()
    holds_back: asyncio.Event | None = None
    coming: list[str] = field(default_factory=list)
    taken: list[Any] = field(default_factory=list)

    async def handle_RCPT(  # noqa: N802 the server's name for it
        self, _server: Any, _session: Any, envelope: Any, address: str, _options: list[str]
    ) -> str:
        self.coming.append(address)
        if address in self.unknown:
            return NO_SUCH_PERSON
        envelope.rcpt_tos.append(address)
        return SKIPPED

    async def handle_DATA(  # noqa: N802 the server's name for it
        self, server: Any, _session: Any, envelope: Any
    ) -> str:
        if self.holds_back is not None:
            await self.holds_back.wait()
        answer = self.answers.pop(0) if self.answers else SKIPPED
        if answer == CUT_OFF:
            server.transport.abort()
        elif answer == SKIPPED:
            self.taken.append(email.message_from_bytes(envelope.content))
        return answer


def part_of(message: Message, kind: str = "plain") -> str:
    """Return the text or HTML part of a message, decoded, with newlines as line ends."""
    parts = [part for part in message.walk() if part.get_content_type() == f"text/{kind}"]
    (content,) = (part.get_payload(decode=True) for part in parts)
    assert isinstance(content, bytes)
    return content.decode().replace("\r\n", "\n")


@contextmanager
def running(server: MailServer, port: int, *, host: str = "127.0.0.1") -> Iterator[str]:
    """Run the server on a port during the block; yield its URL."""
    controller = Controller(server, hostname=host, port=port)
    controller.start()
    try:
        yield f"smtp://{host}:{port}"
    finally:
        controller.stop()
