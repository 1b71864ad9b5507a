"""The workbench: calls that only a sandbox has, such as receiving a transfer on demand."""

import hmac
from collections.abc import Awaitable, Callable
from ipaddress import IPv6Address, ip_address
from typing import Any

from starlette.requests import Request
from starlette.responses import JSONResponse
from starlette.routing import Route

from api.dev.sandbox.paystack.cards import TEST_CARDS
from api.dev.sandbox.paystack.checkout import find_transaction
from api.dev.sandbox.paystack.provider import Provider
from api.dev.sandbox.paystack.wire import (
    ProviderRefusal,
    answer,
    charge_answer,
    read_object,
    timestamp,
    verified,
)

# With one of these headers it is a local proxy that forwards another client's call.
FORWARDED = ("forwarded", "x-forwarded-", "x-real-ip")

Endpoint = Callable[[Request], Awaitable[JSONResponse]]


class Workbench:
    """Calls that only a sandbox has."""

    def __init__(self, provider: Provider) -> None:
        """Serve ``provider``."""
        self._provider = provider
        self._config = provider.config

    async def receive_transfer(self, request: Request) -> JSONResponse:
        """Receive a transfer; an ``amount`` other than requested is returned."""
        transaction = find_transaction(self._provider, request.path_params["transaction_id"])
        if transaction.transfer_account is None:
            raise ProviderRefusal("No account was given out for this transaction", "no_transfer")
        amount_kobo = (await read_object(request)).get("amount", transaction.amount_kobo)
        if not isinstance(amount_kobo, int) or isinstance(amount_kobo, bool) or amount_kobo <= 0:
            raise ProviderRefusal("Invalid Amount Sent", "invalid_amount")
        return JSONResponse(
            charge_answer(self._provider.receive_transfer(transaction, amount_kobo))
        )

    async def show_log(self, _request: Request) -> JSONResponse:
        """Return the newest transactions and webhooks."""
        return answer("Log", {"transactions": self._transactions(), "webhooks": self._webhooks()})

    def _transactions(self) -> list[dict[str, Any]]:
        return [
            verified(each, self._config) | {"expires_at": timestamp(each.expires_at)}
            for each in self._provider.store.list_recent()
        ]

    def _webhooks(self) -> list[dict[str, Any]]:
        return [
            {
                "event": each.event,
                "reference": each.reference,
                "attempts": each.attempts,
                "delivered": each.delivered,
                "last_answer": each.last_answer,
            }
            for each in self._provider.store.list_deliveries()
        ]

    async def replay_webhook(self, request: Request) -> JSONResponse:
        """Send a transaction's newest webhook again."""
        reference = request.path_params["reference"]
        sent = [
            each for each in self._provider.store.list_deliveries() if each.reference == reference
        ]
        if not sent:
            raise ProviderRefusal("No webhook was sent for this reference", "no_webhook", 404)
        http_status = await self._provider.webhooks.replay(sent[0])
        return answer("Webhook sent again", {"http_status": http_status})

    async def list_cards(self, _request: Request) -> JSONResponse:
        """Return the test cards; the checkout page offers to fill them in."""
        cards = [
            {
                "title": card.title,
                "number": card.number,
                "cvv": card.cvv,
                "pin": card.pin,
                "otp": card.otp,
            }
            for card in TEST_CARDS
        ]
        return answer("Test cards", cards)

    def routes(self) -> list[Route]:
        """Return the workbench's routes."""
        return [
            Route("/_sandbox/transfer/{transaction_id}", self.receive_transfer, methods=["POST"]),
            Route("/_sandbox/log", self._local_only(self.show_log)),
            Route(
                "/_sandbox/webhook/{reference}/replay",
                self._local_only(self.replay_webhook),
                methods=["POST"],
            ),
            Route("/_sandbox/cards", self.list_cards),
        ]

    def _local_only(self, endpoint: Endpoint) -> Endpoint:
        """Restrict ``endpoint`` to this machine and to the secret key; others get a 404."""

        async def guarded(request: Request) -> JSONResponse:
            if not _is_local(request) and not self._has_key(request):
                raise ProviderRefusal("Not found", "not_found", 404)
            return await endpoint(request)

        return guarded

    def _has_key(self, request: Request) -> bool:
        given = request.headers.get("authorization", "").encode()
        return hmac.compare_digest(given, f"Bearer {self._config.secret_key}".encode())


def _is_local(request: Request) -> bool:
    """Return whether the call is local: a proxy would show in the headers or the host."""
    if request.client is None or any(name.startswith(FORWARDED) for name in request.headers):
        return False
    return _is_loopback(request.client.host) and _is_loopback(_host_name(request))


def _host_name(request: Request) -> str:
    """Return the requested host, without its port and brackets."""
    host = request.headers.get("host", "")
    if host.startswith("["):
        return host[1:].partition("]")[0] if "]" in host else ""
    return host.partition(":")[0]


def _is_loopback(name: str) -> bool:
    if name.lower() == "localhost":
        return True
    try:
        address = ip_address(name)
    except ValueError:
        return False
    mapped = address.ipv4_mapped if isinstance(address, IPv6Address) else None
    return (mapped or address).is_loopback
