"""The provider's wire: envelopes, refusals, and the views of a transaction."""

import hashlib
import hmac
import json
from datetime import datetime
from typing import Any
from urllib.parse import parse_qsl, urlencode, urlsplit, urlunsplit

from starlette.requests import Request
from starlette.responses import JSONResponse

from api.dev.sandbox.paystack.cards import CardStep, card_named
from api.dev.sandbox.paystack.config import SandboxConfig
from api.dev.sandbox.paystack.state import Channel, GatewayTransaction, TransactionStatus

TRANSFER_MINIMUM_KOBO = 10_000
WRONG_ANSWER = {
    CardStep.PIN: "Incorrect PIN",
    CardStep.OTP: "Incorrect OTP",
    CardStep.PHONE: "Invalid phone number",
    CardStep.BANK: "Authentication failed",
}
STEP_SENTENCES = {
    CardStep.PIN: "Enter your card PIN",
    CardStep.OTP: "Enter the OTP sent to your phone",
    CardStep.PHONE: "Enter the phone number linked to your bank account",
    CardStep.BANK: "Your bank asks you to authorise this payment",
}
SESSION_TIMEOUT = "Transaction cannot be completed. Session timeout exceeded."


class ProviderRefusal(Exception):  # noqa: N818 - the provider's answer, not a fault of the sandbox
    """Raised to answer with the provider's failure envelope."""

    def __init__(self, message: str, code: str, http_status: int = 400) -> None:
        """Store the provider's message, its code and the HTTP status."""
        super().__init__(message)
        self.message = message
        self.code = code
        self.http_status = http_status


def answer(message: str, content: Any) -> JSONResponse:  # noqa: ANN401 - any JSON value
    """Wrap ``content`` in the provider's success envelope."""
    return JSONResponse({"status": True, "message": message, "data": content})


async def refuse(_request: Request, refusal: Exception) -> JSONResponse:
    """Return the provider's failure envelope for a refusal."""
    if not isinstance(refusal, ProviderRefusal):
        raise refusal
    return JSONResponse(
        {
            "status": False,
            "message": refusal.message,
            "meta": {"nextStep": "Check the request against the API documentation"},
            "type": "validation_error",
            "code": refusal.code,
        },
        status_code=refusal.http_status,
    )


def require_key(request: Request, key: str) -> None:
    """Require ``key`` as the bearer token.

    Raises:
        ProviderRefusal: 401, the key is missing or wrong.
    """
    scheme, _, given = request.headers.get("authorization", "").partition(" ")
    if scheme.lower() != "bearer" or not hmac.compare_digest(given.encode(), key.encode()):
        raise ProviderRefusal("Invalid key", "invalid_Key", 401)


async def read_object(request: Request) -> dict[str, Any]:
    """Return the JSON object in the body, whatever its content type.

    The browser's library sends JSON as text/plain, to avoid a preflight.

    Raises:
        ProviderRefusal: The body is not a JSON object.
    """
    try:
        content = json.loads(await request.body() or b"{}")
    except (ValueError, RecursionError):
        raise ProviderRefusal("Invalid JSON", "invalid_json") from None
    if not isinstance(content, dict):
        raise ProviderRefusal("Invalid JSON", "invalid_json")
    return content


def timestamp(moment: datetime | None) -> str | None:
    """Return a time as the provider writes it: UTC, milliseconds, Z."""
    if moment is None:
        return None
    return moment.strftime("%Y-%m-%dT%H:%M:%S.") + f"{moment.microsecond // 1000:03d}Z"


def redirect_url(transaction: GatewayTransaction) -> str | None:
    """Return where the payer is redirected: the merchant's callback with the reference."""
    if transaction.callback_url is None:
        return None
    url = urlsplit(transaction.callback_url)
    query = parse_qsl(url.query, keep_blank_values=True)
    query += [("trxref", transaction.reference), ("reference", transaction.reference)]
    return urlunsplit(url._replace(query=urlencode(query)))


def verified(transaction: GatewayTransaction, config: SandboxConfig) -> dict[str, Any]:
    """Return a transaction as the merchant's server sees it (verify and webhook)."""
    paid = transaction.status is TransactionStatus.SUCCESS
    return {
        "id": transaction.id,
        "domain": config.domain,
        "status": transaction.status,
        "reference": transaction.reference,
        "receipt_number": None,
        "amount": transaction.amount_kobo,
        "message": None,
        "gateway_response": transaction.gateway_response or "The transaction was not completed",
        "paid_at": timestamp(transaction.paid_at),
        "created_at": timestamp(transaction.created_at),
        "channel": transaction.channel or Channel.CARD,
        "currency": transaction.currency,
        "ip_address": transaction.ip_address,
        "metadata": transaction.metadata if transaction.metadata is not None else "",
        "log": log_of(transaction),
        "fees": transaction.fees_kobo if paid else None,
        "fees_split": None,
        "authorization": _authorization(transaction) if paid else {},
        "customer": _customer(transaction),
        "plan": None,
        "split": {},
        "order_id": None,
        "requested_amount": transaction.amount_kobo,
        "pos_transaction_data": None,
        "source": None,
        "fees_breakdown": None,
        "merchant_name": config.merchant_name,
    }


def checkout_view(transaction: GatewayTransaction, config: SandboxConfig) -> dict[str, Any]:
    """Return a transaction as the checkout and the browser's library see it."""
    return {
        "email": transaction.email,
        "merchant_logo": f"{config.public_url}/assets/logo.svg",
        "merchant_name": config.merchant_name,
        "amount": transaction.amount_kobo,
        "domain": config.domain,
        "currency": transaction.currency,
        "id": str(transaction.id),
        "channels": list(transaction.channels),
        "label": "",
        "original_amount": transaction.amount_kobo,
        "added_fees": 0,
        "merchant_id": 1,
        "merchant_key": config.public_key,
        "access_code": transaction.access_code,
        "transaction_status": transaction.status,
        "log": log_of(transaction),
        "customer": _customer(transaction),
        "customer_code": _customer_code(transaction),
        "reference": transaction.reference,
        "redirect_url": redirect_url(transaction),
        "saved_cards": {"enabled": False, "registered": False},
        "channel_settings": {"card": {"request_for_card_holder_name": False}},
        "plan_details": None,
        "channel_options": {"bank_transfer": ["sandbox-bank"], "ussd": []},
        "merchant_channel_settings": {"bank_transfer": {"fulfil_late_notification": True}},
        "link_config": {
            "enabled": False,
            "has_payment_instruments": False,
            "has_linked_accounts": False,
            "has_saved_cards": False,
            "registered": False,
        },
        "supported_banks": [],
        "exchange_rate": None,
        "whitelabel": False,
    }


def success_event(transaction: GatewayTransaction) -> dict[str, Any]:
    """Return what the checkout passes to the page that opened it, once paid."""
    return {
        "reference": transaction.reference,
        "trans": str(transaction.id),
        "transaction": str(transaction.id),
        "trxref": transaction.reference,
        "status": "success",
        "message": "Approved",
        "redirecturl": redirect_url(transaction),
    }


def charge_answer(transaction: GatewayTransaction) -> dict[str, Any]:
    """Return the outcome of a charge, a step or a poll, as the hosted checkout expects it."""
    if transaction.status is TransactionStatus.SUCCESS:
        return {**success_event(transaction), "data": success_event(transaction)}
    if transaction.step is not None:
        sentence = STEP_SENTENCES[transaction.step]
        return {
            "status": "0",
            "auth": transaction.step,
            "message": sentence,
            "otpmessage": sentence,
            "trans": str(transaction.id),
        }
    if transaction.status in {TransactionStatus.ONGOING, TransactionStatus.PENDING}:
        return {
            "status": "pending",
            "message": "Waiting for your transfer",
            "trans": str(transaction.id),
        }
    words = transaction.gateway_response or "Transaction attempt failed"
    return {
        "status": "failed",
        "auth": "none",
        "message": words,
        "errors": [words],
        "trans": str(transaction.id),
    }


def rejected_transfer(transaction: GatewayTransaction, amount_kobo: int) -> dict[str, Any]:
    """Return the content of ``bank.transfer.rejected`` for a wrong amount."""
    return {
        "status": "rejected",
        "reference": transaction.reference,
        "bank_transfer": {
            "amount": amount_kobo,
            "message": "The amount received differs from the amount expected; it was sent back",
            "message_type": "INCORRECT_AMOUNT",
            "transaction_id": transaction.id,
        },
    }


def log_of(transaction: GatewayTransaction) -> dict[str, Any]:
    """Return the provider's log of the events in the checkout."""
    failures = [words for kind, words in transaction.history if kind == "error"]
    asked = [words for kind, words in transaction.history if kind == "auth"]
    return {
        "start_time": int(transaction.created_at.timestamp()),
        "time_spent": 0,
        "attempts": transaction.attempts,
        "authentication": asked[-1] if asked else None,
        "errors": len(failures),
        "success": transaction.status is TransactionStatus.SUCCESS,
        "mobile": False,
        "input": [],
        "history": [
            {"type": kind, "message": words, "time": position}
            for position, (kind, words) in enumerate(transaction.history)
        ],
    }


def _customer_code(transaction: GatewayTransaction) -> str:
    return f"CUS_{hashlib.sha256(transaction.email.encode()).hexdigest()[:15]}"


def _customer(transaction: GatewayTransaction) -> dict[str, Any]:
    digest = hashlib.sha256(transaction.email.encode()).hexdigest()
    return {
        "id": int(digest[:8], 16),
        "first_name": None,
        "last_name": None,
        "email": transaction.email,
        "customer_code": _customer_code(transaction),
        "phone": None,
        "metadata": None,
        "risk_action": "default",
        "international_format_phone": None,
    }


def _authorization(transaction: GatewayTransaction) -> dict[str, Any]:
    code = f"AUTH_{hashlib.sha256(str(transaction.id).encode()).hexdigest()[:10]}"
    common = {"authorization_code": code, "country_code": "NG", "account_name": None}
    if transaction.channel is Channel.CARD and transaction.card_name is not None:
        card = card_named(transaction.card_name)
        return common | {
            "bin": card.number[:6],
            "last4": card.number[-4:],
            "exp_month": "12",
            "exp_year": "2030",
            "channel": Channel.CARD,
            "card_type": card.brand,
            "bank": "TEST BANK",
            "brand": card.brand,
            "reusable": True,
            "signature": f"SIG_{hashlib.sha256(card.name.encode()).hexdigest()[:20]}",
        }
    return common | {
        "bin": None,
        "last4": None,
        "exp_month": None,
        "exp_year": None,
        "channel": transaction.channel,
        "card_type": "transfer" if transaction.channel is Channel.BANK_TRANSFER else "wallet",
        "bank": "TEST BANK",
        "brand": "Managed Account",
        "reusable": False,
        "signature": None,
    }
