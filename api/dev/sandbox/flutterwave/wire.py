"""The provider's wire: shapes, envelopes, refusals."""

import hmac
import json
import re
from decimal import Decimal, InvalidOperation
from typing import Any
from urllib.parse import urlsplit

from starlette.requests import Request
from starlette.responses import JSONResponse

from api.dev.sandbox.flutterwave.payments import ChargeStatus, HostedPayment

MAX_AMOUNT = Decimal(1_000_000_000)
CURRENCY = re.compile(r"[A-Z]{3}")
PROCESSOR_WORDS = {
    ChargeStatus.SUCCESSFUL: "Approved by Financial Institution",
    ChargeStatus.FAILED: "Declined",
}


class FlutterwaveRefusalError(Exception):
    """The provider's refusal of a call."""

    def __init__(self, message: str, status: int = 400) -> None:
        super().__init__(message)
        self.message = message
        self.status = status


async def refuse_call(_request: Request, refusal: Exception) -> JSONResponse:
    """Return the response to a refused call."""
    assert isinstance(refusal, FlutterwaveRefusalError)  # noqa: S101 it is registered for these
    content = {"status": "error", "message": refusal.message, "data": None}
    return JSONResponse(content, status_code=refusal.status)


def agree(message: str, content: dict[str, Any]) -> JSONResponse:
    """Return the response to a successful call."""
    return JSONResponse({"status": "success", "message": message, "data": content})


def require_merchant(request: Request, secret_key: str) -> None:
    """Refuse a call without the merchant's key.

    Raises:
        FlutterwaveRefusalError: 401.
    """
    given = request.headers.get("authorization", "").encode()
    if not hmac.compare_digest(given, f"Bearer {secret_key}".encode()):
        raise FlutterwaveRefusalError("Invalid authorization key", 401)


async def read_body(request: Request) -> dict[str, Any]:
    """Return the JSON object of a call, fractions as decimals.

    Raises:
        FlutterwaveRefusalError: the body is not a JSON object.
    """
    try:
        content = json.loads(await request.body(), parse_float=Decimal)
    except (ValueError, RecursionError):
        content = None
    if not isinstance(content, dict):
        raise FlutterwaveRefusalError("The request is no JSON object")
    return content


def read_payment(content: dict[str, Any]) -> HostedPayment:
    """Return the payment that a merchant requests.

    Raises:
        FlutterwaveRefusalError: a field is missing or invalid.
    """
    customer, meta = content.get("customer"), content.get("meta") or {}
    email = customer.get("email") if isinstance(customer, dict) else None
    redirect_url = _read_text("redirect_url", content.get("redirect_url"))
    if urlsplit(redirect_url).scheme not in {"http", "https"}:
        raise FlutterwaveRefusalError("redirect_url must be a valid url")
    return HostedPayment(
        tx_ref=_read_text("tx_ref", content.get("tx_ref")),
        amount=read_amount(content.get("amount")),
        currency=read_currency(content.get("currency", "NGN")),
        redirect_url=redirect_url,
        email=_read_text("customer.email", email),
        meta=meta if isinstance(meta, dict) else {},
    )


def _read_text(name: str, value: object) -> str:
    if not isinstance(value, str) or not value:
        raise FlutterwaveRefusalError(f"{name} is required")
    return value


def read_amount(value: object) -> Decimal:
    """Return an amount in major units.

    Raises:
        FlutterwaveRefusalError: it is not a positive number.
    """
    if isinstance(value, bool) or not isinstance(value, int | str | Decimal):
        raise FlutterwaveRefusalError("amount is required")
    try:
        amount = Decimal(value)
    except InvalidOperation:
        raise FlutterwaveRefusalError("amount must be a number") from None
    if not amount.is_finite() or not 0 < amount <= MAX_AMOUNT:
        raise FlutterwaveRefusalError("amount must be a positive number")
    return amount


def read_currency(value: object) -> str:
    """Return a currency code.

    Raises:
        FlutterwaveRefusalError: it is not three letters.
    """
    if not isinstance(value, str) or not CURRENCY.fullmatch(value):
        raise FlutterwaveRefusalError("currency is invalid")
    return value


def charge_of(payment: HostedPayment) -> dict[str, Any]:
    """Return a transaction as in verifications and webhooks."""
    amount = float(payment.amount)
    return {
        "id": payment.id,
        "tx_ref": payment.tx_ref,
        "flw_ref": f"SANDBOX{payment.id}",
        "amount": int(amount) if amount.is_integer() else amount,
        "charged_amount": int(amount) if amount.is_integer() else amount,
        "currency": payment.currency,
        "status": payment.status.value,
        "payment_type": "card",
        "processor_response": PROCESSOR_WORDS.get(payment.status, "Pending"),
        "meta": payment.meta,
        "customer": {"id": payment.id, "email": payment.email},
    }
