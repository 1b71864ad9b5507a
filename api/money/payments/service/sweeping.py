"""The sweep: checks undecided fundings until they are decided or expire."""

import structlog

from api.foundation.core import clock
from api.foundation.core.errors import DatabaseUnavailableError, DomainError
from api.foundation.core.supervisor import Job
from api.money.payments import rules
from api.money.payments.enums import FundingState
from api.money.payments.errors import GatewayUnavailableError
from api.money.payments.repository import fundings, undecided
from api.money.payments.repository.undecided import DueFunding
from api.money.payments.service.context import PaymentContext
from api.money.payments.service.settling import announce, settle

log = structlog.get_logger(__name__)

SWEEP_BATCH = 50
SWEEP_INTERVAL_SECONDS = 60.0


async def sweep(context: PaymentContext) -> int:
    """Check the undecided fundings that are due; return how many were checked.

    This finds payments whose webhook was lost: the provider reports only success, and retries only
    for so long.
    """
    async with context.database.transaction() as tx:
        offered = [guard.gateway.name for guard in context.gateways]
        due = await undecided.claim_due(tx, offered, SWEEP_BATCH, clock.now())
    for row in due:
        try:
            guard = context.require_gateway(row.gateway)
            verification = await guard.gateway.verify(row.reference)
            await settle(context, verification, gateway=row.gateway)
        except GatewayUnavailableError:
            continue
        except DatabaseUnavailableError:
            raise
        except DomainError as refusal:
            # A funding that the ledger refuses does not stop the sweep.
            log.exception("funding not settled", reference=row.reference, code=refusal.code)
        await _plan_next(context, row)
    return len(due)


async def _plan_next(context: PaymentContext, row: DueFunding) -> None:
    next_check_at = rules.next_check_at(row.created_at, clock.now())
    async with context.database.transaction() as tx:
        if next_check_at is not None:
            await undecided.change_next_check(tx, row.reference, next_check_at)
            return
        funding = await fundings.lock_funding(tx, row.gateway, row.reference)
        if funding is None or FundingState(funding.state) in rules.DECIDED:
            return
        await fundings.change_state(tx, row.reference, FundingState.EXPIRED)
        if FundingState(funding.state) is FundingState.PENDING and funding.cancelled_at is None:
            announce(tx, funding, FundingState.EXPIRED)


def sweep_job(context: PaymentContext) -> Job:
    """Return the job that runs the sweep."""

    async def step() -> None:
        await sweep(context)

    return Job(name="payment_sweep", step=step, every_seconds=SWEEP_INTERVAL_SECONDS)
