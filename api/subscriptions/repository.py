"""SQL of the plans."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Any
from uuid import UUID

from sqlalchemy import func, select, update
from sqlalchemy.dialects.postgresql import insert

from api.core.money import Kobo
from api.database.database import Database, Transaction
from api.database.statements import Row
from api.subscriptions.models import Plan, Subscription

MEMBER_LOCK = 7_226_331_107  # any number, so that a member's lock here is nobody else's
LIST_PLANS = """
SELECT id, plan, amount_kobo, duration, period, benefits, battle_zone
  FROM plan WHERE NOT hidden ORDER BY position, id LIMIT 100
"""
READ_CURRENT = """
SELECT p.id AS plan_id, p.plan, p.battle_zone, s.starts_at, s.ends_at
  FROM subscription s JOIN plan p ON p.id = s.plan_id
 WHERE s.user_id = $1 AND s.replaced_at IS NULL AND s.ends_at > $2
"""
LOCK_MEMBER = "SELECT pg_advisory_xact_lock(hashtextextended($1, $2))"


@dataclass(frozen=True)
class NewSubscription:
    """A bought period; ``transfer_id`` paid it, None for a plan that costs nothing."""

    id: UUID
    user_id: UUID
    plan_id: UUID
    starts_at: datetime
    ends_at: datetime
    amount_kobo: Kobo
    transfer_id: UUID | None


async def list_plans(database: Database) -> Sequence[Row]:
    """Return the plans on offer, in the order of their cards."""
    return await database.fetch_rows(LIST_PLANS)


async def read_current(database: Database, user_id: UUID, now: datetime) -> Row | None:
    """Return the member's running subscription with its plan, or None."""
    return await database.fetch_row(READ_CURRENT, user_id, now)


async def lock_member(tx: Transaction, user_id: UUID) -> None:
    """Let nobody else change a member's subscriptions before this transaction ends."""
    await tx.execute(LOCK_MEMBER, str(user_id), MEMBER_LOCK)


async def read_offered(tx: Transaction, plan_id: UUID) -> Row | None:
    """Return a plan that is on offer, or None."""
    statement = select(Plan.plan, Plan.amount_kobo, Plan.duration, Plan.period).where(
        Plan.id == plan_id, Plan.hidden.is_(False)
    )
    return await tx.fetch_row(statement)


async def read_latest(tx: Transaction, user_id: UUID) -> Row | None:
    """Return a member's latest subscription, running or over, or None."""
    statement = select(Subscription.__table__).where(
        Subscription.user_id == user_id, Subscription.replaced_at.is_(None)
    )
    return await tx.fetch_row(statement)


async def had_for_nothing(tx: Transaction, user_id: UUID, plan_id: UUID) -> bool:
    """Say whether a member took a plan before that cost nothing."""
    statement = select(Subscription.id).where(
        Subscription.user_id == user_id,
        Subscription.plan_id == plan_id,
        Subscription.amount_kobo == 0,
    )
    return await tx.fetch_row(statement) is not None


async def change_replaced(tx: Transaction, subscription_id: UUID, replaced_at: datetime) -> None:
    """End a subscription, so that it is not the latest any more."""
    statement = update(Subscription).where(Subscription.id == subscription_id)
    await tx.execute(statement.values(replaced_at=replaced_at))


async def insert_plan(tx: Transaction, plan_id: UUID, values: Mapping[str, Any]) -> bool:
    """Insert a plan behind the others; return False, and change nothing, when one has its name."""
    last = select(func.coalesce(func.max(Plan.position), -1) + 1).scalar_subquery()
    statement = insert(Plan).values(id=plan_id, position=last, **values).on_conflict_do_nothing()
    return await tx.fetch_row(statement.returning(Plan.id)) is not None


async def insert_subscription(tx: Transaction, bought: NewSubscription) -> None:
    """Insert what becomes the member's latest subscription."""
    await tx.execute(insert(Subscription).values(**vars(bought)))
