from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from datetime import date, datetime
from uuid import UUID

from api.foundation.database.database import Runner, Transaction
from api.foundation.database.statements import Query
from api.games.achievements.enums import BadgeKey
from api.games.achievements.rules import GAME_BADGES, StreakDays, StreakUpdate

# Inserts the days that are new and locks their members' streaks, in one order to prevent deadlocks.
COUNT_DAYS = """
WITH counted AS (
  INSERT INTO streak_day (user_id, day)
  SELECT DISTINCT user_id, day FROM unnest($1::uuid[], $2::date[]) AS one (user_id, day)
   ORDER BY user_id, day
  ON CONFLICT DO NOTHING RETURNING user_id, day
)
INSERT INTO streak AS s (user_id, best, settled_on)
SELECT user_id, 0, min(day) - 1 FROM counted GROUP BY user_id ORDER BY user_id
ON CONFLICT (user_id) DO UPDATE SET best = s.best
RETURNING user_id
"""
LOCK_STREAK = "SELECT user_id FROM streak WHERE user_id = $1 FOR UPDATE"


@dataclass(frozen=True)
class StreakRow:
    user_id: UUID
    best: int
    settled_on: date | None
    has_plan: bool
    played: list[date]
    frozen: list[date]


LIST_KNOWN = Query(
    """
SELECT one.user_id, coalesce(s.best, 0) AS best, s.settled_on,
       current_plan_id(one.user_id, $2) IS NOT NULL AS has_plan,
       ARRAY(SELECT day FROM streak_day d WHERE d.user_id = one.user_id) AS played,
       ARRAY(SELECT day FROM streak_freeze f WHERE f.user_id = one.user_id) AS frozen
  FROM unnest($1::uuid[]) AS one (user_id) LEFT JOIN streak s ON s.user_id = one.user_id
""",
    StreakRow,
)
CHANGE_STREAKS = """
UPDATE streak s SET best = one.best, settled_on = one.settled_on
  FROM unnest($1::uuid[], $2::int[], $3::date[]) AS one (user_id, best, settled_on)
 WHERE s.user_id = one.user_id
"""
INSERT_FREEZES = """
INSERT INTO streak_freeze (user_id, day) SELECT * FROM unnest($1::uuid[], $2::date[])
ON CONFLICT DO NOTHING
"""
INSERT_BADGES = """
INSERT INTO earned_badge (user_id, key, earned_at)
SELECT user_id, key, $3 FROM unnest($1::uuid[], $2::text[]) AS one (user_id, key)
 WHERE key <> ALL ($4) OR earns_from_games(user_id)
 ORDER BY user_id, key
ON CONFLICT DO NOTHING
"""


@dataclass(frozen=True)
class EarnedBadgeRow:
    key: str
    earned_at: datetime


LIST_BADGES = Query(
    "SELECT key, earned_at FROM earned_badge WHERE user_id = $1",
    EarnedBadgeRow,
)
COUNT_EXACT = "SELECT count(*) FROM prediction WHERE user_id = $1 AND outcome = 'exact'"
FORGET_DAYS = "DELETE FROM streak_day WHERE user_id = $1 AND day < $2"
FORGET_FREEZES = "DELETE FROM streak_freeze WHERE user_id = $1"
FORGET_STREAK = "DELETE FROM streak WHERE user_id = $1"
RESTORE_STREAK = """
INSERT INTO streak (user_id, best, settled_on)
SELECT $1, 0, min(day) - 1 FROM streak_day WHERE user_id = $1 HAVING count(*) > 0
"""


async def insert_days(tx: Transaction, days: Sequence[tuple[UUID, date]]) -> list[UUID]:
    """Insert days that count, lock the streaks of their members, and return those members."""
    user_ids, dates = [user_id for user_id, _ in days], [day for _, day in days]
    return await tx.fetch_column(COUNT_DAYS, user_ids, dates)


async def lock_streak(tx: Transaction, user_id: UUID) -> None:
    await tx.execute(LOCK_STREAK, user_id)


async def list_known(runner: Runner, user_ids: Sequence[UUID], now: datetime) -> list[StreakDays]:
    """Return the stored days of members, and whether they have a plan at ``now``."""
    return [
        StreakDays(
            row.user_id,
            frozenset(row.played),
            frozenset(row.frozen),
            row.best,
            row.settled_on,
            row.has_plan,
        )
        for row in await runner.fetch_rows(LIST_KNOWN, list(user_ids), now)
    ]


async def change_streaks(tx: Transaction, settled: Sequence[StreakUpdate]) -> None:
    """Store closed streaks and the freezes they used; the caller holds their locks."""
    known = [one.known for one in settled]
    await tx.execute(
        CHANGE_STREAKS,
        [one.user_id for one in known],
        [one.best for one in known],
        [one.settled_on for one in known],
    )
    spent = [(one.known.user_id, day) for one in settled for day in one.spent]
    if spent:
        user_ids, dates = [user_id for user_id, _ in spent], [day for _, day in spent]
        await tx.execute(INSERT_FREEZES, user_ids, dates)


async def insert_badges(
    tx: Transaction, earned: Iterable[tuple[UUID, BadgeKey]], now: datetime
) -> None:
    """Award badges; one that the member already has is unchanged.

    Members who earn nothing from the games get no badges for them.
    """
    pairs = list(earned)
    if pairs:
        keys = [key.value for _, key in pairs]
        user_ids, of_games = [user_id for user_id, _ in pairs], [key.value for key in GAME_BADGES]
        await tx.execute(INSERT_BADGES, user_ids, keys, now, of_games)


async def list_badges(runner: Runner, user_id: UUID) -> dict[BadgeKey, datetime]:
    rows = await runner.fetch_rows(LIST_BADGES, user_id)
    return {BadgeKey(row.key): row.earned_at for row in rows}


async def count_exact(runner: Runner, user_id: UUID) -> int:
    """Return how many results a member has predicted exactly."""
    return int(await runner.fetch_value(COUNT_EXACT, user_id))


async def replace_days(tx: Transaction, user_id: UUID, days: Sequence[date], before: date) -> None:
    """Replace the days before ``before`` that count for a member, none of them closed."""
    await tx.execute(FORGET_DAYS, user_id, before)
    await tx.execute(FORGET_FREEZES, user_id)
    await insert_days(tx, [(user_id, day) for day in days])
    await tx.execute(FORGET_STREAK, user_id)
    await tx.execute(RESTORE_STREAK, user_id)
