from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Any
from uuid import UUID

from sqlalchemy import func, select, update
from sqlalchemy.dialects.postgresql import insert

from api.foundation.core.money import Kobo
from api.foundation.database.database import Database, Transaction
from api.foundation.database.statements import Query
from api.money.subscriptions.enums import PlanPeriod
from api.money.subscriptions.models import Plan

PLAN = """
SELECT id, plan, amount_kobo, duration, period, benefits, battle_zone, hidden, position, version
  FROM plan
"""
INSERT_PRICE = """
INSERT INTO plan_price_change (plan_id, changed_at, amount_before_kobo) VALUES ($1, $2, $3)
ON CONFLICT DO NOTHING
"""


@dataclass(frozen=True)
class OfferedPlan:
    id: UUID
    plan: str
    amount_kobo: Kobo
    duration: int
    period: str
    benefits: list[str]
    battle_zone: bool


LIST_PLANS = Query(
    """
SELECT id, plan, amount_kobo, duration, period, benefits, battle_zone
  FROM plan WHERE NOT hidden ORDER BY position, id LIMIT 100
""",
    OfferedPlan,
)


@dataclass(frozen=True)
class StoredPlan(OfferedPlan):
    hidden: bool
    position: int
    version: int


LIST_ALL_PLANS = Query(
    f"{PLAN} WHERE $1::uuid IS NULL OR id < $1 ORDER BY id DESC LIMIT $2", StoredPlan
)
READ_PLAN = Query(f"{PLAN} WHERE id = $1", StoredPlan)
LOCK_PLAN = Query(f"{PLAN} WHERE id = $1 FOR UPDATE", StoredPlan)


@dataclass(frozen=True)
class PlanTerms:
    plan: str
    amount_kobo: Kobo
    duration: int
    period: PlanPeriod


async def list_plans(database: Database) -> Sequence[OfferedPlan]:
    """Return the plans on offer, in the order of their cards."""
    return await database.fetch_rows(LIST_PLANS)


async def list_all_plans(
    database: Database, before: UUID | None, limit: int
) -> Sequence[StoredPlan]:
    """Return plans, on offer or not, newest first."""
    return await database.fetch_rows(LIST_ALL_PLANS, before, limit)


async def read_plan(tx: Transaction, plan_id: UUID) -> StoredPlan | None:
    return await tx.fetch_row(READ_PLAN, plan_id)


async def lock_plan(tx: Transaction, plan_id: UUID) -> StoredPlan | None:
    return await tx.fetch_row(LOCK_PLAN, plan_id)


async def read_offered(tx: Transaction, plan_id: UUID) -> PlanTerms | None:
    """Return a plan, if it is on offer."""
    statement = select(Plan.plan, Plan.amount_kobo, Plan.duration, Plan.period).where(
        Plan.id == plan_id, Plan.hidden.is_(False)
    )
    return await tx.fetch_row(Query(statement, PlanTerms))


async def change_plan(tx: Transaction, plan_id: UUID, values: Mapping[str, Any]) -> None:
    """Update columns, and increase the version."""
    statement = update(Plan).where(Plan.id == plan_id)
    await tx.execute(statement.values(version=Plan.version + 1, **values))


async def insert_plan(tx: Transaction, plan_id: UUID, values: Mapping[str, Any]) -> bool:
    """Insert a plan, after the others unless a position is given.

    Returns False, and changes nothing, if its name is taken.
    """
    last = select(func.coalesce(func.max(Plan.position), -1) + 1).scalar_subquery()
    row = {"id": plan_id, "position": last, **values}
    statement = insert(Plan).values(**row).on_conflict_do_nothing()
    return await tx.fetch_value(statement.returning(Plan.id)) is not None


async def insert_price_change(
    tx: Transaction, plan_id: UUID, amount_before_kobo: Kobo, now: datetime
) -> None:
    await tx.execute(INSERT_PRICE, plan_id, now, amount_before_kobo)
