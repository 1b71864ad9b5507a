"""Parses Paystack's responses and webhooks into the types of the gateway port."""

import json
import re
from typing import Any

from pydantic import BaseModel, ConfigDict, Field, StrictInt, StrictStr, ValidationError

from api.app.adapters.gateway_calls import sentence_of
from api.foundation.core.money import LARGEST_KOBO
from api.money.payments.errors import (
    GatewayRejectedError,
    ReferenceUsedError,
)
from api.money.payments.ports import (
    DisputeReport,
    GatewayStatus,
    Verification,
)

REFERENCE = re.compile(r"[A-Za-z0-9.=-]{1,64}")
ACCESS_CODE = re.compile(r"[A-Za-z0-9_-]{1,100}")
MAX_CASE_ID_LENGTH = 64
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
    """The fields of a transaction that decide about money."""

    model_config = ConfigDict(extra="ignore", hide_input_in_errors=True)

    id: StrictInt | StrictStr
    status: StrictStr
    reference: StrictStr
    amount: StrictInt = Field(ge=0, le=LARGEST_KOBO)
    currency: StrictStr
    domain: StrictStr
    requested_amount: StrictInt | None = None
    metadata: Any = None


class _DisputedTransaction(BaseModel):
    model_config = ConfigDict(extra="ignore", hide_input_in_errors=True)

    reference: StrictStr = Field(pattern=REFERENCE)
    amount: StrictInt = Field(ge=1, le=LARGEST_KOBO)


class _Dispute(BaseModel):
    """A payer's dispute; without ``refund_amount`` it is about the whole payment."""

    model_config = ConfigDict(extra="ignore", hide_input_in_errors=True)

    id: StrictInt | StrictStr
    status: StrictStr = Field(min_length=1, max_length=64)
    resolution: StrictStr | None = None
    refund_amount: StrictInt | None = Field(default=None, ge=1, le=LARGEST_KOBO)
    transaction: _DisputedTransaction


class OpenedTransaction(BaseModel):
    """The response to a new transaction."""

    model_config = ConfigDict(extra="ignore", hide_input_in_errors=True)

    authorization_url: StrictStr
    access_code: StrictStr = Field(pattern=ACCESS_CODE)
    reference: StrictStr


def refusal_of(envelope: dict[str, Any]) -> GatewayRejectedError:
    """Map the provider's refusal to our error."""
    sentence = sentence_of(envelope)
    code = envelope.get("code")
    if code == "duplicate_reference" or sentence == "Duplicate Transaction Reference":
        return ReferenceUsedError(sentence)
    if sentence is not None and sentence.startswith("Transaction reference not found"):
        code = "transaction_not_found"
    return GatewayRejectedError(sentence, gateway_code=code if isinstance(code, str) else None)


def read_transaction(content: object) -> Verification | None:
    """Parse a transaction; return None if it is inconsistent."""
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


def read_dispute(content: object) -> DisputeReport | None:
    """Parse a dispute; return None if it is inconsistent.

    Shapes: paystack.com/docs/payments/disputes.
    """
    try:
        dispute = _Dispute.model_validate(content)
    except ValidationError:
        return None
    return DisputeReport(
        case_id=str(dispute.id)[:MAX_CASE_ID_LENGTH],
        reference=dispute.transaction.reference,
        amount_kobo=dispute.refund_amount or dispute.transaction.amount,
        status=dispute.status,
        resolution=dispute.resolution and dispute.resolution[:MAX_CASE_ID_LENGTH],
        is_over=dispute.status == "resolved",
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
    """Return whether the provider could have accepted this reference from us."""
    return isinstance(reference, str) and REFERENCE.fullmatch(reference) is not None


def unknown_transaction(reference: str) -> Verification:
    """Return the verification of a transaction that the provider does not know."""
    return Verification(
        reference=reference, status=GatewayStatus.NOT_FOUND, amount_kobo=0, currency="NGN"
    )
