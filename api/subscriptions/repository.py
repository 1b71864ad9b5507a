"""SQL of the plans. Subscribing is one statement (``subscribe_to_plan``, see its migration)."""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Any
from uuid import UUID

from api.database.database import Database, Row

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
SUBSCRIBE = "SELECT subscribe_to_plan($1, $2, $3, $4, $5, $6, $7) AS answer"


@dataclass(frozen=True)
class NewSubscription:
    """A wish to subscribe; ``credit_id`` names the transfer that gives unused days back."""

    id: UUID
    credit_id: UUID
    user_id: UUID
    plan_id: UUID
    now: datetime
    key: str | None
    fingerprint: str


async def list_plans(database: Database) -> Sequence[Row]:
    """Return the plans on offer, in the order of their cards."""
    return await database.fetch_rows(LIST_PLANS)


async def read_current(database: Database, user_id: UUID, now: datetime) -> Row | None:
    """Return the member's running subscription with its plan, or None."""
    return await database.fetch_row(READ_CURRENT, user_id, now)


async def subscribe(database: Database, wish: NewSubscription) -> dict[str, Any]:
    """Take key and money and write the subscription, or nothing of it.

    Returns ``{plan_id, plan, starts_at, ends_at, credited_kobo, replayed}``, instants as text.

    Raises:
        DatabaseRefusal: ``KF402`` money, ``KF422`` key, ``KF431`` no such plan, ``KF432`` on it
            already, ``KF433`` a free plan that was taken before.
    """
    row = await database.fetch_row(
        SUBSCRIBE,
        wish.id,
        wish.credit_id,
        wish.user_id,
        wish.plan_id,
        wish.now,
        wish.key,
        wish.fingerprint,
    )
    if row is None:
        raise RuntimeError("subscribe_to_plan returned no row")
    answer: dict[str, Any] = row["answer"]
    return answer
