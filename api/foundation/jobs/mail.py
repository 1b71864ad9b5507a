"""Mail: domains hand over emails, which an adapter or the development outbox sends."""

from dataclasses import dataclass
from typing import Protocol


@dataclass(frozen=True)
class Email:
    """A message to one person, as text and, from the template, as HTML.

    ``unsubscribe`` is the URL that switches mail of its kind off (RFC 8058); only optional mail has
    one. Emails with the same ``message_key`` have the same Message-ID: servers that receive a
    repeated one twice can tell.
    """

    to: str
    subject: str
    body: str
    html: str | None = None
    unsubscribe: str | None = None
    message_key: str | None = None


@dataclass(frozen=True)
class StoredMail:
    """A pending mail as operators see it: recipient and subject, never the text.

    ``to`` is None if it no longer has a recipient.
    """

    to: str | None
    subject: str


class MailRefusedError(Exception):
    """The mail server permanently rejects this email."""


class Mailer(Protocol):
    """Sends emails."""

    async def send(self, email: Email) -> None:
        """Send ``email``.

        Raises:
            UnavailableError: the mail server did not accept it this time.
            MailRefusedError: it permanently rejects it.
        """

    async def reach(self) -> None:
        """Check the mail server as far as possible without sending anything.

        Raises:
            UnavailableError: the mail server is unavailable or rejects us.
        """
