"""Sweeping up: undecided fundings are asked about until they are decided or given up."""

import structlog

from api.core import clock
from api.core.errors import DatabaseUnavailableError, DomainError
from api.core.supervisor import Job
from api.database.statements import Row
from api.payments import repository, rules
from api.payments.enums import FundingState
from api.payments.errors import GatewayUnavailableError
from api.payments.service.context import PaymentContext
from api.payments.service.settling import announce, settle

log = structlog.get_logger(__name__)

SWEEP_BATCH = 50
SWEEP_PAUSE_SECONDS = 60.0


async def sweep(context: PaymentContext) -> int:
    """Ask about undecided fundings whose time has come; return how many were asked about.

    This is what finds payments whose webhook was lost: the provider reports only success, and
    only for so long.
    """
    async with context.database.transaction() as tx:
        offered = [door.gateway.name for door in context.doors]
        due = await repository.claim_due(tx, offered, SWEEP_BATCH, clock.now())
    for row in due:
        try:
            door = context.require_gateway(row["gateway"])
            verification = await door.gateway.verify(row["reference"])
            await settle(context, verification, gateway=row["gateway"])
        except GatewayUnavailableError:
            continue
        except DatabaseUnavailableError:
            raise
        except DomainError as refusal:
            # One that the ledger refuses keeps nobody else's from being found.
            log.exception("funding not settled", reference=row["reference"], code=refusal.code)
        await _plan_next(context, row)
    return len(due)


async def _plan_next(context: PaymentContext, row: Row) -> None:
    """Set when to ask again, or give the funding up after the last time."""
    next_check_at = rules.next_check_at(row["created_at"], clock.now())
    async with context.database.transaction() as tx:
        if next_check_at is not None:
            await repository.change_next_check(tx, row["reference"], next_check_at)
            return
        funding = await repository.lock_funding(tx, row["gateway"], row["reference"])
        if funding is None or FundingState(funding["state"]) in rules.DECIDED:
            return
        await repository.change_state(tx, row["reference"], FundingState.EXPIRED)
        if (
            FundingState(funding["state"]) is FundingState.PENDING
            and funding["cancelled_at"] is None
        ):
            announce(tx, funding, FundingState.EXPIRED)


def sweep_job(context: PaymentContext) -> Job:
    """Return what sweeps again and again."""

    async def step() -> None:
        await sweep(context)

    return Job(name="payment_sweep", step=step, every_seconds=SWEEP_PAUSE_SECONDS)
