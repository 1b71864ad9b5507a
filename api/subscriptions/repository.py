"""SQL of the plans."""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import cast
from uuid import UUID

from sqlalchemy import insert, select, text, update

from api.core.money import Kobo
from api.database.database import Database, Row, UnitOfWork
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
LOCK_MEMBER = text("SELECT pg_advisory_xact_lock(hashtextextended(:user_id, :lock))")


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


async def lock_member(unit: UnitOfWork, user_id: UUID) -> None:
    """Let nobody else change a member's subscriptions before this transaction ends."""
    await unit.connection.execute(LOCK_MEMBER, {"user_id": str(user_id), "lock": MEMBER_LOCK})


async def read_offered(unit: UnitOfWork, plan_id: UUID) -> Row | None:
    """Return a plan that is on offer, or None."""
    statement = select(Plan.plan, Plan.amount_kobo, Plan.duration, Plan.period).where(
        Plan.id == plan_id, Plan.hidden.is_(False)
    )
    return cast("Row | None", (await unit.connection.execute(statement)).mappings().first())


async def read_latest(unit: UnitOfWork, user_id: UUID) -> Row | None:
    """Return a member's latest subscription, running or over, or None."""
    statement = select(Subscription.__table__).where(
        Subscription.user_id == user_id, Subscription.replaced_at.is_(None)
    )
    return cast("Row | None", (await unit.connection.execute(statement)).mappings().first())


async def had_for_nothing(unit: UnitOfWork, user_id: UUID, plan_id: UUID) -> bool:
    """Say whether a member took a plan before that cost nothing."""
    statement = select(Subscription.id).where(
        Subscription.user_id == user_id,
        Subscription.plan_id == plan_id,
        Subscription.amount_kobo == 0,
    )
    return (await unit.connection.execute(statement)).first() is not None


async def change_replaced(unit: UnitOfWork, subscription_id: UUID, replaced_at: datetime) -> None:
    """End a subscription, so that it is not the latest any more."""
    statement = update(Subscription).where(Subscription.id == subscription_id)
    await unit.connection.execute(statement.values(replaced_at=replaced_at))


async def insert_subscription(unit: UnitOfWork, bought: NewSubscription) -> None:
    """Insert what becomes the member's latest subscription."""
    await unit.connection.execute(insert(Subscription).values(**vars(bought)))
