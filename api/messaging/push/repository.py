from collections.abc import Sequence
from dataclasses import dataclass
from datetime import date, datetime
from typing import Any
from uuid import UUID

from api.foundation.core.ids import new_id
from api.foundation.database.database import Database, Transaction
from api.foundation.database.locks import AdvisoryLock
from api.foundation.database.statements import Query
from api.foundation.security.members import SUSPENDED_AT
from api.messaging.push.enums import PushGroup

TRY_LOCK = "SELECT pg_try_advisory_xact_lock($1)"
LOCK_MEMBER = "SELECT pg_advisory_xact_lock(hashtextextended($1, $2))"
# A session ending concurrently deletes the subscription, or is already seen as ended.
INSERT = """
WITH here AS (
  SELECT id FROM session WHERE id = $3 AND user_id = $2 AND revoked_at IS NULL FOR SHARE
)
INSERT INTO push_subscription AS s
  (id, user_id, session_id, endpoint_digest, sealed, created_at, seen_at)
SELECT $1, $2, here.id, $4, $5, $6, $6 FROM here
ON CONFLICT (endpoint_digest) DO UPDATE
   SET user_id = excluded.user_id, session_id = excluded.session_id, sealed = excluded.sealed,
       seen_at = excluded.seen_at,
       created_at = CASE WHEN s.user_id = excluded.user_id THEN s.created_at
                         ELSE excluded.created_at END
RETURNING id
"""
# A subscription that has moved to another member since the subquery is rechecked, and stays.
DELETE_SURPLUS = """
DELETE FROM push_subscription WHERE user_id = $1 AND id IN (
  SELECT id FROM push_subscription WHERE user_id = $1 ORDER BY seen_at DESC, id DESC OFFSET $2)
"""
LIVE = f"""
  JOIN session e ON e.id = s.session_id AND e.revoked_at IS NULL
  JOIN user_account u ON u.id = s.user_id AND u.erased_at IS NULL AND {SUSPENDED_AT} IS NULL
"""
DELETE = "DELETE FROM push_subscription WHERE id = $1 AND user_id = $2 RETURNING id"
DELETE_GONE = "DELETE FROM push_subscription WHERE id = $1"
DELETE_OF_SESSIONS = "DELETE FROM push_subscription WHERE session_id = ANY ($1)"
DELETE_OF_MEMBER = "DELETE FROM push_subscription WHERE user_id = $1"
# A worker whose clock is behind at midnight counts for the new day.
COUNT_PUSH = """
INSERT INTO push_day AS d (user_id, push_group, day, pushed, senders) VALUES ($1, $2, $3, 1, $4)
ON CONFLICT (user_id, push_group) DO UPDATE
   SET day = greatest(d.day, excluded.day),
       pushed = CASE WHEN d.day < excluded.day THEN 1 ELSE d.pushed + 1 END,
       senders = CASE WHEN d.day < excluded.day THEN excluded.senders
                      ELSE d.senders || excluded.senders END
 WHERE d.day < excluded.day
    OR d.pushed < $5 AND cardinality(array_positions(d.senders, excluded.senders[1])) < $6
RETURNING true
"""
IS_CLAIMED = "SELECT claimed_at > $2 FROM push_delivery WHERE id = $1"
POSTPONE = "UPDATE push_delivery SET due_at = $2, claimed_at = NULL WHERE id = $1"
DELETE_DELIVERY = "DELETE FROM push_delivery WHERE id = $1"


@dataclass(frozen=True)
class BrowserRow:
    id: UUID
    session_id: UUID
    created_at: datetime


@dataclass(frozen=True)
class LiveBrowser:
    id: UUID
    user_id: UUID


@dataclass(frozen=True)
class ClaimedDelivery:
    together: int
    created_at: datetime
    subscription_id: UUID
    user_id: UUID
    endpoint_digest: bytes
    sealed: bytes
    notification_id: UUID
    kind: str
    data: dict[str, Any]


LIST = Query(
    f"""
SELECT s.id, s.session_id, s.created_at FROM push_subscription s {LIVE}
 WHERE s.user_id = $1 ORDER BY s.seen_at DESC, s.id DESC
""",  # noqa: S608 constants only
    BrowserRow,
)
LIST_LIVE = Query(
    f"""
SELECT s.id, s.user_id FROM push_subscription s {LIVE}
 WHERE s.user_id = ANY ($1) ORDER BY s.user_id, s.id
""",  # noqa: S608 constants only
    LiveBrowser,
)
INSERT_DELIVERIES = """
INSERT INTO push_delivery (id, subscription_id, notification_id, together, created_at)
SELECT one.id, one.subscription_id, $3, $4, $5
  FROM unnest($1::uuid[], $2::uuid[]) AS one (id, subscription_id)
ON CONFLICT (subscription_id, notification_id) DO NOTHING
RETURNING id
"""
CLAIM_DUE = """
UPDATE push_delivery SET due_at = NULL
 WHERE id IN (SELECT id FROM push_delivery WHERE due_at <= $1
               ORDER BY due_at LIMIT $2 FOR UPDATE SKIP LOCKED)
RETURNING id
"""
# Sends nothing if the session has ended, or the browser belongs to another member by now.
CLAIM = Query(
    f"""
UPDATE push_delivery d SET claimed_at = $2
  FROM push_subscription s {LIVE}
  JOIN notification n ON n.user_id = s.user_id
 WHERE d.id = $1 AND s.id = d.subscription_id AND n.id = d.notification_id
   AND (d.claimed_at IS NULL OR d.claimed_at <= $3)
RETURNING d.together, d.created_at, s.id AS subscription_id, s.user_id, s.endpoint_digest, s.sealed,
          n.id AS notification_id, n.kind, n.data
""",  # noqa: S608 constants only
    ClaimedDelivery,
)


@dataclass(frozen=True)
class NewBrowser:
    """A browser to store: its member, session, and sealed address and keys."""

    user_id: UUID
    session_id: UUID
    endpoint_digest: bytes
    sealed: bytes


@dataclass(frozen=True)
class CountedPush:
    """A push of a group that is limited to ``limit`` per day in Lagos.

    At most ``sender_limit`` of them are caused by one sender; None is no sender, or several.
    """

    user_id: UUID
    group: PushGroup
    day: date
    sender_id: UUID | None
    limit: int
    sender_limit: int


async def lock_member(tx: Transaction, user_id: UUID) -> None:
    """Lock a member's subscriptions until commit."""
    await tx.execute(LOCK_MEMBER, str(user_id), AdvisoryLock.BROWSERS_OF_MEMBER)


async def insert(tx: Transaction, new: NewBrowser, now: datetime, limit: int) -> UUID | None:
    """Store a browser and delete the oldest beyond ``limit``; None when its session has ended."""
    subscription_id: UUID | None = await tx.fetch_value(
        INSERT, new_id(), new.user_id, new.session_id, new.endpoint_digest, new.sealed, now
    )
    await tx.execute(DELETE_SURPLUS, new.user_id, limit)
    return subscription_id


async def list_of(database: Database, user_id: UUID) -> Sequence[BrowserRow]:
    """Return a member's browsers, last seen first."""
    return await database.fetch_rows(LIST, user_id)


async def delete(database: Database, subscription_id: UUID, user_id: UUID) -> bool:
    """Delete a member's browser; False when it is not theirs."""
    return await database.fetch_value(DELETE, subscription_id, user_id) is not None


async def delete_gone(database: Database, subscription_id: UUID) -> None:
    """Delete a browser whose subscription has expired, with its deliveries."""
    await database.execute(DELETE_GONE, subscription_id)


async def delete_of_sessions(tx: Transaction, session_ids: Sequence[UUID]) -> None:
    await tx.execute(DELETE_OF_SESSIONS, list(session_ids))


async def delete_of_member(tx: Transaction, user_id: UUID) -> None:
    await tx.execute(DELETE_OF_MEMBER, user_id)


async def try_lock(tx: Transaction) -> bool:
    """Try to acquire the lock on due pushes until commit; return whether it succeeded."""
    return bool(await tx.fetch_value(TRY_LOCK, AdvisoryLock.PUSH_DELIVERY))


async def list_live(tx: Transaction, user_ids: Sequence[UUID]) -> Sequence[LiveBrowser]:
    """Return the browsers where these members are signed in."""
    return await tx.fetch_rows(LIST_LIVE, list(user_ids))


async def count_push(tx: Transaction, push: CountedPush) -> bool:
    """Count a push; False when its group or sender has reached that day's limit."""
    senders = [] if push.sender_id is None else [push.sender_id]
    return bool(
        await tx.fetch_value(
            COUNT_PUSH,
            push.user_id,
            push.group.value,
            push.day,
            senders,
            push.limit,
            push.sender_limit,
        )
    )


async def insert_deliveries(
    tx: Transaction,
    notification_id: UUID,
    subscription_ids: Sequence[UUID],
    together: int,
    now: datetime,
) -> list[UUID]:
    """Insert a notification's deliveries to browsers; return the new ones."""
    ids = [new_id() for _ in subscription_ids]
    return await tx.fetch_column(
        INSERT_DELIVERIES, ids, list(subscription_ids), notification_id, together, now
    )


async def claim_due(tx: Transaction, now: datetime, limit: int) -> list[UUID]:
    """Claim deliveries that are due for a retry."""
    return await tx.fetch_column(CLAIM_DUE, now, limit)


async def claim(
    database: Database, delivery_id: UUID, now: datetime, unclaimed_since: datetime
) -> ClaimedDelivery | None:
    """Claim a delivery for sending; None when it is gone, or another worker is sending it."""
    return await database.fetch_row(CLAIM, delivery_id, now, unclaimed_since)


async def is_claimed(database: Database, delivery_id: UUID, unclaimed_since: datetime) -> bool:
    return bool(await database.fetch_value(IS_CLAIMED, delivery_id, unclaimed_since))


async def postpone(database: Database, delivery_id: UUID, due_at: datetime) -> None:
    """Set when a delivery is due again, and release its claim."""
    await database.execute(POSTPONE, delivery_id, due_at)


async def delete_delivery(database: Database, delivery_id: UUID) -> None:
    await database.execute(DELETE_DELIVERY, delivery_id)
