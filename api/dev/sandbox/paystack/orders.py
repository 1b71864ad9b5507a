"""Validates a merchant's payment request with the provider's rules and messages."""

import json
import re
from typing import Any
from urllib.parse import urlsplit
from uuid import uuid4

from api.dev.sandbox.paystack.provider import PaymentRequest
from api.dev.sandbox.paystack.state import Channel
from api.dev.sandbox.paystack.wire import ProviderRefusal

MAX_AMOUNT_KOBO = 1_000_000_000
REFERENCE = re.compile(r"[A-Za-z0-9.=-]{1,100}")
EMAIL = re.compile(r"[^@\s]{1,64}@[^@\s]+\.[^@\s]+")


def read_order(content: dict[str, Any], *, reference_key: str = "reference") -> PaymentRequest:
    """Return the payment request in a request body.

    Args:
        content: The body's JSON object.
        reference_key: ``reference`` from servers, ``ref`` from the browser's library.

    Raises:
        ProviderRefusal: A field breaks the provider's rules.
    """
    return PaymentRequest(
        email=_email(content.get("email")),
        amount_kobo=_amount_kobo(content.get("amount")),
        currency=_currency(content.get("currency")),
        reference=_reference(content.get(reference_key)),
        callback_url=_address(content.get("callback_url")),
        metadata=_metadata(content.get("metadata")),
        channels=_channels(content.get("channels")),
    )


def _email(given: object) -> str:
    if not isinstance(given, str) or not EMAIL.fullmatch(given):
        raise ProviderRefusal("Invalid Email Address Passed", "invalid_email_address")
    return given


def _amount_kobo(given: object) -> int:
    """Accept an integer in kobo, also as a string of digits, but not True."""
    is_digits = isinstance(given, str) and given.isascii() and given.isdecimal()
    is_count = isinstance(given, int) and not isinstance(given, bool)
    if not (is_digits or is_count) or len(str(given)) > len(str(MAX_AMOUNT_KOBO)):
        raise ProviderRefusal("Invalid Amount Sent", "invalid_amount")
    amount_kobo = int(str(given))
    if amount_kobo <= 0:
        raise ProviderRefusal("Invalid Amount Sent", "invalid_amount")
    if amount_kobo > MAX_AMOUNT_KOBO:
        raise ProviderRefusal("Transaction amount limit exceeded", "amount_limit_exceeded")
    return amount_kobo


def _currency(given: object) -> str:
    if given not in {None, "NGN"}:
        raise ProviderRefusal("Currency not supported by merchant", "unsupported_currency")
    return "NGN"


def _reference(given: object) -> str:
    if given in {None, ""}:
        return f"T{uuid4().hex}"
    if not isinstance(given, str) or not REFERENCE.fullmatch(given):
        raise ProviderRefusal("Invalid character in transaction reference", "invalid_reference")
    return given


def _address(given: object) -> str | None:
    if given in {None, ""}:
        return None
    url = urlsplit(given) if isinstance(given, str) else None
    if url is None or url.scheme not in {"http", "https"} or not url.netloc:
        raise ProviderRefusal("Invalid callback URL", "invalid_callback_url")
    return str(given)


def _metadata(given: object) -> dict[str, Any] | None:
    """Accept an object, also as a JSON string; ignore anything else, as the provider does."""
    if isinstance(given, str):
        try:
            given = json.loads(given)
        except (ValueError, RecursionError):
            return None
    return given if isinstance(given, dict) else None


def _channels(given: object) -> tuple[str, ...] | None:
    if not isinstance(given, list):
        return None
    return tuple(channel for channel in Channel if channel in given) or None
