from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import Any
from uuid import UUID

from api.foundation.database.database import Database, Runner, Transaction
from api.foundation.database.statements import Query

# With $7 it replaces any state, otherwise the one saved at $8 (to the millisecond, null for none).
SAVE = """
INSERT INTO prediction AS p (id, fixture_id, user_id, club_id, home, away, saved_at)
SELECT $1, $2, u.id, u.club_id, $4, $5, $6 FROM user_account u
 WHERE u.id = $3
   AND ($7 OR $8::timestamptz IS NULL
        OR EXISTS (SELECT FROM prediction WHERE user_id = $3 AND fixture_id = $2))
ON CONFLICT (user_id, fixture_id) DO UPDATE
  SET home = excluded.home, away = excluded.away, saved_at = excluded.saved_at,
      club_id = excluded.club_id, outcome = 'pending', points = NULL
WHERE $7 OR date_trunc('milliseconds', p.saved_at) = $8
RETURNING 1
"""
REMOVE = "DELETE FROM prediction WHERE fixture_id = $1 AND user_id = $2"
# A match counts as started from its kick-off, unless postponed or cancelled.
HAS_STARTED = """f.kick_off_at <= $3 AND f.state NOT IN ('postponed', 'cancelled')"""


@dataclass(frozen=True)
class SavedScore:
    home: int
    away: int
    saved_at: datetime


READ_SAVED = Query(
    "SELECT home, away, saved_at FROM prediction WHERE fixture_id = $1 AND user_id = $2", SavedScore
)


@dataclass(frozen=True)
class PredictedMatch:
    """A match with the member's prediction, if any."""

    id: UUID
    home: int | None
    away: int | None
    points: int | None
    outcome: str | None


@dataclass(frozen=True)
class PredictedMatchCrowd(PredictedMatch):
    """Same, with whether the match began, and the stored counts of all predictions, if any."""

    saved_at: datetime | None
    has_started: bool
    crowd_home: int | None
    crowd_draw: int | None
    crowd_away: int | None

    def crowd(self) -> tuple[int, int, int] | None:
        """Return the stored counts of home, draw and away."""
        if self.crowd_home is None or self.crowd_draw is None or self.crowd_away is None:
            return None
        return self.crowd_home, self.crowd_draw, self.crowd_away


LIST_PREDICTED = Query(
    f"""
SELECT f.id, p.home, p.away, p.points, p.outcome, p.saved_at, {HAS_STARTED} AS has_started,
       c.home AS crowd_home, c.draw AS crowd_draw, c.away AS crowd_away
  FROM fixture f
  LEFT JOIN prediction p ON p.fixture_id = f.id AND p.user_id = $1
  LEFT JOIN prediction_crowd c ON c.fixture_id = f.id AND c.kick_off_at = f.kick_off_at
 WHERE f.id = ANY ($2)
""",  # noqa: S608 constants only
    PredictedMatchCrowd,
)


@dataclass(frozen=True)
class CrowdCount:
    id: UUID
    kick_off_at: datetime
    home: int
    draw: int
    away: int


# Includes predictions voided by an abandoned match, but not those saved too late.
COUNT_CROWD = Query(
    """
SELECT f.id, f.kick_off_at, count(p.id) FILTER (WHERE p.home > p.away)::int AS home,
       count(p.id) FILTER (WHERE p.home = p.away)::int AS draw,
       count(p.id) FILTER (WHERE p.home < p.away)::int AS away
  FROM fixture f
  LEFT JOIN prediction p ON p.fixture_id = f.id AND p.saved_at < f.kick_off_at
   AND (p.outcome <> 'void' OR f.state IN ('abandoned', 'awarded'))
 WHERE f.id = ANY ($1) GROUP BY f.id
""",
    CrowdCount,
)
KEEP_CROWD = """
INSERT INTO prediction_crowd (fixture_id, kick_off_at, home, draw, away)
SELECT * FROM unnest($1::uuid[], $2::timestamptz[], $3::int[], $4::int[], $5::int[])
ON CONFLICT DO NOTHING
"""
LIST_OPEN = Query(
    """
SELECT f.id, p.home, p.away, p.points, p.outcome
  FROM fixture f LEFT JOIN prediction p ON p.fixture_id = f.id AND p.user_id = $1
 WHERE f.state = 'scheduled' AND f.kick_off_at > $2
   AND f.kick_off_at <= $2::timestamptz + $3::interval
   AND ($4::uuid IS NULL
        OR (f.kick_off_at, f.id) > (SELECT kick_off_at, id FROM fixture WHERE id = $4))
 ORDER BY f.kick_off_at, f.id LIMIT $5
""",
    PredictedMatch,
)


@dataclass(frozen=True)
class OpenMatchCount:
    """How many open matches a member has predicted and left open, and the first deadline."""

    predicted: int
    left_open: int
    closes_at: datetime | None


# The number of open matches the member has predicted, and those left.
COUNT_OPEN = Query(
    """
SELECT count(p.fixture_id)::int AS predicted,
       (count(*) - count(p.fixture_id))::int AS left_open,
       min(f.kick_off_at) FILTER (WHERE p.fixture_id IS NULL) AS closes_at
  FROM fixture f LEFT JOIN prediction p ON p.fixture_id = f.id AND p.user_id = $1
 WHERE f.state = 'scheduled' AND f.kick_off_at > $2
   AND f.kick_off_at <= $2::timestamptz + $3::interval
""",
    OpenMatchCount,
)
LIST_CLOSED = Query(
    """
SELECT f.id, p.home, p.away, p.points, p.outcome
  FROM prediction p JOIN fixture f ON f.id = p.fixture_id
 WHERE p.user_id = $1
   AND NOT (f.state = 'scheduled' AND f.kick_off_at > $2
            AND f.kick_off_at <= $2::timestamptz + $3::interval)
   AND ($4::uuid IS NULL
        OR (f.kick_off_at, f.id) < (SELECT kick_off_at, id FROM fixture WHERE id = $4))
 ORDER BY f.kick_off_at DESC, f.id DESC LIMIT $5
""",
    PredictedMatch,
)


async def save(tx: Transaction, values: Sequence[Any]) -> bool:
    """Save a prediction; return False, and change nothing, if it replaces another state.

    ``values`` are its id, match, member, home, away, time, whether it replaces any state, and
    when the one that it replaces was saved. The match is locked.
    """
    return await tx.fetch_value(SAVE, *values) is not None


async def read_saved(tx: Transaction, fixture_id: UUID, user_id: UUID) -> SavedScore | None:
    return await tx.fetch_row(READ_SAVED, fixture_id, user_id)


async def remove(tx: Transaction, fixture_id: UUID, user_id: UUID) -> None:
    """Delete a prediction, if any; the match is locked."""
    await tx.execute(REMOVE, fixture_id, user_id)


async def list_predicted(
    runner: Runner, user_id: UUID, fixture_ids: Sequence[UUID], now: datetime
) -> Sequence[PredictedMatchCrowd]:
    """Return matches with the member's prediction, whether they began, and the stored counts."""
    return await runner.fetch_rows(LIST_PREDICTED, user_id, list(fixture_ids), now)


async def count_crowd(runner: Runner, fixture_ids: Sequence[UUID]) -> Sequence[CrowdCount]:
    return await runner.fetch_rows(COUNT_CROWD, list(fixture_ids))


async def store_crowd(runner: Runner, rows: Sequence[CrowdCount]) -> None:
    """Store the counts of matches that cannot be predicted any more."""
    await runner.execute(
        KEEP_CROWD,
        [row.id for row in rows],
        [row.kick_off_at for row in rows],
        [row.home for row in rows],
        [row.draw for row in rows],
        [row.away for row in rows],
    )


async def list_rows(
    database: Database,
    user_id: UUID,
    *,
    is_open: bool,
    now: datetime,
    ahead: timedelta,
    before: UUID | None,
    limit: int,
) -> Sequence[PredictedMatch]:
    """Return open matches, the next kick-off first, or the member's others, the latest first."""
    statement = LIST_OPEN if is_open else LIST_CLOSED
    return await database.fetch_rows(statement, user_id, now, ahead, before, limit)


async def count_open(
    database: Database, user_id: UUID, now: datetime, ahead: timedelta
) -> OpenMatchCount | None:
    return await database.fetch_row(COUNT_OPEN, user_id, now, ahead)
