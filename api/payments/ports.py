"""What payments needs from outside: one gateway that opens checkouts and answers for them."""

from collections.abc import Mapping
from dataclasses import dataclass
from enum import StrEnum
from typing import Protocol

from api.core.money import Kobo


class GatewayStatus(StrEnum):
    """What a gateway says of a transaction, whatever words it uses itself.

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
    """What a gateway is asked to collect, and from whom."""

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
    """What a gateway vouches for, from its verified answer or a signed webhook.

    Attributes:
        amount_kobo: What was paid; may include fees that were put on the payer.
        requested_kobo: What was asked for, when the gateway says so.
        user_id: The member named when the checkout was opened, when the gateway says so.
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
    """A payer's complaint at their bank, as the gateway tells it; it moves no money.

    Attributes:
        case_id: The gateway's own name of it.
        reference: The disputed payment.
        amount_kobo: What the payer wants back.
        status: The gateway's word for where it stands.
    """

    case_id: str
    reference: str
    amount_kobo: int
    status: str
    resolution: str | None
    is_over: bool


@dataclass(frozen=True, slots=True, kw_only=True)
class WebhookEvent:
    """A webhook whose signature was right.

    Attributes:
        dedupe_key: The same for every delivery of the same happening.
        verification: What it vouches for; None when it says nothing about a payment.
        is_hint: Whether the gateway is to be asked about the reference before anything of it is
            believed, because its signature does not cover the bytes.
    """

    dedupe_key: str
    type: str
    reference: str | None
    verification: Verification | None
    is_hint: bool = False
    dispute: DisputeReport | None = None


class PaymentGateway(Protocol):
    """A provider that collects money for us."""

    @property
    def name(self) -> str:
        """The gateway's name on our wire and in our addresses."""

    @property
    def title(self) -> str:
        """What members call it."""

    @property
    def livemode(self) -> bool:
        """Whether its key moves real money."""

    async def open_checkout(self, request: CheckoutRequest) -> Checkout:
        """Ask for a checkout.

        Raises:
            GatewayUnavailableError: No usable answer; the same request may succeed later.
            ReferenceUsedError: The reference has opened a checkout before.
            GatewayRejectedError: The gateway refuses, with a sentence for the payer.
        """

    async def verify(self, reference: str) -> Verification:
        """Ask how a transaction stands; an unknown one is ``NOT_FOUND``.

        Raises:
            GatewayUnavailableError: No usable answer.
        """

    def read_webhook(self, raw: bytes, headers: Mapping[str, str]) -> WebhookEvent:
        """Check a webhook's signature over its exact bytes and return what it says.

        Raises:
            InvalidSignatureError: The signature is missing or wrong.
        """

    def read_report(self, raw: bytes) -> WebhookEvent:
        """Return what the bytes of a webhook say that was checked when it came."""

    async def aclose(self) -> None:
        """Let go of connections."""
