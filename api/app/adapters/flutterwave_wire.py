"""Parses Flutterwave's responses and webhooks into the types of the gateway port."""

from decimal import ROUND_FLOOR, Decimal
from typing import Any

from pydantic import BaseModel, ConfigDict, Field, StrictInt, StrictStr, ValidationError

from api.app.adapters.gateway_calls import require_storable, sentence_of
from api.app.adapters.paystack_wire import is_reference
from api.foundation.core.money import KOBO_PER_NAIRA, LARGEST_KOBO
from api.foundation.database.idempotency import fingerprint
from api.money.payments.errors import GatewayRejectedError
from api.money.payments.ports import GatewayStatus, Verification, WebhookEvent

TRANSACTION_NOT_FOUND = "No transaction was found"
CHARGE_EVENT = "charge.completed"
MAX_TYPE_LENGTH = 64
STATUSES = {
    "successful": GatewayStatus.SUCCESS,
    "failed": GatewayStatus.FAILED,
    "cancelled": GatewayStatus.ABANDONED,
    "pending": GatewayStatus.PENDING,
}


class HostedLink(BaseModel):
    """The response to a new payment."""

    model_config = ConfigDict(extra="ignore", hide_input_in_errors=True)

    link: StrictStr


class _Charge(BaseModel):
    """The fields of a transaction that decide about money; amounts are naira."""

    model_config = ConfigDict(extra="ignore", hide_input_in_errors=True)

    id: StrictInt | StrictStr
    tx_ref: StrictStr
    status: StrictStr
    amount: Decimal = Field(ge=0, le=LARGEST_KOBO // KOBO_PER_NAIRA)
    charged_amount: Decimal | None = Field(default=None, ge=0, le=LARGEST_KOBO // KOBO_PER_NAIRA)
    currency: StrictStr
    meta: Any = None


def read_charge(content: object, *, livemode: bool) -> Verification | None:
    """Parse a transaction; return None if it is inconsistent.

    ``amount`` is what was requested, ``charged_amount`` what was paid, the payer's fees included.
    The mode is in no response: a key sees only transactions of the same mode.
    """
    try:
        charge = _Charge.model_validate(content)
    except ValidationError:
        return None
    paid = charge.amount if charge.charged_amount is None else charge.charged_amount
    user_id = charge.meta.get("user_id") if isinstance(charge.meta, dict) else None
    return Verification(
        reference=charge.tx_ref,
        status=STATUSES.get(charge.status, GatewayStatus.PENDING),
        amount_kobo=_kobo(paid),
        currency=charge.currency,
        requested_kobo=_kobo(charge.amount),
        gateway_transaction_id=str(charge.id),
        user_id=user_id if isinstance(user_id, str) else None,
        livemode=livemode,
    )


def _kobo(naira: Decimal) -> int:
    """Return whole kobo, rounded down, so an amount short by a fraction does not match ours."""
    return int((naira * KOBO_PER_NAIRA).to_integral_value(ROUND_FLOOR))


def read_hint(gateway: str, body: object) -> WebhookEvent:
    """Return the payment that a webhook is about; nothing else in it is trusted.

    Raises:
        ValueError, LookupError, TypeError: the body is not a webhook.
    """
    require_storable(body)
    if not isinstance(body, dict):
        raise TypeError("A report is an object")
    event, content = str(body["event"]), body["data"]
    reference = content.get("tx_ref") if isinstance(content, dict) else None
    is_ours = is_reference(reference)
    if event != CHARGE_EVENT or not is_ours:
        key = f"{gateway}:sha256:{fingerprint(body)}"
    else:
        said = {name: content.get(name) for name in ("id", "tx_ref", "status")}
        key = f"{gateway}:{event}:{fingerprint(said)}"
    return WebhookEvent(
        dedupe_key=key,
        type=event[:MAX_TYPE_LENGTH],
        reference=reference if is_ours else None,
        verification=None,
        is_hint=event == CHARGE_EVENT and is_ours,
    )


def refusal_of_flutterwave(envelope: dict[str, Any]) -> GatewayRejectedError:
    """Map the provider's refusal to our error."""
    return GatewayRejectedError(sentence_of(envelope))


def is_unpaid(refusal: GatewayRejectedError) -> bool:
    """Return whether there is no transaction yet: nothing was paid on the page."""
    return refusal.sentence.startswith(TRANSACTION_NOT_FOUND)
