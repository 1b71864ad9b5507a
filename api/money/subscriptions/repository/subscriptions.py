from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import Any
from uuid import UUID

from sqlalchemy import select, update
from sqlalchemy.dialects.postgresql import insert

from api.foundation.core.money import Kobo
from api.foundation.database.database import Database, Runner, Transaction
from api.foundation.database.locks import AdvisoryLock
from api.foundation.database.statements import Query
from api.foundation.security.members import SUSPENDED_AT
from api.money.subscriptions.models import Subscription
from api.money.subscriptions.rules import (
    PRICE_NOTICE,
    REMIND_BEFORE,
    RETRY_INTERVAL,
    WARN_BEFORE,
    LatestPeriod,
    PeriodRow,
)

NOTHING = Kobo(0)
PRICE_AT = """coalesce((SELECT c.amount_before_kobo FROM plan_price_change c
             WHERE c.plan_id = p.id AND c.changed_at > {} ORDER BY c.changed_at LIMIT 1),
           p.amount_kobo)"""
KNOWN = "coalesce(s.priced_at, s.starts_at)"
PERIODS = f"""
SELECT s.id, s.user_id, s.plan_id, s.starts_at, s.ends_at, s.amount_kobo, s.transfer_id,
       s.replaced_at, s.credited_kobo, s.is_gift, s.renews, s.first_starts_at, s.priced_at,
       s.renewal_tries, s.reminded_at, s.warned_at, s.ended_at, p.plan, p.battle_zone,
       p.hidden, p.amount_kobo AS plan_kobo, p.duration, p.period,
       {PRICE_AT.format(KNOWN)} AS known_kobo,
       {PRICE_AT.format(f"greatest({KNOWN}, s.ends_at - $2::interval)")} AS next_kobo,
       (SELECT max(c.changed_at) FROM plan_price_change c WHERE c.plan_id = p.id) AS changed_at
  FROM subscription s JOIN plan p ON p.id = s.plan_id
"""  # noqa: S608 our own words
READ_OWNER = "SELECT user_id FROM subscription WHERE id = $1"
IS_SUSPENDED = f"SELECT {SUSPENDED_AT} IS NOT NULL FROM user_account u WHERE u.id = $1"  # noqa: S608
LOCK_MEMBER = "SELECT pg_advisory_xact_lock(hashtextextended($1, $2))"
READ_LATEST = Query(f"{PERIODS} WHERE s.user_id = $1 AND s.replaced_at IS NULL", LatestPeriod)
LIST_LATEST = Query(f"{PERIODS} WHERE s.user_id = ANY ($1) AND s.replaced_at IS NULL", LatestPeriod)
READ_PERIOD = Query(f"{PERIODS} WHERE s.id = $1", LatestPeriod)
LIST_RENEWING = Query(
    f"""{PERIODS}
 WHERE s.plan_id = $1 AND s.replaced_at IS NULL AND s.ended_at IS NULL AND s.renews
 ORDER BY s.id
""",
    LatestPeriod,
)
LIST_PERIODS = Query(
    """
SELECT s.id, s.plan_id, s.starts_at, s.ends_at, s.amount_kobo, s.replaced_at, s.credited_kobo,
       s.is_gift, s.renews, s.ended_at, p.plan
  FROM subscription s JOIN plan p ON p.id = s.plan_id
 WHERE s.user_id = $1
   AND ($2::uuid IS NULL
        OR (s.starts_at, s.id) < (SELECT starts_at, id FROM subscription
                                   WHERE id = $2 AND user_id = $1))
 ORDER BY s.starts_at DESC, s.id DESC LIMIT $3
""",
    PeriodRow,
)


@dataclass(frozen=True)
class PaidPeriod:
    id: UUID
    transfer_id: UUID
    plan: str
    period: str
    starts_at: datetime
    ends_at: datetime


LIST_PAID_BY = Query(
    """
SELECT s.id, s.transfer_id, p.plan, p.period, s.starts_at, s.ends_at
  FROM subscription s JOIN plan p ON p.id = s.plan_id
 WHERE s.transfer_id = ANY($1)
""",
    PaidPeriod,
)


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


@dataclass(frozen=True)
class PlanMoment:
    user_id: UUID
    at: datetime


# A period that waits for payment counts for as long as ``current_plan_id`` counts it.
LIST_HAD_PLAN = Query(
    """
SELECT one.user_id, one.at FROM unnest($1::uuid[], $2::timestamptz[]) AS one (user_id, at)
 WHERE EXISTS (
   SELECT FROM subscription s
    WHERE s.user_id = one.user_id AND s.starts_at <= one.at
      AND one.at < least(s.replaced_at, s.ended_at,
                         s.ends_at + CASE WHEN s.renews THEN $3::interval ELSE '0' END))
""",
    PlanMoment,
)


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


async def read_latest(runner: Runner, user_id: UUID) -> LatestPeriod | None:
    """Return a member's latest period, running or over."""
    return await runner.fetch_row(READ_LATEST, user_id, PRICE_NOTICE)


async def list_latest(tx: Transaction, user_ids: Collection[UUID]) -> Sequence[LatestPeriod]:
    """Return the latest periods of those members who have one."""
    return await tx.fetch_rows(LIST_LATEST, list(user_ids), PRICE_NOTICE)


async def list_had_plan(
    runner: Runner, moments: Iterable[tuple[UUID, datetime]], grace: timedelta
) -> set[tuple[UUID, datetime]]:
    """Return which of these members were on a plan at the given moment."""
    pairs = list(moments)
    user_ids, ats = [user_id for user_id, _ in pairs], [at for _, at in pairs]
    rows = await runner.fetch_rows(LIST_HAD_PLAN, user_ids, ats, grace)
    return {(row.user_id, row.at) for row in rows}


async def read_owner(tx: Transaction, subscription_id: UUID) -> UUID | None:
    owner: UUID | None = await tx.fetch_value(READ_OWNER, subscription_id)
    return owner


async def read_period(tx: Transaction, subscription_id: UUID) -> LatestPeriod | None:
    return await tx.fetch_row(READ_PERIOD, subscription_id, PRICE_NOTICE)


async def list_periods(
    database: Database, user_id: UUID, before: UUID | None, limit: int
) -> Sequence[PeriodRow]:
    """Return a member's periods before one, newest first."""
    return await database.fetch_rows(LIST_PERIODS, user_id, before, limit)


async def list_renewing(tx: Transaction, plan_id: UUID) -> Sequence[LatestPeriod]:
    return await tx.fetch_rows(LIST_RENEWING, plan_id, PRICE_NOTICE)


async def list_due(database: Database, now: datetime, limit: int) -> list[UUID]:
    """Return the members whose periods are due to be renewed, retried or ended."""
    return await database.fetch_column(LIST_DUE, now, RETRY_INTERVAL, limit)


async def list_ending(database: Database, now: datetime, limit: int) -> list[UUID]:
    """Return the members whose periods end soon and who were not notified of it."""
    return await database.fetch_column(LIST_ENDING, now, REMIND_BEFORE, WARN_BEFORE, limit)


async def is_suspended(tx: Transaction, user_id: UUID) -> bool:
    return bool(await tx.fetch_value(IS_SUSPENDED, user_id))


async def lock_member(tx: Transaction, user_id: UUID) -> None:
    """Lock a member's subscriptions until commit."""
    await tx.execute(LOCK_MEMBER, str(user_id), AdvisoryLock.SUBSCRIPTION_OF_MEMBER)


async def has_taken_free(tx: Transaction, user_id: UUID, plan_id: UUID) -> bool:
    statement = select(Subscription.id).where(
        Subscription.user_id == user_id,
        Subscription.plan_id == plan_id,
        Subscription.amount_kobo == 0,
        Subscription.is_gift.is_(False),
    )
    return await tx.fetch_value(statement) is not None


async def change_replaced(
    tx: Transaction, subscription_id: UUID, replaced_at: datetime, credited_kobo: Kobo = NOTHING
) -> None:
    """Set ``replaced_at``, so that the subscription is no longer the latest."""
    values = {"replaced_at": replaced_at, "credited_kobo": credited_kobo}
    await change_subscription(tx, subscription_id, values)


async def change_subscription(
    tx: Transaction, subscription_id: UUID, values: Mapping[str, Any]
) -> None:
    statement = update(Subscription).where(Subscription.id == subscription_id)
    await tx.execute(statement.values(**values))


async def insert_subscription(tx: Transaction, bought: NewSubscription) -> None:
    """Insert a period, which becomes the member's latest."""
    await tx.execute(insert(Subscription).values(**vars(bought)))


async def list_paid_by(database: Database, transfer_ids: Sequence[UUID]) -> Sequence[PaidPeriod]:
    return await database.fetch_rows(LIST_PAID_BY, transfer_ids)
