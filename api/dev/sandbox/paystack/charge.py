"""Charge calls of the hosted checkout: cards with their steps, and the phone's wallet."""

import json
import secrets
from typing import Any

from starlette.requests import Request
from starlette.responses import JSONResponse
from starlette.routing import Route

from api.dev.sandbox.paystack import wire
from api.dev.sandbox.paystack.cards import CardStep, find_card
from api.dev.sandbox.paystack.checkout import find_transaction
from api.dev.sandbox.paystack.provider import Provider
from api.dev.sandbox.paystack.state import GatewayTransaction
from api.dev.sandbox.paystack.wire import ProviderRefusal, charge_answer

CARD_FIELDS = 4
VALIDATION_STEPS = {"token": (CardStep.OTP, CardStep.BANK), "phone": (CardStep.PHONE,)}


class ChargeEndpoints:
    """Charges of cards and of the phone's wallet."""

    def __init__(self, provider: Provider) -> None:
        """Serve ``provider``."""
        self._provider = provider
        self._config = provider.config

    async def charge(self, request: Request) -> JSONResponse:
        """Charge a card, or accept its PIN when the form carries a ``handle``."""
        form = await _read_form(request)
        transaction = find_transaction(self._provider, form.get("trans"))
        self._require_open(transaction)
        if "handle" in form:
            outcome = self._provider.answer_step(transaction, CardStep.PIN, form["handle"])
            return JSONResponse(charge_answer(outcome))
        return self._charge_card(transaction, form.get("clientdata", ""))

    def _charge_card(self, transaction: GatewayTransaction, card_details: str) -> JSONResponse:
        number, _, rest = card_details.partition("*")
        card = find_card(number.replace(" ", ""))
        if card is None or len(card_details.split("*")) != CARD_FIELDS:
            return _failed("Only the listed test cards work here")
        cvv, month, year = rest.split("*")
        if cvv != card.cvv:
            return _failed("Incorrect CVV")
        if not self._in_the_future(month, year):
            return _failed("Expired card")
        return JSONResponse(charge_answer(self._provider.charge(transaction, card)))

    def _in_the_future(self, month: str, year: str) -> bool:
        if not (month.isdecimal() and year.isdecimal() and 1 <= int(month) <= 12):
            return False
        now = self._config.clock()
        return (2000 + int(year) % 100, int(month)) >= (now.year, now.month)

    async def validate(self, request: Request) -> JSONResponse:
        """Accept the answer to the card's current step: ``token`` or ``phone``."""
        form = await _read_form(request)
        transaction = find_transaction(self._provider, form.get("trans"))
        self._require_open(transaction)
        for field, steps in VALIDATION_STEPS.items():
            if field in form and transaction.step in steps:
                transaction = self._provider.answer_step(transaction, transaction.step, form[field])
                break
        return JSONResponse(charge_answer(transaction))

    async def requery(self, request: Request) -> JSONResponse:
        """Return the state of a charge; the page polls it while it waits for a transfer."""
        transaction = find_transaction(self._provider, request.path_params["transaction_id"])
        return JSONResponse(charge_answer(transaction))

    async def validate_wallet_session(self, request: Request) -> JSONResponse:
        """Open a wallet session; ``sessionUrl`` comes from the browser and is never fetched."""
        form = await _read_form(request)
        find_transaction(self._provider, form.get("transaction"))
        session = {
            "merchantSessionIdentifier": secrets.token_hex(16),
            "nonce": secrets.token_hex(8),
            "domainName": form.get("domainName", ""),
            "displayName": form.get("displayName", ""),
            "epochTimestamp": int(self._config.clock().timestamp() * 1000),
        }
        return JSONResponse({"status": "success", "message": "Session validated", "data": session})

    async def charge_wallet(self, request: Request) -> JSONResponse:
        """Pay with the wallet's payment object, which is not verified here."""
        form = await _read_form(request)
        transaction = find_transaction(self._provider, form.get("transaction"))
        self._require_open(transaction)
        if not _is_object(form.get("paymentObject", "")):
            return _failed("Transaction attempt failed")
        return JSONResponse(charge_answer(self._provider.pay_with_wallet(transaction)))

    def _require_open(self, transaction: GatewayTransaction) -> None:
        if not transaction.is_final and not transaction.open_for_cards(self._config.clock()):
            raise ProviderRefusal(wire.SESSION_TIMEOUT, "session_timeout")

    def routes(self) -> list[Route]:
        """Return the routes, with and without a trailing slash."""
        endpoints = {
            "/charge": self.charge,
            "/charge/validate": self.validate,
            "/applepay/validate-session": self.validate_wallet_session,
            "/applepay/charge": self.charge_wallet,
        }
        posts = [
            Route(path + slash, endpoint, methods=["POST"])
            for path, endpoint in endpoints.items()
            for slash in ("", "/")
        ]
        return [*posts, Route("/charge/requery/{transaction_id}", self.requery)]


def _failed(words: str) -> JSONResponse:
    """Return a charge that never reached an issuer; the transaction is unchanged."""
    return JSONResponse({"status": "failed", "auth": "none", "message": words, "errors": [words]})


def _is_object(text: str) -> bool:
    try:
        return isinstance(json.loads(text), dict)
    except (ValueError, RecursionError):
        return False


async def _read_form(request: Request) -> dict[str, str]:
    """Return the text fields of a form, or of a JSON object sent instead."""
    if request.headers.get("content-type", "").startswith(
        ("application/x-www-form-urlencoded", "multipart/form-data")
    ):
        async with request.form(max_files=0, max_fields=20) as form:
            return {name: value for name, value in form.items() if isinstance(value, str)}
    content: dict[str, Any] = await wire.read_object(request)
    return {name: str(value) for name, value in content.items()}
