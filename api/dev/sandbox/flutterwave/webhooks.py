"""Webhooks: sent immediately, and retried with growing delays until the merchant answers 200."""

import asyncio
import base64
import hashlib
import hmac
import json
import logging
from typing import Any

import httpx

from api.dev.sandbox.flutterwave.config import FlutterwaveSandboxConfig

_log = logging.getLogger(__name__)


def signature_of(body: bytes, webhook_hash: str) -> str:
    """Return the newer header's value: Base64 of HMAC-SHA256 over the exact bytes."""
    return base64.b64encode(hmac.new(webhook_hash.encode(), body, hashlib.sha256).digest()).decode()


class ChargeReporter:
    """Delivers webhooks to the merchant's one address.

    Undelivered webhooks are lost when the process ends: the merchant has to ask.
    """

    def __init__(self, config: FlutterwaveSandboxConfig) -> None:
        self._config = config
        self._client: httpx.AsyncClient | None = None
        self._rounds: set[asyncio.Task[None]] = set()

    def report(self, charge: dict[str, Any]) -> None:
        """Start delivering the outcome of a payment."""
        if self._config.webhook_url is None:
            return
        body = json.dumps({"event": "charge.completed", "data": charge}).encode()
        delivery = asyncio.create_task(self._deliver(self._config.webhook_url, body))
        self._rounds.add(delivery)
        delivery.add_done_callback(self._rounds.discard)

    async def settle(self) -> None:
        """Wait until every pending delivery has succeeded or used up its attempts."""
        while self._rounds:
            await asyncio.gather(*self._rounds)

    async def aclose(self) -> None:
        """Stop delivering."""
        for delivery in list(self._rounds):
            delivery.cancel()
        await asyncio.gather(*self._rounds, return_exceptions=True)
        if self._client is not None:
            await self._client.aclose()
            self._client = None

    async def _deliver(self, url: str, body: bytes) -> None:
        for pause_seconds in self._config.webhook_delays_seconds:
            await asyncio.sleep(pause_seconds)
            if await self._post(url, body):
                return
        _log.warning("a webhook was not accepted")

    async def _post(self, url: str, body: bytes) -> bool:
        if self._client is None:
            self._client = httpx.AsyncClient(
                transport=self._config.delivery_transport,
                timeout=self._config.webhook_timeout_seconds,
                follow_redirects=False,
            )
        headers = {
            "Content-Type": "application/json",
            "verif-hash": self._config.webhook_hash,
            "flutterwave-signature": signature_of(body, self._config.webhook_hash),
        }
        try:
            answer = await self._client.post(url, content=body, headers=headers)
        except httpx.HTTPError:
            return False
        return answer.status_code == httpx.codes.OK
