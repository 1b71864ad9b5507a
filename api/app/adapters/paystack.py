"""Paystack behind the gateway port; the sandbox uses the same adapter with another URL."""

import hashlib
import hmac
import json
from collections.abc import Mapping
from typing import Any
from urllib.parse import quote, urlsplit

import httpx
import structlog
from pydantic import ValidationError

from api.app.adapters.gateway_calls import (
    WHOLE_CALL_SECONDS,
    ask,
    invalid_response,
    make_client,
    require_storable,
)
from api.app.adapters.paystack_wire import (
    REFERENCE,
    OpenedTransaction,
    is_reference,
    read_dispute,
    read_transaction,
    refusal_of,
    unknown_transaction,
)
from api.money.payments.errors import (
    GatewayRejectedError,
    GatewayUnavailableError,
    InvalidSignatureError,
)
from api.money.payments.ports import (
    Checkout,
    CheckoutRequest,
    Verification,
    WebhookEvent,
)

log = structlog.get_logger(__name__)
OFFICIAL_HOST = "api.paystack.co"
OFFICIAL_CHECKOUT_HOST = "checkout.paystack.com"
LIVE_KEY_PREFIX = "sk_live_"
SIGNATURE_HEADER = "x-paystack-signature"
PAID_EVENT = "charge.success"
DISPUTE_EVENTS = "charge.dispute."


class PaystackGateway:
    """Client for Paystack; vendor terms do not leave this class."""

    name = "paystack"
    title = "Paystack"

    def __init__(
        self,
        *,
        secret_key: str,
        base_url: str,
        transport: httpx.AsyncBaseTransport | None = None,
    ) -> None:
        """Create a client.

        Raises:
            ValueError: the key is empty, so that every webhook signature could be forged.
            : the key is empty: every webhook signature could be forged.
        """
        if not secret_key:
            raise ValueError("Paystack needs a secret key")
        self._key = secret_key.encode()
        self.livemode = secret_key.startswith(LIVE_KEY_PREFIX)
        self._base_url = base_url.rstrip("/")
        self._is_official = urlsplit(base_url).hostname == OFFICIAL_HOST
        self._client = make_client(secret_key, transport)

    async def open_checkout(self, request: CheckoutRequest) -> Checkout:
        """Open a checkout; the unique reference makes a retry safe.

        Raises:
            GatewayUnavailableError: no usable answer; the same request may succeed later.
            ReferenceUsedError: the reference has already opened a checkout.
            GatewayRejectedError: the provider refuses, with a message for the payer.
        """
        content = await self._ask(
            "POST",
            "/transaction/initialize",
            {
                "email": request.email,
                "amount": request.amount_kobo,
                "currency": request.currency,
                "reference": request.reference,
                "callback_url": request.callback_url,
                "metadata": {"user_id": request.user_id},
            },
        )
        try:
            opened = OpenedTransaction.model_validate(content)
        except ValidationError:
            raise invalid_response("initialize") from None
        if opened.reference != request.reference or not self._may_open(opened.authorization_url):
            raise invalid_response("initialize")
        return Checkout(
            reference=opened.reference,
            access_code=opened.access_code,
            link=opened.authorization_url,
        )

    async def verify(self, reference: str) -> Verification:
        """Return the state of a transaction; an unknown one is ``NOT_FOUND``."""
        if not REFERENCE.fullmatch(reference):
            return unknown_transaction(reference)
        try:
            content = await self._ask("GET", f"/transaction/verify/{quote(reference, safe='')}")
        except GatewayRejectedError as refusal:
            if refusal.gateway_code == "transaction_not_found":
                return unknown_transaction(reference)
            log.warning("verification refused", reference=reference, code=refusal.gateway_code)
            raise GatewayUnavailableError from refusal
        verification = read_transaction(content)
        if verification is None or verification.reference != reference:
            raise invalid_response("verify")
        return verification

    def read_webhook(self, raw: bytes, headers: Mapping[str, str]) -> WebhookEvent:
        """Check a webhook's signature over its exact bytes and return the event."""
        given = headers.get(SIGNATURE_HEADER, "").encode("utf-8", "surrogateescape")
        expected = hmac.new(self._key, raw, hashlib.sha512).hexdigest().encode()
        if not hmac.compare_digest(expected, given):
            raise InvalidSignatureError
        return self.read_report(raw)

    async def aclose(self) -> None:
        """Close all connections."""
        await self._client.aclose()

    def read_report(self, raw: bytes) -> WebhookEvent:
        """Parse a signed body, tolerating any content: it is the provider's own."""
        digest_key = f"{self.name}:sha256:{hashlib.sha256(raw).hexdigest()}"
        try:
            body = json.loads(raw)
            require_storable(body)
            event, content = str(body["event"]), body["data"]
        except (ValueError, RecursionError, LookupError, TypeError):
            return WebhookEvent(
                dedupe_key=digest_key, type="unreadable", reference=None, verification=None
            )
        if event.startswith(DISPUTE_EVENTS) and (dispute := read_dispute(content)) is not None:
            return WebhookEvent(
                dedupe_key=digest_key,
                type=event[:64],
                reference=dispute.reference,
                verification=None,
                dispute=dispute,
            )
        transaction = read_transaction(content)
        if event != PAID_EVENT or transaction is None:
            reference = content.get("reference") if isinstance(content, dict) else None
            return WebhookEvent(
                dedupe_key=digest_key,
                type=event[:64],
                reference=reference if is_reference(reference) else None,
                verification=None,
            )
        return WebhookEvent(
            dedupe_key=f"{self.name}:{event}:{transaction.gateway_transaction_id}",
            type=event,
            reference=transaction.reference,
            verification=transaction,
        )

    async def _ask(
        self, method: str, path: str, content: dict[str, Any] | None = None
    ) -> dict[str, Any]:
        """Return the ``data`` of the envelope; a refusal carries the provider's code."""
        url = httpx.URL(self._base_url + path)
        agrees, envelope = await ask(
            self._client, method, url, content, timeout_seconds=WHOLE_CALL_SECONDS
        )
        if agrees and envelope.get("status") is True:
            answer = envelope.get("data")
            return answer if isinstance(answer, dict) else {}
        raise refusal_of(envelope)

    def _may_open(self, link: str) -> bool:
        """Return whether a link is the provider's own page, and may be given to the member."""
        target = urlsplit(link)
        if self._is_official:
            return target.scheme == "https" and target.netloc == OFFICIAL_CHECKOUT_HOST
        return target.scheme in {"http", "https"} and bool(target.netloc)
