from collections.abc import Mapping
from dataclasses import dataclass
from datetime import datetime
from typing import Protocol
from uuid import UUID

from api.foundation.database.database import Transaction
from api.people.auth.enums import CodePurpose, SmsState


class Invitations(Protocol):
    """Records which invite a member used."""

    async def accept(self, tx: Transaction, user_id: UUID, invite: str, now: datetime) -> None:
        """Record that a new member used an invite; an invalid one is ignored."""


class Claims(Protocol):
    """Gives new accounts the points that they earned before they signed up."""

    async def redeem(
        self, tx: Transaction, user_id: UUID, club_id: UUID, claim: str, now: datetime
    ) -> int:
        """Award the points of a claim and return them; an invalid or used one is worth 0."""


@dataclass(frozen=True)
class OutgoingCode:
    """A code and where it goes: an email address, or a phone number as E.164.

    ``colours`` are those of the club, for the channels that show them.
    """

    to: str
    first_name: str | None
    purpose: CodePurpose
    code: str
    colours: tuple[str, str] | None = None


class CodeRefusedError(Exception):
    """The code was not sent, and trying again would not help."""


class UncertainDeliveryError(Exception):
    """The code may have been sent; trying again might send it twice."""


class CodeSender(Protocol):
    """Sends codes through one channel."""

    async def send(self, code: OutgoingCode) -> str | None:
        """Send a code; return the provider's id of the message, None if it has none.

        Raises:
            UnavailableError: it was not sent this time.
            CodeRefusedError: it can never be sent.
            UncertainDeliveryError: it may have been sent.
        """


@dataclass(frozen=True)
class DeliveryReport:
    """What a provider says about a message, in our terms and in its own words."""

    provider_id: str
    state: SmsState
    words: str


class DeliveryReports(Protocol):
    """Reads the delivery reports of an SMS provider."""

    def read(self, raw: bytes, headers: Mapping[str, str]) -> DeliveryReport | None:
        """Return the report in a webhook, None if it is about something else.

        Raises:
            InvalidReportError: the signature is wrong, or the body makes no sense.
        """
