"""SQL of subscriptions."""

from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import Any
from uuid import UUID

from sqlalchemy import func, select, update
from sqlalchemy.dialects.postgresql import insert

from api.foundation.core.money import Kobo
from api.foundation.database.database import Database, Runner, Transaction
from api.foundation.database.locks import AdvisoryLock
from api.foundation.database.statements import Row
from api.foundation.security.members import SUSPENDED_AT
from api.money.subscriptions.models import Plan, Subscription
from api.money.subscriptions.rules import PRICE_NOTICE, REMIND_BEFORE, RETRY_INTERVAL, WARN_BEFORE

NOTHING = Kobo(0)
LIST_PLANS = """
SELECT id, plan, amount_kobo, duration, period, benefits, battle_zone
  FROM plan WHERE NOT hidden ORDER BY position, id LIMIT 100
"""
PRICE_AT = """coalesce((SELECT c.amount_before_kobo FROM plan_price_change c
             WHERE c.plan_id = p.id AND c.changed_at > {} ORDER BY c.changed_at LIMIT 1),
           p.amount_kobo)"""
KNOWN = "coalesce(s.priced_at, s.starts_at)"
PERIODS = f"""
SELECT s.*, p.plan, p.battle_zone, p.hidden, p.amount_kobo AS plan_kobo, p.duration, p.period,
       {PRICE_AT.format(KNOWN)} AS known_kobo,
       {PRICE_AT.format(f"greatest({KNOWN}, s.ends_at - $2::interval)")} AS next_kobo,
       (SELECT max(c.changed_at) FROM plan_price_change c WHERE c.plan_id = p.id) AS changed_at
  FROM subscription s JOIN plan p ON p.id = s.plan_id
"""  # noqa: S608 our own words
READ_LATEST = f"{PERIODS} WHERE s.user_id = $1 AND s.replaced_at IS NULL"
LIST_LATEST = f"{PERIODS} WHERE s.user_id = ANY ($1) AND s.replaced_at IS NULL"
READ_PERIOD = f"{PERIODS} WHERE s.id = $1"
READ_OWNER = "SELECT user_id FROM subscription WHERE id = $1"
LIST_RENEWING = f"""{PERIODS}
 WHERE s.plan_id = $1 AND s.replaced_at IS NULL AND s.ended_at IS NULL AND s.renews
 ORDER BY s.id
"""
LIST_PERIODS = """
SELECT s.*, p.plan FROM subscription s JOIN plan p ON p.id = s.plan_id
 WHERE s.user_id = $1 AND ($2::uuid IS NULL OR s.id < $2) ORDER BY s.id DESC LIMIT $3
"""
LIST_PAID_BY = """
SELECT s.id, s.transfer_id, p.plan FROM subscription s JOIN plan p ON p.id = s.plan_id
 WHERE s.transfer_id = ANY($1)
"""
LIST_DUE = """
SELECT s.user_id FROM subscription s LEFT JOIN ledger_account a ON a.owner_id = s.user_id
 WHERE s.replaced_at IS NULL AND s.ended_at IS NULL AND s.ends_at <= $1
   AND (NOT s.renews OR s.ends_at + s.renewal_tries * $2::interval <= $1
        OR a.balance_kobo >= s.wanted_kobo)
 ORDER BY s.ends_at LIMIT $3
"""
LIST_ENDING = """
SELECT user_id FROM subscription
 WHERE replaced_at IS NULL AND ended_at IS NULL AND ends_at > $1 AND ends_at <= $1 + $2::interval
   AND (reminded_at IS NULL AND ends_at - starts_at > $2
        OR warned_at IS NULL AND renews AND ends_at <= $1 + $3::interval)
 ORDER BY ends_at LIMIT $4
"""
PLAN = """
SELECT id, plan, amount_kobo, duration, period, benefits, battle_zone, hidden, position, version
  FROM plan
"""
LIST_ALL_PLANS = f"{PLAN} WHERE $1::uuid IS NULL OR id < $1 ORDER BY id DESC LIMIT $2"
READ_PLAN = f"{PLAN} WHERE id = $1"
LOCK_PLAN = f"{READ_PLAN} FOR UPDATE"
INSERT_PRICE = """
INSERT INTO plan_price_change (plan_id, changed_at, amount_before_kobo) VALUES ($1, $2, $3)
ON CONFLICT DO NOTHING
"""
IS_SUSPENDED = f"SELECT {SUSPENDED_AT} IS NOT NULL FROM user_account u WHERE u.id = $1"  # noqa: S608
# A period that waits for payment counts for as long as ``current_plan_id`` counts it.
LIST_HAD_PLAN = """
SELECT one.user_id, one.at FROM unnest($1::uuid[], $2::timestamptz[]) AS one (user_id, at)
 WHERE EXISTS (
   SELECT FROM subscription s
    WHERE s.user_id = one.user_id AND s.starts_at <= one.at
      AND one.at < least(s.replaced_at, s.ended_at,
                         s.ends_at + CASE WHEN s.renews THEN $3::interval ELSE '0' END))
"""
LOCK_MEMBER = "SELECT pg_advisory_xact_lock(hashtextextended($1, $2))"


@dataclass(frozen=True)
class NewSubscription:
    """A new period; ``transfer_id`` paid for it, None for a free one."""

    id: UUID
    user_id: UUID
    plan_id: UUID
    starts_at: datetime
    ends_at: datetime
    amount_kobo: Kobo
    transfer_id: UUID | None
    is_gift: bool = False
    renews: bool = False
    first_starts_at: datetime | None = None
    priced_at: datetime | None = None


async def list_plans(database: Database) -> Sequence[Row]:
    """Return the plans on offer, in the order of their cards."""
    return await database.fetch_rows(LIST_PLANS)


async def read_latest(runner: Runner, user_id: UUID) -> Row | None:
    """Return a member's latest period, running or over, or None.

    Includes its plan's current price (``plan_kobo``), the price of this period (``known_kobo``),
    the price of the next one (``next_kobo``), and when the price last changed.
    """
    return await runner.fetch_row(READ_LATEST, user_id, PRICE_NOTICE)


async def list_latest(tx: Transaction, user_ids: Collection[UUID]) -> Sequence[Row]:
    """Return the latest periods of those members who have one; rows as in ``read_latest``."""
    return await tx.fetch_rows(LIST_LATEST, list(user_ids), PRICE_NOTICE)


async def list_had_plan(
    runner: Runner, moments: Iterable[tuple[UUID, datetime]], grace: timedelta
) -> set[tuple[UUID, datetime]]:
    """Return which of these members were on a plan at the given moment."""
    pairs = list(moments)
    user_ids, ats = [user_id for user_id, _ in pairs], [at for _, at in pairs]
    rows = await runner.fetch_rows(LIST_HAD_PLAN, user_ids, ats, grace)
    return {(row["user_id"], row["at"]) for row in rows}


async def read_owner(tx: Transaction, subscription_id: UUID) -> UUID | None:
    """Return the member that a period belongs to."""
    owner: UUID | None = await tx.fetch_value(READ_OWNER, subscription_id)
    return owner


async def read_period(tx: Transaction, subscription_id: UUID) -> Row | None:
    """Return a period with its plan; the row as in ``read_latest``."""
    return await tx.fetch_row(READ_PERIOD, subscription_id, PRICE_NOTICE)


async def list_periods(
    database: Database, user_id: UUID, before: UUID | None, limit: int
) -> Sequence[Row]:
    """Return a member's periods before one, newest first."""
    return await database.fetch_rows(LIST_PERIODS, user_id, before, limit)


async def list_renewing(tx: Transaction, plan_id: UUID) -> Sequence[Row]:
    """Return the latest periods of a plan that renew; rows as in ``read_latest``."""
    return await tx.fetch_rows(LIST_RENEWING, plan_id, PRICE_NOTICE)


async def list_due(database: Database, now: datetime, limit: int) -> list[UUID]:
    """Return the members whose periods are due to be renewed, retried or ended."""
    return [
        row["user_id"] for row in await database.fetch_rows(LIST_DUE, now, RETRY_INTERVAL, limit)
    ]


async def list_ending(database: Database, now: datetime, limit: int) -> list[UUID]:
    """Return the members whose periods end soon and who were not notified of it."""
    rows = await database.fetch_rows(LIST_ENDING, now, REMIND_BEFORE, WARN_BEFORE, limit)
    return [row["user_id"] for row in rows]


async def is_suspended(tx: Transaction, user_id: UUID) -> bool:
    """Return whether a member is suspended."""
    return bool(await tx.fetch_value(IS_SUSPENDED, user_id))


async def list_all_plans(database: Database, before: UUID | None, limit: int) -> Sequence[Row]:
    """Return plans, on offer or not, newest first."""
    return await database.fetch_rows(LIST_ALL_PLANS, before, limit)


async def read_plan(tx: Transaction, plan_id: UUID) -> Row | None:
    """Return a plan, on offer or not, or None."""
    return await tx.fetch_row(READ_PLAN, plan_id)


async def lock_plan(tx: Transaction, plan_id: UUID) -> Row | None:
    """Lock and return a plan, or None."""
    return await tx.fetch_row(LOCK_PLAN, plan_id)


async def change_plan(tx: Transaction, plan_id: UUID, values: Mapping[str, Any]) -> None:
    """Set columns of a plan, and raise its version."""
    statement = update(Plan).where(Plan.id == plan_id)
    await tx.execute(statement.values(version=Plan.version + 1, **values))


async def insert_price_change(
    tx: Transaction, plan_id: UUID, amount_before_kobo: Kobo, now: datetime
) -> None:
    """Record a plan's price before a change."""
    await tx.execute(INSERT_PRICE, plan_id, now, amount_before_kobo)


async def lock_member(tx: Transaction, user_id: UUID) -> None:
    """Lock a member's subscriptions until commit."""
    await tx.execute(LOCK_MEMBER, str(user_id), AdvisoryLock.SUBSCRIPTION_OF_MEMBER)


async def read_offered(tx: Transaction, plan_id: UUID) -> Row | None:
    """Return a plan that is on offer, or None."""
    statement = select(Plan.plan, Plan.amount_kobo, Plan.duration, Plan.period).where(
        Plan.id == plan_id, Plan.hidden.is_(False)
    )
    return await tx.fetch_row(statement)


async def has_taken_free(tx: Transaction, user_id: UUID, plan_id: UUID) -> bool:
    """Return whether a member has already taken a free plan."""
    statement = select(Subscription.id).where(
        Subscription.user_id == user_id,
        Subscription.plan_id == plan_id,
        Subscription.amount_kobo == 0,
        Subscription.is_gift.is_(False),
    )
    return await tx.fetch_row(statement) is not None


async def change_replaced(
    tx: Transaction, subscription_id: UUID, replaced_at: datetime, credited_kobo: Kobo = NOTHING
) -> None:
    """Set ``replaced_at``, so that the subscription is no longer the latest."""
    values = {"replaced_at": replaced_at, "credited_kobo": credited_kobo}
    await change_subscription(tx, subscription_id, values)


async def change_subscription(
    tx: Transaction, subscription_id: UUID, values: Mapping[str, Any]
) -> None:
    """Update columns of a period."""
    statement = update(Subscription).where(Subscription.id == subscription_id)
    await tx.execute(statement.values(**values))


async def insert_plan(tx: Transaction, plan_id: UUID, values: Mapping[str, Any]) -> bool:
    """Insert a plan, after the others unless a position is given.

    Returns False, and changes nothing, if its name is taken.
    """
    last = select(func.coalesce(func.max(Plan.position), -1) + 1).scalar_subquery()
    row = {"id": plan_id, "position": last, **values}
    statement = insert(Plan).values(**row).on_conflict_do_nothing()
    return await tx.fetch_row(statement.returning(Plan.id)) is not None


async def insert_subscription(tx: Transaction, bought: NewSubscription) -> None:
    """Insert a subscription that becomes the member's latest."""
    await tx.execute(insert(Subscription).values(**vars(bought)))


async def list_paid_by(database: Database, transfer_ids: Sequence[UUID]) -> Sequence[Row]:
    """Return the periods that these transfers paid for, with their plans' names."""
    return await database.fetch_rows(LIST_PAID_BY, transfer_ids)
