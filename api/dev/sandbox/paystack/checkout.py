"""Checkout calls of the browser's library and of the hosted page, under the public key."""

import json
from dataclasses import replace
from datetime import timedelta
from typing import Any

from starlette.requests import Request
from starlette.responses import JSONResponse
from starlette.routing import Route

from api.dev.sandbox.paystack import state, wire
from api.dev.sandbox.paystack.orders import read_order
from api.dev.sandbox.paystack.provider import Provider
from api.dev.sandbox.paystack.state import GatewayTransaction
from api.dev.sandbox.paystack.wire import (
    ProviderRefusal,
    answer,
    checkout_view,
    read_object,
    require_key,
)

MAX_TRANSACTION_ID_DIGITS = 18


def find_transaction(provider: Provider, given: object) -> GatewayTransaction:
    """Return the transaction whose id the browser sent, as a number or as digits.

    Raises:
        ProviderRefusal: There is no such transaction.
    """
    digits = str(given)
    transaction = None
    if digits.isascii() and digits.isdecimal() and len(digits) <= MAX_TRANSACTION_ID_DIGITS:
        transaction = provider.store.read(int(digits))
    if transaction is None:
        raise ProviderRefusal("Transaction not found", "transaction_not_found", 404)
    return transaction


class CheckoutEndpoints:
    """Calls of the browser's library and of the hosted page, under the public key."""

    def __init__(self, provider: Provider) -> None:
        """Serve ``provider``."""
        self._provider = provider
        self._config = provider.config

    async def request_inline(self, request: Request) -> JSONResponse:
        """Start a transaction that the browser requests."""
        content = await read_object(request)
        if content.get("key") != self._config.public_key:
            raise ProviderRefusal("Invalid key", "invalid_Key", 401)
        transaction = self._provider.open(read_order(content, reference_key="ref"))
        if transaction is None:
            raise ProviderRefusal("Duplicate Transaction Reference", "duplicate_reference")
        return answer("Transaction created", checkout_view(transaction, self._config))

    async def verify_access_code(self, request: Request) -> JSONResponse:
        """Return the transaction of an access code, unless it has expired unpaid."""
        transaction = self._provider.store.read_by_access_code(request.path_params["access_code"])
        if transaction is None:
            raise ProviderRefusal("Invalid access code", "invalid_access_code")
        if not transaction.is_final and self._config.clock() >= transaction.expires_at:
            raise ProviderRefusal(wire.SESSION_TIMEOUT, "session_timeout")
        return answer("Access code validated", checkout_view(transaction, self._config))

    async def update_log(self, request: Request) -> JSONResponse:
        """Store the log of the browser's library."""
        require_key(request, self._config.public_key)
        transaction = find_transaction(self._provider, request.path_params["transaction_id"])
        log = _client_log(await read_object(request))
        self._provider.change(transaction, lambda each: replace(each, client_log=log))
        return answer("Log updated", None)

    async def set_ip(self, request: Request) -> JSONResponse:
        """Store the payer's address."""
        require_key(request, self._config.public_key)
        transaction = find_transaction(self._provider, request.path_params["transaction_id"])
        address = request.client.host if request.client else None
        self._provider.change(transaction, lambda each: replace(each, ip_address=address))
        return answer("IP address set", None)

    async def mark_as_abandoned(self, request: Request) -> JSONResponse:
        """Record that the payer left the checkout."""
        require_key(request, self._config.public_key)
        transaction = find_transaction(self._provider, request.path_params["transaction_id"])
        self._provider.change(transaction, state.abandon)
        return answer("Transaction marked as abandoned", None)

    async def pay_with_transfer(self, request: Request) -> JSONResponse:
        """Return an account to transfer to."""
        require_key(request, self._config.public_key)
        content = await read_object(request)
        transaction = find_transaction(self._provider, content.get("transaction_id"))
        if transaction.amount_kobo < wire.TRANSFER_MINIMUM_KOBO:
            raise ProviderRefusal(
                "Pay with transfer is not currently supported for transactions less than"
                " NGN 100.00",
                "transfer_minimum",
            )
        if not transaction.open_for_cards(self._config.clock()):
            raise ProviderRefusal(wire.SESSION_TIMEOUT, "session_timeout")
        transaction = self._provider.begin_transfer(transaction)
        return JSONResponse(
            {
                "status": "success",
                "message": "Transfer to the account below",
                "data": {
                    "account_name": f"TEST CHECKOUT / {self._config.merchant_name}",
                    "account_number": transaction.transfer_account,
                    "bank": {"name": "Sandbox Bank", "slug": "sandbox-bank"},
                    "account_expires_at": wire.timestamp(
                        self._config.clock() + timedelta(minutes=30)
                    ),
                    "amount": transaction.amount_kobo,
                },
            }
        )

    async def transfer_sent(self, request: Request) -> JSONResponse:
        """Record that the payer says the money is on its way."""
        require_key(request, self._config.public_key)
        transaction = find_transaction(self._provider, request.path_params["transaction_id"])
        self._provider.change(transaction, state.await_transfer)
        return answer("We are waiting for your transfer", None)

    def routes(self) -> list[Route]:
        """Return the routes."""
        return [
            Route("/checkout/request_inline", self.request_inline, methods=["POST"]),
            Route("/transaction/verify_access_code/{access_code}", self.verify_access_code),
            Route("/transaction/update_log/{transaction_id}", self.update_log, methods=["POST"]),
            Route("/transaction/set_ip/{transaction_id}", self.set_ip, methods=["POST"]),
            Route(
                "/transaction/{transaction_id}/mark-as-abandoned",
                self.mark_as_abandoned,
                methods=["PATCH"],
            ),
            Route(
                "/transaction/{transaction_id}/transfer-sent", self.transfer_sent, methods=["POST"]
            ),
            Route("/checkout/pay_with_transfer", self.pay_with_transfer, methods=["POST"]),
        ]


def _client_log(content: dict[str, Any]) -> dict[str, Any]:
    """Return the log inside ``payload``, which the library sends as JSON within JSON.

    Raises:
        ProviderRefusal: The payload is not a JSON object.
    """
    payload = content.get("payload")
    try:
        log = json.loads(payload) if isinstance(payload, str) else payload
    except (ValueError, RecursionError):
        log = None
    if not isinstance(log, dict):
        raise ProviderRefusal("Invalid log", "invalid_log")
    return log
