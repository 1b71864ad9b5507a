"""Mail: what the domains hand over; an adapter or the development outbox carries it."""

from dataclasses import dataclass
from typing import Protocol


@dataclass(frozen=True)
class Email:
    """One plain-text message to one person."""

    to: str
    subject: str
    body: str


@dataclass(frozen=True)
class StoredMail:
    """What operators see of a mail that waits: to whom, and about what; never what it says.

    ``to`` is None when nobody is to have it any more.
    """

    to: str | None
    subject: str


class MailRefusedError(Exception):
    """The mail server will not take this email, however often it is tried."""


class Mailer(Protocol):
    """Carries emails."""

    async def send(self, email: Email) -> None:
        """Hand ``email`` over.

        Raises:
            UnavailableError: the mail server did not take it this time.
            MailRefusedError: it never will.
        """

    async def reach(self) -> None:
        """Go as far as is possible without sending anything.

        Raises:
            UnavailableError: the mail server is away, or refuses us.
        """
