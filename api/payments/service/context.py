"""What payments stands on, and how much of a member's day is left."""

from dataclasses import dataclass
from datetime import datetime
from uuid import UUID

from api.core import clock
from api.database.database import Database, Transaction
from api.payments import repository, rules
from api.payments.ports import PaymentGateway
from api.payments.rules import FundingLimits
from api.payments.schemas import CheckoutAddresses, FundingLimitsAnswer

PATIENCE_SECONDS = 8.0


@dataclass(frozen=True, kw_only=True)
class PaymentContext:
    """What payments stands on in one process.

    Attributes:
        callback_url: Where the provider sends the payer back to; from the settings, never from a
            request.
        checkout: Where the browser finds the sandbox; None with the real provider.
        patience_seconds: How long a member's question waits for the provider.
    """

    database: Database
    gateway: PaymentGateway
    limits: FundingLimits
    callback_url: str
    checkout: CheckoutAddresses | None = None
    patience_seconds: float = PATIENCE_SECONDS


async def read_limits(context: PaymentContext, user_id: UUID) -> FundingLimitsAnswer:
    """Return what a member may fund, and how much of it today."""
    now = clock.now()
    used_kobo = await repository.read_used_kobo(
        context.database, user_id, rules.day_started_at(now), rules.open_since(now)
    )
    return FundingLimitsAnswer(
        minimum=context.limits.minimum_kobo,
        maximum=context.limits.maximum_kobo,
        daily_maximum=context.limits.daily_maximum_kobo,
        remaining_today=context.limits.remaining_kobo(used_kobo),
    )


async def daily_refusal(
    context: PaymentContext, tx: Transaction, user_id: UUID, amount_kobo: int, now: datetime
) -> str | None:
    """Return why the member's day has no room for this amount, or None; under their lock."""
    used_kobo = await repository.read_used_kobo(
        tx, user_id, rules.day_started_at(now), rules.open_since(now)
    )
    return context.limits.daily_refusal(amount_kobo, used_kobo)
