"""Merchant calls, from server to server, under the secret key."""

from typing import Any

from starlette.requests import Request
from starlette.responses import JSONResponse
from starlette.routing import Route

from api.dev.sandbox.paystack.orders import read_order
from api.dev.sandbox.paystack.provider import Provider
from api.dev.sandbox.paystack.wire import (
    ProviderRefusal,
    answer,
    read_object,
    require_key,
    verified,
)

BANKS = (
    ("Access Bank", "access-bank", "044"),
    ("Fidelity Bank", "fidelity-bank", "070"),
    ("First Bank of Nigeria", "first-bank-of-nigeria", "011"),
    ("Guaranty Trust Bank", "guaranty-trust-bank", "058"),
    ("Kuda Bank", "kuda-bank", "50211"),
    ("OPay Digital Services Limited (OPay)", "paycom", "999992"),
    ("PalmPay", "palmpay", "999991"),
    ("Stanbic IBTC Bank", "stanbic-ibtc-bank", "221"),
    ("Sterling Bank", "sterling-bank", "232"),
    ("Union Bank of Nigeria", "union-bank-of-nigeria", "032"),
    ("United Bank For Africa", "united-bank-for-africa", "033"),
    ("Wema Bank", "wema-bank", "035"),
    ("Zenith Bank", "zenith-bank", "057"),
)
ACCOUNT_NUMBER_DIGITS = 10


class MerchantEndpoints:
    """Calls from server to server, under the secret key."""

    def __init__(self, provider: Provider) -> None:
        """Serve ``provider``."""
        self._provider = provider
        self._config = provider.config

    async def initialize(self, request: Request) -> JSONResponse:
        """Start a transaction; its unique reference makes a retry safe."""
        require_key(request, self._config.secret_key)
        transaction = self._provider.open(read_order(await read_object(request)))
        if transaction is None:
            raise ProviderRefusal("Duplicate Transaction Reference", "duplicate_reference")
        return answer(
            "Authorization URL created",
            {
                "authorization_url": f"{self._config.public_url}/{transaction.access_code}",
                "access_code": transaction.access_code,
                "reference": transaction.reference,
            },
        )

    async def verify(self, request: Request) -> JSONResponse:
        """Return a transaction by the merchant's reference."""
        require_key(request, self._config.secret_key)
        transaction = self._provider.store.read_by_reference(request.path_params["reference"])
        if transaction is None:
            raise ProviderRefusal("Transaction reference not found.", "transaction_not_found")
        return answer("Verification successful", verified(transaction, self._config))

    async def fetch(self, request: Request) -> JSONResponse:
        """Return a transaction by the provider's id."""
        require_key(request, self._config.secret_key)
        transaction = self._provider.store.read(request.path_params["transaction_id"])
        if transaction is None:
            raise ProviderRefusal("Transaction not found", "transaction_not_found", 404)
        return answer("Transaction retrieved", verified(transaction, self._config))

    async def list_banks(self, request: Request) -> JSONResponse:
        """Return the Nigerian banks that a settlement account may be with."""
        require_key(request, self._config.secret_key)
        return answer("Banks retrieved", [_bank(*row) for row in enumerate(BANKS, start=1)])

    async def resolve_account(self, request: Request) -> JSONResponse:
        """Return the name on a bank account; every well-formed number has one here."""
        require_key(request, self._config.secret_key)
        number = request.query_params.get("account_number", "")
        code = request.query_params.get("bank_code", "")
        known = [place for place, bank in enumerate(BANKS, start=1) if bank[2] == code]
        if not number.isdecimal() or len(number) != ACCOUNT_NUMBER_DIGITS or not known:
            raise ProviderRefusal(
                "Could not resolve account name. Check parameters or try again.",
                "account_name_not_resolved",
                422,
            )
        return answer(
            "Account number resolved",
            {"account_number": number, "account_name": "TEST ACCOUNT", "bank_id": known[0]},
        )

    def routes(self) -> list[Route]:
        """Return the routes."""
        return [
            Route("/transaction/initialize", self.initialize, methods=["POST"]),
            Route("/transaction/verify/{reference}", self.verify),
            Route("/transaction/{transaction_id:int}", self.fetch),
            Route("/bank", self.list_banks),
            Route("/bank/resolve", self.resolve_account),
        ]


def _bank(place: int, bank: tuple[str, str, str]) -> dict[str, Any]:
    name, slug, code = bank
    return {
        "id": place,
        "name": name,
        "slug": slug,
        "code": code,
        "longcode": "",
        "gateway": None,
        "pay_with_bank": False,
        "active": True,
        "country": "Nigeria",
        "currency": "NGN",
        "type": "nuban",
        "is_deleted": False,
    }
