"""Mail in development: files in ``var/outbox``, and the code on the console."""

import asyncio
import re
from email.message import EmailMessage
from pathlib import Path

from typing_extensions import override

from api.core.ids import new_id
from api.core.mail import Letter, Mailer

CODE = re.compile(r"\b\d{6}\b")


class OutboxMailer(Mailer):
    """Writes each letter as ``<time-ordered id>.eml`` and prints its code."""

    def __init__(self, folder: Path, *, sender: str) -> None:
        self._folder = folder
        self._sender = sender

    @override
    async def send(self, letter: Letter) -> None:
        """Write ``letter``; it appears whole or not at all."""
        await asyncio.to_thread(self._write, letter)
        found = CODE.search(letter.body)
        if found:
            print(f"Mail to {letter.to}: code {found.group()}", flush=True)  # noqa: T201 contract 1

    def _write(self, letter: Letter) -> None:
        self._folder.mkdir(parents=True, exist_ok=True)
        path = self._folder / f"{new_id()}.eml"
        partial = path.with_suffix(".part")
        partial.write_bytes(compose(letter, self._sender).as_bytes())
        partial.rename(path)


def compose(letter: Letter, sender: str) -> EmailMessage:
    """Return ``letter`` as a message."""
    message = EmailMessage()
    message["From"] = sender
    message["To"] = letter.to
    message["Subject"] = letter.subject
    message.set_content(letter.body)
    return message
