"""Paystack behind the gateway port; the sandbox is the same adapter with another address."""

import asyncio
import hashlib
import hmac
import json
from collections.abc import Mapping
from typing import Any
from urllib.parse import quote, urlsplit

import httpx
import structlog
from pydantic import ValidationError

from api.adapters.paystack_wire import (
    REFERENCE,
    OpenedTransaction,
    is_final_answer,
    is_reference,
    read_envelope,
    read_transaction,
    refusal_of,
    require_storable,
    unknown_transaction,
)
from api.payments.errors import (
    GatewayRejectedError,
    GatewayUnavailableError,
    InvalidSignatureError,
)
from api.payments.ports import (
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
TIMEOUT = httpx.Timeout(15, connect=5)
WHOLE_CALL_SECONDS = 20  # the client's own limits are per read: a slow drip would pass them
LONGEST_ANSWER_BYTES = 1024 * 1024
PAID_EVENT = "charge.success"


class PaystackGateway:
    """Speaks to Paystack; every vendor word ends here."""

    name = "paystack"

    def __init__(
        self,
        *,
        secret_key: str,
        base_url: str,
        transport: httpx.AsyncBaseTransport | None = None,
    ) -> None:
        """Stand on one key and one address.

        Args:
            secret_key: Authorises calls and checks webhooks.
            base_url: The provider's API.
            transport: Replaces the network.

        Raises:
            ValueError: The key is empty: every webhook signature could be forged.
        """
        if not secret_key:
            raise ValueError("Paystack needs a secret key")
        self._key = secret_key.encode()
        self.livemode = secret_key.startswith(LIVE_KEY_PREFIX)
        self._base_url = base_url.rstrip("/")
        self._is_official = urlsplit(base_url).hostname == OFFICIAL_HOST
        self._client = httpx.AsyncClient(
            headers={"Authorization": f"Bearer {secret_key}", "Accept": "application/json"},
            timeout=TIMEOUT,
            follow_redirects=False,
            transport=transport,
            trust_env=False,
        )

    async def open_checkout(self, request: CheckoutRequest) -> Checkout:
        """Ask for a checkout; the unique reference makes a repeat harmless.

        Raises:
            GatewayUnavailableError: No usable answer; the same request may succeed later.
            ReferenceUsedError: The reference has opened a checkout before.
            GatewayRejectedError: The provider refuses, with a sentence for the payer.
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
            raise self._nonsense("initialize") from None
        if opened.reference != request.reference or not self._may_open(opened.authorization_url):
            raise self._nonsense("initialize")
        return Checkout(
            reference=opened.reference,
            access_code=opened.access_code,
            link=opened.authorization_url,
        )

    async def verify(self, reference: str) -> Verification:
        """Ask how a transaction stands; an unknown one is ``NOT_FOUND``.

        Raises:
            GatewayUnavailableError: No usable answer.
        """
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
            raise self._nonsense("verify")
        return verification

    def read_webhook(self, raw: bytes, headers: Mapping[str, str]) -> WebhookEvent:
        """Check a webhook's signature over its exact bytes and return what it says.

        Raises:
            InvalidSignatureError: The signature is missing or wrong.
        """
        given = headers.get(SIGNATURE_HEADER, "").encode("utf-8", "surrogateescape")
        expected = hmac.new(self._key, raw, hashlib.sha512).hexdigest().encode()
        if not hmac.compare_digest(expected, given):
            raise InvalidSignatureError
        return self._read_signed(raw)

    async def aclose(self) -> None:
        """Let go of connections."""
        await self._client.aclose()

    def _read_signed(self, raw: bytes) -> WebhookEvent:
        """Return what a signed body says, however odd it is: it is the provider's own."""
        digest_key = f"{self.name}:sha256:{hashlib.sha256(raw).hexdigest()}"
        try:
            body = json.loads(raw)
            require_storable(body)
            event, content = str(body["event"]), body["data"]
        except (ValueError, RecursionError, LookupError, TypeError):
            return WebhookEvent(
                dedupe_key=digest_key, type="unreadable", reference=None, verification=None
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
        """Return the ``data`` of the provider's envelope.

        Raises:
            GatewayUnavailableError: Network, 3xx, 401, 429, 5xx, or an answer that is no envelope.
            GatewayRejectedError: Any other refusal; ``content`` carries the provider's code.
        """
        try:
            async with (
                asyncio.timeout(WHOLE_CALL_SECONDS),
                self._client.stream(method, self._base_url + path, json=content) as response,
            ):
                body = await _read_capped(response)
        except (httpx.HTTPError, httpx.InvalidURL, TimeoutError, _TooLongError) as failure:
            log.warning("gateway unreachable", path=path, failure=type(failure).__name__)
            raise GatewayUnavailableError from failure
        envelope = read_envelope(body)
        if envelope is None or not is_final_answer(response.status_code):
            log.warning("gateway gave no answer", path=path, http_status=response.status_code)
            raise GatewayUnavailableError
        if response.is_success and envelope.get("status") is True:
            answer = envelope.get("data")
            return answer if isinstance(answer, dict) else {}
        raise refusal_of(envelope)

    def _may_open(self, link: str) -> bool:
        """Tell whether a link may be given to the member: the provider's own page, nothing else."""
        parts = urlsplit(link)
        if self._is_official:
            return parts.scheme == "https" and parts.netloc == OFFICIAL_CHECKOUT_HOST
        return parts.scheme in {"http", "https"} and bool(parts.netloc)

    @staticmethod
    def _nonsense(call: str) -> GatewayUnavailableError:
        log.error("gateway answer makes no sense", call=call)
        return GatewayUnavailableError()


class _TooLongError(Exception):
    """An answer was longer than any that the provider gives."""


async def _read_capped(response: httpx.Response) -> bytes:
    """Return the decoded body.

    Raises:
        _TooLongError: It is longer than the cap; nothing more of it was read.
    """
    body = bytearray()
    async for chunk in response.aiter_bytes():
        body += chunk
        if len(body) > LONGEST_ANSWER_BYTES:
            raise _TooLongError
    return bytes(body)
