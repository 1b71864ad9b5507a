"""Development mail: files in ``var/outbox``, and codes on the console."""

import asyncio
import re
from email.message import EmailMessage
from pathlib import Path

from typing_extensions import override

from api.foundation.core.ids import new_id
from api.foundation.jobs.mail import Email, Mailer

CODE = re.compile(r"\b\d{6}\b")


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
    """Return ``email`` as a message."""
    message = EmailMessage()
    message["From"] = sender
    message["To"] = email.to
    message["Subject"] = email.subject
    message.set_content(email.body)
    return message
