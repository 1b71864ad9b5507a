from collections.abc import Mapping
from dataclasses import dataclass
from enum import StrEnum
from typing import Protocol

from api.foundation.core.money import Kobo


class GatewayStatus(StrEnum):
    """What a gateway says about a transaction, mapped from its own terms.

    ``FAILED`` and ``ABANDONED`` are not final: the payer may try again in the same checkout.
    """

    SUCCESS = "success"
    FAILED = "failed"
    PENDING = "pending"
    ABANDONED = "abandoned"
    REVERSED = "reversed"
    NOT_FOUND = "not_found"


@dataclass(frozen=True, slots=True, kw_only=True)
class CheckoutRequest:
    """The amount that a gateway is asked to collect, and the payer."""

    reference: str
    email: str
    amount_kobo: Kobo
    currency: str
    callback_url: str
    user_id: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Checkout:
    """A checkout that the payer can open.

    Attributes:
        access_code: Opens it in a frame; None when the gateway has only a page.
        link: Address of its page.
    """

    reference: str
    access_code: str | None
    link: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Verification:
    """A payment as the gateway confirms it, from its verified answer or a signed webhook.

    Attributes:
        amount_kobo: What was paid; may include fees charged to the payer.
        requested_kobo: What was requested, when the gateway reports it.
        user_id: The member named when the checkout was opened, when the gateway reports it.
        livemode: Whether real money moved.
    """

    reference: str
    status: GatewayStatus
    amount_kobo: int
    currency: str
    requested_kobo: int | None = None
    gateway_transaction_id: str | None = None
    user_id: str | None = None
    livemode: bool = False


@dataclass(frozen=True, slots=True, kw_only=True)
class DisputeReport:
    """A payer's dispute with their bank, as the gateway reports it; it moves no money.

    Attributes:
        case_id: The gateway's id of the dispute.
        reference: The disputed payment.
        amount_kobo: What the payer wants back.
        status: The gateway's own status.
    """

    case_id: str
    reference: str
    amount_kobo: int
    status: str
    resolution: str | None
    is_over: bool


@dataclass(frozen=True, slots=True, kw_only=True)
class WebhookEvent:
    """A webhook with a valid signature.

    Attributes:
        dedupe_key: The same for every delivery of the same event.
        verification: The payment it confirms; None when it is not about a payment.
        is_hint: Whether the gateway must be asked about the reference before anything in the
            webhook is trusted, because its signature does not cover the bytes.
    """

    dedupe_key: str
    type: str
    reference: str | None
    verification: Verification | None
    is_hint: bool = False
    dispute: DisputeReport | None = None


class PaymentGateway(Protocol):
    """A provider that collects money on our behalf."""

    @property
    def name(self) -> str:
        """The gateway's name on the wire and in URLs."""

    @property
    def title(self) -> str:
        """The name shown to members."""

    @property
    def livemode(self) -> bool:
        """Whether its key moves real money."""

    async def open_checkout(self, request: CheckoutRequest) -> Checkout:
        """Open a checkout.

        Raises:
            GatewayUnavailableError: No usable answer; the same request may succeed later.
            ReferenceUsedError: the reference has already opened a checkout.
            GatewayRejectedError: The gateway refuses, with a message for the payer.
        """

    async def verify(self, reference: str) -> Verification:
        """Return the state of a transaction; an unknown one is ``NOT_FOUND``."""

    def read_webhook(self, raw: bytes, headers: Mapping[str, str]) -> WebhookEvent:
        """Check a webhook's signature over its exact bytes and return the event.

        Raises:
            InvalidSignatureError: the signature is missing or wrong.
        """

    def read_report(self, raw: bytes) -> WebhookEvent:
        """Parse the stored bytes of a webhook whose signature was checked on arrival."""

    async def aclose(self) -> None:
        """Close all connections."""
