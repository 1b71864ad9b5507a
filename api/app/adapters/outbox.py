"""Development mail: files in ``var/outbox``, and codes on the console."""

import asyncio
import re
from email.headerregistry import BaseHeader, HeaderRegistry, UnstructuredHeader
from email.message import EmailMessage
from email.policy import EmailPolicy, Policy
from email.utils import parseaddr
from pathlib import Path

from typing_extensions import override

from api.foundation.core import clock
from api.foundation.core.ids import new_id
from api.foundation.jobs.mail import Email, Mailer

CODE = re.compile(r"\b\d{6}\b")
ENCODING = "quoted-printable"  # 7 bits and short lines: every server passes them on


class OneLineHeader(UnstructuredHeader, BaseHeader):
    """A header of ASCII without spaces: it is never folded, which would encode it."""

    @override
    def fold(self, *, policy: Policy) -> str:
        """Return the header as one line."""
        return f"{self.name}: {self}{policy.linesep}"


HEADERS = HeaderRegistry()
for name in ("message-id", "list-unsubscribe"):
    HEADERS.map_to_type(name, OneLineHeader)
POLICY = EmailPolicy(header_factory=HEADERS)


class OutboxMailer(Mailer):
    """Writes each email as ``<time-ordered id>.eml`` and prints its code."""

    def __init__(self, folder: Path, *, sender: str) -> None:
        self._folder = folder
        self._sender = sender

    @override
    async def send(self, email: Email) -> None:
        """Write ``email`` atomically."""
        await asyncio.to_thread(self._write, email)
        found = CODE.search(email.body)
        if found:
            print(f"Mail to {email.to}: code {found.group()}", flush=True)  # noqa: T201 contract 1

    @override
    async def reach(self) -> None:
        """Create the folder."""
        await asyncio.to_thread(self._folder.mkdir, parents=True, exist_ok=True)

    def _write(self, email: Email) -> None:
        self._folder.mkdir(parents=True, exist_ok=True)
        path = self._folder / f"{new_id()}.eml"
        partial = path.with_suffix(".part")
        partial.write_bytes(compose(email, self._sender).as_bytes())
        partial.rename(path)


def compose(email: Email, sender: str) -> EmailMessage:
    """Return ``email`` as a message, sent now.

    Its Message-ID has the sender's domain.

    Raises:
        ValueError: an address contains a line break.
    """
    message = EmailMessage(POLICY)
    message["From"] = sender
    message["To"] = email.to
    message["Subject"] = _one_line(email.subject)
    message["Date"] = clock.now()
    message["Message-ID"] = f"<{email.message_key or new_id()}@{_domain_of(sender)}>"
    message["Auto-Submitted"] = "auto-generated"
    if email.unsubscribe is not None:
        message["List-Unsubscribe"] = f"<{email.unsubscribe}>"
        message["List-Unsubscribe-Post"] = "List-Unsubscribe=One-Click"
    message.set_content(email.body, cte=ENCODING)
    if email.html is not None:
        message.add_alternative(email.html, subtype="html", cte=ENCODING)
    return message


def _one_line(subject: str) -> str:
    return "".join(char for char in " ".join(subject.split()) if char.isprintable())


def _domain_of(sender: str) -> str:
    """Return the domain of the sender's address, in ASCII."""
    _, _, domain = parseaddr(sender)[1].rpartition("@")
    return domain.encode("idna").decode() or "localhost"
