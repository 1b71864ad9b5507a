"""Notifications that a plan ends soon, while the member can still act."""

from datetime import datetime

from api.foundation.core import clock
from api.foundation.core.supervisor import Job
from api.foundation.database.database import Database, Transaction
from api.messaging.notifications.enums import NotificationKind
from api.messaging.notifications.rules.messages import Fact
from api.messaging.notifications.service import notify
from api.money.subscriptions import rules
from api.money.subscriptions.repository import subscriptions
from api.money.subscriptions.rules import LatestPeriod
from api.money.wallet.service import ledger

REMIND_SECONDS = 60.0
BATCH_SIZE = 100


async def remind_due(database: Database, now: datetime) -> int:
    """Notify members whose periods end soon, each once; return how many there were."""
    due = await subscriptions.list_ending(database, now, BATCH_SIZE)
    for user_id in due:
        async with database.transaction() as tx:
            await subscriptions.lock_member(tx, user_id)
            latest = await subscriptions.read_latest(tx, user_id)
            if latest is not None and latest.ended_at is None and latest.ends_at > now:
                await _remind(tx, latest, now)
                await _warn(tx, latest, now)
    return len(due)


def remind_job(database: Database) -> Job:
    """Return the job that sends reminders."""

    async def step() -> None:
        while await remind_due(database, clock.now()) == BATCH_SIZE:
            pass

    return Job(name="remind_plans", step=step, every_seconds=REMIND_SECONDS)


async def _remind(tx: Transaction, latest: LatestPeriod, now: datetime) -> None:
    """Remind a member three days before the end; shorter periods get no reminder."""
    is_long = latest.ends_at - latest.starts_at > rules.REMIND_BEFORE
    is_near = latest.ends_at <= now + rules.REMIND_BEFORE
    if latest.reminded_at is not None or not is_long or not is_near:
        return
    await subscriptions.change_subscription(tx, latest.id, {"reminded_at": now})
    will_renew = latest.renews and rules.can_renew(latest)
    kind = NotificationKind.PLAN_RENEWING if will_renew else NotificationKind.PLAN_ENDING
    facts: dict[str, Fact] = {"amount_kobo": latest.next_kobo} if will_renew else {}
    await _notify(tx, latest, kind, now, **facts)


async def _warn(tx: Transaction, latest: LatestPeriod, now: datetime) -> None:
    """Warn a member an hour before a renewal of what the wallet lacks for it."""
    is_near = latest.ends_at <= now + rules.WARN_BEFORE
    if latest.warned_at is not None or not latest.renews or not is_near:
        return
    await subscriptions.change_subscription(tx, latest.id, {"warned_at": now})
    missing = latest.next_kobo - await ledger.lock_balance(tx, latest.user_id)
    if rules.can_renew(latest) and missing > 0:
        kind = NotificationKind.PLAN_FUND_TO_KEEP
        await _notify(tx, latest, kind, now, missing_kobo=missing, amount_kobo=latest.next_kobo)


async def _notify(
    tx: Transaction, latest: LatestPeriod, kind: NotificationKind, now: datetime, **facts: Fact
) -> None:
    plan, ends_at = latest.plan, latest.ends_at
    await notify(tx, latest.user_id, kind, latest.id, now, plan=plan, ends_at=ends_at, **facts)
