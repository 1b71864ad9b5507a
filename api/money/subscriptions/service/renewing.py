"""Renewals: the member's choice, the charge at the end, grace, and the end."""

from datetime import datetime
from uuid import UUID

import structlog

from api.foundation.core import clock
from api.foundation.core.errors import DatabaseUnavailableError, DomainError
from api.foundation.core.ids import new_id
from api.foundation.core.money import Kobo
from api.foundation.core.supervisor import Job
from api.foundation.database.database import Database, Transaction
from api.messaging.notifications.enums import NotificationKind
from api.messaging.notifications.service import notify
from api.money.subscriptions import rules
from api.money.subscriptions.enums import PlanStanding
from api.money.subscriptions.errors import (
    NoCurrentPlanError,
    PlanCannotRenewError,
    PlanNotOnOfferError,
)
from api.money.subscriptions.repository import subscriptions
from api.money.subscriptions.rules import LatestPeriod
from api.money.subscriptions.schemas import CurrentPlan
from api.money.subscriptions.service.member_plans import current_plan
from api.money.wallet.enums import TransferKind
from api.money.wallet.service import ledger
from api.people.users.service import account as users_account

log = structlog.get_logger(__name__)

RENEW_SECONDS = 10.0
BATCH_SIZE = 100


async def set_renewal(
    database: Database, user_id: UUID, *, renews: bool, now: datetime
) -> CurrentPlan:
    """Turn a member's automatic renewal on or off; turned off in grace, the plan ends at once.

    Raises:
        PlanCannotRenewError: it is free.
    """
    async with database.transaction() as tx:
        await subscriptions.lock_member(tx, user_id)
        latest = await subscriptions.read_latest(tx, user_id)
        state = rules.plan_state(latest, now)
        if latest is None or state is PlanStanding.NONE:
            raise NoCurrentPlanError
        if renews and latest.plan_kobo == 0:
            raise PlanCannotRenewError
        if renews and latest.hidden:
            raise PlanNotOnOfferError
        if renews != latest.renews:
            await subscriptions.change_subscription(tx, latest.id, {"renews": renews})
            if state is PlanStanding.GRACE:
                await _end(tx, latest, now)
    return await current_plan(database, user_id, now)


async def renew_due(database: Database, now: datetime) -> int:
    """Renew, retry or end the periods that are over at ``now``; return how many were due.

    Each runs in its own transaction under its member's lock, and skips what another worker has done
    meanwhile. A refused renewal does not block the others; it is retried. When the database is
    unavailable, the rest is not processed.

    Raises:
        DatabaseUnavailableError: the remaining periods were not processed.
    """
    due = await subscriptions.list_due(database, now, BATCH_SIZE)
    done = 0
    for user_id in due:
        try:
            async with database.transaction() as tx:
                await subscriptions.lock_member(tx, user_id)
                latest = await subscriptions.read_latest(tx, user_id)
                if latest is not None and latest.ended_at is None and latest.ends_at <= now:
                    await _process_due(tx, latest, now)
            done += 1
        except DatabaseUnavailableError:
            raise
        except DomainError as refusal:
            log.exception("plan not renewed", user_id=str(user_id), code=refusal.code)
    return done


def renew_job(database: Database) -> Job:
    """Return the job that renews plans."""

    async def step() -> None:
        while await renew_due(database, clock.now()) == BATCH_SIZE:
            pass

    return Job(name="renew_plans", step=step, every_seconds=RENEW_SECONDS)


async def _process_due(tx: Transaction, latest: LatestPeriod, now: datetime) -> None:
    """Renew a period that is over, or update its state; its member is locked."""
    user_id, price = latest.user_id, latest.next_kobo
    is_waited_for = rules.plan_state(latest, now) is PlanStanding.GRACE and rules.can_renew(latest)
    is_here = await users_account.hold(tx, user_id) and not await subscriptions.is_suspended(
        tx, user_id
    )
    if not is_waited_for or not is_here:
        await _end(tx, latest, now)
    elif await ledger.lock_balance(tx, user_id) >= price:
        await _renew(tx, latest, price, now)
    elif latest.ends_at + latest.renewal_tries * rules.RETRY_INTERVAL <= now:
        await _record_failure(tx, latest, price, now)


async def _renew(tx: Transaction, latest: LatestPeriod, price: Kobo, now: datetime) -> None:
    """Charge the price and start the next period where the last one ended.

    The reference names the last period, so it is charged at most once.
    """
    user_id, renewed_id = latest.user_id, new_id()
    transfer_id = await ledger.debit(
        tx,
        user_id,
        price,
        kind=TransferKind.SUBSCRIPTION,
        reference=f"renew:{latest.id}",
    )
    await subscriptions.change_replaced(tx, latest.id, latest.ends_at)
    ends_at = rules.renewed_until(latest)
    await subscriptions.insert_subscription(
        tx,
        subscriptions.NewSubscription(
            renewed_id,
            user_id,
            latest.plan_id,
            latest.ends_at,
            ends_at,
            price,
            transfer_id,
            renews=True,
            first_starts_at=latest.first_starts_at or latest.starts_at,
            priced_at=rules.priced_at(latest),
        ),
    )
    await notify(
        tx,
        user_id,
        NotificationKind.PLAN_RENEWED,
        renewed_id,
        now,
        plan=latest.plan,
        amount_kobo=price,
        ends_at=ends_at,
    )


async def _record_failure(
    tx: Transaction, latest: LatestPeriod, price: Kobo, now: datetime
) -> None:
    """Record that the wallet does not hold the price; the first failure notifies the member."""
    tries = {"renewal_tries": latest.renewal_tries + 1, "wanted_kobo": price}
    await subscriptions.change_subscription(tx, latest.id, tries)
    await notify(
        tx,
        latest.user_id,
        NotificationKind.PLAN_GRACE,
        latest.id,
        now,
        plan=latest.plan,
        amount_kobo=price,
        grace_ends_at=latest.ends_at + rules.GRACE,
    )


async def _end(tx: Transaction, latest: LatestPeriod, now: datetime) -> None:
    await subscriptions.change_subscription(tx, latest.id, {"ended_at": now})
    await notify(
        tx,
        latest.user_id,
        NotificationKind.PLAN_ENDED,
        latest.id,
        now,
        plan=latest.plan,
        ends_at=latest.ends_at,
    )
