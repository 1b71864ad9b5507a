"""The effect of a refund on a paid period. The caller moves the money."""

from dataclasses import dataclass
from datetime import datetime
from uuid import UUID

from api.foundation.core.errors import NotFoundError
from api.foundation.core.money import Kobo
from api.foundation.database.database import Transaction
from api.messaging.notifications.enums import NotificationKind
from api.messaging.notifications.service import notify
from api.money.subscriptions.repository import subscriptions
from api.people.users.service import account as users_account


@dataclass(frozen=True)
class RefundablePeriod:
    """A locked period; ``paid_by`` is the ledger's transfer, None for a free period."""

    id: UUID
    user_id: UUID
    plan: str
    paid_by: UUID | None
    amount_kobo: Kobo
    is_latest: bool
    ends_at: datetime


async def lock_for_refund(tx: Transaction, subscription_id: UUID) -> RefundablePeriod:
    """Lock a member's plans until commit, and return one of their periods.

    Raises:
        NotFoundError: there is no such period, or its member's account is deleted.
    """
    owner = await subscriptions.read_owner(tx, subscription_id)
    if owner is None or not await users_account.hold(tx, owner):
        raise NotFoundError
    await subscriptions.lock_member(tx, owner)
    row = await subscriptions.read_period(tx, subscription_id)
    if row is None:
        raise NotFoundError
    return RefundablePeriod(
        id=subscription_id,
        user_id=owner,
        plan=row.plan,
        paid_by=row.transfer_id,
        amount_kobo=row.amount_kobo,
        is_latest=row.replaced_at is None and row.ended_at is None,
        ends_at=row.ends_at,
    )


async def end_refunded(tx: Transaction, period: RefundablePeriod, now: datetime) -> None:
    """End a period now; a period that is already over is unchanged."""
    if not period.is_latest or period.ends_at <= now:
        return
    ended = {"replaced_at": now, "ended_at": now, "renews": False}
    await subscriptions.change_subscription(tx, period.id, ended)
    kind = NotificationKind.PLAN_ENDED
    await notify(tx, period.user_id, kind, period.id, now, plan=period.plan, ends_at=now)
