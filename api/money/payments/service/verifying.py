"""The state of a funding: verified for its member or payer, and announced once."""

from datetime import timedelta
from uuid import UUID

import structlog

from api.foundation.core import clock
from api.foundation.core.errors import NotFoundError
from api.foundation.database.database import Database
from api.money.payments import rules
from api.money.payments.enums import FundingState, Outcome
from api.money.payments.errors import GatewayUnavailableError
from api.money.payments.events import FundingDecided
from api.money.payments.repository import fundings
from api.money.payments.repository.fundings import StoredFunding
from api.money.payments.schemas import FundingOutcome
from api.money.payments.service.context import PaymentContext
from api.money.payments.service.settling import settle

log = structlog.get_logger(__name__)

MIN_CHECK_INTERVAL = timedelta(seconds=3)


async def verify_funding(context: PaymentContext, user_id: UUID, reference: str) -> FundingOutcome:
    """Return the state of a member's own funding; asks the provider at most every 3 seconds.

    Raises:
        NotFoundError: No such funding, or not this member's.
    """
    funding = await fundings.read_funding(context.database, reference)
    if funding is None or funding.user_id != user_id:
        raise NotFoundError
    state = await _ask_about(context, funding)
    if state in rules.DECIDED and funding.notified_at is None:
        await fundings.claim_notice(context.database, reference, clock.now())
    return FundingOutcome(status=_outcome(funding, state), amount=funding.amount_kobo)


async def return_from_checkout(context: PaymentContext, gateway: str, reference: str) -> Outcome:
    """Return the outcome for a returning payer; the address itself proves nothing.

    Raises:
        NotFoundError: No such gateway or funding.
    """
    funding = await fundings.read_funding(context.database, reference)
    if context.find_gateway(gateway) is None or funding is None or funding.gateway != gateway:
        raise NotFoundError
    return _outcome(funding, await _ask_about(context, funding))


def _outcome(funding: StoredFunding, state: FundingState) -> Outcome:
    return rules.outcome(state, is_cancelled=funding.cancelled_at is not None)


async def _ask_about(context: PaymentContext, funding: StoredFunding) -> FundingState:
    """Ask the provider about an undecided funding, unless it was asked a moment ago."""
    state = FundingState(funding.state)
    gateway = funding.gateway
    if state in rules.DECIDED or context.find_gateway(gateway) is None:
        return state
    reference = funding.reference
    if await fundings.claim_question(context.database, reference, MIN_CHECK_INTERVAL, clock.now()):
        try:
            verification = await context.verify(gateway, reference)
        except GatewayUnavailableError:
            log.warning("provider did not answer in time", reference=reference)
            return state
        return await settle(context, verification, gateway=gateway) or state
    fresh = await fundings.read_funding(context.database, reference)
    return FundingState(fresh.state) if fresh is not None else state


async def claim_notice(database: Database, reference: str) -> bool:
    """Return whether a decided funding is still to be announced to its member; True once."""
    return await fundings.claim_notice(database, reference, clock.now())


async def claim_notices(database: Database, user_id: UUID) -> list[FundingDecided]:
    """Return a member's unannounced decisions; each is returned once."""
    return [
        FundingDecided(
            reference=row.reference,
            user_id=row.user_id,
            amount_kobo=row.amount_kobo,
            state=FundingState(row.state),
        )
        for row in await fundings.claim_notices(database, user_id, clock.now())
    ]
