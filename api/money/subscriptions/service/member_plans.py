"""A member's current and past plans."""

from collections.abc import Iterable
from datetime import datetime
from uuid import UUID

from api.foundation.database.database import Database, Runner
from api.money.subscriptions import rules
from api.money.subscriptions.enums import PlanStanding
from api.money.subscriptions.repository import subscriptions
from api.money.subscriptions.rules import LatestPeriod
from api.money.subscriptions.schemas import ComingPrice, CurrentPlan, PeriodAnswer

NO_PLAN = CurrentPlan(
    is_battle_zone_plan=False,
    subscription_id=None,
    plan=None,
    starts_at=None,
    ends_at=None,
    state=PlanStanding.NONE,
    renews=False,
    grace_ends_at=None,
    gift=False,
    next_amount=None,
    price_change=None,
)


async def current_plan(database: Database, user_id: UUID, now: datetime) -> CurrentPlan:
    """Return a member's plan at ``now``; expiry is computed, no job has to run."""
    row = await subscriptions.read_latest(database, user_id)
    state = rules.plan_state(row, now)
    if row is None or state is PlanStanding.NONE:
        return NO_PLAN
    can_renew = rules.can_renew(row)
    is_in_grace = state is PlanStanding.GRACE
    return CurrentPlan(
        is_battle_zone_plan=row.battle_zone,
        subscription_id=row.plan_id,
        plan=row.plan,
        starts_at=row.starts_at,
        ends_at=row.ends_at,
        state=state,
        renews=row.renews,
        grace_ends_at=row.ends_at + rules.GRACE if is_in_grace else None,
        gift=row.is_gift,
        next_amount=row.next_kobo if can_renew else None,
        price_change=_coming_price(row) if can_renew else None,
    )


async def had_plan(
    runner: Runner, moments: Iterable[tuple[UUID, datetime]]
) -> set[tuple[UUID, datetime]]:
    """Return which of these members were on a plan at their moment."""
    return await subscriptions.list_had_plan(runner, moments, rules.GRACE)


async def list_periods(
    database: Database, user_id: UUID, now: datetime, *, before: UUID | None, limit: int
) -> list[PeriodAnswer]:
    """Return a member's periods, newest first."""
    return [
        PeriodAnswer(
            id=row.id,
            subscription_id=row.plan_id,
            plan=row.plan,
            amount=row.amount_kobo,
            starts_at=row.starts_at,
            ends_at=row.ends_at,
            state=rules.state_of(row, now),
            renews=row.renews and row.replaced_at is None,
            gift=row.is_gift,
            credited=row.credited_kobo,
        )
        for row in await subscriptions.list_periods(database, user_id, before, limit)
    ]


def _coming_price(row: LatestPeriod) -> ComingPrice | None:
    changes_at = rules.price_changes_at(row)
    if changes_at is None:
        return None
    return ComingPrice(amount=row.plan_kobo, from_=changes_at)
