"""Dependencies of payments, and what is left of a member's daily limit."""

import asyncio
from dataclasses import dataclass
from datetime import datetime
from uuid import UUID

from api.foundation.core import clock
from api.foundation.database.database import Database, Transaction
from api.money.payments import rules
from api.money.payments.errors import GatewayUnavailableError
from api.money.payments.ports import PaymentGateway, Verification
from api.money.payments.repository import fundings
from api.money.payments.rules import FundingLimits
from api.money.payments.schemas import CheckoutAddresses, FundingLimitsAnswer, OfferedGateway

TIMEOUT_SECONDS = 8.0


@dataclass(frozen=True, kw_only=True)
class GatewayGuard:
    """One gateway that members may pay through.

    Attributes:
        callback_url: Where it sends the payer back to; from the settings, never from a request.
        checkout: Where the browser finds its sandbox; None with the real provider.
    """

    gateway: PaymentGateway
    callback_url: str
    checkout: CheckoutAddresses | None = None


@dataclass(frozen=True, kw_only=True)
class PaymentContext:
    """Dependencies of payments in one process.

    Attributes:
        gateway: The default one, with its ``callback_url`` and ``checkout``.
        more: The other gateways that are offered.
        timeout_seconds: How long a member's request waits for the provider.
    """

    database: Database
    gateway: PaymentGateway
    limits: FundingLimits
    callback_url: str
    checkout: CheckoutAddresses | None = None
    more: tuple[GatewayGuard, ...] = ()
    timeout_seconds: float = TIMEOUT_SECONDS

    @property
    def gateways(self) -> tuple[GatewayGuard, ...]:
        """All gateways that are offered, the default one first."""
        default = GatewayGuard(
            gateway=self.gateway, callback_url=self.callback_url, checkout=self.checkout
        )
        return (default, *self.more)

    def find_gateway(self, name: str) -> GatewayGuard | None:
        """Return the gateway of this name, or None if it is not offered."""
        return next((guard for guard in self.gateways if guard.gateway.name == name), None)

    def require_gateway(self, name: str) -> GatewayGuard:
        """Return the gateway; one no longer offered is a ``GatewayUnavailableError``."""
        guard = self.find_gateway(name)
        if guard is None:
            raise GatewayUnavailableError
        return guard

    async def verify(self, gateway: str, reference: str) -> Verification:
        """Ask a funding's own gateway for its state, within ``timeout_seconds``.

        Raises:
            GatewayUnavailableError: it does not answer in time, or is no longer offered.
        """
        guard = self.require_gateway(gateway)
        try:
            async with asyncio.timeout(self.timeout_seconds):
                return await guard.gateway.verify(reference)
        except TimeoutError as error:
            raise GatewayUnavailableError from error

    async def aclose(self) -> None:
        """Close the connections to all gateways."""
        for guard in self.gateways:
            await guard.gateway.aclose()


async def read_limits(context: PaymentContext, user_id: UUID) -> FundingLimitsAnswer:
    """Return the funding limits, what is left of today's, and the gateways."""
    now = clock.now()
    used_kobo = await fundings.read_used_kobo(
        context.database, user_id, rules.day_started_at(now), rules.open_since(now)
    )
    offered = [guard.gateway for guard in context.gateways]
    return FundingLimitsAnswer(
        minimum=context.limits.minimum_kobo,
        maximum=context.limits.maximum_kobo,
        daily_maximum=context.limits.daily_maximum_kobo,
        remaining_today=context.limits.remaining_kobo(used_kobo),
        gateways=[OfferedGateway(name=each.name, title=each.title) for each in offered],
    )


async def daily_refusal(
    context: PaymentContext, tx: Transaction, user_id: UUID, amount_kobo: int, now: datetime
) -> str | None:
    """Return why the member's day has no room for this amount, or None; under their lock."""
    used_kobo = await fundings.read_used_kobo(
        tx, user_id, rules.day_started_at(now), rules.open_since(now)
    )
    return context.limits.daily_refusal(amount_kobo, used_kobo)
