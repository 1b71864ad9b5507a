from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import date, datetime
from typing import Any
from uuid import UUID

from sqlalchemy import insert

from api.foundation.database.database import Database, Runner, Transaction
from api.foundation.database.locks import AdvisoryLock
from api.foundation.database.statements import Query
from api.games.predictions.models import PredictionDecision


@dataclass(frozen=True)
class MatchRound:
    competition_id: UUID
    round: str | None


READ_ROUND = Query(
    "SELECT competition_id, round FROM fixture WHERE id = $1",
    MatchRound,
)
READ_NAME = """
SELECT coalesce(hc.name, h.name) || ' v ' || coalesce(ac.name, a.name)
  FROM fixture f
  JOIN team h ON h.id = f.home_id LEFT JOIN club hc ON hc.id = h.club_id
  JOIN team a ON a.id = f.away_id LEFT JOIN club ac ON ac.id = a.club_id
 WHERE f.id = $1
"""


@dataclass(frozen=True)
class DecisionRow:
    version: int
    home_goals: int | None
    away_goals: int | None
    void_from: datetime | None
    void_until: datetime | None
    competition_id: UUID
    round: str
    month: date
    season_id: UUID | None
    decided_at: datetime

    def goals(self) -> tuple[int, int] | None:
        """Return the result, or None."""
        if self.home_goals is None or self.away_goals is None:
            return None
        return self.home_goals, self.away_goals


LIST_DECISIONS = Query(
    """
SELECT version, home_goals, away_goals, void_from, void_until, competition_id, round, month,
       season_id, decided_at
  FROM prediction_decision WHERE fixture_id = $1 ORDER BY version
""",
    DecisionRow,
)
# One batch of a match at a time.
LOCK_SETTLING = "SELECT pg_advisory_xact_lock(hashtextextended($1, $2))"


LIST_WAITING = """
SELECT user_id FROM prediction WHERE fixture_id = $1 AND settled_version < $2
 ORDER BY settled_version, user_id LIMIT $3
"""
# Locks members before predictions, in the same order as account deletion.
LOCK_MEMBERS = "SELECT hold_member(id) FROM unnest($1::uuid[]) AS id"


@dataclass(frozen=True)
class UnscoredPrediction:
    """A prediction to be scored, with its previous result, and what its member may earn."""

    id: UUID
    user_id: UUID
    club_id: UUID
    home: int
    away: int
    saved_at: datetime
    outcome: str
    points: int | None
    is_off_boards: bool
    earns: bool


LOCK_PREDICTIONS = Query(
    """
SELECT p.id, p.user_id, p.club_id, p.home, p.away, p.saved_at, p.outcome, p.points,
       is_off_boards(p.user_id) AS is_off_boards, earns_from_games(p.user_id) AS earns
  FROM prediction p WHERE p.fixture_id = $1 AND p.user_id = ANY ($2) AND p.settled_version < $3
 ORDER BY p.user_id FOR UPDATE OF p
""",
    UnscoredPrediction,
)
CHANGE_SETTLED = """
UPDATE prediction p SET outcome = s.outcome, points = s.points, settled_version = $4
  FROM unnest($1::uuid[], $2::text[], $3::int[]) AS s (id, outcome, points) WHERE p.id = s.id
"""
ADD_TOTALS = """
INSERT INTO prediction_total AS t (board, user_id, club_id, points, exact, results, settled_on)
SELECT board, one.* , $7 FROM unnest($1::uuid[], $2::uuid[], $3::int[], $4::int[], $5::int[]) AS one
 CROSS JOIN unnest($6::text[]) AS board ORDER BY one, board
ON CONFLICT (board, user_id) DO UPDATE
  SET points = t.points + excluded.points, exact = t.exact + excluded.exact,
      results = t.results + excluded.results, settled_on = excluded.settled_on
"""


@dataclass(frozen=True)
class ExactCount:
    user_id: UUID
    exact: int


COUNT_EXACT = Query(
    """
SELECT user_id, count(*)::int AS exact FROM prediction
 WHERE user_id = ANY ($1) AND outcome = 'exact' GROUP BY user_id
""",
    ExactCount,
)
# Matches that were not finished need no prediction; scheduled ones do.
LIST_FULL_ROUND = """
WITH one_round AS (
  SELECT id, state FROM fixture WHERE competition_id = $1 AND round = $2
     AND state NOT IN ('abandoned', 'cancelled', 'awarded')
)
SELECT p.user_id FROM one_round r
  JOIN prediction p ON p.fixture_id = r.id AND p.points IS NOT NULL AND p.outcome <> 'void'
   AND ($3::uuid[] IS NULL OR p.user_id = ANY ($3))
 WHERE NOT EXISTS (SELECT FROM one_round WHERE state <> 'finished')
 GROUP BY p.user_id HAVING count(*) = (SELECT count(*) FROM one_round)
"""


async def read_name(runner: Runner, fixture_id: UUID) -> str:
    """Return the names of a match's teams as one text."""
    return str(await runner.fetch_value(READ_NAME, fixture_id))


async def read_round(database: Database, fixture_id: UUID) -> MatchRound:
    row = await database.fetch_row(READ_ROUND, fixture_id)
    assert row is not None  # noqa: S101 matches are never deleted
    return row


async def insert_decision(tx: Transaction, values: Mapping[str, Any]) -> None:
    await tx.execute(insert(PredictionDecision).values(**values))


async def list_decisions(tx: Transaction, fixture_id: UUID) -> Sequence[DecisionRow]:
    """Return the decisions about a match, in order."""
    return await tx.fetch_rows(LIST_DECISIONS, fixture_id)


async def lock_settling(tx: Transaction, fixture_id: UUID) -> None:
    """Lock the scoring of a match until commit."""
    await tx.execute(LOCK_SETTLING, str(fixture_id), AdvisoryLock.PREDICTIONS_OF_MATCH)


async def lock_waiting(
    tx: Transaction, fixture_id: UUID, version: int, limit: int
) -> tuple[int, Sequence[UnscoredPrediction]]:
    """Return how many predictions wait for a version, up to ``limit``, and lock existing ones."""
    waiting = await tx.fetch_column(LIST_WAITING, fixture_id, version, limit)
    await lock_members(tx, waiting)
    return len(waiting), await tx.fetch_rows(LOCK_PREDICTIONS, fixture_id, waiting, version)


async def change_settled(
    tx: Transaction, version: int, settled: Sequence[tuple[UUID, str, int | None]]
) -> None:
    """Store results of predictions (id, outcome, points) by a version of their match."""
    ids, outcomes, points = ([one[place] for one in settled] for place in range(3))
    await tx.execute(CHANGE_SETTLED, ids, outcomes, points, version)


async def count_exact(tx: Transaction, user_ids: Sequence[UUID]) -> dict[UUID, int]:
    """Return the members' numbers of exact predictions; members without any are missing."""
    rows = await tx.fetch_rows(COUNT_EXACT, list(user_ids))
    return {row.user_id: row.exact for row in rows}


async def list_full_round(
    tx: Transaction, competition_id: UUID, round_name: str, user_ids: Sequence[UUID] | None
) -> list[UUID]:
    """Return which of these members, or of all, have predicted every match of a finished round."""
    among = None if user_ids is None else list(user_ids)
    return await tx.fetch_column(LIST_FULL_ROUND, competition_id, round_name, among)


async def lock_members(tx: Transaction, user_ids: Sequence[UUID]) -> None:
    """Lock members against account deletion until commit."""
    await tx.execute(LOCK_MEMBERS, sorted(user_ids))


async def add_totals(
    tx: Transaction,
    boards: Sequence[str],
    day: date,
    added: Sequence[tuple[UUID, UUID, int, int, int]],
) -> None:
    """Add to members' totals (member, club, points, exact, results) on some boards."""
    columns = ([one[place] for one in added] for place in range(5))
    await tx.execute(ADD_TOTALS, *columns, list(boards), day)
