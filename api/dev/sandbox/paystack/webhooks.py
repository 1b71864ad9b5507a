"""Signed webhooks: sent immediately, retried with growing delays, and again after a restart."""

import asyncio
import hashlib
import hmac
import json
import logging
from collections.abc import Mapping
from dataclasses import replace
from typing import Any
from uuid import uuid4

import httpx

from api.dev.sandbox.paystack.config import SandboxConfig
from api.dev.sandbox.paystack.store import Delivery

SIGNATURE_HEADER = "x-paystack-signature"

_log = logging.getLogger(__name__)


def sign(body: bytes, secret_key: str) -> str:
    """Return the signature of a webhook's exact bytes: hex of HMAC-SHA512 under the secret key."""
    return hmac.new(secret_key.encode(), body, hashlib.sha512).hexdigest()


class WebhookSender:
    """Delivers webhooks to the merchant's one address until it answers 200."""

    def __init__(self, config: SandboxConfig) -> None:
        """Store the configuration; nothing is opened yet."""
        self._config = config
        self._client: httpx.AsyncClient | None = None
        self._rounds: set[asyncio.Task[None]] = set()

    def dispatch(self, event: str, reference: str, content: Mapping[str, Any]) -> None:
        """Store a webhook and start delivering it in the background."""
        body = json.dumps({"event": event, "data": content}, separators=(",", ":"))
        delivery = Delivery(id=uuid4().hex, event=event, reference=reference, body=body)
        self._config.store.save_delivery(delivery)
        self._begin(delivery)

    def resume(self) -> None:
        """Resume the deliveries that an earlier process did not complete."""
        for delivery in self._config.store.list_undelivered():
            self._begin(delivery)

    async def replay(self, delivery: Delivery) -> int | None:
        """Send a webhook again; return the receiver's status, or None without an answer."""
        status = await self._post(delivery)
        return status if isinstance(status, int) else None

    async def settle(self) -> None:
        """Wait until every pending delivery has succeeded or used up its attempts."""
        while self._rounds:
            await asyncio.gather(*self._rounds)

    async def aclose(self) -> None:
        """Stop delivering; undelivered webhooks stay stored for the next start."""
        for delivery_round in list(self._rounds):
            delivery_round.cancel()
        await asyncio.gather(*self._rounds, return_exceptions=True)
        if self._client is not None:
            await self._client.aclose()
            self._client = None

    def _begin(self, delivery: Delivery) -> None:
        if self._config.webhook_url is None:
            return
        delivery_round = asyncio.create_task(self._deliver(delivery))
        self._rounds.add(delivery_round)
        delivery_round.add_done_callback(self._rounds.discard)

    async def _deliver(self, delivery: Delivery) -> None:
        attempts = delivery.attempts
        for pause_seconds in self._config.webhook_delays_seconds:
            await asyncio.sleep(pause_seconds)
            answer = await self._post(delivery)
            attempts += 1
            accepted = answer == httpx.codes.OK
            self._config.store.save_delivery(
                replace(delivery, attempts=attempts, delivered=accepted, last_answer=str(answer))
            )
            if accepted:
                return
        _log.warning(
            "webhook %s for %s was not accepted in %d attempts",
            delivery.event,
            delivery.reference,
            attempts,
        )

    async def _post(self, delivery: Delivery) -> int | str:
        """Return the receiver's HTTP status, or the name of the failure that prevented one."""
        if self._config.webhook_url is None:
            return "no address"
        if self._client is None:
            self._client = httpx.AsyncClient(
                transport=self._config.delivery_transport,
                timeout=self._config.webhook_timeout_seconds,
                follow_redirects=False,
            )
        body = delivery.body.encode()
        headers = {
            "Content-Type": "application/json",
            SIGNATURE_HEADER: sign(body, self._config.secret_key),
        }
        try:
            answer = await self._client.post(
                self._config.webhook_url, content=body, headers=headers
            )
        except httpx.HTTPError as failure:
            return type(failure).__name__
        return answer.status_code
