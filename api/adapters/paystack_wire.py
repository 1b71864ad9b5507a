"""Paystack's answers and reports, read into the words of the gateway port."""

import json
import re
from typing import Any

import httpx
from pydantic import BaseModel, ConfigDict, Field, StrictInt, StrictStr, ValidationError

from api.core.money import LARGEST_KOBO
from api.payments.errors import (
    GatewayRejectedError,
    ReferenceUsedError,
)
from api.payments.ports import (
    GatewayStatus,
    Verification,
)

REFERENCE = re.compile(r"[A-Za-z0-9.=-]{1,64}")
ACCESS_CODE = re.compile(r"[A-Za-z0-9_-]{1,100}")
LONGEST_SENTENCE = 200
STATUSES = {
    "success": GatewayStatus.SUCCESS,
    "failed": GatewayStatus.FAILED,
    "abandoned": GatewayStatus.ABANDONED,
    "reversed": GatewayStatus.REVERSED,
    "ongoing": GatewayStatus.PENDING,
    "pending": GatewayStatus.PENDING,
    "processing": GatewayStatus.PENDING,
    "queued": GatewayStatus.PENDING,
}


class _Transaction(BaseModel):
    """The part of the provider's transaction that decides about money."""

    model_config = ConfigDict(extra="ignore", hide_input_in_errors=True)

    id: StrictInt | StrictStr
    status: StrictStr
    reference: StrictStr
    amount: StrictInt = Field(ge=0, le=LARGEST_KOBO)
    currency: StrictStr
    domain: StrictStr
    requested_amount: StrictInt | None = None
    metadata: Any = None


class OpenedTransaction(BaseModel):
    """The provider's answer to a new transaction."""

    model_config = ConfigDict(extra="ignore", hide_input_in_errors=True)

    authorization_url: StrictStr
    access_code: StrictStr = Field(pattern=ACCESS_CODE)
    reference: StrictStr


def read_envelope(body: bytes) -> dict[str, Any] | None:
    """Return the envelope of an answer, or None when it is none."""
    try:
        envelope = json.loads(body)
    except (ValueError, RecursionError):
        return None
    return envelope if isinstance(envelope, dict) else None


def is_final_answer(http_status: int) -> bool:
    """Tell whether asking again would be answered alike.

    A refused key (401) is our own misconfiguration: the member can only try again later.
    """
    is_refusal = httpx.codes.is_client_error(http_status)
    retryable = http_status in {
        httpx.codes.UNAUTHORIZED,
        httpx.codes.FORBIDDEN,
        httpx.codes.REQUEST_TIMEOUT,
        httpx.codes.TOO_MANY_REQUESTS,
    }
    return httpx.codes.is_success(http_status) or (is_refusal and not retryable)


def refusal_of(envelope: dict[str, Any]) -> GatewayRejectedError:
    """Return the provider's refusal in our words."""
    message = envelope.get("message")
    sentence = message[:LONGEST_SENTENCE] if isinstance(message, str) and message else None
    code = envelope.get("code")
    if code == "duplicate_reference" or sentence == "Duplicate Transaction Reference":
        return ReferenceUsedError(sentence)
    if sentence is not None and sentence.startswith("Transaction reference not found"):
        code = "transaction_not_found"
    return GatewayRejectedError(sentence, gateway_code=code if isinstance(code, str) else None)


def read_transaction(content: object) -> Verification | None:
    """Return the provider's transaction in our words, or None when it does not hold together."""
    try:
        transaction = _Transaction.model_validate(content)
    except ValidationError:
        return None
    return Verification(
        reference=transaction.reference,
        status=STATUSES.get(transaction.status, GatewayStatus.PENDING),
        amount_kobo=transaction.amount,
        currency=transaction.currency,
        requested_kobo=transaction.requested_amount,
        gateway_transaction_id=str(transaction.id),
        user_id=_user_id(transaction.metadata),
        livemode=transaction.domain == "live",
    )


def _user_id(metadata: object) -> str | None:
    """Return the member named in the metadata: an object, a JSON string of one, or nothing."""
    if isinstance(metadata, str):
        try:
            metadata = json.loads(metadata)
        except (ValueError, RecursionError):
            return None
    user_id = metadata.get("user_id") if isinstance(metadata, dict) else None
    return user_id if isinstance(user_id, str) else None


def is_reference(reference: object) -> bool:
    """Tell whether it is a reference that the provider could have taken from us."""
    return isinstance(reference, str) and REFERENCE.fullmatch(reference) is not None


def require_storable(content: object) -> None:
    """Refuse text that the database cannot hold, wherever in ``content`` it stands.

    Raises:
        ValueError: it has a NUL or half of a character.
    """
    written = json.dumps(content, ensure_ascii=False)
    written.encode()
    if "\\u0000" in written:
        raise ValueError("The report holds a NUL")


def unknown_transaction(reference: str) -> Verification:
    """Return how a transaction stands of which the provider knows nothing."""
    return Verification(
        reference=reference, status=GatewayStatus.NOT_FOUND, amount_kobo=0, currency="NGN"
    )
