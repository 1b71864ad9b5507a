"""Flutterwave's API, version 3, behind the gateway port; the sandbox is the same adapter.

Sources: developer.flutterwave.com, "Flutterwave Standard" (docs/collecting-payments/standard),
"Transaction verification" (docs/verifications/transaction) and "Webhooks"
(docs/integration-guides/webhooks), and what flutterwave-node-v3 1.4.1 sends. Amounts are naira.
"""

import base64
import hashlib
import hmac
import json
from collections.abc import Mapping
from typing import Any
from urllib.parse import urlsplit

import httpx
import structlog
from pydantic import ValidationError

from api.app.adapters.flutterwave_wire import (
    HostedLink,
    is_unpaid,
    read_charge,
    read_hint,
    refusal_of_flutterwave,
)
from api.app.adapters.gateway_calls import ask, invalid_response, make_client
from api.foundation.core.money import naira_from_kobo
from api.money.payments.errors import (
    GatewayRejectedError,
    GatewayUnavailableError,
    InvalidSignatureError,
)
from api.money.payments.ports import (
    Checkout,
    CheckoutRequest,
    GatewayStatus,
    Verification,
    WebhookEvent,
)

log = structlog.get_logger(__name__)
OFFICIAL_API = "api.flutterwave.com"
OFFICIAL_PAGES = frozenset({"checkout.flutterwave.com", OFFICIAL_API})
LIVE_PREFIX = "FLWSECK-"
STATIC_HEADER = "verif-hash"
SIGNED_HEADER = "flutterwave-signature"
PAGE_TITLE = "King of Fans"


class FlutterwaveGateway:
    """Client for Flutterwave; vendor terms do not leave this class.

    It offers a page but no frame. A webhook is only a hint: its header is a constant secret that
    says nothing about the bytes.
    """

    name = "flutterwave"
    title = "Flutterwave"

    def __init__(
        self,
        *,
        secret_key: str,
        webhook_hash: str,
        base_url: str,
        transport: httpx.AsyncBaseTransport | None = None,
    ) -> None:
        """Create a client.

        Raises:
            ValueError: a secret is empty, so that every webhook could be forged.
            : a secret is empty: every webhook could be forged.
        """
        if not secret_key or not webhook_hash:
            raise ValueError("Flutterwave needs a secret key and a secret hash")
        self._hash = webhook_hash.encode()
        self.livemode = secret_key.startswith(LIVE_PREFIX)
        self._base_url = base_url.rstrip("/")
        self._is_official = urlsplit(base_url).hostname == OFFICIAL_API
        self._client = make_client(secret_key, transport)

    async def open_checkout(self, request: CheckoutRequest) -> Checkout:
        """Open a payment page.

        Raises:
            GatewayUnavailableError: no usable answer; the same request may succeed later.
            GatewayRejectedError: the provider refuses, with a message for the payer.
        """
        content = await self._ask(
            "POST",
            httpx.URL(f"{self._base_url}/v3/payments"),
            {
                "tx_ref": request.reference,
                "amount": naira_from_kobo(request.amount_kobo),
                "currency": request.currency,
                "redirect_url": request.callback_url,
                "customer": {"email": request.email},
                "meta": {"user_id": request.user_id},
                "customizations": {"title": PAGE_TITLE},
            },
        )
        try:
            link = HostedLink.model_validate(content).link
        except ValidationError:
            raise invalid_response("payments") from None
        if not self._may_open(link):
            raise invalid_response("payments")
        return Checkout(reference=request.reference, access_code=None, link=link)

    async def verify(self, reference: str) -> Verification:
        """Return the state of a payment; one that was never attempted is ``NOT_FOUND``."""
        url = httpx.URL(
            f"{self._base_url}/v3/transactions/verify_by_reference", params={"tx_ref": reference}
        )
        try:
            content = await self._ask("GET", url)
        except GatewayRejectedError as refusal:
            if is_unpaid(refusal):
                return Verification(
                    reference=reference,
                    status=GatewayStatus.NOT_FOUND,
                    amount_kobo=0,
                    currency="NGN",
                    livemode=self.livemode,
                )
            log.warning("verification refused", reference=reference)
            raise GatewayUnavailableError from refusal
        verification = read_charge(content, livemode=self.livemode)
        if verification is None or verification.reference != reference:
            raise invalid_response("verify_by_reference")
        return verification

    def read_webhook(self, raw: bytes, headers: Mapping[str, str]) -> WebhookEvent:
        """Check a webhook's secret, or its signature over the exact bytes.

        Raises:
            InvalidSignatureError: both headers are missing or wrong.
        """
        signed = base64.b64encode(hmac.new(self._hash, raw, hashlib.sha256).digest())
        right = [
            hmac.compare_digest(expected, headers.get(name, "").encode("utf-8", "surrogateescape"))
            for name, expected in ((STATIC_HEADER, self._hash), (SIGNED_HEADER, signed))
        ]
        if not any(right):
            raise InvalidSignatureError
        return self.read_report(raw)

    def read_report(self, raw: bytes) -> WebhookEvent:
        """Parse the bytes of a webhook, tolerating any content."""
        try:
            return read_hint(self.name, json.loads(raw))
        except (ValueError, RecursionError, LookupError, TypeError):
            digest = hashlib.sha256(raw).hexdigest()
            return WebhookEvent(
                dedupe_key=f"{self.name}:sha256:{digest}",
                type="unreadable",
                reference=None,
                verification=None,
            )

    async def aclose(self) -> None:
        """Close all connections."""
        await self._client.aclose()

    async def _ask(
        self, method: str, url: httpx.URL, content: dict[str, Any] | None = None
    ) -> dict[str, Any]:
        agrees, envelope = await ask(self._client, method, url, content)
        if agrees and envelope.get("status") == "success":
            answer = envelope.get("data")
            return answer if isinstance(answer, dict) else {}
        raise refusal_of_flutterwave(envelope)

    def _may_open(self, link: str) -> bool:
        """Return whether a link is the provider's own page, and may be given to the member."""
        target = urlsplit(link)
        if self._is_official:
            return target.scheme == "https" and target.netloc in OFFICIAL_PAGES
        return target.scheme in {"http", "https"} and bool(target.netloc)
